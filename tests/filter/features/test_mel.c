#include "filter/features/mel.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/check.h"

enum { FFT = 512, BANDS = 26 };

static mel_bank *create(size_t n)
{
    mel_bank *bank = NULL;
    sigrep_error error = {0};
    CHECK_MSG(mel_create(&bank, "test", n, FFT, 16000, 8000, &error) == SIGREP_OK, "%s",
              error.text);
    if (!bank) exit(1);
    return bank;
}

static double corner_hz(size_t i, size_t n)
{
    const double top = 2595 * log10(1 + 8000. / 700);
    return 700 * (pow(10, top * (double)i / (double)(n + 1) / 2595) - 1);
}

/* Each point of the spectrum alone: between two peaks its weights add up to 1, and each
 * is the slow formula's. */
static void every_point_has_its_weights(void)
{
    mel_bank *bank = create(BANDS);
    for (size_t k = 0; k <= FFT / 2; k++) {
        double power[FFT / 2 + 1] = {0}, sum = 0;
        float out[BANDS];
        power[k] = 1;
        mel_log(bank, power, out);
        const double hz = (double)k * 16000 / FFT;
        for (size_t b = 0; b < BANDS; b++) {
            const double left = corner_hz(b, BANDS), peak = corner_hz(b + 1, BANDS);
            const double right = corner_hz(b + 2, BANDS);
            double weight =
                hz <= peak ? (hz - left) / (peak - left) : (right - hz) / (right - peak);
            if (!(weight > 1e-10)) weight = 1e-10;
            CHECK_MSG(fabs(exp((double)out[b]) / weight - 1) < 1e-5, "point %zu, band %zu", k, b);
            sum += exp((double)out[b]);
        }
        if (hz >= corner_hz(1, BANDS) && hz <= corner_hz(BANDS, BANDS))
            CHECK_MSG(fabs(sum - 1) < 1e-5, "point %zu: %g", k, sum);
    }
    mel_destroy(bank);
}

/* Bands are summed several at a time; each is the sum of its points alone, however many bands
 * there are. 1e-6: the weights are read in float32, and the sum is rounded to it. */
static void banks_of_any_number_sum_all_points(void)
{
    uint64_t random = check_seed("points");
    for (size_t n = 1; n <= 30; n++) {
        mel_bank *bank = create(n);
        double power[FFT / 2 + 1], alone[FFT / 2 + 1] = {0}, sums[30] = {0};
        float out[30];
        for (size_t k = 0; k <= FFT / 2; k++) {
            power[k] = (double)check_below(&random, 1000);
            alone[k] = 1;
            mel_energies(bank, alone, out);
            alone[k] = 0;
            for (size_t b = 0; b < n; b++) sums[b] += power[k] * (double)out[b];
        }
        mel_energies(bank, power, out);
        for (size_t b = 0; b < n; b++)
            CHECK_MSG(fabs((double)out[b] - sums[b]) <= 1e-6 * sums[b], "band %zu of %zu", b, n);
        mel_destroy(bank);
    }
}

static void silence_is_the_floor_and_the_loudest_is_finite(void)
{
    mel_bank *bank = create(BANDS);
    double power[FFT / 2 + 1] = {0};
    float out[BANDS];
    const float floor = logf(1e-10f), most = logf(FLT_MAX);
    mel_log(bank, power, out);
    for (size_t b = 0; b < BANDS; b++) CHECK(memcmp(&out[b], &floor, sizeof floor) == 0);
    for (size_t k = 0; k <= FFT / 2; k++) power[k] = 1e200;
    mel_log(bank, power, out);
    for (size_t b = 0; b < BANDS; b++) CHECK(memcmp(&out[b], &most, sizeof most) == 0);
    mel_destroy(bank);
}

