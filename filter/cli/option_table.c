#include "filter/cli/option_table.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/number.h"

/* Bounds that keep sums of sizes far from overflow, not limits of taste. */
enum {
    MAX_COLUMNS = 4096,
    MAX_COLUMN = 1 << 20,
    MAX_CHUNK = 1 << 22,
};

/* Options without a letter. */
enum {
    KEY_MIN_MATCHES = 256,
    KEY_CHANNELS,
    KEY_CHANNEL,
    KEY_COLUMNS,
    KEY_TIME_COLUMN,
    KEY_SKIP_BAD,
    KEY_DURATION,
    KEY_LIST_DEVICES,
    KEY_SCORES,
    KEY_KERNEL,
    KEY_CHUNK,
    KEY_PROGRESS,
    KEY_STATS,
    KEY_HELP,
    KEY_VERSION,
};

static const char *set_best(options *o, const char *text)
{
    return number_whole(text, 1, SIZE_MAX, &o->best) ? NULL : "not a whole number, 1 or above";
}

static const char *set_max_count(options *o, const char *text)
{
    return number_whole(text, 0, UINT64_MAX, &o->max_count) ? NULL
                                                            : "not a whole number, 0 or above";
}

/* One item of LIST, "4" or "4-6"; moves *text behind it. */
static bool column_range(const char **text, uint64_t *first, uint64_t *last)
{
    char item[32];
    size_t n = strcspn(*text, ",");
    if (n >= sizeof item) return false;
    memcpy(item, *text, n);
    item[n] = '\0';
    *text += n;
    char *dash = strchr(item, '-');
    if (dash) *dash = '\0';
    if (!number_whole(item, 1, MAX_COLUMN, first)) return false;
    *last = *first;
    return !dash || number_whole(dash + 1, *first, MAX_COLUMN, last);
}

static const char *set_columns(options *o, const char *text)
{
    size_t *columns = malloc(MAX_COLUMNS * sizeof *columns), n = 0;
    if (!columns) return "out of memory";
    free(o->columns);
    o->columns = columns;
    for (;;) {
        uint64_t first, last;
        if (!column_range(&text, &first, &last)) return "not a list such as 2,4-6, from 1";
        if (last - first >= MAX_COLUMNS - n) return "more than 4096 columns";
        while (first <= last) columns[n++] = (size_t)first++;
        if (!*text) break;
        text++;
    }
    o->shared.source.columns = columns;
    o->shared.source.n_columns = n;
    return NULL;
}

static const char *set_time_column(options *o, const char *text)
{
    uint64_t n;
    if (!number_whole(text, 1, MAX_COLUMN, &n)) return "not the number of a column, from 1";
    o->shared.source.time_column = (size_t)n;
    return NULL;
}

static const char *set_output(options *o, const char *text)
{
    o->output = writer_find(text);
    return o->output ? NULL : "unknown format (text, json, csv, labels)";
}

static const char *set_time(options *o, const char *text)
{
    o->has_times = true;
    return time_style_parse(text, &o->times) ? NULL
                                             : "unknown style (seconds, samples, hms, clock)";
}

static const char *set_with_names(options *o, const char *text)
{
    (void)text;
    o->names = FILE_NAMES_ALWAYS;
    return NULL;
}

static const char *set_no_names(options *o, const char *text)
{
    (void)text;
    o->names = FILE_NAMES_NEVER;
    return NULL;
}

static const char *set_scores(options *o, const char *text)
{
    if (!*text) return "the file name is empty";
    if (strcmp(text, "-") == 0) return "standard output is for matches; name a file";
    o->scores_path = text;
    return NULL;
}

static const char *set_device(options *o, const char *text)
{
    o->device = text;
    if (strcmp(text, "auto") == 0 || strcmp(text, "cpu") == 0) return NULL;
    if (strcmp(text, "cuda") == 0 || strcmp(text, "cuda:all") == 0) return NULL;
    uint64_t gpu;
    if (strncmp(text, "cuda:", 5) == 0 && number_whole(text + 5, 0, 999, &gpu)) return NULL;
    return "unknown device (auto, cpu, cuda, cuda:N, cuda:all)";
}

static const char *set_kernel(options *o, const char *text)
{
    o->kernel = text;
    return NULL;
}

static const char *set_chunk(options *o, const char *text)
{
    return number_whole(text, 1, MAX_CHUNK, &o->chunk) ? NULL
                                                       : "not a whole number from 1 to 4194304";
}

#define HEADING(text)                                                                              \
    {                                                                                              \
        .help = (text)                                                                             \
    }
