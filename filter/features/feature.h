/*
 * feature.h - front ends: a stream of samples in, frames to compare out.
 *
 * A front end is a chain of stages joined by '+', such as "raw", "znorm=2" or
 * "diff+envelope=0.02+znorm=1". A stage is causal but for a stated look-ahead and depends
 * on its stream alone, in one written order of arithmetic, so the frames have the same
 * bits however the samples are cut into pushes. Finite values in give finite values out: a
 * stage saturates where it would overflow. max_frames never falls as n grows.
 *
 * A stretch is what lies between two gaps. front_end_flush ends one: the last partial
 * frame is zero-padded and given out, and the chain starts afresh.
 */
#ifndef FILTER_FEATURES_FEATURE_H
#define FILTER_FEATURES_FEATURE_H

#include "filter/status.h"

/* What a stage takes or gives: `dim` floats a frame, rate_hz frames a second. */
typedef struct {
    size_t dim;
    double rate_hz;
} feature_shape;

/* Frame j of a stretch owns the stage's input samples t with j*hop + lead <= t * per <
 * (j+1)*hop + lead, clipped to the stretch: hop and lead count 1/per samples, so that rates
 * of any ratio map exactly. per is 1 where it is left at 0. It comes out
 * exactly when `look_ahead` samples after its own have been read, or the stretch has ended: the
 * number of samples after which a match is final hangs on that. `memory` samples in all
 * influence it, UINT64_MAX: unbounded. */
typedef struct {
    uint64_t hop;
    int64_t lead;
    uint64_t per;
    uint64_t look_ahead;
    uint64_t memory;
} feature_timing;

/* One kind of stage; the table of them is in feature.c. */
typedef struct {
    const char *name;
    const char *argument; /* what may follow '=', for messages: "SECONDS"; NULL: nothing */
    int argument_required;
    /* Where frames have a scale of their own: a usual distance, for each value of a frame,
     * between two that have nothing to do with each other (docs/RESULTS.md). 0: not known. */
    double unrelated;

    /* Make a stage for frames of shape `in`. `argument` is the text after '=' or NULL.
     * Sets *out and *timing. Fails with words in *error. NULL, as all that follows: the
     * identity, which is left out of chains. */
    sigrep_status (*create)(void **stage, const char *argument, feature_shape in,
                            feature_shape *out, feature_timing *timing, sigrep_error *error);
    /* n samples in; writes at most max_frames(n) frames and returns how many. in and out
     * do not overlap. */
    size_t (*push)(void *stage, const float *in, size_t n, float *out);
    /* End of the stretch: writes at most max_frames(0) frames, returns how many, and the
     * stage is as new. */
    size_t (*flush)(void *stage, float *out);
    size_t (*max_frames)(const void *stage, size_t n);
    void (*destroy)(void *stage);
    /* Has it run out of memory since it was made? What it gives then means nothing. NULL: it
     * never does. */
    int (*failed)(const void *stage);
    /* Is more than half of what the frame looks at digital silence, in every channel? NULL: that
     * is not told. */
    int (*is_silence)(const void *stage, const float *frame);
} feature_ops;

/* The i-th stage of the table, NULL after the last. */
const feature_ops *feature_at(size_t i);

typedef struct front_end front_end;

/* Parse `spec` and build the chain for samples of `in`, pushed at most max_push at a time.
 * The caller destroys it. SIGREP_BAD_FRONT_END with words in *error for a bad spec. */
sigrep_status front_end_create(front_end **chain, const char *spec, feature_shape in,
                               size_t max_push, sigrep_error *error);
void front_end_destroy(front_end *chain);

/* The frames' shape, and their timing in samples of the chain's input. Where a stage takes
 * fractions of a frame, the whole chain's look_ahead is a bound. */
feature_shape front_end_shape(const front_end *chain);
feature_timing front_end_timing(const front_end *chain);

/* A usual distance between two frames that have nothing to do with each other; 0: not known. */
double front_end_unrelated(const front_end *chain);

/* So many samples of a stretch must have been read for its first `frames` frames to have come
 * out: exact. */
uint64_t front_end_needed(const front_end *chain, uint64_t frames);

/* Are the frames the samples themselves? Any number may be pushed then. */
int front_end_is_identity(const front_end *chain);

/* n <= max_push samples in. Returns how many frames came out; *frames points at them,
 * valid until the next call on this chain; of an identity it is `samples`. */
size_t front_end_push(front_end *chain, const float *samples, size_t n, const float **frames);

/* The stretch has ended: the frames still inside come out, and the chain is as new. */
size_t front_end_flush(front_end *chain, const float **frames);

/* Does the last stage call this frame digital silence? */
int front_end_is_silence(const front_end *chain, const float *frame);

/* Has a stage run out of memory? To be asked after each push and flush. */
int front_end_failed(const front_end *chain);

#endif
