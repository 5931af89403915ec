/*
 * front_end.h - front ends: a stream of samples in, frames to compare out.
 *
 *     samples --> stage --> stage --> ... --> frames          "diff+envelope=0.02+znorm=1"
 *
 * A front end is a chain of stages joined by '+'. Every stage keeps these rules:
 *
 *   - It is causal but for a stated look-ahead. It depends on its own stream alone.
 *   - Its arithmetic has one written order, so frames have the same bits however the samples
 *     are cut into pushes.
 *   - Finite values in give finite values out. A stage that would overflow clips.
 *
 * A span is an interval of the stream between two gaps. A flush ends it: the last partial
 * frame is padded with zeros and comes out, then the chain starts as if new.
 *
 * Samples and frames lie one after the other, `dim` values each. Stages of numbers compute on
 * doubles, those of sounds on floats. What leaves the chain is float32:
 *
 *     floats  --> diff, znorm, bandpass --> floats --------------------------> frames
 *     floats  --> widened ---+--> resample, ... --> doubles --> rounded -----> frames
 *     doubles ---------------+    diff, ...
 *     doubles --> rounded ---+--> mfcc, ... --> floats --------------------> frames
 *     floats  ---------------+
 *
 * So numbers keep the digits of their changes, and floats give the same bits as doubles of the same
 * values.
 */
#ifndef FILTER_FEATURES_FRONT_END_H
#define FILTER_FEATURES_FRONT_END_H

#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */

/* The shape of samples or frames: `dim` floats each, rate_hz of them a second. */
typedef struct {
    size_t dim;
    double rate_hz;
} frame_shape;

/*
 * Which input samples a frame owns, counted from the start of the span:
 *
 *     frame j owns the samples t with   j*hop + lead <= t * per < (j+1)*hop + lead
 *
 * clipped to the span. hop and lead count 1/per samples, so that any ratio of rates is exact;
 * per = 0 means 1.
 *
 * A frame comes out exactly when `look_ahead` samples after its own have been read, or the
 * span has ended. Not earlier: the sample at which a match becomes final depends on it.
 * `memory` samples in all influence a frame. UINT64_MAX: unbounded. Frames that began at a multiple
 * of `period` samples, a multiple of hop, and have read `memory` samples since, have the bits of
 * frames that began earlier. 0: they may differ for ever.
 */
typedef struct {
    uint64_t hop;
    int64_t lead;
    uint64_t per;
    uint64_t look_ahead;
    uint64_t memory;
    uint64_t period;
} frame_timing;

/* One kind of stage: what its file defines and the table in front_end.c lists. */
typedef struct {
    const char *name;
    const char *argument; /* what may follow '=', for messages: "SECONDS"; NULL: nothing */
    int argument_required;
    const char *argument_advice; /* a good value, in words, if one is required; may be NULL */

    /* Of frames of sounds: the threshold `auto` is this times the template's level in a background
     * of speech (docs/lab/speech.md). 0: the frames may be of anything. Calibration rests on it. */
    double auto_factor;
    /* Above 0: `auto` is this times the template's low score there, not the level. */
    double auto_low_factor;

    /* Above 0: a frame is made of groups of so many values, one for each channel. The last value of
     * a group counts in the stream alone; templates have 0 there (front_end_as_template). */
    size_t stream_value_every;

    /* Non-zero: once it has read `memory` samples, a stage that began at a multiple of its hop
     * gives the bits of one that began earlier. */
    int restarts;

    /* Make a stage for frames of shape `in`. `argument` is the text after '=', or NULL. Sets
     * *out and *timing (per may stay 0, and period: it is hop if the stage restarts). On an error
     * fills *error and leaves nothing to destroy. NULL, with all below: the identity, which chains
     * leave out. */
    sigrep_status (*create)(void **stage, const char *argument, frame_shape in, frame_shape *out,
                            frame_timing *timing, sigrep_error *error);
    /* Non-zero: frames may keep the level of the samples, and its digits beyond float32's. */
    int keeps_level;

    /* A stage has push and flush, or push_doubles and flush_doubles, or these and push: then push
     * gives the same values for floats, faster. n frames in. Writes at most max_frames(n) frames
     * and returns their number. in and out do not overlap. */
    size_t (*push)(void *stage, const float *in, size_t n, float *out);
    /* End of the span: writes at most max_frames(0) frames and returns their number. Then the
     * stage is as if new. */
    size_t (*flush)(void *stage, float *out);
    size_t (*push_doubles)(void *stage, const double *in, size_t n, double *out);
    size_t (*flush_doubles)(void *stage, double *out);
    /* The bound for push and flush; never falls as n grows. NULL: n. */
    size_t (*max_frames)(const void *stage, size_t n);
    void (*destroy)(void *stage);
    /* Pass over what the stage keeps of its span, to go on from later. NULL: it cannot, and must
     * read the span again. */
    void (*pass_state)(void *stage, state_bytes *st);
    /* Did memory run out after create? Then all later frames are worthless. NULL: never. */
    int (*failed)(const void *stage);
    /* Is more than half of what the frame saw digital silence, in every channel? NULL: the
     * stage does not know. */
    int (*is_silence)(const void *stage, const float *frame);
    /* Non-zero: frames see too long a time to be marked so. Those whose own samples are zeros, at
     * the ends of a template, are left out. */
    int leaves_out_zeros;
    /* Of a last stage whose candidates are normalised one by one: the share of the template by
     * which a warping path may leave the diagonal. NULL: they are not. */
    double (*band)(const void *stage);
} stage_ops;

