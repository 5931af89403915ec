/*
 * znorm=SECONDS - causal sliding z-normalisation of each channel:
 *
 *     y_t = (x_t - mean) / std      over the last w = SECONDS * rate samples, rounded, w >= 2
 *
 * The window ends with x_t. At the start of a span it holds the samples so far. std is the
 * population's, sqrt(sum (x - mean)^2 / n). So |y_t| < sqrt(w), and the first sample of a span
 * gives 0. If std <= 2^-24 |mean| the window is flat and y_t = 0: its variation is float32's
 * rounding of the offset, not a signal. A window with a value that float32 cannot hold is flat if
 * std <= 2^-48 |mean|. A constant gives exactly 0.
 *
 * Each y_t comes from its window alone. A running sum would keep the rounding of a loud sample
 * long after it left the window. Blocks of w samples count from the start of the span, and the
 * one border inside a window divides it (van Herk 1992, "two stacks"):
 *
 *     |-------- block --------|-------- block --------|
 *               |   suffix    |  prefix  |
 *               x_(t-w+1) ...            x_t
 *
 * A prefix grows sample by sample (Welford 1962). A full block computes all its suffixes at
 * once, from its end. Chan, Golub, LeVeque (1979) join the two. So a sample costs O(1) on
 * average, all in double. The bits depend on t's place in its block, so only a stream that
 * starts at a border of blocks repeats them.
 *
 * Look-ahead: none. Memory: w samples.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

/* std / |mean| of a flat window of float32 values, and of doubles. */
#define FLAT 0x1p-24
#define FLAT_WIDE 0x1p-48
#define MAX_BYTES ((uint64_t)1 << 30) /* memory of one stage */

/* The mean of n samples, and the sum of their squared distances from it. */
typedef struct {
    double mean, m2;
} moments;

typedef struct {
    size_t dim, window;
    size_t filled;    /* samples of the current block, below window */
    int has_previous; /* `suffix` is that of a previous block */
    moments *suffix;  /* window x dim: row q of samples q ... window-1 of the previous block */
    double *block;    /* window x dim: samples of the current block */
    size_t *narrow;   /* dim: how many of the last samples, up to `window`, float32 can hold */
    moments prefix[]; /* dim: of the current block; then the memory of the others */
} znorm_stage;

/* Add sample x, the n-th, to `of`. */
static void add_sample(moments *of, double x, size_t n)
{
    const double before = x - of->mean;
    of->mean += before / (double)n;
    of->m2 += before * (x - of->mean);
}

static moments join(moments a, size_t n_a, moments b, size_t n_b)
{
    const double n = (double)(n_a + n_b), share_b = (double)n_b / n;
    const double apart = b.mean - a.mean;
    return (moments){
        .mean = a.mean + apart * share_b,
        .m2 = a.m2 + b.m2 + apart * apart * (double)n_a * share_b,
    };
}

static float normalised(double x, moments window, size_t n, double flat)
{
    const double std = sqrt(window.m2 / (double)n);
    if (std <= flat * fabs(window.mean)) return 0;
    return (float)((x - window.mean) / std);
}

/* Take note of channel k's next value. Returns what is flat in the window that it ends. */
static double flat_with(znorm_stage *self, size_t k, double x)
{
    size_t *narrow = &self->narrow[k];
    if (x != (double)(float)x)
        *narrow = 0;
    else if (*narrow < self->window)
        ++*narrow;
    return *narrow < self->window ? FLAT_WIDE : FLAT;
}

static void begin_span(znorm_stage *self)
{
    for (size_t k = 0; k < self->dim; k++) {
        self->prefix[k] = (moments){0, 0};
        self->narrow[k] = self->window; /* nothing came before that is wide */
    }
    self->filled = 0;
    self->has_previous = 0;
}

static void clear_prefix(znorm_stage *self)
{
    for (size_t k = 0; k < self->dim; k++) self->prefix[k] = (moments){0, 0};
}

/* Of the previous block, whose samples from `filled` on are still there. */
static void find_suffixes(znorm_stage *self)
{
    const size_t dim = self->dim, window = self->window;
    clear_prefix(self);
    for (size_t q = window; q-- > self->filled;)
        for (size_t k = 0; k < dim; k++) {
            add_sample(&self->prefix[k], self->block[q * dim + k], window - q);
            self->suffix[q * dim + k] = self->prefix[k];
        }
}

/* The current block is full: make it the previous one. */
static void finish_block(znorm_stage *self)
{
    self->filled = 0;
    self->has_previous = 1;
    find_suffixes(self);
    clear_prefix(self);
}

