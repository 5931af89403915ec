/*
 * options.h - the command line of sigrep-text as a struct, and what main.c does with it.
 *
 *     options --> patterns_load, patterns_compile --> run_search --> output.h --> writers
 *             --> run_whole: two inputs
 */
#ifndef TOOLS_SIGREP_TEXT_OPTIONS_H
#define TOOLS_SIGREP_TEXT_OPTIONS_H

#include <stdbool.h>

#include "io/writers/writer.h"
#include "sigrep_text.h"
#include "tools/sigrep-text/characters.h"

typedef enum { TEXT_NAMES_BY_COUNT, TEXT_NAMES_ALWAYS, TEXT_NAMES_NEVER } text_names;
typedef enum { TEXT_LIST_NONE, TEXT_LIST_MATCHED, TEXT_LIST_UNMATCHED } text_listing;

typedef enum { ALPHABET_BYTES, ALPHABET_DNA, ALPHABET_UTF8 } text_alphabet;

/* A pattern as it was given. */
typedef struct {
    char *letters; /* owned, and a NUL behind them; a line of a file may hold others */
    size_t n;
    char *name;       /* owned; of a record of FASTA. NULL: it has none */
    const char *file; /* NULL: it was given on the command line */
    const char *unit; /* of the file: "line" or "record"; NULL: the file is not read yet */
    size_t number;    /* of the line or record, from 1 */
} given_pattern;

typedef struct {
    given_pattern *patterns;
    size_t n_patterns;
    char **inputs; /* of argv, or standard input */
    size_t n_inputs;

    unsigned stdin_reads; /* of standard input, which can be read once */
    uint64_t edits;       /* UINT64_MAX: not given */
    uint64_t rate;        /* edits in 10000 letters of the pattern; UINT64_MAX: not given */
    text_alphabet alphabet;
    bool ignore_case, fasta, substitutions;
    uint64_t overhang;  /* hundredths of an edit; 0: not given */
    uint64_t max_count; /* of an input; UINT64_MAX: all */
    uint64_t best;      /* of a pattern in an input; UINT64_MAX: all */
    const writer_ops *output;
    bool count, quiet, no_messages;
    text_listing list;
    text_names names;
    const char *kernel; /* NULL: the fastest usable */
    uint64_t threads;   /* 0: one */
    bool whole, dtw, path;
} text_options;

void text_options_free(text_options *o);

/* ---- patterns.c ---- */

/* What is printed of a pattern, or a strand of it. */
typedef struct {
    const char *label; /* borrowed from the given pattern */
    char strand;       /* + or -; '.': it has none */
    size_t given;      /* index of the pattern as it was given */
} pattern_info;

/* Patterns, or strands of them, in the order of docs/SEMANTICS.md. */
typedef struct {
    sigrep_text_pattern *items; /* with NUL behind their letters */
    pattern_info *infos;
    size_t n;
    character_set characters; /* of --alphabet utf8 */
} pattern_list;

/* Add the pattern, or a file of them ("-" is standard input), to text_options. Each returns NULL,
 * or the reason why it cannot be. */
const char *patterns_add(void *options, const char *pattern);
const char *patterns_add_file(void *options, const char *path);

/* Read the files. false: error[size] has why one cannot be read. */
bool patterns_load(text_options *o, char *error, size_t size);

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

/* ---- run.c, whole.c: return the exit status ---- */

/* Search all inputs, and print matches. */
int run_search(const text_options *o);

/* Compare the two inputs as wholes, and print a line. */
int run_whole(const text_options *o);

#endif
