/* filter/features/mfcc.c and cepstra.h: its values, its reach, its errors. */
#include "filter/features/cepstra.h"
#include "tests/filter/features/spectral_help.h"

enum { BANDS = 26, K = 78 };

/*
 * How far a frame may be from the golden one. B is the largest Euclidean norm of the bounds of
 * the logarithms, over all frames that this one looks at.
 *
 *     cepstra      |dc| <= B, since the DCT is orthonormal
 *     slopes       |dd| <= 0.6 B
 *     z            |dz| <= Z, by the scales and three stacked frames
 *     unit length  2 Z / (|z| + |z'|) (Dunkl, Williams 1964), |z| >= 9.49
 *
 * tests/golden/make.py prints 9.49.
 */
static double golden_bound(const float *x, const double *logs, size_t frame)
{
    double most = 0, c_scale = INFINITY, slope_scale = INFINITY;
    for (size_t j = frame < 8 ? 0 : frame - 8; j <= frame + 8 && j < GOLDEN_FRAMES; j++) {
        double sum = 0;
        for (size_t b = 0; b < BANDS; b++) {
            const double bound = golden_log_bound(logs[j * BANDS + b], golden_mean_square(x, j));
            sum += bound * bound;
        }
        most = fmax(most, sqrt(sum));
    }
    most += 118 * 0x1p-24; /* c is rounded to float32, and |c| <= 26^(1/2) ln 1e10 */
    for (size_t i = 0; i < 13; i++) {
        c_scale = fmin(c_scale, mfcc_scale[i]);
        slope_scale = fmin(slope_scale, mfcc_scale[13 + i]);
    }
    const double z = sqrt(3) * hypot(most / c_scale, 0.6 * most / slope_scale);
    return 2 * z / (2 * 9.49 - z) + 0x1p-24;
}

static void agrees_with_another_implementation(void)
{
    static float x[GOLDEN_SAMPLES], y[HELP_MAX_VALUES];
    static double golden[HELP_MAX_VALUES], logs[HELP_MAX_VALUES];
    golden_signal(x);
    CHECK(golden_read("logmel", logs, HELP_MAX_VALUES) == (size_t)GOLDEN_FRAMES * BANDS);
    CHECK(golden_read("mfcc", golden, HELP_MAX_VALUES) == (size_t)GOLDEN_FRAMES * K);
    CHECK(help_once("mfcc", 1, 8000, x, GOLDEN_SAMPLES, y) == GOLDEN_FRAMES);
    double bounds[GOLDEN_FRAMES];
    for (size_t j = 0; j < GOLDEN_FRAMES; j++) bounds[j] = golden_bound(x, logs, j);
    expect_golden(y, golden, bounds, GOLDEN_FRAMES, K);
}

/* Slowly and obviously, from the frames of logmel: cepstra, slopes, then the stack. */
static void literal(const float *logs, size_t frames, float *out)
{
    enum { MOST = 128 };
    static float c[MOST][13];
    const double pi = acos(-1.);
    if (frames > MOST) exit(1);
    for (size_t t = 0; t < frames; t++)
        for (int i = 0; i < 13; i++) {
            double sum = 0;
            for (int b = 0; b < BANDS; b++)
                sum += sqrt((i ? 2. : 1.) / BANDS) * cos(pi * i * (b + 0.5) / BANDS) *
                       (double)logs[t * BANDS + (size_t)b];
            c[t][i] = (float)sum;
        }
#define CLAMP(t) ((t) < 0 ? 0 : (t) >= (long)frames ? (long)frames - 1 : (t))
#define C(t, i) ((double)c[CLAMP(t)][i])
    for (long t = 0; t < (long)frames; t++) {
        double z[K];
        for (long s = 0; s < 3; s++)
            for (long i = 0, at = CLAMP(t + 6 * (s - 1)); i < 13; i++) {
                const double slope =
                    (C(at + 1, i) - C(at - 1, i) + 2 * (C(at + 2, i) - C(at - 2, i))) / 10;
                z[s * 26 + i] = (C(at, i) - mfcc_mean[i]) / mfcc_scale[i];
                z[s * 26 + 13 + i] = (slope - mfcc_mean[13 + i]) / mfcc_scale[13 + i];
            }
        unit_length(z, K, out + t * K);
    }
}

/* The same bits at any length, the shortest included. */
static void agrees_with_the_literal_definition(void)
{
    static float x[3000], logs[HELP_MAX_VALUES], expected[HELP_MAX_VALUES], y[HELP_MAX_VALUES];
    uint64_t random = check_seed("mfcc");
    help_noises(x, 3000, &random);
    for (int i = 0; i < 200; i++) {
        const size_t n = i < 100 ? 12 * (size_t)i : check_below(&random, 3000);
        const size_t frames = help_once("logmel", 1, 8000, x, n, logs);
        literal(logs, frames, expected);
        CHECK(help_once("mfcc", 1, 8000, x, n, y) == frames);
        CHECK_MSG(help_same(y, expected, frames * K), "%zu samples", n);
    }
}

static void timing_is_as_stated(void)
{
    front_end *chain = help_create("mfcc", 2, 8000);
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 80 && timing.lead == 60);
    CHECK(timing.look_ahead == 60 + 8 * 80 && timing.memory == 201 + 16 * 80);
    CHECK(front_end_shape(chain).dim == 2 * K && front_end_shape(chain).rate_hz == 100);
    front_end_destroy(chain);
    expect_every_sample_owned("mfcc", 8000);
    expect_every_sample_owned("mfcc", 11025);
}

