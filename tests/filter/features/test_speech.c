/* filter/features/speech.c: its values, its reach, its mark of silence, what is common, its errors.
 */
#include "filter/features/cepstra.h"
#include "filter/features/mel.h"
#include "filter/features/spectrum.h"
#include "tests/filter/features/spectral_help.h"

enum {
    BANDS = 26,
    Z = 75,
    V = Z,
    U = Z + 1,
    K = Z + 2,
    C = 13,
    AHEAD = 21,
    BACK = 36,
    COMMON_FRAMES = 128
};

static size_t within(long t, size_t frames)
{
    return t < 0 ? 0 : t >= (long)frames ? frames - 1 : (size_t)t;
}

static double smoothed(const double *energies, size_t t, size_t b)
{
    double sum = 0;
    for (long k = -2; k <= 2; k++)
        sum += energies[within((long)t + k, GOLDEN_FRAMES) * BANDS + b] / 5;
    return sum;
}

static double noise_under(const double *energies, size_t t, size_t b)
{
    double least = INFINITY;
    for (long u = (long)t - 25; u <= (long)t + 10; u++)
        least = fmin(least, smoothed(energies, within(u, GOLDEN_FRAMES), b));
    return least;
}

/* A bound of G if every energy lies within its range around the golden one. G rises with S and
 * falls with N, so the ends of the ranges suffice: own = lows and other = highs give the least,
 * the reverse the most. `own` gives S, `other` gives N; both GOLDEN_FRAMES x BANDS. */
static double kept_share(const double *own, const double *other, size_t t, long b)
{
    const size_t at = within(b, BANDS);
    const double energy = smoothed(own, t, at);
    return energy > 0 ? fmax(1 - 1.5 * noise_under(other, t, at) / energy, 0.2) : 0;
}

static double root_of(const double *own, const double *other, size_t t, size_t b)
{
    double sum = 0;
    for (long k = -1; k <= 1; k++) sum += kept_share(own, other, t, (long)b + k);
    return pow(smoothed(own, t, b) * sum / 3, 0.1);
}

/* How far apart the roots of a cleaned energy may lie. */
static double root_width(const double *lows, const double *highs, size_t t, size_t b)
{
    return root_of(highs, lows, t, b) - root_of(lows, highs, t, b);
}

/* A bound of l, if every energy lies within its range. w is a sum of terms that rise with S and
 * fall with N, over a sum of S. */
static double length_of(const double *own, const double *other, size_t t)
{
    double sum = 0;
    for (long k = -6; k <= 6; k++) {
        const size_t at = within((long)t + k, GOLDEN_FRAMES);
        double clear = 0, all = 0;
        for (size_t b = 0; b < BANDS; b++) {
            clear += fmax(smoothed(own, at, b) - 1.5 * noise_under(other, at, b), 0);
            all += smoothed(other, at, b);
        }
        sum += all > 0 ? fmin(clear / all, 1) : clear > 0;
    }
    return pow(0.05 + 0.95 * sum / 13, 0.15);
}

/*
 * How far a frame may be from the golden one. W is the largest Euclidean norm of the widths of
 * the roots, over all frames that this one looks at.
 *
 *     cepstra      |dc| <= W, since the DCT is orthonormal
 *     slopes       |dd| <= 12/28 W
 *     z            |dz| <= Z, by the constants and three stacked frames
 *     unit length  2 Z / (|z| + |z'|) (Dunkl, Williams 1964), |z| >= LEAST_LENGTH
 *     l            at most 1, so its own error adds to that
 *     u            0.3 times the L1 distance, which is at most sqrt(75) times the Euclidean one
 *
 * tests/golden/make.py prints LEAST_LENGTH.
 */
#define LEAST_LENGTH 9.22

static double golden_bound(const double *lows, const double *highs, size_t frame)
{
    double most = 0, c_scale = 0, slope_scale = 0;
    for (long j = (long)frame - 9; j <= (long)frame + 9; j++) {
        double sum = 0;
        for (size_t b = 0; b < BANDS; b++)
            sum += pow(root_width(lows, highs, within(j, GOLDEN_FRAMES), b) + 0x1p-23, 2);
        most = fmax(most, sqrt(sum));
    }
    for (size_t i = 0; i < C - 1; i++) c_scale = fmax(c_scale, speech_scale[i]);
    for (size_t i = C - 1; i < 2 * C - 1; i++) slope_scale = fmax(slope_scale, speech_scale[i]);
    const double z = sqrt(3) * most * hypot(c_scale, 12. / 28 * slope_scale);
    return 2 * z / (2 * LEAST_LENGTH - z) + length_of(highs, lows, frame) -
           length_of(lows, highs, frame) + 0x1p-22;
}

