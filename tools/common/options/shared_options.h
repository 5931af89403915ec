/*
 * shared_options.h - the options that sigrep shares with the programs in tools/: templates, inputs,
 * and how both are read and compared. tools/sigrep/options/options.h adds those of sigrep alone.
 */
#ifndef TOOLS_COMMON_OPTIONS_SHARED_OPTIONS_H
#define TOOLS_COMMON_OPTIONS_SHARED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "io/time/time_pattern.h"

typedef struct template_spec template_spec; /* template_spec.h */

enum { COLUMN_MOST = 1 << 20 /* the largest number of a column */ };

/*
 * The LIST of --columns:
 *
 *     2,4-6          numbers and ranges, from 1
 *     x,y,engine-2   names, which the header of the input must have; all items may be mixed
 *     "x, raw","7"   names in quotes, with commas or of digits alone
 *
 * Column i is numbers[i]; or, if that is 0, the one named names[i].
 */
typedef struct {
    size_t *numbers;
    const char **names;
    size_t n;
    char *text; /* that the names point into */
} column_list;

/* Strings point into argv. */
typedef struct {
    template_spec *templates;
    size_t n_templates;
    const char **inputs; /* "-" is standard input, "mic:NAME" a microphone */
    size_t n_inputs;
    double duration_s;        /* of each input; 0: all */
    source_options source;    /* how inputs are read */
    column_list columns;      /* that `source` points at, and ... */
    column_list time_columns; /* ... of the time ... */
    time_pattern time_format; /* ... and its format */

    const char *front_end; /* NULL: the bundles', or the default for the templates */
    bool has_threshold;    /* -t with a number */
    bool auto_threshold;   /* -t auto */
    double threshold;
    bool has_length, has_min_matches; /* given: the values of bundles do not count */
    double length_min, length_max;    /* in template lengths */
    uint64_t min_matches;

    const char *device; /* as sigrep_config has it */
    uint64_t threads;   /* 0: one */
    bool verbose;
} shared_options;

/* How inputs are read, in sigrep, sigrep-train and sigrep-calibrate. */
#define ARGUMENTS_OF_INPUT                                                                         \
    ARGUMENT_SHARED('f', "format", "F",                                                            \
                    "auto (default), audio, text (also csv, tsv),\n"                               \
                    "jsonl, npy, or raw: f32 f64 s16 s24 s32 s8 u8\n"                              \
                    "ulaw alaw; append be for big endian, as in s16be"),                           \
        ARGUMENT_SHARED('r', "rate", "HZ",                                                         \
                        "samples a second of raw and text input (1, or by\nthe time column)"),     \
        ARGUMENT_SHARED(0, "channels", "N",                                                        \
                        "values a sample of raw and text input; of a\nmicrophone (1)"),            \
        ARGUMENT_SHARED(0, "channel", "K|mix|each",                                                \
                        "audio: one channel, the mean (default), or all as\none vector"),          \
        ARGUMENT_SHARED(0, "columns", "LIST",                                                      \
                        "text: the columns of a sample, such as 2,4-6 or\nx,y (all); jsonl: "      \
                        "paths, such as accel.x"),                                                 \
        ARGUMENT_SHARED(0, "time-column", "N[,N]",                                                 \
                        "text: times come from this column, a number or\n"                         \
                        "name (seconds, s or ms since 1970, dates); or from\n"                     \
                        "two, of the date and the time of day"),                                   \
        ARGUMENT_SHARED(0, "time-format", "F",                                                     \
                        "how times are written, as strptime has it, such as\n"                     \
                        "'%m/%d/%Y %H:%M:%S.%f' (%f: a fraction)"),                                \
        ARGUMENT_SHARED(                                                                           \
            0, "time-unit", "U",                                                                   \
            "what numbers of the time column count: s, ms, us\nor ns (by their size)"),            \
        ARGUMENT_SHARED(0, "resample-times", "HZ",                                                 \
                        "make samples at this rate of uneven times, by\n"                          \
                        "straight lines between rows; gaps stay gaps"),                            \
        ARGUMENT_SHARED(0, "decimal", "C",                                                         \
                        "text: numbers are as 1.234,5 (,) or 1,234.5 (.);\n"                       \
                        "default: as the table shows"),                                            \
        ARGUMENT_SHARED(                                                                           \
            0, "header", "yes|no",                                                                 \
            "text: the first line is names, or is none\n(default: as the table shows)"),           \
        ARGUMENT_WHOLE(0, "skip", "N", shared_options, source.skip_lines, 0, UINT32_MAX,           \
                       "text: pass over the first N lines"),                                       \
        ARGUMENT_SHARED(0, "comment", "C", "text: C begins comments, instead of #"),               \
        ARGUMENT_SHARED(0, "fill", "SECONDS",                                                      \
                        "bridge gaps and runs of NaN up to this long by\nstraight lines"),         \
        ARGUMENT_FLAG(0, "skip-bad", shared_options, source.skip_bad,                              \
                      "text: a bad line is a gap with a warning, no error")

/* The values without any option. */
shared_options shared_options_defaults(void);

/* Set the option with this long name. Returns NULL, or the reason why `argument` is refused. */
const char *shared_options_set(shared_options *o, const char *name, const char *argument);

/* Take the names of the inputs; if there is none, standard input. NULL, or why not: out of memory,
 * or an option lacks another one. */
const char *shared_options_set_inputs(shared_options *o, int n, char **names);

/* Parse LIST into *l, which is freed first. NULL, or why it is refused; then *l is empty. */
const char *column_list_parse(column_list *l, const char *text);
/* Likewise, but `wrong` is why, unless memory is short, if there are not 1 to `most` columns. */
const char *column_list_parse_few(column_list *l, size_t most, const char *text, const char *wrong);
void column_list_free(column_list *l);

/* Free what *o points at. */
void shared_options_free(shared_options *o);

#endif
