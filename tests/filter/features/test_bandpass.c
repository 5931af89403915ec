/* filter/features/bandpass.c: its response, its states, its arguments. */
#include <float.h>

#include "tests/filter/features/spectral_help.h"

/* Both filters are in double. Rounding a coefficient by 2^-53 moves a pole at angle w by
 * 2^-53 / (2 sin w). The output moves by that over the pole's distance from the unit circle,
 * relative to the input. For 10-50 Hz at 8000 Hz w = 0.008 and the distance is 0.006: 1.2e-12 a
 * section. A dozen such roundings stay under 1e-10. Then the result is rounded to float32. */
static void agrees_with_another_implementation(void)
{
    static const char *const bands[] = {"300-3400", "10-50", "990-1010"};
    static float x[GOLDEN_SAMPLES], y[HELP_MAX_VALUES];
    static double golden[HELP_MAX_VALUES];
    golden_signal(x);
    for (size_t b = 0; b < sizeof bands / sizeof *bands; b++) {
        char name[32];
        snprintf(name, sizeof name, "bandpass_%s", bands[b]);
        const size_t n = golden_read(name, golden, HELP_MAX_VALUES);
        snprintf(name, sizeof name, "bandpass=%s", bands[b]);
        CHECK(n == 300);
        CHECK(help_once(name, 1, 8000, x, GOLDEN_SAMPLES, y) == GOLDEN_SAMPLES);
        double worst = 0;
        for (size_t i = 0; i < n; i++) {
            const double off = fabs((double)y[4 * i] - golden[i]);
            CHECK_MSG(off <= 0x1p-24 * fabs(golden[i]) + 1e-10, "%s: %zu: %g, not %g", name, i,
                      (double)y[4 * i], golden[i]);
            worst = fmax(worst, off);
        }
        printf("%s: farthest from the golden file: %.2g\n", name, worst);
    }
}

static void timing_is_as_stated(void)
{
    front_end *chain = help_create("bandpass=5-15", 2, 360);
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 1 && timing.lead == 0 && timing.look_ahead == 0);
    CHECK(timing.memory == UINT64_MAX);
    CHECK(front_end_shape(chain).dim == 2 && front_end_shape(chain).rate_hz == 360);
    front_end_destroy(chain);
}

/* An impulse changes nothing before itself. */
static void it_is_causal(void)
{
    static float x[500], y[HELP_MAX_VALUES];
    x[123] = 1;
    CHECK(help_once("bandpass=300-3400", 1, 8000, x, 500, y) == 500);
    for (size_t t = 0; t < 123; t++) CHECK(y[t] == 0);
    CHECK(y[123] != 0);
}

/* Regression: states faded into denormals and stayed there, a hundred times slower. */
static void it_falls_silent(void)
{
    static float x[HELP_MAX_VALUES], y[HELP_MAX_VALUES];
    front_end *chain = help_create("bandpass=300-3400", 1, 8000);
    const float *some;
    x[0] = 1;
    CHECK(front_end_push(chain, x, 1, &some) == 1);
    for (int i = 0; i < 20; i++) front_end_push(chain, x + 1, HELP_MAX_PUSH, &some);
    for (size_t t = 0; t < HELP_MAX_PUSH; t++) CHECK(some[t] == 0);
    front_end_flush(chain, &some);
    front_end_destroy(chain);
    CHECK(help_once("bandpass=300-3400", 1, 8000, x + 1, 500, y) == 500);
    for (size_t t = 0; t < 500; t++) CHECK(y[t] == 0);
}

static void extreme_values_stay_finite(void)
{
    static float x[4000], y[HELP_MAX_VALUES];
    for (size_t t = 0; t < 4000; t++) x[t] = t % 4 < 2 ? FLT_MAX : -FLT_MAX;
    CHECK(help_once("bandpass=1900-2100", 1, 8000, x, 4000, y) == 4000);
    float most = 0;
    for (size_t t = 0; t < 4000; t++) {
        CHECK(isfinite(y[t]));
        most = fmaxf(most, fabsf(y[t]));
    }
    CHECK(!(most < FLT_MAX)); /* a square wave's fundamental is higher than the wave */
    expect_finite("bandpass=300-3400");
}

