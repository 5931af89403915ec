/*
 * spectral_help.h - for the tests of front ends whose frames have another shape than their
 * samples: reads golden files, and checks the rules that all these front ends keep.
 */
#ifndef TESTS_FILTER_FEATURES_SPECTRAL_HELP_H
#define TESTS_FILTER_FEATURES_SPECTRAL_HELP_H

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "tests/filter/features/front_end_help.h"

enum { GOLDEN_SAMPLES = 3217, GOLDEN_FRAMES = 40 };

/* The numbers of tests/golden/NAME.txt. Returns how many. */
static inline size_t golden_read(const char *name, double *values, size_t most)
{
    char path[512], line[16384];
    const char *src = getenv("SRC");
    snprintf(path, sizeof path, "%s/tests/golden/%s.txt", src ? src : ".", name);
    FILE *file = fopen(path, "r");
    CHECK_MSG(file, "%s", path);
    if (!file) exit(1);
    size_t n = 0;
    while (fgets(line, sizeof line, file)) {
        char *at = line, *end;
        if (*line == '#') continue;
        for (double v = strtod(at, &end); end > at; v = strtod(at, &end)) {
            if (n == most) exit(1);
            values[n++] = v;
            at = end;
        }
    }
    fclose(file);
    return n;
}

/* tests/golden/signal.txt, scaled to lie within -1 and 1. */
static inline void golden_signal(float x[GOLDEN_SAMPLES])
{
    static double values[GOLDEN_SAMPLES];
    CHECK(golden_read("signal", values, GOLDEN_SAMPLES) == GOLDEN_SAMPLES);
    for (size_t i = 0; i < GOLDEN_SAMPLES; i++) x[i] = (float)(values[i] / 32768);
}

/*
 * How far a spectrum X in float32 may be from X' in double, in the Euclidean norm:
 *
 *     |X - X'| <= r sqrt(N) |x|      r = GOLDEN_ERROR, x the window's N samples, u = 2^-24
 *
 * Pre-emphasis and window are within 8 u |x|: 0.97f is 0.5 u off; then come a product, a
 * difference of at most 1.97 |x|, the rounded window and a product.
 *
 * The rounding errors of an FFT of N points with accurate twiddle factors have a root mean
 * square of 0.6 u sqrt(log2 N) (Schatzman, SIAM Journal on Scientific Computing, 1996). Of
 * 1.97 |x| and for N = 256 that is 3.4 u |x|, and twice that is allowed. The worst case is 16
 * times as far (Higham, Accuracy and Stability of Numerical Algorithms, 24.2), but a bound that
 * wide would miss mistakes.
 *
 * An energy E is a sum of powers with weights <= 1. By Cauchy and Schwarz it is off by at most
 * 2 r sqrt(E A) + r^2 A, A the mean square of the window's samples.
 */
#define GOLDEN_ERROR (15 * 0x1p-24)

static inline double golden_energy_bound(double energy, double mean_square)
{
    return 2 * GOLDEN_ERROR * sqrt(energy * mean_square) +
           GOLDEN_ERROR * GOLDEN_ERROR * mean_square;
}

/* A at 8000 Hz: sum of (x weight)^2 / sum of weight^2 over frame j. Pre-emphasis looks at two
 * samples, so the larger one counts. */
static inline double golden_mean_square(const float *x, size_t j)
{
    double squares = 0, weights = 0;
    for (size_t i = 0; i < 200; i++) {
        const double w = 0.54 - 0.46 * cos(2 * acos(-1.) * (double)i / 199);
        const size_t t = j * 80 + i;
        weights += w * w;
        if (t >= GOLDEN_SAMPLES) continue;
        const double a = (double)x[t], b = t > 0 ? (double)x[t - 1] : 0;
        squares += w * w * fmax(a * a, b * b);
    }
    return squares / weights;
}

