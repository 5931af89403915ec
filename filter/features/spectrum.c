#include "filter/features/spectrum.h"

#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_S 0.025
#define HOP_S 0.010
#define PRE_EMPHASIS 0.97f
#define LIMIT 1e30f

enum { MIN_WINDOW = 16, MAX_WINDOW = 1 << 20 };

struct spectrum {
    size_t channels, window, hop, lead, fft;
    size_t n_bins; /* those that are asked for */
    size_t filled; /* samples of the current window that are there, below `window` */
    int begun;     /* `previous` holds samples of this stretch */
    double scale;
    fftwf_plan plan;     /* from `windowed` into `bins` */
    float *windowed;     /* fft */
    fftwf_complex *bins; /* fft / 2 + 1 */
    float *weights;      /* window */
    float *previous;     /* channels */
    float *samples;      /* channels x window: the current window after pre-emphasis */
    double *power;       /* n_bins */
};

/* FFTW's planner works on one table for the whole process and is not thread-safe; only
 * fftwf_execute is (FFTW manual, "Thread safety"). So every call of it that makes or
 * destroys a plan stands under this lock, the library's only variable that is not const. */
static pthread_mutex_t planner_lock = PTHREAD_MUTEX_INITIALIZER;

/* FFTW_ESTIMATE chooses by rule, not by timing: the same plan, and bits, every time. */
static fftwf_plan make_plan(size_t fft, float *in, fftwf_complex *out)
{
    pthread_mutex_lock(&planner_lock);
    const fftwf_plan plan = fftwf_plan_dft_r2c_1d((int)fft, in, out, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner_lock);
    return plan;
}

static void destroy_plan(fftwf_plan plan)
{
    pthread_mutex_lock(&planner_lock);
    fftwf_destroy_plan(plan);
    pthread_mutex_unlock(&planner_lock);
}

void spectrum_destroy(spectrum *self)
{
    if (!self) return;
    if (self->plan) destroy_plan(self->plan);
    fftwf_free(self->windowed);
    fftwf_free(self->bins);
    free(self->weights);
    free(self->previous);
    free(self->samples);
    free(self->power);
    free(self);
}

/* Returns 0 without memory. fftwf_malloc aligns as the plan's code expects. */
static int allocate(spectrum *self)
{
    if (self->channels > PTRDIFF_MAX / sizeof(float) / self->window) return 0;
    self->windowed = fftwf_malloc(self->fft * sizeof *self->windowed);
    self->bins = fftwf_malloc((self->fft / 2 + 1) * sizeof *self->bins);
    self->weights = malloc(self->window * sizeof *self->weights);
    self->power = malloc(self->n_bins * sizeof *self->power);
    self->previous = calloc(self->channels, sizeof *self->previous);
    self->samples = malloc(self->channels * self->window * sizeof *self->samples);
    if (!self->windowed || !self->bins || !self->weights || !self->power || !self->previous ||
        !self->samples)
        return 0;
    self->plan = make_plan(self->fft, self->windowed, self->bins);
    return self->plan != NULL;
}

static void make_window(spectrum *self)
{
    const double step = 2 * acos(-1.) / (double)(self->window - 1);
    double squares = 0;
    for (size_t i = 0; i < self->window; i++) {
        const double weight = 0.54 - 0.46 * cos(step * (double)i);
        self->weights[i] = (float)weight;
        squares += weight * weight;
    }
    self->scale = 1 / ((double)self->fft * squares);
}

/* A power of two, or 3 or 5 of them: FFTW is as fast on these, a point. */
static size_t fft_length(size_t window)
{
    size_t best = MIN_WINDOW;
    while (best < window) best *= 2;
    for (size_t odd = 3; odd <= 5; odd += 2) {
        size_t length = odd;
        while (length < window || length < MIN_WINDOW) length *= 2;
        if (length < best) best = length;
    }
    return best;
}

