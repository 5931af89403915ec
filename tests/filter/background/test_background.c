/* filter/background/background.c: levels and low scores are those of the definition,
 * written out slowly. */
#include "filter/background/background.h"

#include <math.h>
#include <string.h>

#include "filter/ascending.h"
#include "filter/features/front_end.h"
#include "tests/check.h"
#include "tests/support/literal.h"

enum { MOST_CHANNELS = 3, MOST_FRAMES = 6100 };

/* Frames of the background, by another cutting of the samples. */
typedef struct {
    size_t n, dim;
    float *frames; /* n x dim */
} literal_background;

static void take(literal_background *own, const float *frames, size_t n)
{
    if (own->n + n > MOST_FRAMES) exit(1);
    memcpy(own->frames + own->n * own->dim, frames, n * own->dim * sizeof *frames);
    own->n += n;
}

static literal_background literal_background_of(const char *spec, size_t channels, double rate_hz)
{
    enum { CUT = 777 };
    static float samples[CUT * MOST_CHANNELS];
    char chain_spec[128];
    front_end *chain;
    sigrep_error error;
    snprintf(chain_spec, sizeof chain_spec, "resample=%g+%s", rate_hz, spec);
    const frame_shape in = {channels, BACKGROUND_HZ};
    if (front_end_create(&chain, chain_spec, in, CUT, &error)) exit(1);
    literal_background own = {.dim = front_end_shape(chain).dim};
    own.frames = malloc(MOST_FRAMES * own.dim * sizeof *own.frames);
    const float *frames;
    for (size_t at = 0; at < BACKGROUND_SAMPLES; at += CUT) {
        const size_t n = BACKGROUND_SAMPLES - at < CUT ? BACKGROUND_SAMPLES - at : CUT;
        background_decode(samples, at, n, channels);
        const size_t got = front_end_push(chain, samples, n, &frames);
        take(&own, frames, got);
    }
    const size_t got = front_end_flush(chain, &frames);
    take(&own, frames, got);
    front_end_destroy(chain);
    return own;
}

/* The lowest score of each piece, ascending. The caller frees *lowest; returns how many. */
static size_t literal_lowest(double **lowest, const literal_background *own, const float *x,
                             size_t m)
{
    const literal_template one = {.x = x, .m = (long)m, .threshold = 1};
    const literal_problem p = {
        .templates = &one, .n_templates = 1, .dim = (long)own->dim, .max = 64, .min_matches = 1};
    float *scores = literal_scores(&p, 0, own->frames, (long)own->n);
    const size_t pieces = own->n / m;
    *lowest = malloc(pieces * sizeof **lowest);
    for (size_t i = 0; i < pieces; i++) {
        (*lowest)[i] = INFINITY;
        for (size_t t = i * m; t < i * m + m; t++)
            if ((double)scores[t] < (*lowest)[i]) (*lowest)[i] = (double)scores[t];
    }
    free(scores);
    qsort(*lowest, pieces, sizeof **lowest, ascending);
    return pieces;
}

/* With an odd number of pieces, rounded to float32 as literal scores are. With an even one, m must
 * be a power of two: then these are exact. */
static double literal_level(const literal_background *own, const float *x, size_t m)
{
    double *lowest;
    const size_t pieces = literal_lowest(&lowest, own, x, m);
    const double low = lowest[(pieces - 1) / 2], high = lowest[pieces / 2];
    free(lowest);
    return low == high ? low : (low + high) / 2;
}

static background *create(const char *spec, size_t channels, double rate_hz)
{
    background *b;
    sigrep_error error = {0};
    const sigrep_status status = background_create(&b, spec, channels, rate_hz, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) exit(1);
    return b;
}

static double level_of(const background *b, const float *x, size_t m, size_t dim)
{
    double level = -1;
    CHECK(background_level(&level, b, x, m, dim) == SIGREP_OK);
    return level;
}

/* A template of frames of the background in another order. The caller frees it. */
static float *shuffled(const literal_background *own, size_t m, uint64_t *seed)
{
    float *x = malloc(m * own->dim * sizeof *x);
    for (size_t i = 0; i < m; i++)
        memcpy(x + i * own->dim, own->frames + check_below(seed, own->n) * own->dim,
               own->dim * sizeof *x);
    return x;
}

static void compare(const char *spec, size_t channels, double rate_hz, size_t m, uint64_t *seed)
{
    background *b = create(spec, channels, rate_hz);
    literal_background own = literal_background_of(spec, channels, rate_hz);
    const bool exact = (m & (m - 1)) == 0;
    while (!exact && own.n / m % 2 == 0) m++;
    float *x = shuffled(&own, m, seed);
    const double expected = literal_level(&own, x, m), level = level_of(b, x, m, own.dim);
    CHECK_MSG(exact ? level == expected : (double)(float)level == expected,
              "%s, %zu channels, %g Hz, %zu frames: %.9g, not %.9g", spec, channels, rate_hz, m,
              level, expected);
    CHECK(level > 0);
    free(x);
    free(own.frames);
    background_destroy(b);
}

static void levels_are_those_of_the_definition(void)
{
    static const double rates_hz[] = {8000, 16000, 44100, 48000};
    static const char *const specs[] = {"speech", "mfcc", "bandpass=300-3000+speech",
                                        "resample=8000+mfcc+raw"};
    uint64_t seed = check_seed("background");
    for (size_t r = 0; r < 4; r++)
        for (size_t s = 0; s < 4; s++)
            if (s == (r + 1) % 4 || check_share() == 1)
                compare(specs[s], 1, rates_hz[r], (size_t[]){2, 16, 3, 32}[(r + s) % 4], &seed);
    compare("speech", 1, 16000, 100 + check_below(&seed, 50), &seed);
}

