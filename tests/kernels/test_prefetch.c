/* kernel_prefetch_ops: frames that are prefetched ahead of their chunk change no bit of the
 * results, on one GPU or on all of them. */
#include "tests/kernels/prefetch_help.h"

static void sweep_all(const kernel_ops *ops, size_t dim, int devices)
{
    problem p;
    problem_begin(&p, ops, dim, devices);
    prefetch_by_chance(&p, seed + dim);
    problem_end(&p);
}

static void prefetches_change_no_bit(void)
{
    for (size_t dim = 1; dim <= MOST_DIM; dim += 2) sweep_all(&kernel_cuda, dim, 1);
}

static void prefetches_of_several_gpus_change_no_bit(void)
{
    if (cuda_count() > 1)
        sweep_all(&kernel_multi_device, 1, cuda_count());
    else
        printf("SKIP prefetches_of_several_gpus_change_no_bit: one GPU\n");
}

static void a_chunk_takes_what_was_prefetched(void)
{
    problem p;
    uint64_t random = seed;
    problem_begin(&p, &kernel_cuda, 1, 1);
    for (int i = 0; i < 2; i++) {
        CHECK(sweep_chunk(&p, LONG, i ? 0 : LONG, &random) == SIGREP_OK && outputs_agree(&p, LONG));
        CHECK(prefetched(p.kernels[1]) == (i ? LONG : 0));
    }
    problem_end(&p);
}

int main(void)
{
    seed = check_seed("test_prefetch");
    if (!cuda_usable(0, NULL)) return check_skipped("test_prefetch", "no GPU");
    RUN(prefetches_change_no_bit);
    RUN(prefetches_of_several_gpus_change_no_bit);
    RUN(a_chunk_takes_what_was_prefetched);
    return check_done();
}
