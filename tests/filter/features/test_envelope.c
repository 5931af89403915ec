/* filter/features/envelope.c: root mean squares, padding, arguments. */
#include <float.h>
#include <math.h>

#include "tests/filter/features/front_end_help.h"

static void blocks_give_their_root_mean_square(void)
{
    const float x[] = {3, -4, 0, 0, 1, 1, 1, -1};
    const float expected[] = {2.5f, 1};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("envelope=4", 1, 1, x, 8, y) == 2);
    CHECK(help_same(y, expected, 2));
}

static void the_last_block_is_padded_with_zeros(void)
{
    const float x[] = {1, 1, 1, 1, 6};
    const float expected[] = {1, 3}; /* sqrt(36 / 4) */
    float y[HELP_MAX_VALUES];
    CHECK(help_once("envelope=4", 1, 1, x, 5, y) == 2);
    CHECK(help_same(y, expected, 2));
    CHECK(help_once("envelope=4", 1, 1, x, 4, y) == 1);
    CHECK(help_once("envelope=4", 1, 1, x, 0, y) == 0);
}

static void channels_do_not_mix(void)
{
    const float x[] = {3, 1, 4, 1, 5, 12};
    const float expected[] = {(float)3.5355339059327378, 1, (float)3.5355339059327378,
                              (float)8.4852813742385706};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("envelope=2", 2, 1, x, 3, y) == 2);
    CHECK(help_same(y, expected, 4));
}

static void extreme_values_stay_finite(void)
{
    const float x[] = {FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, FLT_TRUE_MIN};
    const float expected[] = {FLT_MAX, FLT_TRUE_MIN};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("envelope=2", 1, 1, x, 4, y) == 2);
    CHECK(help_same(y, expected, 2));
}

/* The definition is a sum in double in the order of the samples: the same bits. */
static void agrees_with_a_plain_loop(void)
{
    enum { N = 5000, HOP = 37 };
    uint64_t random = check_seed("envelope");
    static float x[N], y[HELP_MAX_VALUES];
    for (size_t t = 0; t < N; t++) x[t] = help_noise(&random) * 1000;
    CHECK(help_once("envelope=0.37", 1, 100, x, N, y) == (N + HOP - 1) / HOP);
    for (size_t j = 0; j * HOP < N; j++) {
        double sum = 0;
        for (size_t t = j * HOP; t < (j + 1) * HOP && t < N; t++)
            sum += (double)x[t] * (double)x[t];
        const float expected = (float)sqrt(sum / HOP);
        CHECK(help_same(&y[j], &expected, 1));
    }
}

static void no_cutting_changes_a_bit_and_flush_restarts(void)
{
    enum { N = 311, DIM = 2, HOP = 7, FRAMES = (N + HOP - 1) / HOP };
    uint64_t random = check_seed("envelope cut");
    float x[N * DIM], whole[HELP_MAX_VALUES], cut[HELP_MAX_VALUES];
    help_noises(x, N * DIM, &random);
    CHECK(help_once("envelope=7", DIM, 1, x, N, whole) == FRAMES);
    front_end *chain = help_create("envelope=7", DIM, 1);
    for (int i = 0; i < 2000; i++) {
        CHECK(help_run(chain, x, N, cut, &random) == FRAMES);
        CHECK(help_same(cut, whole, FRAMES * DIM));
    }
    front_end_destroy(chain);
}

static void its_frames_are_slower_by_the_hop(void)
{
    front_end *chain = help_create("envelope", 1, 48000); /* 0.01 s */
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 480 && timing.lead == 0 && timing.look_ahead == 0);
    CHECK(timing.memory == 480 && front_end_shape(chain).rate_hz == 100);
    front_end_destroy(chain);
}

static void one_sample_is_the_least(void)
{
    front_end *chain = NULL;
    sigrep_error error;
    CHECK(front_end_create(&chain, "envelope=0.6", (frame_shape){1, 1}, 8, &error) ==
          SIGREP_BAD_FRONT_END);
    CHECK(chain == NULL);
    CHECK_MSG(strcmp(error.text, "envelope=0.6: under one sample, 0.6 samples at 1 Hz") == 0, "%s",
              error.text);
    CHECK(front_end_create(&chain, "envelope", (frame_shape){1, 8}, 8, &error) ==
          SIGREP_BAD_FRONT_END);
    chain = help_create("envelope=0.00277778", 1, 360); /* 1/360, six digits */
    CHECK(front_end_timing(chain).hop == 1);
    front_end_destroy(chain);
}

int main(void)
{
    RUN(blocks_give_their_root_mean_square);
    RUN(the_last_block_is_padded_with_zeros);
    RUN(channels_do_not_mix);
    RUN(extreme_values_stay_finite);
    RUN(agrees_with_a_plain_loop);
    RUN(no_cutting_changes_a_bit_and_flush_restarts);
    RUN(its_frames_are_slower_by_the_hop);
    RUN(one_sample_is_the_least);
    return check_done();
}
