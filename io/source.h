/*
 * source.h - samples from the outside: standard input, files, pipes, microphones; text,
 * raw, WAV and all that libsndfile reads. One small vtable (source_ops), one back end a file.
 *
 * Frames come out as float32, `channels` values each. Integers are scaled to [-1, 1) as
 * sox and libsndfile do: s16 / 32768, s24 / 8388608, s32 / 2147483648, (u8 - 128) / 128.
 * f64 is rounded to float32. Nothing here knows what a template is.
 */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum {
    SOURCE_AUTO, /* by the first bytes alone, see detect.h */
    SOURCE_TEXT,
    SOURCE_F32,
    SOURCE_F64,
    SOURCE_S16,
    SOURCE_S24,
    SOURCE_S32,
    SOURCE_U8
} source_format;

typedef enum {
    CHANNEL_DEFAULT, /* audio: the mean; raw and text: all as one vector */
    CHANNEL_ONE,
    CHANNEL_MIX,
    CHANNEL_EACH
} channel_choice;

typedef struct {
    source_format format;
    bool big_endian;
    double rate_hz;  /* of raw and text input, asked of a microphone; 0: not given */
    size_t channels; /* likewise; 0: not given (raw, microphone: 1, text: any) */
    channel_choice choice;
    size_t channel;        /* from 1, with CHANNEL_ONE */
    const size_t *columns; /* text: these columns, from 1, in this order; borrowed */
    size_t n_columns;      /* 0: all (but the time column) */
    size_t time_column;    /* text: from 1; 0: none */
    bool skip_bad;         /* text: a bad line is a frame of NaN and a warning */
    bool is_template;      /* text: columns may already be cut out, see text.c */
    int wake_fd;           /* reading ends as at the end of input once this is readable; -1: none */
} source_options;

typedef struct {
    double rate_hz;  /* 1 where nothing says otherwise */
    bool rate_known; /* from a header or from options */
    size_t channels; /* values a frame, after the choice of channels or columns */
    bool audio;      /* came from an audio format */
    bool live;       /* a pipe, socket, terminal or microphone: its end is unknown */
    bool microphone;
    bool clock_times;   /* times are ISO 8601, seconds since 1970-01-01T00:00:00Z */
    uint64_t frames;    /* in all, where known; 0: unknown */
    const char *format; /* as users call it: "text", "raw s16be", "WAV", ...; "microphone" */
} source_info;

typedef struct source source;

/* "f32", "s16be", "text", "auto", ... as -f takes them: sets format and byte order. false: no such
 * word. */
bool source_parse_format(const char *word, source_options *options);

/* The same for the extension of a file's name where that is a raw format: "x.s16", "x.f64be". One
 * without a byte order leaves that of the same format. false: it names none. */
bool source_named_format(const char *path, source_options *options);

/* Open `path`, "-" is standard input, "mic:NAME" a microphone (see mic.h) unless it is to be
 * a template. Reads as far as it must to know channels and format. NULL on failure, with the reason
 * (without the path) in error[size]. The caller closes it; NULL is allowed there. */
source *source_open(const char *path, const source_options *options, char *error, size_t size);
void source_close(source *src);

source_info source_get_info(const source *src);

/* Read up to max frames of info.channels values; waits for the first, then gives what is there.
 * times (may be NULL) gets a time in seconds for each where options named a time column. Returns
 * the number of frames, 0 at the end, -1 on an error: source_error says what, and all frames before
 * it have been given out. */
ssize_t source_read(source *src, float *frames, double *times, size_t max);

/* As source_read, but goes on reading while more comes, up to max frames: of a file all that
 * it has; of a live source what follows the first frames without a pause of a millisecond,
 * for some 5 ms in all, so that what is pushed on is long where samples come fast and
 * prompt where they come slowly. A microphone is not gathered. What ends it, be it the end,
 * an error, or a wake, is told by the next call; a warning ends it early. */
ssize_t source_gather(source *src, float *frames, double *times, size_t max);

/* What comes can be read in parts, by several threads, where the source is a regular file of plain
 * samples, raw or WAV, of all channels: so many frames are known to come; 0: in order only. What
 * ends such a reading, be it the end, an error, or a wake, is told by the next source_read. */
uint64_t source_to_come(source *src);

/* n of these frames, from the at-th on, or as many as there are. At most by threads that do the
 * same, at the same time. */
size_t source_read_at(const source *src, uint64_t at, float *frames, size_t n);

/* Go on behind the first n of them. */
void source_pass(source *src, uint64_t n);

/* The samples that were lost right before what the last source_read gave, or, where it gave
 * none, at the end: 0 but for a microphone. */
uint64_t source_gap(const source *src);

/* What failed, without the path; "" where nothing did. Valid until src is closed. */
const char *source_error(const source *src);

/* The next warning that has not been fetched, NULL if there is none; valid until the next
 * call on src. */
const char *source_warning(source *src);

#endif
