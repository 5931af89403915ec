/*
 * source_ops.h - between source.c and its back ends; nobody else includes it. source_ops.c is what
 * back ends share.
 *
 * source.c opens the bytes, detects the format and calls one of the open functions below.
 * That sets ops, state, and info as the format itself has it (info.channels before any
 * choice of channels); its read gives frames of that many values. source.c does the rest.
 */
#ifndef IO_SOURCE_OPS_H
#define IO_SOURCE_OPS_H

#include "io/detect.h"
#include "io/input.h"
#include "io/pcm.h"
#include "io/source.h"

typedef struct {
    /* As source_read; may give fewer frames than it could, not 0 before the end. Adds what
     * was lost before them to src->gap. Without `wait` it gives what it has, or 0. */
    ssize_t (*read)(source *src, float *frames, double *times, size_t max, bool wait);
    /* Let more come, within ms: false where nothing does. NULL: read itself knows, without. */
    bool (*more)(source *src, int ms);
    void (*close)(source *src);
} source_ops;

enum {
    SOURCE_REASON = 256,       /* bytes of an error or warning */
    SOURCE_WARNINGS = 16,      /* kept until they are fetched; more are only counted */
    SOURCE_MAX_CHANNELS = 4096 /* of raw input: a frame fits the input's buffer */
};

struct source {
    const source_ops *ops;
    void *state; /* of the back end: freed by its close */
    input in;
    pcm *plain; /* the back end's: all that comes are these samples. NULL: it is not so simple */
    detect_kind kind;
    bool guessed; /* raw f32, because nothing told of another format */
    source_options options;
    source_info info;
    size_t native_channels; /* before the choice */
    float *scratch;         /* frames before the choice, NULL where there is none */
    uint64_t gap;           /* see source_gap */
    bool failed;
    char error[SOURCE_REASON];
    char warnings[SOURCE_WARNINGS][SOURCE_REASON];
    size_t first_warning, n_warnings;
    uint64_t dropped_warnings;
    char warning[SOURCE_REASON]; /* the one handed out last */
};

/* The back ends. false after source_fail; what was set up by then is its close's to free, which
 * source.c calls in any case. */
bool raw_open(source *src);
bool text_open(source *src);
bool wav_open(source *src);
bool sndfile_open(source *src);
bool mic_open(source *src, const char *name); /* see mic_find.h */

/* An op `more`: what src->in gives. */
bool source_more_bytes(source *src, int ms);

/* Record why src failed, printf style; the first reason stays. Always false. */
bool source_fail(source *src, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keep a warning until it is fetched, printf style. */
void source_warn(source *src, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The input gave no more while something was still to come: fail with errno's words if
 * reading failed. true where the bytes really ended, so that what is missing is an error;
 * false also where a wake ended them, which is a good end at any place. */
bool source_truly_ended(source *src);

/* The same while opening: fail for `reason` where the bytes really ended. A wake is a reason too,
 * since nothing can be given. Always false. */
bool source_open_cut(source *src, const char *reason);

#endif
