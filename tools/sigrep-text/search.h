/*
 * search.h - the matches of one pattern in a text, by the rules of docs/SEMANTICS.md ("Strings").
 *
 *     letters --> sweep --minima of blocks--> trace (around candidates) --> matches, when final
 *                 kernels/strings             kernels/strings/trace.h
 *
 * The same matches come in the same order, however the text is cut, and from every kernel.
 */
#ifndef TOOLS_SIGREP_TEXT_SEARCH_H
#define TOOLS_SIGREP_TEXT_SEARCH_H

#include "kernels/strings/strings.h"

typedef struct {
    uint64_t start, end; /* letters of the text, [start, end), from 0 */
    uint64_t final;      /* the number of letters after which it became final */
    uint32_t distance;
} text_match;

/* Returns false to end the text: no more matches of it are wanted. */
typedef bool text_match_fn(void *user, const text_match *match);

typedef struct text_search text_search;

/* Pattern and kernel are borrowed. `chunk`: the most letters of a push. NULL: out of memory, or the
 * device failed. */
text_search *text_search_create(const string_pattern *p, const string_ops *kernel, size_t chunk,
                                text_match_fn *found, void *user);
void text_search_destroy(text_search *s); /* NULL is allowed */

/* So many letters before a push must still be there, as far as the text has them. */
size_t text_search_history(const string_pattern *p);

/* Search the next n letters. Before letters[0] lie text_search_history letters of the text, or all
 * of them. false: the device failed. */
bool text_search_push(text_search *s, const unsigned char *letters, size_t n);

/* The text ends at letters[0], and another text begins. What is pending becomes final; with NULL it
 * is dropped. */
void text_search_end(text_search *s, const unsigned char *letters);

#endif
