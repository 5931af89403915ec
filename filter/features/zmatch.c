/*
 * zmatch[=BAND] - the samples themselves, of which the search normalises each candidate by itself
 * (docs/SEMANTICS.md, "Each match normalised"; kernels/zmatch/zmatch.h computes it).
 *
 * BAND is the share of the template's length by which a warping path may leave the diagonal, from 0
 * to 1. The default is 0.05, as in Rakthanmanon et al. 2012. It is the last stage, for frames of
 * one value.
 *
 * Look-ahead: none. Memory: 1 sample.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/features/stage.h"
#include "filter/status.h"

static const double DEFAULT_BAND = 0.05;

static sigrep_status zmatch_create(void **stage, const char *argument, frame_shape in,
                                   frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    double band = DEFAULT_BAND;
    if (argument && (!argument_number(&band, argument) || !(band >= 0 && band <= 1)))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "zmatch=%.40s: not a share of the template's length from 0 to 1",
                           argument);
    if (in.dim != 1)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "zmatch: frames of %zu values, not 1; search each by itself", in.dim);
    double *self = malloc(sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "zmatch: out of memory");
    *self = band;
    *stage = self;
    *out = in;
    *timing = (frame_timing){.hop = 1, .memory = 1};
    return SIGREP_OK;
}

static size_t zmatch_push(void *stage, const float *in, size_t n, float *out)
{
    (void)stage;
    memcpy(out, in, n * sizeof *out);
    return n;
}

static size_t zmatch_flush(void *stage, float *out)
{
    (void)stage, (void)out;
    return 0;
}

static void zmatch_pass_state(void *stage, state_bytes *st)
{
    (void)stage, (void)st;
}

static double zmatch_band(const void *stage)
{
    return *(const double *)stage;
}

const stage_ops stage_zmatch = {
    .name = "zmatch",
    .argument = "BAND",
    .restarts = 1,
    .create = zmatch_create,
    .push = zmatch_push,
    .flush = zmatch_flush,
    .pass_state = zmatch_pass_state,
    .band = zmatch_band,
    .destroy = free,
};