/* The bound for the logarithm of an energy. Argument and result of ln are float32. */
static inline double golden_log_bound(double logarithm, double mean_square)
{
    const double energy = exp(logarithm);
    const double off = golden_energy_bound(energy, mean_square) / energy;
    return off / (1 - fmin(off, 0.5)) + 0x1p-23 * (1 + fabs(logarithm));
}

/* Each of frames x dim values lies within bounds[j] of the golden one, in frame j. */
static inline void expect_golden(const float *y, const double *golden, const double *bounds,
                                 size_t frames, size_t dim)
{
    double worst = 0, least = INFINITY, widest = 0;
    for (size_t i = 0; i < frames * dim; i++) {
        const double bound = bounds[i / dim], off = fabs((double)y[i] - golden[i]);
        CHECK_MSG(off <= bound, "%zu: %g, not %g", i, (double)y[i], golden[i]);
        worst = fmax(worst, off);
        least = fmin(least, bound);
        widest = fmax(widest, bound);
    }
    printf("farthest from the golden frames: %.2g; bounds %.2g to %.2g\n", worst, least, widest);
}

/* Any cutting gives the same bits, and a flush leaves no trace. */
static inline void expect_no_cutting_matters(const char *spec, size_t dim, size_t times)
{
    enum { N = 1234, MOST_DIM = 2 };
    static float x[N * MOST_DIM], whole[HELP_MAX_VALUES], cut[HELP_MAX_VALUES];
    uint64_t random = check_seed(spec);
    help_noises(x, N * dim, &random);
    front_end *chain = help_create(spec, dim, 8000);
    const size_t dim_out = front_end_shape(chain).dim;
    const size_t frames = help_once(spec, dim, 8000, x, N, whole);
    CHECK(frames > 0);
    for (size_t i = check_cases(times); i > 0; i--) {
        CHECK(help_run_wide(chain, dim, x, N, cut, &random) == frames);
        CHECK(help_same(cut, whole, frames * dim_out));
        help_run_wide(chain, dim, x, check_below(&random, N), cut, &random);
    }
    front_end_destroy(chain);
}

/* A frame of two channels is that of the first alone, then that of the second. */
static inline void expect_channels_apart(const char *spec)
{
    enum { N = 1000 };
    static float both[2 * N], one[N], together[HELP_MAX_VALUES], alone[HELP_MAX_VALUES];
    uint64_t random = check_seed(spec);
    help_noises(both, 2 * N, &random);
    const size_t frames = help_once(spec, 2, 8000, both, N, together);
    for (size_t k = 0; k < 2; k++) {
        for (size_t t = 0; t < N; t++) one[t] = both[2 * t + k];
        CHECK(help_once(spec, 1, 8000, one, N, alone) == frames);
        front_end *chain = help_create(spec, 1, 8000);
        const size_t dim = front_end_shape(chain).dim;
        front_end_destroy(chain);
        for (size_t j = 0; j < frames; j++)
            CHECK(help_same(together + (2 * j + k) * dim, alone + j * dim, dim));
    }
}

/* A span of any length gives ceil((n - lead) / hop) frames, none if n <= lead. */
static inline void expect_every_sample_owned(const char *spec, double rate_hz)
{
    static float x[2000], y[HELP_MAX_VALUES];
    front_end *chain = help_create(spec, 1, rate_hz);
    const frame_timing timing = front_end_timing(chain);
    const size_t hop = (size_t)timing.hop, lead = (size_t)timing.lead;
    const size_t most = HELP_MAX_VALUES / front_end_shape(chain).dim * hop;
    for (size_t n = 0; n < 2000 && n < most; n += n < 3 * lead + 3 * hop ? 1 : 37) {
        const bool is_edge = n > lead && (n - lead) % hop <= 1;
        if (!is_edge && !check_is_due(n)) continue;
        const size_t frames = help_run_wide(chain, 1, x, n, y, NULL);
        CHECK_MSG(frames == (n > lead ? (n - lead + hop - 1) / hop : 0), "%s: %zu of %zu", spec,
                  frames, n);
    }
    front_end_destroy(chain);
}

