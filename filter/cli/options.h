/*
 * options.h - the command line as a struct. Nothing here opens a file or prints, so that
 * any argv at all can be thrown at it (tests/fuzz/fuzz_options.c).
 */
#ifndef FILTER_CLI_OPTIONS_H
#define FILTER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/cli/common/shared_options.h"
#include "io/writer.h"

typedef enum { FILE_NAMES_BY_COUNT, FILE_NAMES_ALWAYS, FILE_NAMES_NEVER } file_names;

/* Strings point into argv. */
typedef struct {
    shared_options shared;
    bool own_thresholds; /* neither -t nor -b: those of bundles count */
    uint64_t best;       /* 0: all matches up to the threshold */
    uint64_t max_count;  /* of an input; UINT64_MAX: all */
    size_t *columns;     /* owned; shared.source.columns points at it */

    const writer_ops *output;
    bool has_times; /* else seconds, or the clock for a microphone */
    time_style times;
    bool count, list_files, quiet;
    file_names names;
    const char *scores_path; /* NULL: not wanted */

    const char *device;
    const char *kernel; /* NULL: the fastest */
    uint64_t chunk;

    bool progress, stats;
    bool list_devices;  /* then nothing is searched */
    bool help, version; /* then all else is to be ignored */
} options;

#define OPTIONS_ERROR_SIZE 512

typedef enum {
    OPTIONS_OK,
    OPTIONS_BAD, /* error says why */
    OPTIONS_NONE /* there was no argument at all, or no template */
} options_status;

/* Where none is given; options_free frees them as well. */
options options_defaults(void);

/* Parse argv, which may be reordered. The caller frees *o, whatever is returned. */
options_status options_parse(options *o, int argc, char **argv, char error[OPTIONS_ERROR_SIZE]);
void options_free(options *o);

/* Append the text of --help, --version, or the one line of usage. */
void options_add_help(text_buffer *out);
void options_add_version(text_buffer *out);
void options_add_usage(text_buffer *out);

#endif
