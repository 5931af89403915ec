#include "filter/features/spectrum.h"

#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

struct fourier {
    size_t points;
    double scale;
    fftwf_plan plan;     /* from `samples` to `bins` */
    float *samples;      /* n */
    fftwf_complex *bins; /* n/2 + 1 */
    double *power;       /* points */
};

/* FFTW's planner changes one table for the whole process, and only fftwf_execute is
 * thread-safe (FFTW manual, "Thread safety"). So this lock guards every call that makes or
 * destroys a plan. DESIGN.md lists the library's other globals. */
static pthread_mutex_t planner_lock = PTHREAD_MUTEX_INITIALIZER;

/* FFTW_ESTIMATE chooses by rule, not by timing: the same plan and bits every time. */
static fftwf_plan make_plan(size_t n, float *in, fftwf_complex *out)
{
    pthread_mutex_lock(&planner_lock);
    const fftwf_plan plan = fftwf_plan_dft_r2c_1d((int)n, in, out, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner_lock);
    return plan;
}

static void destroy_plan(fftwf_plan plan)
{
    pthread_mutex_lock(&planner_lock);
    fftwf_destroy_plan(plan);
    pthread_mutex_unlock(&planner_lock);
}

void fourier_destroy(fourier *self)
{
    if (!self) return;
    if (self->plan) destroy_plan(self->plan);
    fftwf_free(self->samples);
    fftwf_free(self->bins);
    free(self->power);
    free(self);
}

fourier *fourier_create(size_t n, size_t points, double scale)
{
    fourier *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    *self = (fourier){.points = points, .scale = scale};
    /* fftwf_malloc aligns memory for vector instructions. */
    self->samples = fftwf_malloc(n * sizeof *self->samples);
    self->bins = fftwf_malloc((n / 2 + 1) * sizeof *self->bins);
    self->power = malloc(points * sizeof *self->power);
    if (self->samples && self->bins && self->power)
        self->plan = make_plan(n, self->samples, self->bins);
    if (!self->plan) {
        fourier_destroy(self);
        return NULL;
    }
    memset(self->samples, 0, n * sizeof *self->samples);
    return self;
}

float *fourier_samples(fourier *self)
{
    return self->samples;
}

const double *fourier_power(fourier *self)
{
    fftwf_execute(self->plan);
    for (size_t k = 0; k < self->points; k++) {
        const double re = (double)self->bins[k][0], im = (double)self->bins[k][1];
        self->power[k] = (re * re + im * im) * self->scale;
    }
    return self->power;
}

#define WINDOW_S 0.025
#define HOP_S 0.010
#define PRE_EMPHASIS 0.97f
#define LIMIT 1e30f

enum { MIN_WINDOW = 16, MAX_WINDOW = 1 << 20 };

struct spectrum {
    size_t channels, window, hop, lead, fft;
    size_t n_bins; /* points of a spectrum */
    size_t filled; /* samples in the current window, below `window` */
    int started;   /* `samples` holds some of this span */
    int is_hann;   /* without pre-emphasis, with silence before the span */
    fourier *transform;
    float *weights; /* window */
    float *samples; /* channels x (1 + window): the current window, and the sample before it */
};

void spectrum_destroy(spectrum *self)
{
    if (!self) return;
    fourier_destroy(self->transform);
    free(self->weights);
    free(self->samples);
    free(self);
}

/* The first sample of a channel's window; the sample before it is at -1. */
static float *window_of(const spectrum *self, size_t channel)
{
    return self->samples + channel * (1 + self->window) + 1;
}

static void begin_span(spectrum *self)
{
    self->filled = self->is_hann ? self->lead : 0;
    self->started = 0;
    for (size_t k = 0; k < self->channels; k++)
        memset(window_of(self, k) - 1, 0, (1 + self->filled) * sizeof(float));
}

/* Fill the weights. Returns the sum of their squares. */
static double fill_weights(spectrum *self)
{
    const double mean = self->is_hann ? 0.5 : 0.54, swing = self->is_hann ? 0.5 : 0.46;
    const double step = 2 * acos(-1.) / (double)(self->window - (self->is_hann ? 0 : 1));
    double squares = 0;
    for (size_t i = 0; i < self->window; i++) {
        const double weight = mean - swing * cos(step * (double)i);
        self->weights[i] = (float)weight;
        squares += weight * weight;
    }
    return squares;
}

/* Returns 0 without memory. */
static int allocate(spectrum *self)
{
    const size_t room = 1 + self->window;
    if (self->channels > PTRDIFF_MAX / sizeof(float) / room) return 0;
    self->weights = malloc(self->window * sizeof *self->weights);
    self->samples = malloc(self->channels * room * sizeof *self->samples);
    if (!self->weights || !self->samples) return 0;
    const double squares = fill_weights(self);
    const double scale = self->is_hann ? 1 : 1 / ((double)self->fft * squares);
    self->transform = fourier_create(self->fft, self->n_bins, scale);
    return self->transform != NULL;
}

