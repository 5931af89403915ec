/* kernel_prefetch_ops: frames that are prefetched ahead of their chunk change no bit of the
 * results. */
#include "tests/kernels/prefetch_help.h"

static void prefetches_change_no_bit(void)
{
    for (size_t dim = 1; dim <= MOST_DIM; dim += 2) {
        problem p;
        problem_begin(&p, &kernel_cuda, dim);
        prefetch_by_chance(&p, seed + dim);
        problem_end(&p);
    }
}

static void a_chunk_takes_what_was_prefetched(void)
{
    problem p;
    uint64_t random = seed;
    problem_begin(&p, &kernel_cuda, 1);
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
    RUN(a_chunk_takes_what_was_prefetched);
    return check_done();
}
