/*
 * options.h - the command line of sigrep-text as a struct, and what main.c does with it.
 *
 *     options --> patterns_compile --> run_search: letters.h --> sigrep_text.h --> writer
 *             --> run_whole: two inputs
 */
#ifndef TOOLS_SIGREP_TEXT_OPTIONS_H
#define TOOLS_SIGREP_TEXT_OPTIONS_H

#include <stdbool.h>

#include "io/writers/writer.h"
#include "sigrep_text.h"

typedef enum { TEXT_NAMES_BY_COUNT, TEXT_NAMES_ALWAYS, TEXT_NAMES_NEVER } text_names;
typedef enum { TEXT_LIST_NONE, TEXT_LIST_MATCHED, TEXT_LIST_UNMATCHED } text_listing;

/* A pattern as it was given. */
typedef struct {
    char *letters; /* owned; a line of a file may hold NUL bytes */
    size_t n;
    const char *file; /* NULL: it was given on the command line */
    size_t line;      /* of the file, from 1 */
} given_pattern;

typedef struct {
    given_pattern *patterns;
    size_t n_patterns;
    char **inputs; /* of argv, or standard input */
    size_t n_inputs;

    unsigned stdin_reads; /* of standard input, which can be read once */
    uint64_t edits;       /* UINT64_MAX: not given */
    bool ignore_case, dna, fasta;
    uint64_t max_count; /* of an input; UINT64_MAX: all */
    const writer_ops *output;
    bool count, quiet, no_messages;
    text_listing list;
    text_names names;
    const char *kernel; /* NULL: the fastest usable */
    bool whole, dtw, path;
} text_options;

void text_options_free(text_options *o);

/* ---- patterns.c ---- */

/* Patterns, or strands of them, in the order of docs/SEMANTICS.md. */
typedef struct {
    sigrep_text_pattern *items; /* behind the letters of each stands its label */
    size_t n;
} pattern_list;

/* Add the pattern, or each line of a file ("-" is standard input), to text_options. Each returns
 * NULL, or the reason why it cannot be. */
const char *patterns_add(void *options, const char *pattern);
const char *patterns_add_file(void *options, const char *path);

/* Is the letter an IUPAC code of DNA? */
bool patterns_is_code(unsigned char letter);

/* Does it stand for a gap or a stop in a sequence: one of - . *? */
bool patterns_is_gap(unsigned char letter);

/* How the options let letters match: sigrep_text_config.same. Static. */
const unsigned char *patterns_same(const text_options *o);

/* List the patterns of the options. false: one is wrong, which is reported. patterns_free frees
 * the list in any case. */
bool patterns_compile(pattern_list *list, const text_options *o);
void patterns_free(pattern_list *list);

/* The i-th pattern as it was given; of a strand, with (+) or (-) behind it. */
const char *patterns_label(const pattern_list *list, size_t i);

/* ---- run.c, whole.c: return the exit status ---- */

/* Search all inputs, and print matches. */
int run_search(const text_options *o);

/* Compare the two inputs as wholes, and print a line. */
int run_whole(const text_options *o);

#endif
