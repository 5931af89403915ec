/*
 * words - frames for words, whoever says them and in noise: speech and the speech embedding side by
 * side. 173 values a channel, every 20 ms.
 *
 *     rows of 10 ms    . . | t   t+1 | t+2  t+3 | . .       a frame owns two rows
 *                            |         |
 *     speech                 s_t       s_(t+2)              77 values, of its first row (speech.c)
 *     embedding              e_t       e_(t+2)              of rows t-52 ... t+23 (embedder.h)
 *
 *     out_t = (0.5 (e_t - mean) / its Euclidean length, s_t)
 *
 * The embedding stands first, since the last value of speech counts in the stream alone. Its rows
 * begin with 7.5 ms of silence before the span, and those of speech with the same here: so both see
 * the same 25 ms.
 *
 * Look-ahead: 22 rows more than spectrum.h's, 227.5 ms in all. Memory: 775 ms and one sample, in
 * which speech's lies too.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/features/embedder.h"
#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

#define SHARE 0.5f

enum {
    ROWS = 2,
    E = EMBEDDER_VALUES,
    BLOCK_FRAMES = 8, /* of samples taken at once */
    QUEUE = 32        /* frames of speech that wait for e: at most BLOCK_FRAMES and 13 */
};

typedef struct {
    size_t channels, speech_values; /* values of s, a channel */
    size_t block;                   /* samples taken at once */
    void *speech;                   /* a stage */
    embedder *embedder;
    float *silence; /* before a span */
    size_t lead;    /* samples of it */
    float *s, *e;   /* frames of a block, all channels */
    float *queue;   /* frames of speech of even rows that wait */
    size_t queued;  /* at most QUEUE */
    int odd;        /* the next frame of speech is one of an odd row */
} words_stage;

static void words_destroy(void *stage)
{
    words_stage *self = stage;
    if (!self) return;
    if (self->speech) stage_speech.destroy(self->speech);
    embedder_destroy(self->embedder);
    free(self->silence);
    free(self->s);
    free(self->e);
    free(self->queue);
    free(self);
}

static size_t speech_dim(const words_stage *self)
{
    return self->channels * self->speech_values;
}

/* Begin where the embedding does. No frame comes out. */
static void begin_span(words_stage *self)
{
    self->odd = 0;
    self->queued = 0;
    stage_speech.push(self->speech, self->silence, self->lead, self->s);
}

/* Returns 0 without memory. */
static int allocate(words_stage *self)
{
    const size_t dim = speech_dim(self), frame = sizeof(float);
    self->silence = calloc(self->lead, self->channels * sizeof *self->silence);
    self->s = calloc(stage_speech.max_frames(self->speech, self->block), dim * frame);
    self->e = calloc(embedder_max_frames(self->embedder, self->block), self->channels * E * frame);
    self->queue = calloc(QUEUE, dim * frame);
    return self->silence && self->s && self->e && self->queue;
}

static sigrep_status words_create(void **stage, const char *argument, frame_shape in,
                                  frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    frame_timing of_speech;
    frame_shape shape = {0};
    words_stage *self = calloc(1, sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "words: out of memory");
    self->channels = in.dim;
    sigrep_status status = embedder_create(&self->embedder, "words", ROWS, in, timing, error);
    if (!status)
        status = stage_speech.create(&self->speech, argument, in, &shape, &of_speech, error);
    if (!status) {
        self->speech_values = shape.dim / in.dim;
        self->block = BLOCK_FRAMES * (size_t)timing->hop;
        self->lead = (size_t)of_speech.lead;
        if (!allocate(self)) status = status_fail(error, SIGREP_NO_MEMORY, "words: out of memory");
    }
    if (status) {
        words_destroy(self);
        return status;
    }
    begin_span(self);
    *stage = self;
    *out = (frame_shape){shape.dim + in.dim * E, in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

/* Let the frames of even rows among n of speech wait. More than QUEUE come only after a state whose
 * bytes an attacker made. */
static void enqueue(words_stage *self, size_t n)
{
    const size_t dim = speech_dim(self);
    for (size_t i = 0; i < n; i++, self->odd = !self->odd)
        if (!self->odd && self->queued < QUEUE)
            memcpy(self->queue + self->queued++ * dim, self->s + i * dim, dim * sizeof(float));
}

/* Write frame i of those for which e is there. */
static void join_frame(const words_stage *self, size_t i, float *out)
{
    const size_t values = self->speech_values, channels = self->channels;
    for (size_t k = i * channels; k < (i + 1) * channels; k++, out += E + values) {
        embedder_unit(self->e + k * E, out);
        for (size_t v = 0; v < E; v++) out[v] *= SHARE;
        memcpy(out + E, self->queue + k * values, values * sizeof *out);
    }
}

/* Write the n frames for which e is there, and as many of speech. Returns their number: n, or less
 * after a state as above. */
static size_t join(words_stage *self, size_t n, float *out)
{
    const size_t dim = speech_dim(self);
    if (n > self->queued) n = self->queued;
    for (size_t i = 0; i < n; i++) join_frame(self, i, out + i * (dim + self->channels * E));
    self->queued -= n;
    memmove(self->queue, self->queue + n * dim, self->queued * dim * sizeof *self->queue);
    return n;
}

static size_t words_push(void *stage, const float *in, size_t n, float *out)
{
    words_stage *self = stage;
    size_t frames = 0;
    while (n > 0) {
        const size_t now = n < self->block ? n : self->block;
        enqueue(self, stage_speech.push(self->speech, in, now, self->s));
        const size_t got = join(self, embedder_push(self->embedder, in, now, self->e), out);
        out += got * (speech_dim(self) + self->channels * E);
        frames += got;
        in += now * self->channels;
        n -= now;
    }
    return frames;
}

static size_t words_flush(void *stage, float *out)
{
    words_stage *self = stage;
    enqueue(self, stage_speech.flush(self->speech, self->s));
    const size_t frames = join(self, embedder_flush(self->embedder, self->e), out);
    begin_span(self);
    return frames;
}

static size_t words_max_frames(const void *stage, size_t n)
{
    const words_stage *self = stage;
    return embedder_max_frames(self->embedder, n);
}

static void words_pass_state(void *stage, state_bytes *st)
{
    words_stage *self = stage;
    stage_speech.pass_state(self->speech, st);
    embedder_pass_state(self->embedder, st);
    state_int_flag(st, &self->odd);
    state_size(st, &self->queued);
    state_must(st, self->queued <= QUEUE / 2);
    if (st->is_wrong) self->queued = 0;
    state_floats(st, self->queue, self->queued * speech_dim(self));
}

/* speech's mark, in every channel. */
static int words_is_silence(const void *stage, const float *frame)
{
    const words_stage *self = stage;
    const size_t values = self->speech_values;
    for (size_t k = 0; k < self->channels; k++)
        memcpy(self->s + k * values, frame + k * (E + values) + E, values * sizeof *frame);
    return stage_speech.is_silence(self->speech, self->s);
}

const stage_ops stage_words = {
    .name = "words",
    .auto_factor = 0.76,
    .stream_value_every = 96 + 77,
    .restarts = 1,
    .create = words_create,
    .push = words_push,
    .flush = words_flush,
    .pass_state = words_pass_state,
    .max_frames = words_max_frames,
    .destroy = words_destroy,
    .is_silence = words_is_silence,
};
