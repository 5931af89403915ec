/*
 * source.h - samples from the outside: files, standard input, pipes, microphones.
 *
 *     path --> input --> detect --> back end --> choice of channels --> source_read
 *              bytes     format     frames       channels.h             float32, or doubles
 *              (unpack)
 *
 *     back ends, one a file, over source_ops.h: raw.c text.c npy.c wav.c flac.c mpeg.c sndfile.c
 * mic.c
 *
 * A frame is one value for each channel: float32, or a double (source_read_doubles). Integers are
 * scaled to [-1, 1) as sox and libsndfile do: s16 / 32768, s24 / 8388608, s32 / 2147483648, (u8 -
 * 128) / 128, s8 / 128. Integers of NPY keep their values. Text, f64, s32 (raw or audio) and NPY of
 * 8 bytes or of integers of 4 are wide: float32 is their double, rounded. Nothing here knows
 * templates.
 */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct exact_time exact_time;     /* io/time/exact_time.h */
typedef struct kept_lines kept_lines;     /* io/kept_lines.h */
typedef struct time_pattern time_pattern; /* io/time/time_pattern.h */

typedef enum {
    SOURCE_AUTO, /* judged by the first bytes: detect.h */
    SOURCE_TEXT,
    SOURCE_JSONL,
    SOURCE_NPY,
    SOURCE_F32,
    SOURCE_F64,
    SOURCE_S16,
    SOURCE_S24,
    SOURCE_S32,
    SOURCE_U8,
    SOURCE_S8,
    SOURCE_ULAW, /* companded.h */
    SOURCE_ALAW,
    SOURCE_AUDIO /* as SOURCE_AUTO, but neither text nor raw */
} source_format;

typedef enum {
    CHANNEL_DEFAULT, /* audio: CHANNEL_MIX; raw and text: CHANNEL_EACH */
    CHANNEL_ONE,
    CHANNEL_MIX, /* the mean */
    CHANNEL_EACH /* all, as one vector */
} channel_choice;

/* What the numbers of a time column count. */
typedef enum { TIME_UNIT_AUTO, TIME_UNIT_S, TIME_UNIT_MS, TIME_UNIT_US, TIME_UNIT_NS } time_unit;

typedef enum { HEADER_AUTO, HEADER_YES, HEADER_NO } header_choice;

/* Why an input could not be opened. */
typedef enum {
    SOURCE_BAD,        /* damaged, or options that do not fit */
    SOURCE_UNREADABLE, /* there is none, or the system does not let us read it */
    SOURCE_NO_SIGNAL,  /* empty, or nothing that looks like samples */
    SOURCE_NO_COLUMN,  /* with is_found: a table of numbers without a column that has this name */
    SOURCE_NO_RATE, /* numbers without a rate, which is needed (tools/common/input/open_input.h) */
    SOURCE_FOREIGN  /* of a format that is not read; the reason says how to convert it */
} source_failure;

/* Lines of a table that somebody else reads, in place of a file. */
typedef struct line_supply {
    /* Give the next line, without its end, valid until the next call, and its number. `wait`: wait
     * for it. false: none is there yet, or with `wait`, none comes any more. */
    bool (*next)(void *user, const char **line, size_t *length, uint64_t *number, bool wait);
    void *user;
    bool is_live;   /* they come from a live source */
    uint64_t given; /* the number of the last line */
    bool has_ended; /* none comes any more */
    int failure;    /* errno of a read, which ended them; 0: none */
} line_supply;

