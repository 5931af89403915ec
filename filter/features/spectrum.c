#include "filter/features/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/fourier.h"

#define WINDOW_S 0.025
#define HOP_S 0.010
#define PRE_EMPHASIS 0.97f
#define LIMIT 1e30f

enum { MIN_WINDOW = 16, MAX_WINDOW = 1 << 20 };

struct spectrum {
    size_t channels, window, hop, lead, fft;
    size_t n_bins; /* those that are asked for */
    size_t filled; /* samples of the current window that are there, below `window` */
    int begun;     /* `samples` holds some of this stretch */
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

/* Returns the sum of the weights' squares. */
static double make_window(spectrum *self)
{
    const double step = 2 * acos(-1.) / (double)(self->window - 1);
    double squares = 0;
    for (size_t i = 0; i < self->window; i++) {
        const double weight = 0.54 - 0.46 * cos(step * (double)i);
        self->weights[i] = (float)weight;
        squares += weight * weight;
    }
    return squares;
}

/* Returns 0 without memory. */
static int fill_in(spectrum *self)
{
    const size_t room = 1 + self->window;
    if (self->channels > PTRDIFF_MAX / sizeof(float) / room) return 0;
    self->weights = malloc(self->window * sizeof *self->weights);
    self->samples = malloc(self->channels * room * sizeof *self->samples);
    if (!self->weights || !self->samples) return 0;
    const double squares = make_window(self);
    self->transform = fourier_create(self->fft, self->n_bins, 1 / ((double)self->fft * squares));
    return self->transform != NULL;
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
    if (!self || !fill_in(self)) {
        spectrum_destroy(self);
        return status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", stage);
    }
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

/* One channel of n samples, limited. A loop for each limit: of one that does both gcc makes no
 * minima and maxima. */
static void take_channel(const float *restrict in, size_t channels, size_t n, float *restrict out)
{
    if (channels == 1)
        memcpy(out, in, n * sizeof *out);
    else
        for (size_t t = 0; t < n; t++) out[t] = in[t * channels];
    for (size_t t = 0; t < n; t++) out[t] = out[t] > LIMIT ? LIMIT : out[t];
    for (size_t t = 0; t < n; t++) out[t] = out[t] < -LIMIT ? -LIMIT : out[t];
}

/* Where the window of a channel begins; the sample before it is at -1. */
static float *window_of(const spectrum *self, size_t channel)
{
    return self->samples + channel * (1 + self->window) + 1;
}

/* As many of n samples as the window lacks. Returns how many. */
static size_t fill(spectrum *self, const float *in, size_t n)
{
    const size_t dim = self->channels, room = self->window - self->filled;
    if (n > room) n = room;
    for (size_t k = 0; k < dim; k++) {
        float *to = window_of(self, k) + self->filled;
        take_channel(in + k, dim, n, to);
        if (!self->begun) to[-1] = to[0];
    }
    self->begun = 1;
    self->filled += n;
    return n;
}

/* Pre-emphasis and window. */
static void weigh(const float *restrict x, const float *restrict weights, size_t n,
                  float *restrict out)
{
    for (size_t i = 0; i < n; i++) out[i] = (x[i + 1] - PRE_EMPHASIS * x[i]) * weights[i];
}

/* The current window's spectra; then the window moves on by a hop. */
static void give_frame(spectrum *self, spectrum_taker take, void *user)
{
    const size_t kept = self->filled > self->hop ? self->filled - self->hop : 0;
    float *weighted = fourier_samples(self->transform);
    memset(weighted + self->filled, 0, (self->window - self->filled) * sizeof *weighted);
    for (size_t k = 0; k < self->channels; k++) {
        float *before = window_of(self, k) - 1;
        weigh(before, self->weights, self->filled, weighted);
        take(user, k, fourier_power(self->transform));
        if (kept > 0) memmove(before, before + self->hop, (1 + kept) * sizeof *before);
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