static void golden_ranges(double *lows, double *highs)
{
    static float x[GOLDEN_SAMPLES];
    static double logs[HELP_MAX_VALUES];
    golden_signal(x);
    CHECK(golden_read("logmel", logs, HELP_MAX_VALUES) == (size_t)GOLDEN_FRAMES * BANDS);
    for (size_t i = 0; i < (size_t)GOLDEN_FRAMES * BANDS; i++) {
        const double mean_square = golden_mean_square(x, i / BANDS);
        const double energy = mean_square > 0 ? exp(logs[i]) : 0;
        const double off = golden_energy_bound(energy, mean_square) + energy * 0x1p-23;
        lows[i] = fmax(0, energy - off);
        highs[i] = energy + off;
    }
}

static void expect_golden_u(const float *y, const double *golden, const double *bounds)
{
    for (size_t j = 0; j < GOLDEN_FRAMES; j++) {
        const double is = (double)y[j * K + U], wanted = golden[j * K + U];
        CHECK_MSG(fabs(is - wanted) <= 0.3 * sqrt(Z) * bounds[j] + 0x1p-18, "%zu: %g, not %g", j,
                  is, wanted);
    }
}

static void agrees_with_another_implementation(void)
{
    static float x[GOLDEN_SAMPLES], y[HELP_MAX_VALUES];
    static double golden[HELP_MAX_VALUES], lows[GOLDEN_FRAMES * BANDS],
        highs[GOLDEN_FRAMES * BANDS];
    golden_signal(x);
    golden_ranges(lows, highs);
    CHECK(golden_read("speech", golden, HELP_MAX_VALUES) == (size_t)GOLDEN_FRAMES * K);
    CHECK(help_once("speech", 1, 8000, x, GOLDEN_SAMPLES, y) == GOLDEN_FRAMES);
    double bounds[GOLDEN_FRAMES];
    for (size_t j = 0; j < GOLDEN_FRAMES; j++) bounds[j] = golden_bound(lows, highs, j);
    expect_golden_u(y, golden, bounds);
    for (size_t j = 0; j < GOLDEN_FRAMES; j++) y[j * K + U] = 0, golden[j * K + U] = 0;
    expect_golden(y, golden, bounds, GOLDEN_FRAMES, K);
}

typedef struct {
    mel_bank *bank;
    size_t frames;
    float energies[128][BANDS];
} all_energies;

static void keep_energies(void *user, size_t channel, const double *power)
{
    all_energies *all = user;
    (void)channel;
    mel_energies(all->bank, power, all->energies[all->frames++]);
}

static void energies_of(all_energies *all, const float *x, size_t n)
{
    spectrum *spectra = NULL;
    sigrep_error error;
    CHECK(spectrum_create(&spectra, "test", (frame_shape){1, 8000}, 4000, &error) == SIGREP_OK);
    CHECK(mel_create(&all->bank, "test", BANDS, 256, 8000, 4000, &error) == SIGREP_OK);
    all->frames = 0;
    spectrum_push(spectra, x, n, keep_energies, all);
    spectrum_flush(spectra, keep_energies, all);
    spectrum_destroy(spectra);
    mel_destroy(all->bank);
}

static float literal_smooth(const all_energies *all, long t, size_t b)
{
    double sum = 0;
    for (long k = -2; k <= 2; k++) sum += (double)all->energies[within(t + k, all->frames)][b];
    return (float)(sum / 5);
}

static float literal_noise(const all_energies *all, long t, size_t b)
{
    float noise = INFINITY;
    for (long u = t - 25; u <= t + 10; u++)
        noise = fminf(noise, literal_smooth(all, (long)within(u, all->frames), b));
    return noise;
}

static float literal_kept(const all_energies *all, long t, long b)
{
    const size_t at = within(b, BANDS);
    const float smooth = literal_smooth(all, t, at), noise = literal_noise(all, t, at);
    return smooth > 0 ? fmaxf(smooth - 1.5f * noise, 0.2f * smooth) / smooth : 0;
}

