/* filter/features/spectrum.c: power spectra, which samples a frame owns, rates. */
#include "filter/features/spectrum.h"

#include "tests/filter/features/spectral_help.h"

enum { BINS = 129, GOLDEN_STEP = 7 };

typedef struct {
    size_t values;
    double power[HELP_MAX_VALUES * 2];
} spectra;

static spectrum *create(size_t dim, double rate_hz)
{
    spectrum *self = NULL;
    sigrep_error error = {0};
    const frame_shape in = {.dim = dim, .rate_hz = rate_hz};
    CHECK_MSG(spectrum_create(&self, "test", in, rate_hz / 2, &error) == SIGREP_OK, "%s",
              error.text);
    if (!self) exit(1);
    return self;
}

static void keep(void *user, size_t channel, const double *power)
{
    spectra *all = user;
    (void)channel;
    for (size_t b = 0; b < BINS; b++) all->power[all->values++] = power[b];
}

static void agrees_with_another_implementation(void)
{
    static float x[GOLDEN_SAMPLES];
    static double golden[HELP_MAX_VALUES];
    static spectra got;
    golden_signal(x);
    const size_t n = golden_read("spectrum", golden, HELP_MAX_VALUES);
    spectrum *self = create(1, 8000);
    CHECK(spectrum_fft(self) == 256 && spectrum_bins(self) == BINS);
    spectrum_push(self, x, GOLDEN_SAMPLES, keep, &got);
    spectrum_flush(self, keep, &got);
    spectrum_destroy(self);
    CHECK(got.values == 40 * BINS && n == 6 * BINS);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t frame = i / BINS * GOLDEN_STEP;
        const double value = got.power[frame * BINS + i % BINS];
        const double bound = golden_energy_bound(golden[i], golden_mean_square(x, frame));
        CHECK_MSG(fabs(value - golden[i]) <= bound + 1e-10 * golden[i], "%zu: %g, not %g", i, value,
                  golden[i]);
        if (bound > 0) worst = fmax(worst, fabs(value - golden[i]) / bound);
    }
    printf("farthest from the golden spectra: %.2g of the bound\n", worst);
}

/* Whatever was before the span: one sample of 1 has the square of its weight in each point. */
static void silence_is_before_a_span_for_a_network(void)
{
    enum { LEAD = 60 }; /* at 8000 Hz */
    spectrum *self = NULL;
    const frame_shape in = {.dim = 1, .rate_hz = 8000};
    float x[100] = {1};
    const float loud[300] = {[0] = 1e3f, [299] = 1e3f};
    CHECK(spectrum_create_hann(&self, "test", in, 4000, NULL) == SIGREP_OK);
    if (!self) exit(1);
    CHECK(spectrum_bins(self) == BINS && spectrum_timing(self).lead == 0);
    for (int span = 0; span < 2; span++) {
        spectra got = {0};
        spectrum_push(self, x, 100, keep, &got);
        spectrum_flush(self, keep, &got);
        CHECK(got.values == 2 * BINS); /* windows from -60 and from 20 on */
        const double weight = 0.5 - 0.5 * cos(2 * acos(-1.) * LEAD / 200);
        for (size_t b = 0; b < BINS; b++) {
            CHECK(fabs(got.power[b] - weight * weight) < 1e-6);
            CHECK(got.power[BINS + b] == 0);
        }
        spectrum_push(self, loud, 300, keep, &got);
        spectrum_flush(self, keep, &got);
    }
    spectrum_destroy(self);
}

static void count(void *user, size_t channel, const double *power)
{
    size_t *frames = user;
    (void)power;
    *frames += channel == 0;
}

static void every_sample_is_owned_once(void)
{
    static const double rates[] = {620, 1000, 8000, 11025, 16000, 22050, 44100, 48000, 12345.6};
    static float x[6000];
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        spectrum *self = create(1, rates[r]);
        const frame_timing timing = spectrum_timing(self);
        const size_t hop = (size_t)timing.hop, lead = (size_t)timing.lead;
        const size_t window = lead + hop + (size_t)timing.look_ahead;
        CHECK(hop == (size_t)lround(0.01 * rates[r]) && window == (size_t)lround(0.025 * rates[r]));
        CHECK(lead == (window - hop) / 2 && timing.memory == window + 1);
        for (size_t n = 0; n < 6000; n += n < 3 * window ? 1 : 171) {
            size_t pushed = 0, frames;
            spectrum_push(self, x, n, count, &pushed);
            CHECK(pushed == (n < window ? 0 : (n - window) / hop + 1));
            CHECK(pushed <= spectrum_max_frames(self, n));
            frames = pushed;
            spectrum_flush(self, count, &frames);
            CHECK(frames - pushed <= spectrum_max_frames(self, 0));
            CHECK_MSG(frames == (n > lead ? (n - lead + hop - 1) / hop : 0), "%g Hz: %zu of %zu",
                      rates[r], frames, n);
        }
        spectrum_destroy(self);
    }
}

