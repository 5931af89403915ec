/*
 * voices - frames for words that anyone says: the speech embedding, 96 values a channel, every
 * 40 ms.
 *
 *     rows     t-52 . . . . . . . . . t . . t+3 . . t+23        a frame owns 4 rows of 10 ms,
 *              |<--------- field of e, 775 ms -------->|        and sees 76
 *
 *     e_t   = the embedding of the field (embedder.h)
 *     out_t = (e_t - mean) / its Euclidean length;  zeros if that is 0
 *
 * e is float32, the rest in double by rising index, rounded to float32. The mean is e's over
 * foreign speech. All frames have it in common: words differ more once it is subtracted.
 *
 * embedder.h defines which samples a row owns. Look-ahead: 20 rows more than spectrum.h's, 207.5 ms
 * in all. Memory: 775 ms and one sample.
 */
#include <stdlib.h>

#include "filter/features/embedder.h"
#include "filter/features/stage.h"

enum { ROWS = 4 };

static sigrep_status voices_create(void **stage, const char *argument, frame_shape in,
                                   frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    embedder *made = NULL;
    (void)argument;
    const sigrep_status status = embedder_create(&made, "voices", ROWS, in, timing, error);
    if (status) return status;
    *stage = made;
    *out = (frame_shape){in.dim * EMBEDDER_VALUES, in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

/* Of n frames of all channels. Returns n. */
static size_t scale_frames(const embedder *self, float *e, size_t n)
{
    const size_t vectors = n * embedder_channels(self);
    for (size_t i = 0; i < vectors; i++, e += EMBEDDER_VALUES) embedder_unit(e, e);
    return n;
}

static size_t voices_push(void *stage, const float *in, size_t n, float *out)
{
    return scale_frames(stage, out, embedder_push(stage, in, n, out));
}

static size_t voices_flush(void *stage, float *out)
{
    return scale_frames(stage, out, embedder_flush(stage, out));
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
    .auto_factor = 0.62,
    .auto_low_factor = 0.76,
    .restarts = 1,
    .leaves_out_zeros = 1,
    .create = voices_create,
    .push = voices_push,
    .flush = voices_flush,
    .pass_state = voices_pass_state,
    .max_frames = voices_max_frames,
    .destroy = voices_destroy,
};
