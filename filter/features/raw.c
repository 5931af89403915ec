/*
 * raw - the samples themselves. The identity: it may stand anywhere in a chain.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/features/stages.h"

typedef struct {
    size_t dim;
} raw_stage;

static sigrep_status raw_create(void **stage, const char *argument, feature_shape in,
                                feature_shape *out, feature_timing *timing, sigrep_error *error)
{
    (void)argument;
    raw_stage *self = malloc(sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "raw: out of memory");
    self->dim = in.dim;
    *stage = self;
    *out = in;
    *timing = (feature_timing){.hop = 1, .lead = 0, .look_ahead = 0, .memory = 1};
    return SIGREP_OK;
}

static size_t raw_push(void *stage, const float *in, size_t n, float *out)
{
    const raw_stage *self = stage;
    if (n > 0) memcpy(out, in, n * self->dim * sizeof *out);
    return n;
}

static size_t raw_flush(void *stage, float *out)
{
    (void)stage, (void)out;
    return 0;
}

static size_t raw_max_frames(const void *stage, size_t n)
{
    (void)stage;
    return n;
}

const feature_ops feature_raw = {
    .name = "raw",
    .summary = "the samples themselves",
    .create = raw_create,
    .push = raw_push,
    .flush = raw_flush,
    .max_frames = raw_max_frames,
    .destroy = free,
};
