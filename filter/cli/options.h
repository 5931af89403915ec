/*
 * options.h - the command line as a struct. Nothing here opens a file or prints, so that
 * any argv at all can be thrown at it (tests/fuzz/fuzz_options.c).
 */
#ifndef FILTER_CLI_OPTIONS_H
#define FILTER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/cli/common/template_spec.h"
#include "io/source.h"
#include "io/writer.h"

typedef enum { FILE_NAMES_BY_COUNT, FILE_NAMES_ALWAYS, FILE_NAMES_NEVER } file_names;

/* Strings point into argv. */
typedef struct {
    template_spec *templates;
    size_t n_templates;
    const char **inputs; /* "-" is standard input, "mic:NAME" a microphone */
    size_t n_inputs;
    double duration_s; /* of each input; 0: all */

    bool has_threshold;  /* a number was given */
    bool auto_threshold; /* -t auto was, or neither -t nor -b */
    bool own_thresholds; /* neither -t nor -b: those of bundles count */
    double threshold;
    uint64_t best;                    /* 0: all matches below the threshold */
    uint64_t max_count;               /* of an input; UINT64_MAX: all */
    bool has_length, has_min_matches; /* given, so those of bundles do not count */
    double length_min, length_max;
    uint64_t min_matches;
    const char *front_end; /* NULL: the bundles', or what suits the templates */

    source_options source; /* columns point at the next field */
    size_t *columns;

    const writer_ops *output;
    bool has_times; /* else seconds, or the clock for a microphone */
    time_style times;
    bool count, list_files, quiet;
    file_names names;
    const char *scores_path; /* NULL: not wanted */

    const char *device;
    const char *kernel; /* NULL: the fastest */
    uint64_t threads, chunk;

    bool progress, stats, verbose;
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