static void each_channel_has_the_same_speech(void)
{
    uint64_t seed = 3;
    compare("speech", MOST_CHANNELS, 8000, 16, &seed);
    compare("mfcc", 2, 44100, 8, &seed);
}

static void every_kernel_gives_the_same_bits(void)
{
    uint64_t seed = check_seed("background, kernels");
    background *b = create("speech", 1, 16000);
    literal_background own = literal_background_of("speech", 1, 16000);
    const size_t rounds = check_cases(4);
    for (size_t round = 0; round < rounds; round++) {
        const size_t m = 2 + check_below(&seed, round ? 150 : 2);
        float *x = shuffled(&own, m, &seed);
        const double expected = level_of(b, x, m, own.dim);
        for (size_t k = 0; kernel_at(k); k++) {
            double level = -1;
            if (!kernel_at(k)->usable()) continue;
            CHECK(background_level_by(kernel_at(k), &level, b, x, m, own.dim) == SIGREP_OK);
            CHECK_MSG(memcmp(&level, &expected, sizeof level) == 0, "%s, %zu frames: %.17g",
                      kernel_at(k)->name, m, level);
        }
        free(x);
    }
    free(own.frames);
    background_destroy(b);
}

/* One piece has a copy, the others do not: its level and low score are those of any other template.
 */
static void a_piece_of_the_background_scores_like_others(void)
{
    enum { M = 64 };
    background *b = create("speech", 1, 16000);
    literal_background own = literal_background_of("speech", 1, 16000);
    const float *x = own.frames + 1000 * own.dim;
    double *lowest;
    const size_t pieces = literal_lowest(&lowest, &own, x, M);
    CHECK(lowest[0] == 0);
    CHECK(level_of(b, x, M, own.dim) == (lowest[(pieces - 1) / 2] + lowest[pieces / 2]) / 2);
    CHECK(level_of(b, x, M, own.dim) > lowest[pieces / 4] && lowest[pieces / 4] > 0);
    double low = -1;
    CHECK(background_low(&low, b, x, M, own.dim) == SIGREP_OK);
    CHECK(pieces >= 60 && low == lowest[pieces / 20] && low > 0);
    free(lowest);
    free(own.frames);
    background_destroy(b);
}

/* Fewer than two pieces are one: of m frames, or all. A longer template counts as its beginning.
 * Under sanitizers so many frames take seconds, so some are left out. */
static void a_template_as_long_as_the_background(void)
{
    background *b = create("speech", 1, 8000);
    literal_background own = literal_background_of("speech", 1, 8000);
    const size_t n = own.n, dim = own.dim;
    float *x = malloc((n + 10) * dim * sizeof *x);
    memcpy(x, own.frames + n / 2 * dim, (n - n / 2) * dim * sizeof *x);
    memcpy(x + (n - n / 2) * dim, own.frames, (n / 2) * dim * sizeof *x);
    memset(x + n * dim, 0, 10 * dim * sizeof *x);
    const double whole = level_of(b, x, n, dim);
    CHECK(whole > 0);
    CHECK(level_of(b, x, n + 10, dim) == whole);
    const double half = level_of(b, x, n / 2 + 1, dim);
    CHECK(check_share() > 1 || (double)(float)half == literal_level(&own, x, n / 2 + 1));
    CHECK(check_share() > 1 || level_of(b, own.frames, n, dim) == 0);
    CHECK(level_of(b, own.frames, n / 2 + 1, dim) == 0);
    free(x);
    free(own.frames);
    background_destroy(b);
}

static void front_ends_of_no_sound_have_none(void)
{
    static const char *const specs[] = {"raw", "diff+znorm=2", "logmel", "mfcc+diff"};
    sigrep_error error;
    for (size_t s = 0; s < 4; s++) {
        background *b = (background *)&error;
        CHECK(background_create(&b, specs[s], 1, s < 2 ? 1 : 8000, &error) == SIGREP_OK);
        CHECK(!b);
    }
    background_destroy(NULL);
}

static void what_cannot_be_is_refused(void)
{
    background *b;
    sigrep_error error = {0};
    CHECK(background_create(&b, "speach", 1, 8000, &error) == SIGREP_BAD_FRONT_END && !b);
    CHECK(background_create(&b, "resample=8000+mfcc", 1, 1e8, &error) == SIGREP_BAD_FRONT_END);
    CHECK_MSG(!b && strstr(error.text, "more than a factor"), "%s", error.text);
    b = create("mfcc", 1, 8000);
    double level = -1;
    CHECK(background_level(&level, b, (float[]){1, 2}, 2, 1) == SIGREP_BAD_TEMPLATE);
    CHECK(background_low(&level, b, (float[]){1, 2}, 2, 1) == SIGREP_BAD_TEMPLATE);
    background_destroy(b);
}

int main(void)
{
    RUN(levels_are_those_of_the_definition);
    RUN(each_channel_has_the_same_speech);
    RUN(every_kernel_gives_the_same_bits);
    RUN(a_piece_of_the_background_scores_like_others);
    RUN(a_template_as_long_as_the_background);
    RUN(front_ends_of_no_sound_have_none);
    RUN(what_cannot_be_is_refused);
    return check_done();
}