#define OPTION(letter, long_name, takes, setter, text)                                             \
    {                                                                                              \
        .key = (letter), .name = (long_name), .argument = (takes), .help = (text), .set = (setter) \
    }
#define SHARED(letter, long_name, takes, text)                                                     \
    {                                                                                              \
        .key = (letter), .name = (long_name), .argument = (takes), .help = (text),                 \
        .is_shared = true                                                                          \
    }
#define FLAG(letter, long_name, member, text)                                                      \
    {                                                                                              \
        .key = (letter), .name = (long_name), .help = (text), .flag = offsetof(options, member)    \
    }

const option_row option_rows[] = {
    HEADING("What to search for:"),
    SHARED('e', "template", "T", "a template; may be repeated"),
    SHARED('t', "threshold", "X",
           "report matches with score <= X (mean cost per\n"
           "template sample); auto: an estimate from each\n"
           "template alone (default: a bundle's, else auto)"),
    OPTION('b', "best", "N", set_best,
           "no threshold: the N best disjoint matches of each\ninput, best first"),
    OPTION('m', "max-count", "N", set_max_count, "stop after N matches of an input"),
    SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    SHARED(KEY_MIN_MATCHES, "min-matches", "N", "takes of a label that must agree (1)"),
    SHARED('p', "front-end", "F",
           "what is compared (default: as a bundle was made,\n"
           "else raw for numbers, mfcc for audio templates):\n"
           "raw, znorm=SECONDS, diff, envelope=SECONDS,\n"
           "bandpass=LO-HI, resample=HZ; for sounds\n"
           "logmel=BANDS, mfcc, speech; joined by +"),

    HEADING("Input:"),
    SHARED('f', "format", "F",
           "auto (default), text, or raw: f32 f64 s16 s24 s32\n"
           "u8, with be behind it for big endian"),
    SHARED('r', "rate", "HZ", "samples a second of raw and text input (1)"),
    SHARED(KEY_CHANNELS, "channels", "N",
           "values a sample of raw and text input; of a\nmicrophone (1)"),
    SHARED(KEY_CHANNEL, "channel", "K|mix|each",
           "audio: one channel, the mean (default), or all as\none vector"),
    OPTION(KEY_COLUMNS, "columns", "LIST", set_columns,
           "text: the columns of a sample, such as 2,4-6 (all)"),
    OPTION(KEY_TIME_COLUMN, "time-column", "N", set_time_column,
           "text: times come from this column (seconds or\nISO 8601)"),
    FLAG(KEY_SKIP_BAD, "skip-bad", shared.source.skip_bad,
         "text: a bad line is a gap with a warning, no error"),
    SHARED(KEY_DURATION, "duration", "SECONDS", "end each input after that much of it"),

    HEADING("Output:"),
    OPTION('o', "output", "F", set_output,
           "text (default), json (JSON Lines), csv, labels\n(Audacity)"),
    OPTION('T', "time", "F", set_time,
           "seconds (default), samples, hms, clock (UTC,\ndefault for a microphone)"),
    FLAG('c', "count", count, "print only the number of matches of each input"),
    FLAG('l', "files-with-matches", list_files, "print only the names of inputs with a match"),
    FLAG('q', "quiet", quiet, "print nothing; stop at the first match"),
    OPTION('H', "with-filename", NULL, set_with_names, "begin lines with the input's name"),
    OPTION('h', "no-filename", NULL, set_no_names, "never begin lines with a name"),
    OPTION(KEY_SCORES, "scores", "FILE", set_scores,
           "also write the score of every frame, raw float32,\ntemplates interleaved"),

    HEADING("Where and how it runs (results never depend on it):"),
    OPTION('d', "device", "D", set_device, "auto (default), cpu, cuda, cuda:N or cuda:all"),
    SHARED('j', "threads", "N", "threads to use (1)"),
    OPTION(KEY_KERNEL, "kernel", "NAME", set_kernel,
           "the code that computes scores (the fastest usable)"),
    OPTION(KEY_CHUNK, "chunk", "N", set_chunk, "most frames computed at once"),

    HEADING("On standard error:"),
    FLAG(KEY_PROGRESS, "progress", progress,
         "how far the search is (default if standard error\nis a terminal and the input a file)"),
    FLAG(KEY_STATS, "stats", stats, "figures at the end"),
    FLAG('v', "verbose", shared.verbose, "what was loaded, its format, and what is used"),

    HEADING("On standard output:"),
    FLAG(KEY_LIST_DEVICES, "list-devices", list_devices, "list the microphones"),
    FLAG(KEY_HELP, "help", help, "this text"),
    FLAG(KEY_VERSION, "version", version, "the version"),
};

const size_t option_rows_count = sizeof option_rows / sizeof *option_rows;