static float literal_clear(const all_energies *all, long t)
{
    double clear = 0, sum = 0;
    for (size_t b = 0; b < BANDS; b++) {
        const float smooth = literal_smooth(all, t, b);
        clear += (double)fmaxf(smooth - 1.5f * literal_noise(all, t, b), 0);
        sum += (double)smooth;
    }
    return sum > 0 ? (float)(clear / sum) : 0;
}

/* c of one frame, slowly and obviously. */
static void literal_cepstrum(const all_energies *all, long t, float c[C])
{
    const double pi = acos(-1.);
    double roots[BANDS];
    for (long b = 0; b < BANDS; b++) {
        const float kept =
            (literal_kept(all, t, b - 1) + literal_kept(all, t, b) + literal_kept(all, t, b + 1)) /
            3;
        roots[b] = (double)powf(literal_smooth(all, t, (size_t)b) * kept, 0.1f);
    }
    for (int i = 0; i < C; i++) {
        double sum = 0;
        for (int b = 0; b < BANDS; b++)
            sum += sqrt((i ? 2. : 1.) / BANDS) * cos(pi * i * (b + 0.5) / BANDS) * roots[b];
        c[i] = (float)sum;
    }
}

static float literal_silence(const all_energies *all, long t)
{
    int silent = 0;
    for (long k = -6; k <= 6; k++) {
        int bands = 0;
        for (size_t b = 0; b < BANDS; b++)
            bands += literal_smooth(all, (long)within(t + k, all->frames), b) > 0;
        silent += bands == 0;
    }
    return 2.f * (float)silent / 13;
}

/* The bytes of common_frames.s8; see speech.c. */
static const signed char *centres(void)
{
    static signed char bytes[COMMON_FRAMES * Z];
    static int is_read;
    if (is_read++) return bytes;
    FILE *file = fopen("filter/features/common_frames.s8", "rb");
    CHECK(file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes && getc(file) == EOF);
    fclose(file);
    return bytes;
}

static float literal_common(const float *y)
{
    const signed char *centre = centres();
    float least = INFINITY;
    for (size_t j = 0; j < COMMON_FRAMES; j++, centre += Z) {
        float sum = 0;
        for (size_t i = 0; i < Z; i++) sum += fabsf(y[i] - (float)centre[i] / 256);
        least = fminf(least, sum);
    }
    return 0.3f * fmaxf(6 - least, 0);
}

static void literal(const all_energies *all, float *out)
{
    static float c[128][C], clear[128];
    const long frames = (long)all->frames;
    for (long t = 0; t < frames; t++) literal_cepstrum(all, t, c[t]);
    for (long t = 0; t < frames; t++) clear[t] = literal_clear(all, t);
    for (long t = 0; t < frames; t++) {
        double z[Z], *at = z;
        for (long s = -6; s <= 6; s += 6) {
            const long u = (long)within(t + s, all->frames);
            for (int i = 1; i < C; i++) *at++ = (double)c[u][i] * speech_scale[i - 1];
            for (int i = 0; i < C; i++) {
                double slope = 0;
                for (int k = 1; k <= 3; k++)
                    slope += k * ((double)c[within(u + k, all->frames)][i] -
                                  (double)c[within(u - k, all->frames)][i]);
                *at++ = slope / 28 * speech_scale[C - 1 + i];
            }
        }
        unit_length(z, Z, out + t * K);
        double sum = 0;
        for (long k = -6; k <= 6; k++) sum += (double)clear[within(t + k, all->frames)];
        const float length = (float)pow(0.05 + 0.95 * (sum / 13), 0.15);
        for (size_t i = 0; i < Z; i++) out[(size_t)t * K + i] *= length;
        out[t * K + V] = literal_silence(all, t);
        out[t * K + U] = literal_common(out + t * K);
    }
}

/* The same bits at any length, the shortest included, with and without zeros. */
static void agrees_with_the_literal_definition(void)
{
    static float x[8000], holed[8000], expected[HELP_MAX_VALUES], y[HELP_MAX_VALUES];
    static all_energies all;
    uint64_t random = check_seed("speech");
    help_noises(x, 8000, &random);
    for (int i = 0; i < 150; i++) {
        const size_t n = i < 100 ? 12 * (size_t)i : check_below(&random, 8000);
        memcpy(holed, x, sizeof x);
        const size_t hole = check_below(&random, 8000);
        if (i % 2) memset(holed + hole, 0, check_below(&random, 8000 - hole) * sizeof *holed);
        energies_of(&all, holed, n);
        literal(&all, expected);
        CHECK(help_once("speech", 1, 8000, holed, n, y) == all.frames);
        CHECK_MSG(help_same(y, expected, all.frames * K), "%zu samples", n);
    }
}

