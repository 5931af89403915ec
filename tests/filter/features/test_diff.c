/* filter/features/diff.c: differences, extremes, channels. */
#include <float.h>
#include <math.h>

#include "tests/filter/features/front_end_help.h"

static void the_first_is_zero_then_differences(void)
{
    const float x[] = {3, 5, 4, 4, -1.5f};
    const float expected[] = {0, 2, -1, 0, -5.5f};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("diff", 1, 1, x, 5, y) == 5);
    CHECK(help_same(y, expected, 5));
}

static void channels_do_not_mix(void)
{
    const float x[] = {1, 100, 2, 50, 4, 60};
    const float expected[] = {0, 0, 1, -50, 2, 10};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("diff", 2, 1, x, 3, y) == 3);
    CHECK(help_same(y, expected, 6));
}

static void an_overflow_is_the_largest_number(void)
{
    const float x[] = {-3e38f, 3e38f, -3e38f};
    const float expected[] = {0, FLT_MAX, -FLT_MAX};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("diff", 1, 1, x, 3, y) == 3);
    CHECK(help_same(y, expected, 3));
}

static void denormals_are_kept(void)
{
    const float x[] = {0, FLT_TRUE_MIN, 0};
    const float expected[] = {0, FLT_TRUE_MIN, -FLT_TRUE_MIN};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("diff", 1, 1, x, 3, y) == 3);
    CHECK(help_same(y, expected, 3));
}

static void no_cutting_changes_a_bit_and_flush_restarts(void)
{
    enum { N = 300, DIM = 3 };
    uint64_t random = check_seed("diff");
    float x[N * DIM], whole[HELP_MAX_VALUES], cut[HELP_MAX_VALUES];
    help_noises(x, N * DIM, &random);
    CHECK(help_once("diff", DIM, 1, x, N, whole) == N);
    front_end *chain = help_create("diff", DIM, 1);
    for (int i = 0; i < 1000; i++) {
        CHECK(help_run(chain, x, N, cut, &random) == N);
        CHECK(help_same(cut, whole, N * DIM));
    }
    front_end_destroy(chain);
}

static void its_timing_is_that_of_the_samples(void)
{
    front_end *chain = help_create("diff", 2, 360);
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 1 && timing.lead == 0 && timing.look_ahead == 0 && timing.memory == 2);
    CHECK(front_end_shape(chain).dim == 2 && front_end_shape(chain).rate_hz == 360);
    front_end_destroy(chain);
}

int main(void)
{
    RUN(the_first_is_zero_then_differences);
    RUN(channels_do_not_mix);
    RUN(an_overflow_is_the_largest_number);
    RUN(denormals_are_kept);
    RUN(no_cutting_changes_a_bit_and_flush_restarts);
    RUN(its_timing_is_that_of_the_samples);
    return check_done();
}