/* N. FFTW takes as long for a point at 3 and 5 times a power of two as at a power of two. */
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

static sigrep_status create(spectrum **made, const char *stage, frame_shape in, double top_hz,
                            int is_hann, sigrep_error *error)
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
        self->is_hann = is_hann;
        self->window = (size_t)window;
        self->hop = (size_t)round(HOP_S * in.rate_hz);
        self->lead = (self->window - self->hop) / 2;
        /* As N = 512 for the network's w = 400: points lie equally far apart at most rates. */
        self->fft = fft_length(is_hann ? (self->window * 32 + 24) / 25 : self->window);
        /* One more than the points up to top_hz, in case rounding lost one. */
        self->n_bins = 2 + (size_t)(top_hz / in.rate_hz * (double)self->fft);
        if (self->n_bins > self->fft / 2 + 1) self->n_bins = self->fft / 2 + 1;
    }
    if (!self || !allocate(self)) {
        spectrum_destroy(self);
        return status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", stage);
    }
    begin_span(self);
    *made = self;
    return SIGREP_OK;
}

sigrep_status spectrum_create(spectrum **made, const char *stage, frame_shape in, double top_hz,
                              sigrep_error *error)
{
    return create(made, stage, in, top_hz, 0, error);
}

sigrep_status spectrum_create_hann(spectrum **made, const char *stage, frame_shape in,
                                   double top_hz, sigrep_error *error)
{
    return create(made, stage, in, top_hz, 1, error);
}

size_t spectrum_fft(const spectrum *self)
{
    return self->fft;
}

size_t spectrum_bins(const spectrum *self)
{
    return self->n_bins;
}

frame_timing spectrum_timing(const spectrum *self)
{
    return (frame_timing){
        .hop = self->hop,
        .lead = self->is_hann ? 0 : (int64_t)self->lead,
        .look_ahead = self->window - self->hop - self->lead,
        .memory = self->window + 1, /* pre-emphasis needs the sample before the window */
    };
}

size_t spectrum_max_frames(const spectrum *self, size_t n)
{
    return n / self->hop + self->window / self->hop + 2;
}

/* Put as many of n samples into the window as it lacks. Returns how many. */
static size_t fill(spectrum *self, const float *in, size_t n)
{
    const size_t dim = self->channels, room = self->window - self->filled;
    if (n > room) n = room;
    for (size_t k = 0; k < dim; k++) {
        float *to = window_of(self, k) + self->filled;
        for (size_t t = 0; t < n; t++) to[t] = clip(in[t * dim + k], LIMIT);
        if (!self->started && !self->is_hann) to[-1] = to[0];
    }
    self->started = 1;
    self->filled += n;
    return n;
}

static void emphasise_and_weigh(const float *restrict x, const float *restrict weights, size_t n,
                                float *restrict out)
{
    for (size_t i = 0; i < n; i++) out[i] = (x[i + 1] - PRE_EMPHASIS * x[i]) * weights[i];
}

static void weigh(const float *restrict x, const float *restrict weights, size_t n,
                  float *restrict out)
{
    for (size_t i = 0; i < n; i++) out[i] = x[i + 1] * weights[i];
}

/* Pass on the current window's spectra, then move the window by a hop. */
static void emit_frame(spectrum *self, spectrum_callback receive, void *user)
{
    const size_t kept = self->filled > self->hop ? self->filled - self->hop : 0;
    float *weighted = fourier_samples(self->transform);
    memset(weighted + self->filled, 0, (self->window - self->filled) * sizeof *weighted);
    for (size_t k = 0; k < self->channels; k++) {
        float *before = window_of(self, k) - 1;
        (self->is_hann ? weigh : emphasise_and_weigh)(before, self->weights, self->filled,
                                                      weighted);
        receive(user, k, fourier_power(self->transform));
        if (kept > 0) memmove(before, before + self->hop, (1 + kept) * sizeof *before);
    }
    self->filled = kept;
}

void spectrum_push(spectrum *self, const float *in, size_t n, spectrum_callback receive, void *user)
{
    while (n > 0) {
        const size_t n_used = fill(self, in, n);
        in += n_used * self->channels;
        n -= n_used;
        if (self->filled == self->window) emit_frame(self, receive, user);
    }
}

void spectrum_flush(spectrum *self, spectrum_callback receive, void *user)
{
    while (self->filled > self->lead) emit_frame(self, receive, user);
    begin_span(self);
}

void spectrum_pass_state(spectrum *self, state_bytes *st)
{
    state_int_flag(st, &self->started);
    if (!self->started) return;
    state_size(st, &self->filled);
    state_must(st, self->filled < self->window);
    if (st->is_wrong) self->filled = 0;
    for (size_t k = 0; k < self->channels; k++)
        state_floats(st, window_of(self, k) - 1, 1 + self->filled);
}
