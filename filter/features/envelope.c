/*
 * envelope[=SECONDS] - the root mean square of each channel over consecutive hops:
 *
 *     samples   |<---- h ---->|<---- h ---->|<---- h ---->|      h = SECONDS * rate, rounded
 *     frames          y_0           y_1           y_2
 *
 *     y_j = sqrt(1/h * sum of x_t^2 for t = j h ... j h + h - 1)
 *
 * SECONDS is 0.01 by default, and at least one sample. The sum is in double, in the order of
 * the samples. Zeros pad the last hop of a span, so its sum is divided by h as well.
 * Look-ahead: none. Memory: h samples.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

#define DEFAULT_S 0.01

typedef struct {
    size_t dim;
    uint64_t hop;
    uint64_t filled; /* samples in the current hop, below hop */
    double sums[];   /* dim, of squares */
} envelope_stage;

static sigrep_status parse_hop(uint64_t *hop, const char *argument, double rate_hz,
                               sigrep_error *error)
{
    double seconds = DEFAULT_S, samples = 0;
    sigrep_status status = SIGREP_OK;
    if (argument) status = argument_seconds(&seconds, "envelope", argument, error);
    if (status == SIGREP_OK)
        status = argument_samples(&samples, "envelope", seconds, rate_hz, error);
    if (status != SIGREP_OK) return status;
    /* 1/rate written with six digits still means one sample. */
    if (samples < 1 - 1e-5)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "envelope=%g: under one sample, %g samples at %g Hz", seconds, samples,
                           rate_hz);
    *hop = (uint64_t)llround(samples);
    return SIGREP_OK;
}

static sigrep_status envelope_create(void **stage, const char *argument, frame_shape in,
                                     frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    uint64_t hop = 0;
    const sigrep_status status = parse_hop(&hop, argument, in.rate_hz, error);
    if (status != SIGREP_OK) return status;
    envelope_stage *self = NULL;
    if (in.dim <= (SIZE_MAX - sizeof *self) / sizeof(double))
        self = calloc(1, sizeof *self + in.dim * sizeof(double));
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "envelope: out of memory");
    self->dim = in.dim;
    self->hop = hop;
    *stage = self;
    *out = (frame_shape){.dim = in.dim, .rate_hz = in.rate_hz / (double)hop};
    *timing = (frame_timing){.hop = hop, .memory = hop};
    return SIGREP_OK;
}

/* Write the current hop's frame and begin the next hop. */
static void finish_hop(envelope_stage *self, double *out)
{
    for (size_t k = 0; k < self->dim; k++) {
        out[k] = stage_round(sqrt(self->sums[k] / (double)self->hop));
        self->sums[k] = 0;
    }
    self->filled = 0;
}

static size_t envelope_push(void *stage, const double *in, size_t n, double *out)
{
    envelope_stage *self = stage;
    size_t frames = 0;
    for (size_t t = 0; t < n; t++, in += self->dim) {
        for (size_t k = 0; k < self->dim; k++) self->sums[k] += in[k] * in[k];
        if (++self->filled == self->hop) finish_hop(self, out + frames++ * self->dim);
    }
    return frames;
}

static size_t envelope_flush(void *stage, double *out)
{
    envelope_stage *self = stage;
    if (self->filled == 0) return 0;
    finish_hop(self, out);
    return 1;
}

static void envelope_pass_state(void *stage, state_bytes *st)
{
    envelope_stage *self = stage;
    state_u64(st, &self->filled);
    state_must(st, self->filled < self->hop);
    state_doubles(st, self->sums, self->dim);
}

static size_t envelope_max_frames(const void *stage, size_t n)
{
    const envelope_stage *self = stage;
    return (size_t)(n / self->hop) + 1;
}

const stage_ops stage_envelope = {
    .name = "envelope",
    .argument = "SECONDS",
    .argument_required = 0,
    .restarts = 1,
    .keeps_level = 1,
    .create = envelope_create,
    .push_doubles = envelope_push,
    .flush_doubles = envelope_flush,
    .pass_state = envelope_pass_state,
    .max_frames = envelope_max_frames,
    .destroy = free,
};
