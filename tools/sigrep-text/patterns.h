/* patterns.h - the patterns of a search, checked and compiled. */
#ifndef TOOLS_SIGREP_TEXT_PATTERNS_H
#define TOOLS_SIGREP_TEXT_PATTERNS_H

#include "kernels/strings/pattern.h"
#include "tools/sigrep-text/options.h"

/* A pattern, or a strand of one. */
typedef struct {
    char *label; /* the pattern as it was given; of a strand, with (+) or (-) behind it */
    string_pattern compiled;
} search_pattern;

typedef struct {
    search_pattern *items; /* in the order of docs/SEMANTICS.md */
    size_t n;
} pattern_list;

/* Add the pattern, or each line of a file ("-" is standard input). Each returns NULL, or the reason
 * why it cannot be. */
const char *patterns_add(text_options *o, const char *pattern);
const char *patterns_add_file(text_options *o, const char *path);

/* How the options let letters match. */
string_same_fn *patterns_same(const text_options *o);

/* Compile the patterns of the options. false: one is wrong, which is reported. patterns_free frees
 * the list in any case. */
bool patterns_compile(pattern_list *list, const text_options *o);
void patterns_free(pattern_list *list);

#endif