static void look_ahead_and_memory_are_as_stated(void)
{
    expect_memory_and_look_ahead("mfcc", 4000, 2003);
}

/* c_0 of the middle third is highest in the frame that owns the click. */
static void a_click_is_in_the_frame_that_owns_it(void)
{
    static float x[2400], y[HELP_MAX_VALUES];
    front_end *chain = help_create("mfcc", 1, 8000);
    for (size_t at = 700; at < 1700; at++) {
        const size_t owner = (at - 60) / 80;
        if (at + 2 >= 60 + (owner + 1) * 80) continue;
        x[at] = 1;
        const size_t frames = help_run_wide(chain, 1, x, 2400, y, NULL);
        x[at] = 0;
        size_t best = 0;
        for (size_t j = 0; j < frames; j++)
            if (y[j * K + BANDS] > y[best * K + BANDS]) best = j;
        CHECK_MSG(best == owner, "click %zu in frame %zu, not %zu", at, best, owner);
    }
    front_end_destroy(chain);
}

static void frames_have_unit_length_and_silence_is_finite(void)
{
    static float x[3000], y[HELP_MAX_VALUES];
    uint64_t random = check_seed("unit");
    help_noises(x + 1500, 1500, &random); /* silence, then noise */
    const size_t frames = help_once("mfcc", 1, 8000, x, 3000, y);
    for (size_t j = 0; j < frames; j++) {
        double squares = 0;
        for (size_t i = 0; i < K; i++) squares += (double)y[j * K + i] * (double)y[j * K + i];
        const bool is_silent = y[j * K + K - 1] == 6;
        CHECK_MSG(fabs(squares - (is_silent ? 36 : 1)) < 1e-5, "frame %zu: %g", j, squares);
    }
    CHECK(help_same(y, y + K, K)); /* silence is silence */
}

/* The bug: zeros matched a hum or a rumble, since their frame resembles it; so did the dither of 16
 * bits. */
static void silence_is_far_from_all_but_itself(void)
{
    static float x[8000], y[HELP_MAX_VALUES];
    uint64_t random = check_seed("far");
    uint64_t dither = 1; /* of one seed in some 200 a band is above the floor */
    help_noises(x + 2000, 2000, &random);
    for (size_t i = 4000; i < 6000; i++) x[i] = 0.2F * sinf(0.05F * (float)i); /* 64 Hz */
    for (size_t i = 6000; i < 8000; i++) {
        const uint64_t dice = check_below(&dither, 8);
        x[i] = dice == 0 ? 0x1p-15F : dice == 1 ? -0x1p-15F : 0;
    }
    const size_t frames = help_once("mfcc", 1, 8000, x, 8000, y);
    for (size_t j = 0; j < frames; j++) {
        double distance = 0;
        for (size_t i = 0; i < K; i++) distance += fabs((double)y[j * K + i] - (double)y[i]);
        if (j < 15 || j > 85) CHECK_MSG(distance == 0, "frame %zu: %g", j, distance);
        if (j > 30 && j < 70) CHECK_MSG(distance > 7, "frame %zu: %g", j, distance);
    }
}

static void a_vector_of_zeros_stays_zeros(void)
{
    const double zeros[3] = {0, -0.0, 0}, tiny[2] = {3e-100, -4e-100};
    float out[3] = {1, 1, 1};
    unit_length(zeros, 3, out);
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 0);
    unit_length(tiny, 2, out);
    CHECK(out[0] == 0.6f && out[1] == -0.8f);
}

static void no_cutting_changes_a_bit(void)
{
    expect_no_cutting_matters("mfcc", 1, 2000);
    expect_no_cutting_matters("bandpass=300-3400+mfcc", 2, 500);
}

static void channels_do_not_mix(void)
{
    expect_channels_apart("mfcc");
}

static void extreme_values_stay_finite(void)
{
    expect_finite("mfcc");
}

static void threads_agree(void)
{
    expect_threads_agree("mfcc");
}

static void every_error_has_its_message(void)
{
    help_expect_error("mfcc=13", 8000, "mfcc=13: mfcc takes no argument");
    help_expect_error("mfcc", 1,
                      "mfcc needs 16 to 1048576 samples in a window of 25 ms: a rate of "
                      "620 Hz to 41.9 MHz, not 1 Hz");
    help_expect_error("mfcc", 1000,
                      "mfcc: a spectrum of 32 points at 1000 Hz is too coarse for 26 mel bands");
    help_expect_error("envelope+mfcc", 8000,
                      "mfcc needs 16 to 1048576 samples in a window of 25 ms: a rate of "
                      "620 Hz to 41.9 MHz, not 100 Hz");
}

int main(void)
{
    RUN(threads_agree);
    if (!CHECK_THREADS_ALONE) {
        RUN(agrees_with_another_implementation);
        RUN(agrees_with_the_literal_definition);
        RUN(timing_is_as_stated);
        RUN(look_ahead_and_memory_are_as_stated);
        RUN(a_click_is_in_the_frame_that_owns_it);
        RUN(frames_have_unit_length_and_silence_is_finite);
        RUN(silence_is_far_from_all_but_itself);
        RUN(a_vector_of_zeros_stays_zeros);
        RUN(no_cutting_changes_a_bit);
        RUN(channels_do_not_mix);
        RUN(extreme_values_stay_finite);
        RUN(every_error_has_its_message);
    }
    return check_done();
}
