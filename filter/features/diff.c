/*
 * diff - the first difference, each channel by itself:
 *
 *     y_t = x_t - x_(t-1) in float32,   y_0 = 0 at the first sample of a stretch
 *
 * A difference beyond float32's range is the largest finite value of its sign.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/stages.h"

typedef struct {
    size_t dim;
    int begun;        /* `previous` holds a sample of this stretch */
    float previous[]; /* dim */
} diff_stage;

static sigrep_status diff_create(void **stage, const char *argument, feature_shape in,
                                 feature_shape *out, feature_timing *timing, sigrep_error *error)
{
    (void)argument;
    diff_stage *self = NULL;
    if (in.dim <= (SIZE_MAX - sizeof *self) / sizeof(float))
        self = malloc(sizeof *self + in.dim * sizeof(float));
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "diff: out of memory");
    self->dim = in.dim;
    self->begun = 0;
    *stage = self;
    *out = in;
    *timing = (feature_timing){.hop = 1, .lead = 0, .look_ahead = 0, .memory = 2};
    return SIGREP_OK;
}

static float difference(float now, float before)
{
    const float d = now - before;
    if (d > FLT_MAX) return FLT_MAX;
    if (d < -FLT_MAX) return -FLT_MAX;
    return d;
}

static size_t diff_push(void *stage, const float *in, size_t n, float *out)
{
    diff_stage *self = stage;
    const size_t dim = self->dim;
    if (n == 0) return 0;
    if (!self->begun) memcpy(self->previous, in, dim * sizeof *in);
    self->begun = 1;
    for (size_t k = 0; k < dim; k++) out[k] = difference(in[k], self->previous[k]);
    for (size_t i = dim; i < n * dim; i++) out[i] = difference(in[i], in[i - dim]);
    memcpy(self->previous, in + (n - 1) * dim, dim * sizeof *in);
    return n;
}

static size_t diff_flush(void *stage, float *out)
{
    diff_stage *self = stage;
    (void)out;
    self->begun = 0;
    return 0;
}

static size_t diff_max_frames(const void *stage, size_t n)
{
    (void)stage;
    return n;
}

const feature_ops feature_diff = {
    .name = "diff",
    .create = diff_create,
    .push = diff_push,
    .flush = diff_flush,
    .max_frames = diff_max_frames,
    .destroy = free,
};
