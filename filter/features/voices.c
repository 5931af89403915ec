/*
 * voices - the speech embedding: 96 values a channel, every 40 ms.
 */
#include <stdlib.h>

#include "filter/features/embedder.h"
#include "filter/features/stage.h"

enum { ROWS = 4 };

static sigrep_status voices_create(void **stage, const char *argument, frame_shape in,
                                   frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    embedder *made;
    (void)argument;
    const sigrep_status status = embedder_create(&made, "voices", ROWS, in, timing, error);
    if (status) return status;
    *stage = made;
    *out = (frame_shape){in.dim * EMBEDDER_VALUES, in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

static size_t voices_push(void *stage, const float *in, size_t n, float *out)
{
    return embedder_push(stage, in, n, out);
}

static size_t voices_flush(void *stage, float *out)
{
    return embedder_flush(stage, out);
}

static size_t voices_max_frames(const void *stage, size_t n)
{
    return embedder_max_frames(stage, n);
}

static void voices_pass_state(void *stage, state_bytes *st)
{
    embedder_pass_state(stage, st);
}

static void voices_destroy(void *stage)
{
    embedder_destroy(stage);
}

const stage_ops stage_voices = {
    .name = "voices",
    .auto_factor = 0.80,
    .restarts = 1,
    .create = voices_create,
    .push = voices_push,
    .flush = voices_flush,
    .pass_state = voices_pass_state,
    .max_frames = voices_max_frames,
    .destroy = voices_destroy,
};