typedef struct {
    const char *spec;
    const float *x;
    size_t frames;
    float *out;
} spectral_job;

static inline void *spectral_worker(void *user)
{
    spectral_job *job = user;
    for (size_t i = check_cases(20); i > 0; i--)
        job->frames = help_once(job->spec, 1, 8000, job->x, 900, job->out);
    return NULL;
}

/* Threads that create, run and destroy at the same time get the frames of a single one. */
static inline void expect_threads_agree(const char *spec)
{
    enum { THREADS = 4 };
    static float x[900], y[THREADS + 1][HELP_MAX_VALUES];
    uint64_t random = check_seed(spec);
    help_noises(x, 900, &random);
    const size_t frames = help_once(spec, 1, 8000, x, 900, y[THREADS]);
    pthread_t threads[THREADS];
    spectral_job jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = (spectral_job){.spec = spec, .x = x, .out = y[i]};
        if (pthread_create(&threads[i], NULL, spectral_worker, &jobs[i])) exit(1);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(jobs[i].frames == frames && frames > 0);
        CHECK(memcmp(y[i], y[THREADS], sizeof y[i]) == 0);
    }
}

/* The loudest samples there can be, and none at all, give finite values. */
static inline void expect_finite(const char *spec)
{
    static const float loud[] = {3.4028235e38f, -3.4028235e38f, 0, 1e-45f, 1, -1};
    static float x[1500], y[HELP_MAX_VALUES];
    uint64_t random = check_seed(spec);
    front_end *chain = help_create(spec, 1, 8000);
    const size_t dim = front_end_shape(chain).dim;
    for (size_t i = check_cases(60); i > 0; i--) {
        const size_t kinds = 1 + check_below(&random, 6), first = check_below(&random, 6);
        for (size_t t = 0; t < 1500; t++) x[t] = loud[(first + check_below(&random, kinds)) % 6];
        const size_t frames = help_run_wide(chain, 1, x, 1500, y, NULL);
        for (size_t v = 0; v < frames * dim; v++)
            CHECK_MSG(isfinite(y[v]), "%s: value %zu is %g", spec, v, (double)y[v]);
    }
    front_end_destroy(chain);
}

/* At 8000 Hz, of n <= 8000 samples, the one at `at` changes. No frame changes whose stated
 * memory and look-ahead leave it out. No frame waits longer than stated. */
static inline void expect_memory_and_look_ahead(const char *text, size_t n, size_t at)
{
    enum { MOST = 8000 };
    static float x[MOST], a[HELP_MAX_VALUES], b[HELP_MAX_VALUES];
    uint64_t random = check_seed("memory");
    help_noises(x, n, &random);
    front_end *chain = help_create(text, 1, 8000);
    const size_t dim = front_end_shape(chain).dim;
    const frame_timing timing = front_end_timing(chain);
    const size_t frames = help_run_wide(chain, 1, x, n, a, NULL);
    x[at] += 0.5f;
    CHECK(help_run_wide(chain, 1, x, n, b, NULL) == frames);
    for (size_t j = 0; j < frames; j++) {
        const int64_t last = (int64_t)((j + 1) * timing.hop + timing.look_ahead) + timing.lead - 1;
        const int inside = (int64_t)at <= last && (int64_t)at > last - (int64_t)timing.memory;
        CHECK_MSG(inside || help_same(a + j * dim, b + j * dim, dim), "frame %zu", j);
    }
    const float *some;
    size_t out = 0;
    for (size_t t = 0; t < n; t++) {
        out += front_end_push(chain, x + t, 1, &some);
        const int64_t whole = (int64_t)t + 1 - timing.lead - (int64_t)timing.look_ahead;
        CHECK(out == (whole > 0 ? (size_t)whole / timing.hop : 0));
    }
    front_end_destroy(chain);
}

#endif