typedef struct {
    source_format format;
    bool big_endian;
    double rate_hz;  /* of raw and text; asked of a microphone; 0: not given */
    size_t channels; /* likewise; 0: not given (raw, microphone: 1; text: any) */
    channel_choice choice;
    size_t channel;        /* from 1, with CHANNEL_ONE */
    const size_t *columns; /* these columns or channels, from 1, in this order; borrowed */
    const char *const *column_names; /* a column 0 is the one of this name; NULL: none is 0; of JSON
                                        Lines: jsonl.h */
    size_t n_columns;                /* 0: all but the time column */
    size_t time_column;              /* text: from 1; 0: none, or ... */
    const char *time_name;           /* ... the one of this name; NULL: none */
    size_t clock_column;             /* its time of day, if that has a column of its own; 0: no, */
    const char *clock_name;          /* or by name */
    const time_pattern *time_format; /* of the time column; NULL: it is judged; borrowed */
    time_unit time_unit;             /* of its numbers; TIME_UNIT_AUTO: time_kind.h */
    size_t group_column;             /* text: rows with one word here are a stream; 0: no, ... */
    const char *group_name;          /* ... or the column of this name */
    const char *group;               /* read the rows with this word alone; NULL: ... */
    bool deals_rows;                 /* ... source_next_row gives the rows of all, to deal out */
    const line_supply *lines;        /* read these lines, with path NULL; borrowed; NULL: none */
    uint64_t skip_lines;             /* text: that many first lines are none of the table */
    header_choice header;            /* text: is the first line of the table names? */
    char comment;                    /* text: begins comments; 0: # */
    char decimal;        /* text: . or , before decimals, and the other one, a blank or an
                            apostrophe between thousands; 0: row.h judges */
    double near_rate_hz; /* taken if the time column's rate is close, or not known; 0: none */
    double even_hz;      /* rows with times become samples at this rate, see timed.h; 0: none do */
    double fill_s;       /* bridge runs of missing samples up to this long, see timed.h; 0: none */
    bool skip_bad;       /* text: a bad line becomes a frame of NaN and a warning */
    bool keep_lines;     /* text: source_lines has them */
    bool keep_native;    /* all but text: source_native has the frames */
    bool is_template; /* text: the file may hold the chosen columns only, see text.c; raw formats:
                         a file whose bytes show another one has that */
    bool is_take;     /* of a template: no input is read beside it that would be reported */
    bool is_named;    /* of a template: the file's name gave the raw format */
    bool is_found;    /* nobody named the file, so raw f32 is not guessed */
    source_failure *failure;   /* gets why source_open failed; may be NULL */
    int wake_fd;               /* once readable, it ends the input; -1: none; see fdio.h */
    void (*mic_is_slow)(void); /* called if the sound system does not answer soon; may be NULL */
} source_options;

typedef enum {
    SOURCE_NO_TIMES,
    SOURCE_SECONDS, /* numbers without dates */
    SOURCE_EPOCH,   /* numbers since 1970, see time_kind.h; given in s */
    SOURCE_ISO      /* ISO 8601, or the digits of dates; given in s since 1970 */
} source_times;

typedef struct {
    double rate_hz;         /* 1 if unknown */
    bool rate_known;        /* from a header, from options, or from the times */
    bool rate_measured;     /* from the times: timed.h */
    bool is_wide;           /* doubles hold more of it than float32 does */
    unsigned integer_bits;  /* 8, 16, 24 or 32: samples are such integers, scaled; 0: others */
    size_t native_channels; /* values in a frame, before the choice of channels or columns */
    size_t channels;        /* values in a frame, after the choice of channels or columns */
    bool has_columns;       /* text or JSON Lines */
    uint64_t names[2]; /* digests of their names, if all are read: in order, in any order; else 0 */
    bool audio;        /* the format is an audio format */
    bool live;         /* a pipe, socket, terminal or microphone: the length is unknown */
    bool microphone;
    source_times times; /* of the time column */
    uint64_t frames;    /* in total; 0: unknown */
    const char *format; /* the name for users: "text", "raw s16be", "WAV", "microphone", ... */
} source_info;

typedef struct source source;

static inline bool source_wants_times(const source_options *o)
{
    return o->time_column > 0 || o->time_name;
}

static inline bool source_wants_groups(const source_options *o)
{
    return o->group_column > 0 || o->group_name;
}

/* Are two rates so close that, measured by times, they are taken as the same? */
static inline bool source_rates_are_near(double a_hz, double b_hz)
{
    return a_hz <= 1.05 * b_hz && b_hz <= 1.05 * a_hz;
}

/* Parse a format as -f takes it ("f32", "s16be", "text", "auto", ...) into options->format and
 * big_endian. false: no such format. */
bool source_parse_format(const char *word, source_options *options);

/* Take the raw format that a file name's extension names ("x.s16", "x.f64be") into options. An
 * extension without a byte order leaves options->big_endian if the format is the same. false: no
 * such extension. */
bool source_format_from_name(const char *path, source_options *options);

/* Open `path`. "-" is standard input; "mic:NAME" is a microphone (mic.h), but not as a template.
 * Waits for enough bytes to know format and channels. On failure: NULL, and the reason without the
 * path in error[size]. The caller closes the source. */
source *source_open(const char *path, const source_options *options, char *error, size_t size);
void source_close(source *src); /* NULL is allowed */

source_info source_get_info(const source *src);

/* Wait for a frame, then read up to max frames of info.channels values. With a time column, times
 * (may be NULL) receives the time of each frame. Returns the number of frames, 0 at
 * the end, -1 on an error: see source_error. Frames before an error always come first. */
