/* filter/features/znorm.c: compared with two passes over each window. */
#include <float.h>
#include <math.h>

#include "tests/filter/features/front_end_help.h"

/* The definition, in two passes over the window. */
static float two_pass(const float *x, size_t t, size_t window, size_t dim)
{
    const size_t n = t + 1 < window ? t + 1 : window;
    double mean = 0, square = 0;
    for (size_t i = t + 1 - n; i <= t; i++) mean += (double)x[i * dim];
    mean /= (double)n;
    for (size_t i = t + 1 - n; i <= t; i++) {
        const double apart = (double)x[i * dim] - mean;
        square += apart * apart;
    }
    const double std = sqrt(square / (double)n);
    return std <= 0x1p-24 * fabs(mean) ? 0 : (float)(((double)x[t * dim] - mean) / std);
}

/* Both results are doubles rounded to float32: half an ulp each, 2^-24 of y. If x is near the
 * mean, rounding of the mean counts too: below 2^-45 of the offset, in units of std. 1e-6
 * covers both if offset / std is at most 1e6. */
static void check_against_two_pass(const float *x, size_t n, size_t window, size_t dim)
{
    static float y[HELP_MAX_VALUES];
    char spec[40];
    snprintf(spec, sizeof spec, "znorm=%zu", window);
    CHECK(help_once(spec, dim, 1, x, n, y) == n);
    for (size_t t = 0; t < n; t++)
        for (size_t k = 0; k < dim; k++) {
            const float got = y[t * dim + k], expected = two_pass(x + k, t, window, dim);
            CHECK_MSG(fabsf(got - expected) <= 1e-6f * (1 + fabsf(expected)),
                      "window %zu, sample %zu: %.9g, not %.9g", window, t, (double)got,
                      (double)expected);
        }
}

static void small_windows_by_hand(void)
{
    /* Pairs give -1, 0 or 1; of three, 0 1 2 gives (2 - 1) / sqrt(2/3). */
    const float x[] = {5, 7, 7, 2, 2, 2, 3};
    const float pairs[] = {0, 1, 0, -1, 0, 0, 1};
    float y[HELP_MAX_VALUES] = {0};
    CHECK(help_once("znorm=2", 1, 1, x, 7, y) == 7);
    CHECK(help_same(y, pairs, 7));
    const float ramp[] = {0, 1, 2, 3, 4, 5, 6};
    const float slope = (float)1.2247448713915890;
    CHECK(help_once("znorm=3", 1, 1, ramp, 7, y) == 7);
    CHECK(y[0] == 0 && y[1] == 1);
    for (size_t t = 2; t < 7; t++) CHECK(fabsf(y[t] - slope) <= 2e-7f);
}

static void seconds_become_samples(void)
{
    const struct {
        const char *spec;
        double rate_hz;
        uint64_t window;
    } cases[] = {{"znorm=0.5", 360, 180},      {"znorm=2", 16000, 32000},
                 {"znorm=0.00555555", 360, 2}, {"znorm=2.6", 1, 3},
                 {"znorm=.5", 10, 5},          {"znorm=5e-1", 10, 5},
                 {"znorm=0.0104", 48000, 499}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        front_end *chain = help_create(cases[i].spec, 1, cases[i].rate_hz);
        const frame_timing timing = front_end_timing(chain);
        CHECK_MSG(timing.memory == cases[i].window, "%s", cases[i].spec);
        CHECK(timing.hop == 1 && timing.lead == 0 && timing.look_ahead == 0);
        front_end_destroy(chain);
    }
}

/* A rate that was forgotten makes a window of nothing, and matches of everything. */
static void a_window_under_two_samples_is_refused(void)
{
    help_expect_error("znorm=0.5", 1, "znorm=0.5: 0.5 samples at 1 Hz, not 2 or more");
    help_expect_error("diff+znorm=1.9", 1, "znorm=1.9: 1.9 samples at 1 Hz, not 2 or more");
}

static void agrees_with_two_passes(void)
{
    enum { N = 700 };
    static const size_t windows[] = {2, 3, 4, 5, 16, 63, 64, 65, 349, 350, 351, 699, 700, 701};
    uint64_t random = check_seed("znorm");
    float x[N];
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        help_noises(x, N, &random);
        check_against_two_pass(x, N, windows[i], 1);
    }
}

static void a_small_signal_on_a_large_offset(void)
{
    enum { N = 2000 };
    static float x[N];
    for (size_t t = 0; t < N; t++) x[t] = (float)(1e6 + 2 * sin(0.05 * (double)t));
    check_against_two_pass(x, N, 50, 1);
    check_against_two_pass(x, N, 333, 1);
}

/* A running sum would keep the rounding of a loud sample. */
static void a_loud_sample_leaves_no_trace(void)
{
    enum { N = 400, WINDOW = 20, LOUD = 105 };
    uint64_t random = check_seed("znorm loud");
    float x[N], calm[HELP_MAX_VALUES], loud[HELP_MAX_VALUES];
    for (size_t t = 0; t < N; t++) x[t] = help_noise(&random) * 1e-3f;
    CHECK(help_once("znorm=20", 1, 1, x, N, calm) == N);
    x[LOUD] = 1e38f;
    CHECK(help_once("znorm=20", 1, 1, x, N, loud) == N);
    CHECK(help_same(calm, loud, LOUD));
    CHECK(help_same(calm + LOUD + WINDOW, loud + LOUD + WINDOW, N - LOUD - WINDOW));
    CHECK(loud[LOUD] > 4.3f && loud[LOUD] < 4.4f); /* sqrt(19) */
}

