/* filter/features/resample.c: bits, times, ends of spans, errors. */
#include "filter/features/resample.h"

#include <float.h>
#include <math.h>

#include "tests/filter/features/front_end_help.h"

static const double PI = 3.14159265358979323846;

/* From, to: up and down, ratios with small and with large terms, and one that libsoxr
 * interpolates. */
static const double rates[][2] = {{8000, 16000}, {48000, 16000},  {44100, 8000},
                                  {11025, 8000}, {8000, 44100},   {360, 250},
                                  {44101, 8000}, {16000, 2000.5}, {8000, 100}};
enum { N_RATES = sizeof rates / sizeof *rates };

static front_end *make(double from_hz, double to_hz, size_t dim)
{
    char spec[64];
    snprintf(spec, sizeof spec, "resample=%.9g", to_hz);
    return help_create(spec, dim, from_hz);
}

/* The number of frames before the end of n samples. */
static size_t expected_frames(double from_hz, double to_hz, size_t n)
{
    rational hop;
    CHECK(resample_hop(&hop, from_hz, to_hz, NULL) == SIGREP_OK);
    return (size_t)((n * hop.den + hop.num - 1) / hop.num);
}

static void any_cutting_gives_the_same_bits(void)
{
    enum { N = 1500, CUTTINGS = 1000 };
    uint64_t random = check_seed("resample");
    static float x[N * 2], whole[HELP_MAX_VALUES * 3], cut[HELP_MAX_VALUES * 3];
    help_noises(x, N * 2, &random);
    for (size_t r = 0; r < N_RATES; r++) {
        const size_t n = rates[r][1] > 40000 ? N / 3 : N;
        const int cuttings = r < 4 ? CUTTINGS : CUTTINGS / 10;
        front_end *chain = make(rates[r][0], rates[r][1], 2);
        const size_t frames = help_run(chain, x, n, whole, NULL);
        CHECK(frames == expected_frames(rates[r][0], rates[r][1], n));
        for (int i = 0; i < cuttings && check_failures < 10; i++) {
            CHECK(help_run(chain, x, n, cut, &random) == frames);
            CHECK_MSG(help_same(cut, whole, frames * 2), "%g Hz to %g Hz, cutting %d", rates[r][0],
                      rates[r][1], i);
        }
        front_end_destroy(chain);
    }
}

/* The centre of gravity of a bump, in frames. */
static double centre_of(const float *y, size_t n)
{
    double sum = 0, moment = 0;
    for (size_t j = 0; j < n; j++) {
        sum += (double)y[j];
        moment += (double)y[j] * (double)j;
    }
    return moment / sum;
}

static void a_bump_comes_out_at_its_time(void)
{
    enum { N = 2000 };
    static float x[N], y[HELP_MAX_VALUES];
    for (size_t r = 0; r < N_RATES; r++) {
        const double hop = rates[r][0] / rates[r][1], width = 6 * fmax(hop, 1);
        const size_t n = rates[r][1] > 40000 ? N / 2 : N;
        const double at = 0.41 * (double)n;
        for (size_t i = 0; i < n; i++) x[i] = (float)exp(-pow(((double)i - at) / width, 2));
        front_end *chain = make(rates[r][0], rates[r][1], 1);
        const size_t frames = help_run(chain, x, n, y, NULL);
        if (width < 100) {
            const double found = centre_of(y, frames) * hop;
            CHECK_MSG(fabs(found - at) < 1e-3, "%g Hz to %g Hz: %g, not %g", rates[r][0],
                      rates[r][1], found, at);
        }
        front_end_destroy(chain);
    }
}

/* A click is largest in the frame that owns it, or in a neighbour. */
static void a_click_lies_in_its_frame(void)
{
    enum { N = 900 };
    static float x[N], y[HELP_MAX_VALUES];
    for (size_t r = 0; r < N_RATES; r++)
        for (size_t at = 200; at < 700; at += 77) {
            front_end *chain = make(rates[r][0], rates[r][1], 1);
            const frame_timing timing = front_end_timing(chain);
            memset(x, 0, sizeof x);
            x[at] = 1;
            const size_t frames = help_run(chain, x, N, y, NULL);
            size_t top = 0;
            for (size_t j = 1; j < frames; j++)
                if (y[j] > y[top]) top = j;
            const double slack = fmax(1, rates[r][0] / rates[r][1]);
            const double off = (double)timing_edge(&timing, top) - (double)at;
            CHECK_MSG(fabs(off) <= slack, "%g Hz to %g Hz: off by %g samples", rates[r][0],
                      rates[r][1], off);
            front_end_destroy(chain);
        }
}