/* Row i of the table; NULL after the last. */
const stage_ops *stage_at(size_t i);

typedef struct front_end front_end;

/* Build the chain that `spec` names, for samples of shape `in`, pushed at most max_push at a
 * time. The caller destroys it. After this only `resample` allocates (see resample.c).
 * SIGREP_BAD_FRONT_END if spec or shape are wrong, SIGREP_NO_MEMORY. */
sigrep_status front_end_create(front_end **chain, const char *spec, frame_shape in, size_t max_push,
                               sigrep_error *error);
void front_end_destroy(front_end *chain);

/* The shape of the frames, and their timing in samples of the chain's input. If a stage takes
 * fractions of a frame, the chain's look_ahead is an upper bound. */
frame_shape front_end_shape(const front_end *chain);
frame_timing front_end_timing(const front_end *chain);

/* The kind of the last stage; raw's if the chain is an identity. */
const stage_ops *front_end_last(const front_end *chain);

/* Are candidates normalised one by one? Then *band is that of the last stage (stage_ops). */
int front_end_normalises(const front_end *chain, double *band);

/* front_end_last of the chain that `spec` names, for samples of shape `in`. Errors as
 * front_end_create.
 */
sigrep_status front_end_find_last(const stage_ops **last, const char *spec, frame_shape in,
                                  sigrep_error *error);

/* Change n frames of a stream, dim floats each, which a chain with that last stage gave, into those
 * of a template. Those of a template do not change. */
void front_end_as_template(const stage_ops *last, float *frames, size_t n, size_t dim);

/* How many samples of a span must be read until its first `frames` frames are out: exact. */
uint64_t front_end_samples_needed(const front_end *chain, uint64_t frames);

/* Do all stages restart? Then so does the chain, at a multiple of its hop. 0 for an identity. */
int front_end_restarts(const front_end *chain);

/* Are the frames the samples themselves? Then pushes may have any size. */
int front_end_is_identity(const front_end *chain);

/* Do doubles give other frames than the same rounded to float32? */
int front_end_wants_doubles(const front_end *chain);

/* Subtract origin[] from each frame before it is rounded to float32, dim values, borrowed.
 * Distances of frames of one origin stay what they are, and keep their digits. NULL, at first:
 * nothing. */
void front_end_set_origin(front_end *chain, const double *origin);
const double *front_end_get_origin(const front_end *chain);

/* n <= max_push samples in. Returns the number of frames that came out. *frames points at
 * them until the next call on this chain; for an identity it is `samples`. */
size_t front_end_push(front_end *chain, const float *samples, size_t n, const float **frames);

/* The same of doubles, each finite as float32. Their frames never are `samples`. */
size_t front_end_push_doubles(front_end *chain, const double *samples, size_t n,
                              const float **frames);

/* End the span: the last frames come out as from a push. Then the chain is as if new. */
size_t front_end_flush(front_end *chain, const float **frames);

/* Can the chain go on from a state? If not, it must read its span again. */
int front_end_has_state(const front_end *chain);

/* Pass over the state of a chain that has one. */
void front_end_pass_state(front_end *chain, state_bytes *st);

/* Is more than half of what this frame saw digital silence? 0 if the last stage does not know. */
int front_end_is_silence(const front_end *chain, const float *frame);

/* Are frames left out that own zeros at a template's ends? */
int front_end_leaves_out_zeros(const front_end *chain);

/* Did a stage run out of memory? Ask after each push and flush. */
int front_end_failed(const front_end *chain);

#endif