static void constants_give_exactly_zero(void)
{
    static const float values[] = {0, -0.0f, 1, 0.1f, -1e6f, 3e38f, FLT_MAX, FLT_TRUE_MIN, 1e-20f};
    enum { N = 100 };
    float x[N], y[HELP_MAX_VALUES];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t t = 0; t < N; t++) x[t] = values[i];
        CHECK(help_once("znorm=7", 1, 1, x, N, y) == N);
        for (size_t t = 0; t < N; t++) CHECK_MSG(y[t] == 0, "of %g", (double)values[i]);
    }
}

static void rounding_of_an_offset_is_flat_but_a_small_signal_is_not(void)
{
    enum { N = 64 };
    float x[N], y[HELP_MAX_VALUES];
    for (size_t t = 0; t < N; t++) x[t] = t % 32 == 31 ? nextafterf(1e6f, 2e6f) : 1e6f;
    CHECK(help_once("znorm=32", 1, 1, x, N, y) == N);
    for (size_t t = 0; t < N; t++) CHECK(y[t] == 0);
    for (size_t t = 0; t < N; t++) x[t] = t % 2 ? 1e-40f : -1e-40f;
    CHECK(help_once("znorm=32", 1, 1, x, N, y) == N);
    for (size_t t = 31; t < N; t++) CHECK(fabsf(y[t]) == 1);
}

static void huge_values_give_no_nan(void)
{
    enum { N = 200 };
    float x[N], y[HELP_MAX_VALUES];
    for (size_t t = 0; t < N; t++) x[t] = t % 3 ? -FLT_MAX : FLT_MAX;
    CHECK(help_once("znorm=12", 1, 1, x, N, y) == N);
    for (size_t t = 0; t < N; t++) CHECK(isfinite(y[t]) && fabsf(y[t]) < 3.5f);
    CHECK(help_once("diff+znorm=12", 1, 1, x, N, y) == N);
    for (size_t t = 0; t < N; t++) CHECK(isfinite(y[t]) && fabsf(y[t]) < 3.5f);
}

static void no_cutting_changes_a_bit_and_flush_restarts(void)
{
    enum { N = 250, DIM = 2 };
    uint64_t random = check_seed("znorm cut");
    float x[N * DIM], whole[HELP_MAX_VALUES], cut[HELP_MAX_VALUES];
    help_noises(x, N * DIM, &random);
    CHECK(help_once("znorm=17", DIM, 1, x, N, whole) == N);
    front_end *chain = help_create("znorm=17", DIM, 1);
    for (int i = 0; i < 2000; i++) {
        CHECK(help_run(chain, x, N, cut, &random) == N);
        CHECK(help_same(cut, whole, N * DIM));
        help_run(chain, x, check_below(&random, N), cut, &random); /* leaves nothing */
    }
    front_end_destroy(chain);
}

static void channels_are_as_if_alone(void)
{
    enum { N = 300, DIM = 3 };
    uint64_t random = check_seed("znorm channels");
    float x[N * DIM], one[N], together[HELP_MAX_VALUES], alone[HELP_MAX_VALUES];
    for (size_t i = 0; i < N * DIM; i++) x[i] = help_noise(&random) * (float)(1 + i % DIM * 1000);
    CHECK(help_once("znorm=23", DIM, 1, x, N, together) == N);
    check_against_two_pass(x, N, 23, DIM);
    for (size_t k = 0; k < DIM; k++) {
        for (size_t t = 0; t < N; t++) one[t] = x[t * DIM + k];
        CHECK(help_once("znorm=23", 1, 1, one, N, alone) == N);
        for (size_t t = 0; t < N; t++) CHECK(help_same(&together[t * DIM + k], &alone[t], 1));
    }
}

static void an_absurd_window_is_refused(void)
{
    front_end *chain = NULL;
    sigrep_error error;
    CHECK(front_end_create(&chain, "znorm=1e6", (frame_shape){4, 48000}, 8, &error) ==
          SIGREP_NO_MEMORY);
    CHECK(chain == NULL);
    CHECK_MSG(strstr(error.text, "is more than memory allows (at most "), "%s", error.text);
    CHECK(front_end_create(&chain, "znorm=1", (frame_shape){SIZE_MAX, 2}, 8, &error) ==
          SIGREP_NO_MEMORY);
    CHECK(chain == NULL);
}

int main(void)
{
    RUN(small_windows_by_hand);
    RUN(seconds_become_samples);
    RUN(a_window_under_two_samples_is_refused);
    RUN(agrees_with_two_passes);
    RUN(a_small_signal_on_a_large_offset);
    RUN(a_loud_sample_leaves_no_trace);
    RUN(constants_give_exactly_zero);
    RUN(rounding_of_an_offset_is_flat_but_a_small_signal_is_not);
    RUN(huge_values_give_no_nan);
    RUN(no_cutting_changes_a_bit_and_flush_restarts);
    RUN(channels_are_as_if_alone);
    RUN(an_absurd_window_is_refused);
    return check_done();
}