sigrep_status spectrum_create(spectrum **made, const char *stage, feature_shape in, double top_hz,
                              sigrep_error *error)
{
    const double window = round(WINDOW_S * in.rate_hz);
    if (window < MIN_WINDOW || window > MAX_WINDOW)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "%s needs %d to %d samples in a window of 25 ms: a rate of 620 Hz to "
                           "41.9 MHz, not %g Hz",
                           stage, MIN_WINDOW, MAX_WINDOW, in.rate_hz);
    spectrum *self = calloc(1, sizeof *self);
    if (self) {
        self->channels = in.dim;
        self->window = (size_t)window;
        self->hop = (size_t)round(HOP_S * in.rate_hz);
        self->lead = (self->window - self->hop) / 2;
        self->fft = fft_length(self->window);
        /* One more, lest rounding leaves out a point at top_hz. */
        self->n_bins = 2 + (size_t)(top_hz / in.rate_hz * (double)self->fft);
        if (self->n_bins > self->fft / 2 + 1) self->n_bins = self->fft / 2 + 1;
    }
    if (!self || !allocate(self)) {
        spectrum_destroy(self);
        return status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", stage);
    }
    make_window(self);
    *made = self;
    return SIGREP_OK;
}

size_t spectrum_fft(const spectrum *self)
{
    return self->fft;
}

size_t spectrum_bins(const spectrum *self)
{
    return self->n_bins;
}

feature_timing spectrum_timing(const spectrum *self)
{
    return (feature_timing){
        .hop = self->hop,
        .lead = (int64_t)self->lead,
        .look_ahead = self->window - self->hop - self->lead,
        .memory = self->window + 1, /* and the sample before, by the pre-emphasis */
    };
}

size_t spectrum_max_frames(const spectrum *self, size_t n)
{
    return n / self->hop + self->window / self->hop + 2;
}

static float limited(float x)
{
    if (x > LIMIT) return LIMIT;
    if (x < -LIMIT) return -LIMIT;
    return x;
}

/* As many of n samples as the window lacks, after pre-emphasis. Returns how many. */
static size_t fill(spectrum *self, const float *in, size_t n)
{
    const size_t dim = self->channels, room = self->window - self->filled;
    if (n > room) n = room;
    for (size_t k = 0; k < dim; k++) {
        float *y = self->samples + k * self->window + self->filled;
        const float before = self->begun ? self->previous[k] : limited(in[k]);
        y[0] = limited(in[k]) - PRE_EMPHASIS * before;
        for (size_t t = 1; t < n; t++)
            y[t] = limited(in[t * dim + k]) - PRE_EMPHASIS * limited(in[(t - 1) * dim + k]);
        self->previous[k] = limited(in[(n - 1) * dim + k]);
    }
    self->begun = 1;
    self->filled += n;
    return n;
}

/* The current window's spectra; then the window moves on by a hop. */
static void give_frame(spectrum *self, spectrum_taker take, void *user)
{
    const size_t kept = self->filled > self->hop ? self->filled - self->hop : 0;
    for (size_t k = 0; k < self->channels; k++) {
        float *samples = self->samples + k * self->window;
        for (size_t i = 0; i < self->filled; i++) self->windowed[i] = samples[i] * self->weights[i];
        memset(self->windowed + self->filled, 0,
               (self->fft - self->filled) * sizeof *self->windowed);
        fftwf_execute(self->plan);
        for (size_t b = 0; b < self->n_bins; b++) {
            const double re = (double)self->bins[b][0], im = (double)self->bins[b][1];
            self->power[b] = (re * re + im * im) * self->scale;
        }
        take(user, k, self->power);
        if (kept > 0) memmove(samples, samples + self->hop, kept * sizeof *samples);
    }
    self->filled = kept;
}

void spectrum_push(spectrum *self, const float *in, size_t n, spectrum_taker take, void *user)
{
    while (n > 0) {
        const size_t taken = fill(self, in, n);
        in += taken * self->channels;
        n -= taken;
        if (self->filled == self->window) give_frame(self, take, user);
    }
}

void spectrum_flush(spectrum *self, spectrum_taker take, void *user)
{
    while (self->filled > self->lead) give_frame(self, take, user);
    self->filled = 0;
    self->begun = 0;
}
