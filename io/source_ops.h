/*
 * source_ops.h - what opening, reading and the back ends share; only they include it.
 *
 * source_open.c opens the input, detects the format and calls one of the open functions below. That
 * function sets src->ops, src->state and src->info, and src->read_doubles if the source is wide.
 * info.channels is the format's own count. The back end gives whole frames of that many values;
 * channels.h then chooses.
 */
#ifndef IO_SOURCE_OPS_H
#define IO_SOURCE_OPS_H

#include <stdatomic.h>

#include "io/channels.h"
#include "io/detect.h"
#include "io/input.h"
#include "io/mix_check.h"
#include "io/source.h"
#include "io/text_buffer.h"

typedef struct {
    /* As source_read, but may give fewer frames; 0 only at the end. Adds the length of a gap before
     * them to src->gap. Without `wait` it gives the frames that are there, or 0. */
    ssize_t (*read)(source *src, float *frames, exact_time *times, size_t max, bool wait);
    /* Wait up to ms for more input. false: nothing came. NULL: no waiting between reads. */
    bool (*more)(source *src, int ms);
    /* Free src->state. Called after a failed open as well. */
    void (*close)(source *src);
} source_ops;

enum {
    SOURCE_REASON = 256,        /* bytes of an error or a warning, NUL included */
    SOURCE_WARNINGS = 16,       /* warnings stored until fetched; further ones are counted */
    SOURCE_MAX_CHANNELS = 4096, /* of raw input: a frame fits into the input's buffer */
    SOURCE_EXTENSION = 8        /* bytes of an extension that can matter, NUL included */
};

/* Of a wide source whose values are rounded. */
typedef struct {
    double *last;    /* the native frame before; NULL: there is no watch */
    bool is_wanted;  /* a warning is */
    uint64_t n_seen; /* samples, if the input has no lines */
    char found[192]; /* the first two neighbours that become one; "": none so far */
} rounding;

typedef struct pcm pcm;     /* io/samples/pcm.h */
typedef struct timed timed; /* io/time/timed.h */

struct source {
    const source_ops *ops;
    /* Of a wide source, in place of ops->read. */
    ssize_t (*read_doubles)(source *src, double *frames, exact_time *times, size_t max, bool wait);
    void (*end_warnings)(source *src); /* see source.h; NULL: there are none */
    void *state;                       /* the back end's own */
    input in;
    pcm *plain; /* of the back end, if the rest of the input is plain samples; else NULL */
    detect_kind kind;
    bool judged;       /* `kind` was found by the bytes alone */
    bool guessed;      /* raw f32, because no other format was detected */
    bool lacks_column; /* rows of numbers, but no column of a name that was asked for */
    source_options options;
    source_info info;
    size_t native_channels; /* channels of the format, before the choice */
    chosen_channels chosen;
    text_buffer names; /* of the native channels, a NUL behind each; empty: they are not known */
    float *scratch;    /* frames before the choice; of a wide source ... */
    double *wide;      /* ... these; either has room for scratch_frames */
    size_t scratch_frames;
    rounding rounding;
    mix_check mix;         /* of audio whose mean is read */
    timed *timed;          /* frames that are held back; NULL: none are */
    int64_t unfilled;      /* missing values that bridges (fill_s) have left; see timed.c */
    kept_lines *lines;     /* of text; NULL: not wanted */
    text_buffer native;    /* see source_native */
    bool is_cut;           /* the last line of text has no end */
    uint64_t number;       /* of the current line, if lines are supplied */
    bool keeps_head;       /* text is opened, and its lines are kept in ... */
    text_buffer head;      /* ... this; see source_head */
    text_buffer came_with; /* see source_came_with */
    uint64_t gap;          /* see source_gap */
    atomic_bool beyond;    /* a value was too large for float32; threads may set it */
    bool beyond_reported;
    bool failed;
    char error[SOURCE_REASON];
    char warnings[SOURCE_WARNINGS][SOURCE_REASON]; /* a ring */
    size_t first_warning, n_warnings;
    uint64_t dropped_warnings;
};

/* The back ends. Each returns true, or false after source_fail. */
bool raw_open(source *src);
bool text_open(source *src);
bool wav_open(source *src);
bool npy_open(source *src);
bool sndfile_open(source *src);
bool flac_open(source *src);
bool mpeg_open(source *src, uint64_t bytes);  /* of frames; UINT64_MAX: to the end */
bool mic_open(source *src, const char *name); /* `name`: see mic_driver.h */

/* Is this input, which begins like JSON, JSON Lines: is its first line a whole object, or does -f
 * say so? Buffers that line. */
bool jsonl_begins(source *src);

/* Skip tags of MP3 (ID3, APE) and zeros after them. false: the input ends first. */
bool mpeg_skip_tags(input *in);

/* The extension of a file's name, without the dot, and without one of packed files: "f32" of
 * x.f32.gz. "" if it has none, or one that is too long to matter. */
const char *source_extension(const char *path, char extension[SOURCE_EXTENSION]);

/* The format of src for users; see source_info.format. */
const char *source_format_name(const source *src);

/* Read frames before the choice, as doubles, from any back end. */
ssize_t source_read_native(source *src, double *frames, exact_time *times, size_t max, bool wait);

/* Look for neighbours in the next native frame that differ, but not as float32. It is in this line
 * of the input. */
void source_see_rounding(source *src, const double *frame, uint64_t line);

/* source_ops.more for back ends that read src->in. */
bool source_more_bytes(source *src, int ms);

/* Record why src failed, printf style; only the first reason counts. Always false. */
bool source_fail(source *src, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Store a warning until it is fetched, printf style. */
void source_warn(source *src, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fail because this kind of file, printf style, must be seekable. Always false. */
bool source_fail_seekable(source *src, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Find out why src->in gave less than expected. Returns true if its bytes ended: then something is
 * missing. Returns false if reading or unpacking failed, which becomes src's error, or if a wake
 * ended the input, which is no error. */
bool source_truly_ended(source *src);

/* Fail while opening because src->in gave less than expected: for `reason` if its bytes ended. A
 * wake is an error here, since no frame can be given. Always false. */
bool source_fail_open(source *src, const char *reason);

#endif