STAGE_INLINE size_t push(znorm_stage *self, stage_in in, size_t n, stage_out out)
{
    const size_t dim = self->dim;
    for (size_t t = 0; t < n; t++) {
        const size_t place = self->filled, here = place + 1;
        const size_t before = self->has_previous ? self->window - here : 0;
        for (size_t k = 0; k < dim; k++) {
            const double x = stage_get(in, t * dim + k), flat = flat_with(self, k, x);
            add_sample(&self->prefix[k], x, here);
            moments window = self->prefix[k];
            if (before > 0) window = join(self->suffix[here * dim + k], before, window, here);
            stage_put(out, t * dim + k, normalised(x, window, before + here, flat));
            self->block[place * dim + k] = x;
        }
        if (++self->filled == self->window) finish_block(self);
    }
    return n;
}

static size_t znorm_push(void *stage, const float *in, size_t n, float *out)
{
    const stage_in from = {.floats = in};
    const stage_out to = {.floats = out};
    return push(stage, from, n, to);
}

static size_t znorm_push_doubles(void *stage, const double *in, size_t n, double *out)
{
    const stage_in from = {.doubles = in};
    const stage_out to = {.doubles = out};
    return push(stage, from, n, to);
}

static size_t znorm_flush(void *stage, double *out)
{
    (void)out;
    begin_span(stage);
    return 0;
}

/* The samples of the last window. All moments are made of them again, in the same order. */
static void znorm_pass_state(void *stage, state_bytes *st)
{
    znorm_stage *self = stage;
    const size_t dim = self->dim;
    state_size(st, &self->filled);
    state_int_flag(st, &self->has_previous);
    state_must(st, self->filled < self->window);
    if (st->is_wrong) begin_span(self);
    for (size_t k = 0; k < dim; k++) state_size(st, &self->narrow[k]);
    state_doubles(st, self->block, (self->has_previous ? self->window : self->filled) * dim);
    if (!st->is_reading) return;
    if (self->has_previous) find_suffixes(self);
    clear_prefix(self);
    for (size_t t = 0; t < self->filled; t++)
        for (size_t k = 0; k < dim; k++)
            add_sample(&self->prefix[k], self->block[t * dim + k], t + 1);
}

static sigrep_status parse_window(size_t *window, const char *argument, frame_shape in,
                                  sigrep_error *error)
{
    double seconds, samples;
    sigrep_status status = argument_seconds(&seconds, "znorm", argument, error);
    if (status == SIGREP_OK)
        status = argument_samples(&samples, "znorm", seconds, in.rate_hz, error);
    if (status != SIGREP_OK) return status;
    /* 2/rate written with six digits still means two samples. */
    if (samples < 2 - 2e-5)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "znorm=%g: %g sample%s at %g Hz, not 2 or more", seconds, samples,
                           samples == 1 ? "" : "s", in.rate_hz);
    const uint64_t wanted = (uint64_t)llround(samples);
    const uint64_t most = MAX_BYTES / (sizeof(moments) + sizeof(double)) / in.dim;
    if (wanted > most)
        return status_fail(error, SIGREP_NO_MEMORY,
                           "znorm=%g: a window of %llu samples at %g Hz, %zu values each, is more "
                           "than memory allows (at most %llu samples)",
                           seconds, (unsigned long long)wanted, in.rate_hz, in.dim,
                           (unsigned long long)most);
    *window = (size_t)wanted;
    return SIGREP_OK;
}

static sigrep_status znorm_create(void **stage, const char *argument, frame_shape in,
                                  frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    size_t window = 0;
    const sigrep_status status = parse_window(&window, argument, in, error);
    if (status != SIGREP_OK) return status;
    const size_t values = window * in.dim;
    znorm_stage *self = calloc(1, sizeof *self + (in.dim + values) * sizeof(moments) +
                                      values * sizeof(double) + in.dim * sizeof(size_t));
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "znorm: out of memory");
    self->dim = in.dim;
    self->window = window;
    self->suffix = self->prefix + in.dim;
    self->block = (double *)(self->suffix + values);
    self->narrow = (void *)(self->block + values);
    begin_span(self);
    *stage = self;
    *out = in;
    *timing = (frame_timing){.hop = 1, .memory = window, .period = window};
    return SIGREP_OK;
}

const stage_ops stage_znorm = {
    .name = "znorm",
    .argument = "SECONDS",
    .argument_required = 1,
    .argument_advice = "such as half the length of the template",
    .create = znorm_create,
    .push = znorm_push,
    .push_doubles = znorm_push_doubles,
    .flush_doubles = znorm_flush,
    .pass_state = znorm_pass_state,
    .destroy = free,
};