/* A sine at 0.4 of the lower rate keeps its phase. A sine that would be an alias is gone. */
static void sines_pass_and_aliases_do_not(void)
{
    enum { N = 3000 };
    static float x[N], y[HELP_MAX_VALUES];
    for (size_t r = 0; r < 4; r++) {
        const double from = rates[r][0], to = rates[r][1], f = 0.4 * fmin(from, to);
        for (size_t i = 0; i < N; i++) x[i] = (float)sin(2 * PI * f / from * (double)i + 1);
        front_end *chain = make(from, to, 1);
        size_t frames = help_run(chain, x, N, y, NULL);
        for (size_t j = frames / 3; j < frames - frames / 3; j++) {
            const double expected = sin(2 * PI * f / to * (double)j + 1);
            CHECK_MSG(fabs((double)y[j] - expected) < 1e-3, "%g Hz to %g Hz, frame %zu", from, to,
                      j);
        }
        for (size_t i = 0; i < N; i++) x[i] = (float)sin(2 * PI * 0.6 * to / from * (double)i + 1);
        if (0.6 * to < 0.5 * from) frames = help_run(chain, x, N, y, NULL);
        for (size_t j = frames / 3; 0.6 * to < 0.5 * from && j < frames - frames / 3; j++)
            CHECK(fabs((double)y[j]) < 1e-5);
        front_end_destroy(chain);
    }
}

/* A span gives ceil(n out / in) frames, the last ones at its flush. It leaves no trace in the
 * next span. */
static void every_length_ends_well(void)
{
    enum { N = 400 };
    uint64_t random = check_seed("ends");
    static float x[N], y[HELP_MAX_VALUES], again[HELP_MAX_VALUES];
    help_noises(x, N, &random);
    for (size_t r = 0; r < N_RATES; r++) {
        front_end *chain = make(rates[r][0], rates[r][1], 1);
        const float *none;
        CHECK(front_end_flush(chain, &none) == 0);
        for (size_t n = 0; n < N; n += n < 70 ? 1 : 37) {
            const size_t frames = help_run(chain, x, n, y, &random);
            CHECK_MSG(frames == expected_frames(rates[r][0], rates[r][1], n),
                      "%g to %g: %zu of %zu", rates[r][0], rates[r][1], frames, n);
            front_end *fresh = make(rates[r][0], rates[r][1], 1);
            CHECK(help_run(fresh, x, n, again, NULL) == frames);
            CHECK(help_same(y, again, frames));
            front_end_destroy(fresh);
        }
        CHECK(!front_end_failed(chain));
        front_end_destroy(chain);
    }
}

/* The number of frames that have come out follows from the number of samples read, by
 * front_end_samples_needed, in chains too. */
static void frames_come_out_when_they_are_due(void)
{
    enum { MAX_STEP = 64 };
    static const float zero[MAX_STEP];
    uint64_t random = check_seed("look-ahead");
    for (size_t r = 0; r < 2 * N_RATES; r++) {
        const double from = rates[r / 2][0], to = rates[r / 2][1];
        char spec[80];
        snprintf(spec, sizeof spec, "%sresample=%.9g%s", r % 2 ? "diff+" : "", to,
                 r % 2 ? "+envelope=0.02+resample=33.3" : "");
        front_end *chain = help_create(spec, 1, from);
        const uint64_t ahead = front_end_timing(chain).look_ahead;
        uint64_t taken = 0, given = 0;
        for (const float *frames; taken < 6 * ahead && check_failures < 10;) {
            const size_t n = check_below(&random, MAX_STEP);
            given += front_end_push(chain, zero, n, &frames);
            taken += n;
            CHECK_MSG(front_end_samples_needed(chain, given) <= taken &&
                          front_end_samples_needed(chain, given + 1) > taken,
                      "%g Hz, %s: %llu frames after %llu samples", from, spec,
                      (unsigned long long)given, (unsigned long long)taken);
        }
        CHECK_MSG(r % 2 || (double)ahead < 0.3 * from || to < 1000, "%g Hz to %g Hz: %llu samples",
                  from, to, (unsigned long long)ahead);
        front_end_destroy(chain);
    }
}

static void channels_do_not_mix(void)
{
    enum { N = 700, DIM = 5 };
    uint64_t random = check_seed("channels");
    static float x[N * DIM], one[N], y[HELP_MAX_VALUES * DIM], z[HELP_MAX_VALUES];
    help_noises(x, N * DIM, &random);
    front_end *all = make(11025, 8000, DIM), *alone = make(11025, 8000, 1);
    const size_t frames = help_run(all, x, N, y, NULL);
    for (size_t k = 0; k < DIM; k++) {
        for (size_t i = 0; i < N; i++) one[i] = x[i * DIM + k];
        CHECK(help_run(alone, one, N, z, NULL) == frames);
        for (size_t j = 0; j < frames; j++) CHECK(help_same(&z[j], &y[j * DIM + k], 1));
    }
    front_end_destroy(all);
    front_end_destroy(alone);
}