static void add_up(void *user, size_t channel, const double *power)
{
    double *sums = user;
    for (size_t b = 0; b < BINS; b++) sums[channel] += power[b];
}

/* A sine has a mean square of 1/2; pre-emphasis multiplies by |1 - 0.97 e^(-iw)|^2. */
static void the_scale_is_half_the_mean_square(void)
{
    float x[200];
    double sum = 0;
    const double w = 2 * acos(-1.) * 1000 / 8000;
    for (size_t t = 0; t < 200; t++) x[t] = (float)sin(w * (double)t);
    spectrum *self = create(1, 8000);
    spectrum_push(self, x, 200, add_up, &sum);
    spectrum_destroy(self);
    const double expected = 0.25 * (1 + 0.97 * 0.97 - 2 * 0.97 * cos(w));
    CHECK_MSG(fabs(sum / expected - 1) < 0.01, "%g, not %g", sum, expected);
}

static void an_offset_makes_no_click_at_the_beginning(void)
{
    float x[400];
    double sums[2] = {0};
    for (size_t t = 0; t < 400; t++) x[t] = t % 2 ? 1000.f : 0.f; /* two channels */
    spectrum *self = create(2, 8000);
    spectrum_push(self, x, 200, add_up, sums);
    spectrum_destroy(self);
    CHECK(sums[0] == 0);
    CHECK_MSG(sums[1] < 1000. * 1000 * 0.03 * 0.03 * 1.01, "%g", sums[1]);
}

static void no_cutting_changes_a_bit(void)
{
    enum { N = 600 };
    static float x[N];
    static spectra whole, cut;
    uint64_t random = check_seed("spectrum");
    help_noises(x, N, &random);
    spectrum *self = create(1, 8000);
    spectrum_push(self, x, N, keep, &whole);
    spectrum_flush(self, keep, &whole);
    for (int i = 0; i < 3000; i++) {
        cut.values = 0;
        for (size_t t = 0, step; t < N; t += step) {
            step = 1 + check_below(&random, check_below(&random, 2) ? 20 : N);
            if (step > N - t) step = N - t;
            spectrum_push(self, x + t, step, keep, &cut);
        }
        spectrum_flush(self, keep, &cut);
        CHECK(cut.values == whole.values);
        CHECK(memcmp(cut.power, whole.power, whole.values * sizeof *whole.power) == 0);
    }
    spectrum_destroy(self);
}

static void expect_error(double rate_hz, const char *words)
{
    spectrum *self = NULL;
    sigrep_error error = {0};
    const frame_shape in = {.dim = 1, .rate_hz = rate_hz};
    CHECK(spectrum_create(&self, "test", in, rate_hz / 2, &error) == SIGREP_BAD_FRONT_END && !self);
    CHECK_MSG(strcmp(error.text, words) == 0, "%s", error.text);
}

static void rates_without_a_window_are_errors(void)
{
#define WORDS                                                                                      \
    "test needs 16 to 1048576 samples in a window of 25 ms: a rate of 620 Hz to 41.9 MHz, "
    expect_error(1, WORDS "not 1 Hz");
    expect_error(619, WORDS "not 619 Hz");
    expect_error(5e7, WORDS "not 5e+07 Hz");
    spectrum_destroy(create(1, 620));
    spectrum *self = NULL;
    const frame_shape wide = {.dim = SIZE_MAX / 4, .rate_hz = 8000};
    CHECK(spectrum_create(&self, "test", wide, 4000, NULL) == SIGREP_NO_MEMORY && !self);
    spectrum_destroy(NULL);
}

int main(void)
{
    RUN(agrees_with_another_implementation);
    RUN(silence_is_before_a_span_for_a_network);
    RUN(every_sample_is_owned_once);
    RUN(the_scale_is_half_the_mean_square);
    RUN(an_offset_makes_no_click_at_the_beginning);
    RUN(no_cutting_changes_a_bit);
    RUN(rates_without_a_window_are_errors);
    return check_done();
}