ssize_t source_read(source *src, float *frames, exact_time *times, size_t max);
ssize_t source_read_doubles(source *src, double *frames, exact_time *times, size_t max);

/* As source_read, but collects the frames of several reads. Of a file, it collects all that fit. Of
 * a live source, it goes on while the next frames come within 1 ms, for some 5 ms in total. So fast
 * input comes in long chunks, and slow input at once. A microphone gives one read. The next call
 * reports an end, error or wake. A warning ends the collection early. */
ssize_t source_gather(source *src, float *frames, exact_time *times, size_t max);
ssize_t source_gather_doubles(source *src, double *frames, exact_time *times, size_t max);

/* Of a wide source: warn once if neighbours that differ become one float32 value; of audio, those
 * beyond full scale. Then several threads cannot read, unless no value can be. */
void source_watch_rounding(source *src);

/*
 * Reading by several threads. Possible for a regular file of plain samples (raw, WAV) of which all
 * channels are read. Call source_frames_left, then source_read_at from any threads, then
 * source_skip.
 */

/* The number of frames that can be read this way; 0: use source_read. source_read also reports the
 * end, an error or a wake. */
uint64_t source_frames_left(source *src);

/* Read n frames, beginning `at` frames ahead, and consume none. Returns their number, fewer at the
 * end. */
size_t source_read_at(const source *src, uint64_t at, float *frames, size_t n);

/* Read n frames again, beginning `back` frames before the next one. Returns their number. */
size_t source_read_back(const source *src, uint64_t back, float *frames, size_t n);

/* Consume n frames. */
void source_skip(source *src, uint64_t n);

/* Consume up to n frames unread. Returns their number: 0 if the frames must be read, or at the end.
 * Of a regular file of plain samples (raw, WAV, NPY), with any choice of channels. */
uint64_t source_jump(source *src, uint64_t n);

/* A row of a table and the word of its group. Not terminated; valid until the next call on src. */
typedef struct {
    const char *group, *line;
    size_t group_length, length;
    uint64_t number; /* of its line, from 1 */
} source_row;

/* With deals_rows, in place of reading frames: the next row that has a group. Rows without one are
 * bad lines. 1: a row; 0, only without `wait`: the next one has not come; -1: the end, or an error.
 */
int source_next_row(source *src, source_row *to, bool wait);

/* The lines that opening has read, with deals_rows: *length bytes, each line with its newline. */
const char *source_head(const source *src, size_t *length);

/* Is there more: in a file at once, from a live source after a short wait? Not if it is gathered
 * from since began_ns (fd_now_ns), some 5 ms. */
bool source_has_more(source *src, int64_t began_ns);

/* Of a source of `lines`: the number of the line with which each frame of the last source_gather
 * came. It may be a later one than that of the frame's own row. Valid until the next read. */
const uint64_t *source_came_with(const source *src);

/* How many of the last frames of the last read might be others if the input went on: those of a
 * line without its end, and those that waited for a bridge or for the rate. SIZE_MAX: all. */
size_t source_unsettled(const source *src);

/* The length of the gap right before the frames of the last source_read; at the end, of a gap after
 * all frames. 0 but for a microphone. */
uint64_t source_gap(const source *src);

/* The lines of the frames so far, of text with keep_lines; else NULL. Frames that bridge gaps have
 * empty ones. Take those of the frames that
 * were read before the next read. */
kept_lines *source_lines(source *src);

/* The frames of the last read before the choice of channels, with keep_native; else NULL. They have
 * info.native_channels values, doubles if info.is_wide, else float32. Valid until the next read. */
const void *source_native(const source *src);

/* The name of a channel, from 0, in the header of a table or in JSON Lines. NULL: it is not known.
 * Valid until src is closed. */
const char *source_channel_name(const source *src, size_t channel);

/* The part of a file's bytes that is read or buffered, 0 to 1; -1: it is no file. May be called
 * while another thread reads. */
double source_part_read(const source *src);

/* What failed, without the path; "" if nothing did. Valid until src is closed. */
const char *source_error(const source *src);

/* Did reading the bytes fail (EIO), so that the input may hold more? */
bool source_read_failed(const source *src);

/* The next warning, each one once; NULL: none. Valid until the next call on src. */
const char *source_warning(source *src);

/* Nobody reads on: let source_warning report what was left out of the input so far. At its end
 * that happens by itself. */
void source_end_warnings(source *src);

#endif