static void nothing_above_the_top_counts(void)
{
    mel_bank *bank = NULL;
    CHECK(mel_create(&bank, "test", 20, FFT, 16000, 5000, NULL) == SIGREP_OK);
    if (!bank) exit(1);
    double power[FFT / 2 + 1] = {0};
    float out[20];
    for (size_t k = 160; k <= FFT / 2; k++) power[k] = 1; /* from 5000 Hz */
    mel_log(bank, power, out);
    for (size_t b = 0; b < 20; b++) CHECK(out[b] < -23.0f);
    power[159] = 1;
    mel_log(bank, power, out);
    CHECK(out[19] > -5);
    mel_destroy(bank);
}

static void bands_without_a_point_are_an_error(void)
{
    mel_bank *bank = NULL;
    sigrep_error error = {0};
    CHECK(mel_create(&bank, "test", 200, 256, 8000, 4000, &error) == SIGREP_BAD_FRONT_END && !bank);
    CHECK_MSG(strcmp(error.text, "test: a spectrum of 256 points at 8000 Hz is too coarse for "
                                 "200 mel bands") == 0,
              "%s", error.text);
    mel_destroy(NULL);
}

/* Silence gives each band a finite value, and nothing is written after the last. */
static void banks_of_all_sizes(void)
{
    enum { MOST = 300 };
    static const float unused = -12345;
    static double power[4096];
    size_t n_banks = 0;
    for (size_t n = 1; n < MOST; n++)
        for (size_t fft = 16; fft <= 4096; fft *= 4) {
            mel_bank *bank = NULL;
            float out[MOST];
            const double rate_hz = (double)fft * 33.3, top_hz = (double)fft * 5;
            if (mel_create(&bank, "test", n, fft, rate_hz, top_hz, NULL) != SIGREP_OK) continue;
            out[n] = unused;
            mel_log(bank, power, out);
            bool finite = true;
            for (size_t i = 0; i < n; i++) finite = finite && isfinite(out[i]);
            CHECK(finite && out[n] == unused);
            mel_destroy(bank);
            n_banks++;
        }
    CHECK(n_banks > 200);
}

/* Bands end at the lower of the two, which decides their weights. */
static void bands_of_spectra_end_at_half_the_rate(void)
{
    enum { N = 20, POINTS = 128 };
    static const double tops[] = {3000, 4000, 6500};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        mel_spectra mel;
        mel_bank *bank = NULL;
        const double top_hz = tops[i] < 4000 ? tops[i] : 4000;
        double power[POINTS + 1];
        float out[N], wanted[N];
        CHECK(mel_spectra_create(&mel, "test", N, (frame_shape){1, 8000}, tops[i], NULL) ==
              SIGREP_OK);
        CHECK(mel_create(&bank, "test", N, 2 * POINTS, 8000, top_hz, NULL) == SIGREP_OK);
        for (size_t k = 0; k <= POINTS; k++) power[k] = (double)(k + 1);
        mel_energies(mel.bank, power, out);
        mel_energies(bank, power, wanted);
        CHECK(memcmp(out, wanted, sizeof out) == 0);
        CHECK(spectrum_bins(mel.spectra) > (size_t)(top_hz / 8000 * 2 * POINTS) - 1);
        mel_spectra_destroy(&mel);
        mel_destroy(bank);
    }
}

static void what_fails_leaves_no_spectra(void)
{
    mel_spectra mel;
    sigrep_error error = {0};
    CHECK(mel_spectra_create(&mel, "test", 200, (frame_shape){1, 8000}, 4000, &error) ==
          SIGREP_BAD_FRONT_END);
    CHECK(!mel.spectra && !mel.bank);
    CHECK(mel_spectra_create(&mel, "test", 20, (frame_shape){1, 100}, 50, &error) ==
          SIGREP_BAD_FRONT_END);
    CHECK(!mel.spectra && !mel.bank);
}

int main(void)
{
    RUN(every_point_has_its_weights);
    RUN(banks_of_any_number_sum_all_points);
    RUN(silence_is_the_floor_and_the_loudest_is_finite);
    RUN(nothing_above_the_top_counts);
    RUN(bands_without_a_point_are_an_error);
    RUN(banks_of_all_sizes);
    RUN(bands_of_spectra_end_at_half_the_rate);
    RUN(what_fails_leaves_no_spectra);
    return check_done();
}
