/* options.h - the command line of sigrep-text as a struct. */
#ifndef TOOLS_SIGREP_TEXT_OPTIONS_H
#define TOOLS_SIGREP_TEXT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/writers/writer.h"
#include "kernels/strings/strings.h"

typedef enum { TEXT_NAMES_BY_COUNT, TEXT_NAMES_ALWAYS, TEXT_NAMES_NEVER } text_names;
typedef enum { TEXT_LIST_NONE, TEXT_LIST_MATCHED, TEXT_LIST_UNMATCHED } text_listing;

/* A pattern as it was given. */
typedef struct {
    const char *letters; /* a line of a file may hold NUL bytes */
    size_t n;
    const char *file; /* NULL: it was given on the command line */
    size_t line;      /* of the file, from 1 */
} given_pattern;

/* Strings point into argv or into `lines`. */
typedef struct {
    given_pattern *patterns;
    size_t n_patterns;
    char **lines; /* files of patterns, owned */
    size_t n_lines;
    char **inputs; /* of argv; NULL: standard input */
    size_t n_inputs;

    unsigned stdin_reads; /* of standard input, which can be read once */
    bool has_edits;
    uint64_t edits;
    bool ignore_case, dna, fasta;
    uint64_t max_count; /* of an input; UINT64_MAX: all */
    const writer_ops *output;
    bool count, quiet, no_messages;
    text_listing list;
    text_names names;
    const string_ops *kernel;
    bool whole, dtw, path;
} text_options;

void text_options_free(text_options *o);

#endif
