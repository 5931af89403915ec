/* Frames that are prefetched ahead of their step change no bit of what GPUs give, one or all of
 * them.
 */
#include "tests/kernels/prefetch_help.h"

static void tried(const kernel_ops *ops, size_t dim, int devices)
{
    problem p;
    offers_begin(&p, ops, dim, devices);
    prefetch_by_chance(&p, seed + dim);
    offers_end(&p);
}

static void offers_change_no_bit(void)
{
    for (size_t dim = 1; dim <= MOST_DIM; dim += 2) tried(&kernel_cuda, dim, 1);
}

static void offers_to_a_group_change_no_bit(void)
{
    if (cuda_count() > 1)
        tried(&kernel_multi_device, 1, cuda_count());
    else
        printf("SKIP offers_to_a_group_change_no_bit: one GPU\n");
}

static void a_step_takes_what_was_prefetched(void)
{
    problem p;
    uint64_t random = seed;
    offers_begin(&p, &kernel_cuda, 1, 1);
    for (int i = 0; i < 2; i++) {
        CHECK(step(&p, LONG, i ? 0 : LONG, &random) == SIGREP_OK && outputs_agree(&p, LONG));
        CHECK(cuda_timed(p.kernels[1]).prefetched == (i ? LONG : 0));
    }
    offers_end(&p);
}

int main(void)
{
    seed = check_seed("test_offers");
    if (!cuda_usable(0, NULL)) return check_skipped("test_offers", "no GPU");
    RUN(offers_change_no_bit);
    RUN(offers_to_a_group_change_no_bit);
    RUN(a_step_takes_what_was_prefetched);
    return check_done();
}