static void timing_is_as_stated(void)
{
    front_end *chain = help_create("speech", 2, 8000);
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 80 && timing.lead == 60);
    CHECK(timing.look_ahead == 60 + AHEAD * 80 && timing.memory == 201 + (AHEAD + BACK) * 80);
    CHECK(front_end_shape(chain).dim == 2 * K && front_end_shape(chain).rate_hz == 100);
    front_end_destroy(chain);
    expect_every_sample_owned("speech", 8000);
    expect_every_sample_owned("speech", 11025);
}

/* A gain changes only last bits. Powers of two, 60 dB in all, so the samples stay exact. */
static void any_level_gives_the_same_frames(void)
{
    static float x[3000], y[HELP_MAX_VALUES], loud[HELP_MAX_VALUES];
    uint64_t random = check_seed("level");
    help_noises(x, 3000, &random);
    const size_t frames = help_once("speech", 1, 8000, x, 3000, y);
    for (int power = -6; power <= 4; power += 2) {
        static float scaled[3000];
        for (size_t t = 0; t < 3000; t++) scaled[t] = ldexpf(x[t], power);
        CHECK(help_once("speech", 1, 8000, scaled, 3000, loud) == frames);
        for (size_t i = 0; i < frames * K; i++)
            CHECK_MSG(fabsf(loud[i] - y[i]) < 1e-4f, "%zu: %g, not %g", i, (double)loud[i],
                      (double)y[i]);
    }
}

/* Regression: frames of digital silence were zeros, which lie nearer to a word than other
 * sounds do. They must bear a mark, and no other frames may. */
static void only_silence_bears_the_mark(void)
{
    static float x[8000], y[HELP_MAX_VALUES];
    uint64_t random = check_seed("silence");
    help_noises(x + 6000, 2000, &random); /* silence, then noise */
    const size_t frames = help_once("speech", 1, 8000, x, 8000, y);
    for (size_t j = 0; j < frames; j++) {
        double squares = 0;
        for (size_t i = 0; i < Z; i++) squares += (double)y[j * K + i] * (double)y[j * K + i];
        const double mark = (double)y[j * K + V];
        const int silent = (j + 11) * 80 + 200 <= 6000; /* 11 frames ahead, and their windows */
        if (silent) CHECK_MSG(squares == 0 && mark == 2, "frame %zu: %g, %g", j, squares, mark);
        if (j > 6000 / 80)
            CHECK_MSG(squares > 0.4 && squares < 1.0001, "frame %zu: %g", j, squares);
        if (j > 6000 / 80 + 6) CHECK_MSG(mark == 0, "frame %zu: %g", j, mark);
    }
}

static void look_ahead_and_memory_are_as_stated(void)
{
    expect_memory_and_look_ahead("speech", 8000, 4003);
}

static void no_cutting_changes_a_bit(void)
{
    expect_no_cutting_matters("speech", 1, 2000);
    expect_no_cutting_matters("bandpass=300-3400+speech", 2, 500);
}

static void channels_do_not_mix(void)
{
    expect_channels_apart("speech");
}

static void extreme_values_stay_finite(void)
{
    expect_finite("speech");
}

static void threads_agree(void)
{
    expect_threads_agree("speech");
}

static void every_error_has_its_message(void)
{
    help_expect_error("speech=13", 8000, "speech=13: speech takes no argument");
    help_expect_error("speech", 1,
                      "speech needs 16 to 1048576 samples in a window of 25 ms: a rate of "
                      "620 Hz to 41.9 MHz, not 1 Hz");
    help_expect_error("speech", 1000,
                      "speech: a spectrum of 32 points at 1000 Hz is too coarse for 26 mel bands");
    help_expect_error("envelope+speech", 8000,
                      "speech needs 16 to 1048576 samples in a window of 25 ms: a rate of "
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
        RUN(any_level_gives_the_same_frames);
        RUN(only_silence_bears_the_mark);
        RUN(no_cutting_changes_a_bit);
        RUN(channels_do_not_mix);
        RUN(extreme_values_stay_finite);
        RUN(every_error_has_its_message);
    }
    return check_done();
}
