/*
 * diff - the first difference of each channel:
 *
 *     y_t = x_t - x_(t-1), rounded to float32,   y_0 = 0 at the first sample of a span
 *
 * A difference beyond float32's range becomes the largest finite value of its sign.
 * Look-ahead: none. Memory: 2 samples.
 */
#include <stdlib.h>

#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

typedef struct {
    size_t dim;
    int started;       /* `previous` holds a sample of this span */
    double previous[]; /* dim */
} diff_stage;

static sigrep_status diff_create(void **stage, const char *argument, frame_shape in,
                                 frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    (void)argument;
    diff_stage *self = NULL;
    if (in.dim <= (SIZE_MAX - sizeof *self) / sizeof(double))
        self = malloc(sizeof *self + in.dim * sizeof(double));
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "diff: out of memory");
    self->dim = in.dim;
    self->started = 0;
    *stage = self;
    *out = in;
    *timing = (frame_timing){.hop = 1, .memory = 2};
    return SIGREP_OK;
}

/* Of two float32 values, it is their difference in float32: a double has more than twice their
 * digits (Figueroa 1995). */
STAGE_INLINE float difference(double now, double before)
{
    return clip_double(now - before);
}

STAGE_INLINE size_t push(diff_stage *self, stage_in in, size_t n, stage_out out)
{
    const size_t dim = self->dim;
    if (n == 0) return 0;
    for (size_t k = 0; k < dim; k++) {
        const double first = stage_get(in, k);
        stage_put(out, k, difference(first, self->started ? self->previous[k] : first));
    }
    for (size_t i = dim; i < n * dim; i++)
        stage_put(out, i, difference(stage_get(in, i), stage_get(in, i - dim)));
    for (size_t k = 0; k < dim; k++) self->previous[k] = stage_get(in, (n - 1) * dim + k);
    self->started = 1;
    return n;
}

static size_t diff_push(void *stage, const float *in, size_t n, float *out)
{
    const stage_in from = {.floats = in};
    const stage_out to = {.floats = out};
    return push(stage, from, n, to);
}

static size_t diff_push_doubles(void *stage, const double *in, size_t n, double *out)
{
    const stage_in from = {.doubles = in};
    const stage_out to = {.doubles = out};
    return push(stage, from, n, to);
}

static size_t diff_flush(void *stage, double *out)
{
    diff_stage *self = stage;
    (void)out;
    self->started = 0;
    return 0;
}

static void diff_pass_state(void *stage, state_bytes *st)
{
    diff_stage *self = stage;
    state_int_flag(st, &self->started);
    if (self->started) state_doubles(st, self->previous, self->dim);
}

const stage_ops stage_diff = {
    .name = "diff",
    .restarts = 1,
    .create = diff_create,
    .push = diff_push,
    .push_doubles = diff_push_doubles,
    .flush_doubles = diff_flush,
    .pass_state = diff_pass_state,
    .destroy = free,
};
