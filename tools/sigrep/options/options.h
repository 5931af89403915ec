/*
 * options.h - the command line of sigrep as a struct. Nothing here opens a file or prints, so that
 * tests/fuzz/fuzz_options.c can try any argv.
 */
#ifndef TOOLS_SIGREP_OPTIONS_OPTIONS_H
#define TOOLS_SIGREP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/writers/writer.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/shared_options.h"

typedef enum { FILE_NAMES_BY_COUNT, FILE_NAMES_ALWAYS, FILE_NAMES_NEVER } file_names;

/* Which stream a pipe is, if its samples do not show that (--state). */
typedef enum { STATE_ANY, STATE_REPLAY, STATE_CONTINUE } state_stream;

typedef enum { LIST_NONE, LIST_MATCHED, LIST_UNMATCHED } listing;

/* Of --include or --exclude. */
typedef struct {
    const char *glob;
    bool excludes;
} name_glob;

/* Strings point into argv. */
typedef struct options {
    shared_options shared;
    bool own_thresholds; /* neither -t nor -b: those of bundles count */
    uint64_t best;       /* 0: all matches up to the threshold */
    uint64_t max_count;  /* of an input; UINT64_MAX: all */

    const writer_ops *output;
    bool has_times; /* else seconds, or the clock for a microphone */
    time_style times;
    bool has_file_time;    /* times begin with the one in the input's name */
    bool file_time_is_utc; /* without a zone in the name */
    const char *time_zone; /* that clocks and names are in; NULL: UTC */
    bool count, quiet;
    listing list_files;
    file_names names;
    bool path;              /* the warping path, in JSON */
    const char *output_dir; /* NULL: standard output */
    bool new_only;          /* ... of the inputs that have no file there */
    const char *log_path;   /* in place of standard output; NULL: not wanted */
    double stats_every_s;   /* figures to stats_path; 0: not wanted */
    const char *stats_path;
    const char *scores_path; /* NULL: not wanted */
    char *state_path;        /* owned; NULL: not wanted */
    state_stream state_stream;

    double retry_s;                      /* 0: no input comes back */
    double hold_s;                       /* 0: none */
    const char *exec_command;            /* NULL: none */
    const char *save_folder;             /* likewise */
    double before_s, after_s, context_s; /* of saved matches; negative: not given */

    const char *kernel; /* NULL: the fastest */
    uint64_t chunk;

    column_list group_column; /* that shared.source points at */
    bool recursive;
    bool searches_here; /* no input is named: the working directory */
    name_glob *globs;   /* owned, in the order of the command line */
    size_t n_globs;

    bool has_range;           /* search [start_s, end_s) of the inputs alone; end_s: INFINITY, to */
    double start_s, end_s;    /* the end */
    const char *shard;        /* the name of this shard; NULL: it is none */
    double shard_size_s;      /* print the shards; 0: search */
    const char *const *words; /* the command line up to its operands */
    size_t n_words;
    bool names_template; /* the first operand is a template */

    bool progress, monitor, stats, no_messages;
    bool has_page; /* of the monitor, on page_port of this machine; 0: any */
    uint64_t page_port;
    bool list_devices, show; /* then nothing is searched */
} options;

/* The options of sigrep. */
extern const argument_table option_table;

/* Parse argv as arguments_parse does. The caller frees *o, whatever is returned. */
arguments_status options_parse(options *o, int argc, char **argv, char error[ARGUMENTS_ERROR_SIZE]);
void options_free(options *o);

#endif