static void the_same_rate_is_the_identity(void)
{
    const float x[] = {1, -0.0f, FLT_MAX, FLT_TRUE_MIN, -7, 3};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("resample=360", 2, 360, x, 3, y) == 3);
    CHECK(help_same(x, y, 6));
    front_end *chain = help_create("resample=0.1", 1, 0.1);
    const frame_timing t = front_end_timing(chain);
    CHECK(t.hop == 1 && t.per == 1 && t.lead == 0 && t.look_ahead == 0 && t.memory == 1);
    front_end_destroy(chain);
}

static void extreme_values_stay_finite(void)
{
    enum { N = 600 };
    float x[N], y[HELP_MAX_VALUES];
    for (size_t i = 0; i < N; i++) x[i] = i % 3 ? FLT_MAX : -FLT_MAX;
    for (size_t r = 0; r < 4; r++) {
        front_end *chain = make(rates[r][0], rates[r][1], 1);
        const size_t n = help_run(chain, x, N, y, NULL);
        for (size_t j = 0; j < n; j++) CHECK(isfinite(y[j]));
        front_end_destroy(chain);
    }
}

static void timing_is_exact_through_chains(void)
{
    front_end *chain = help_create("resample=8000+envelope=0.01", 1, 44100);
    frame_timing t = front_end_timing(chain);
    CHECK(t.hop == 441 && t.per == 1 && t.lead == 0);
    CHECK(front_end_shape(chain).rate_hz == 100);
    front_end_destroy(chain);
    chain = help_create("resample=8000+diff+resample=44100", 1, 44100);
    t = front_end_timing(chain);
    CHECK(t.hop == 1 && t.per == 1 && front_end_shape(chain).rate_hz == 44100);
    front_end_destroy(chain);
    chain = help_create("envelope=3+resample=0.25", 1, 1);
    t = front_end_timing(chain);
    CHECK(t.hop == 4 && t.per == 1 && front_end_shape(chain).rate_hz == 0.25);
    front_end_destroy(chain);
}

static void every_error_has_its_message(void)
{
    help_expect_error("resample", 8000, "resample needs an argument: resample=HZ");
    help_expect_error("resample=0", 8000, "resample=0: HZ must be greater than 0 and finite");
    help_expect_error("resample=-8000", 8000,
                      "resample=-8000: HZ must be greater than 0 and finite");
    help_expect_error("resample=1e999", 8000,
                      "resample=1e999: HZ must be greater than 0 and finite");
    help_expect_error("resample=16k", 8000, "resample=16k: HZ must be a number");
    help_expect_error("resample=nan", 8000, "resample=nan: HZ must be a number");
    help_expect_error("resample=31", 8000,
                      "resample=31: from 8000 Hz to 31 Hz: more than a factor of 256");
    help_expect_error("resample=8000", 1,
                      "resample=8000: from 1 Hz to 8000 Hz: more than a factor of 256");
    help_expect_error(
        "resample=8000.0000001", 8000,
        "resample=8000.0000001: from 8000 Hz to 8000.0000001 Hz: rates must be fractions "
        "with a denominator up to 1000000");
    help_expect_error("resample=1e300", 8000,
                      "resample=1e300: from 8000 Hz to 1e+300 Hz: rates must be fractions with a "
                      "denominator up to 1000000");
}

static void a_front_end_is_brought_to_a_rate(void)
{
    char *same = resample_spec("raw", 8000, 8000), *other = resample_spec("diff+mfcc", 44100, 0.5);
    CHECK(strcmp(same, "raw") == 0 && strcmp(other, "resample=0.5+diff+mfcc") == 0);
    free(same);
    free(other);
}

static void the_largest_factor_works(void)
{
    enum { N = 30000 };
    static float x[N], y[HELP_MAX_VALUES];
    for (size_t i = 0; i < N; i++) x[i] = 1;
    front_end *chain = make(256, 1, 1);
    const size_t n = help_run(chain, x, N, y, NULL);
    CHECK(n == (N + 255) / 256);
    CHECK(fabsf(y[n / 2] - 1) < 1e-3f);
    front_end_destroy(chain);
    chain = make(1, 256, 1);
    CHECK(help_run(chain, x, 30, y, NULL) == 30 * 256);
    front_end_destroy(chain);
}

int main(void)
{
    RUN(any_cutting_gives_the_same_bits);
    RUN(a_bump_comes_out_at_its_time);
    RUN(a_click_lies_in_its_frame);
    RUN(sines_pass_and_aliases_do_not);
    RUN(every_length_ends_well);
    RUN(frames_come_out_when_they_are_due);
    RUN(channels_do_not_mix);
    RUN(the_same_rate_is_the_identity);
    RUN(extreme_values_stay_finite);
    RUN(timing_is_exact_through_chains);
    RUN(every_error_has_its_message);
    RUN(a_front_end_is_brought_to_a_rate);
    RUN(the_largest_factor_works);
    return check_done();
}