static void no_cutting_changes_a_bit(void)
{
    expect_no_cutting_matters("bandpass=300-3400", 1, 2000);
    expect_no_cutting_matters("diff+bandpass=20-80.5", 2, 1000);
}

static void channels_do_not_mix(void)
{
    expect_channels_apart("bandpass=100-200");
}

static void threads_agree(void)
{
    expect_threads_agree("bandpass=300-3400");
}

static void numbers_may_have_exponents(void)
{
    static float x[500], a[HELP_MAX_VALUES], b[HELP_MAX_VALUES];
    uint64_t random = check_seed("exponents");
    help_noises(x, 500, &random);
    CHECK(help_once("bandpass=0.5-20", 1, 100, x, 500, a) == 500);
    CHECK(help_once("bandpass=5e-1-2e1", 1, 100, x, 500, b) == 500);
    CHECK(help_same(a, b, 500));
}

static void every_error_has_its_message(void)
{
#define NUMBERS ": LO-HI must be two numbers of Hz, such as 300-3400"
#define TOO_NARROW ": too narrow, or too near 0 or half the rate, for samples at 8000 Hz"
    help_expect_error("bandpass", 8000, "bandpass needs an argument: bandpass=LO-HI");
    help_expect_error("bandpass=300", 8000, "bandpass=300" NUMBERS);
    help_expect_error("bandpass=300-", 8000, "bandpass=300-" NUMBERS);
    help_expect_error("bandpass=-300", 8000, "bandpass=-300" NUMBERS);
    help_expect_error("bandpass=300--400", 8000, "bandpass=300--400: LO must be less than HI");
    help_expect_error("bandpass=a-b", 8000, "bandpass=a-b" NUMBERS);
    help_expect_error("bandpass=300-400Hz", 8000, "bandpass=300-400Hz" NUMBERS);
    help_expect_error("bandpass=1-2-3", 8000, "bandpass=1-2-3" NUMBERS);
    help_expect_error("bandpass=0x1-3", 8000, "bandpass=0x1-3" NUMBERS);
    help_expect_error("bandpass=0-300", 8000, "bandpass=0-300: LO must be greater than 0");
    help_expect_error("bandpass=300-300", 8000, "bandpass=300-300: LO must be less than HI");
    help_expect_error("bandpass=3400-300", 8000, "bandpass=3400-300: LO must be less than HI");
    help_expect_error("bandpass=300-4000", 8000,
                      "bandpass=300-4000: HI must be less than half the rate, 4000 Hz");
    help_expect_error("bandpass=300-1e999", 8000,
                      "bandpass=300-1e999: HI must be less than half the rate, 4000 Hz");
    help_expect_error("bandpass=1-1.0000000001", 8000, "bandpass=1-1.0000000001" TOO_NARROW);
    help_expect_error("bandpass=1e-5-100", 8000, "bandpass=1e-5-100" TOO_NARROW);
    help_expect_error("bandpass=100-3999.9999999", 8000, "bandpass=100-3999.9999999" TOO_NARROW);
    help_expect_error("bandpass=00000000000000000000000000000000001-2", 8000,
                      "bandpass=00000000000000000000000000000000001-2" NUMBERS);
}

int main(void)
{
    RUN(agrees_with_another_implementation);
    RUN(timing_is_as_stated);
    RUN(it_is_causal);
    RUN(it_falls_silent);
    RUN(extreme_values_stay_finite);
    RUN(no_cutting_changes_a_bit);
    RUN(channels_do_not_mix);
    RUN(threads_agree);
    RUN(numbers_may_have_exponents);
    RUN(every_error_has_its_message);
    return check_done();
}
