/*
 * pattern_search.h - the matches of one pattern in a text, by the rules of docs/SEMANTICS.md
 * ("Strings").
 *
 *     letters --> sweep --minima of blocks--> trace (around candidates) --> matches, when final
 *                 kernels/strings             kernels/strings/trace.h
 */
#ifndef FILTER_STRINGS_PATTERN_SEARCH_H
#define FILTER_STRINGS_PATTERN_SEARCH_H

#include "kernels/strings/strings.h"
#include "sigrep_text.h"

/* Letters [begin, end) of a text, and those before them, as far as a match can reach. */
typedef struct {
    uint64_t begin, end;
    const unsigned char *letters; /* letters[0] is letter `begin` */
    const unsigned char *before;  /* before[-1] is the letter before it */
} text_chunk;

/* Matches; {0} is empty. free(items) frees them. */
typedef struct {
    sigrep_text_match *items;
    size_t n, room;
    bool failed; /* out of memory: a match is missing */
} text_matches;

typedef struct pattern_search pattern_search;

/* The i-th pattern. The caller frees it, by pattern_search_destroy; NULL is allowed there. `chunk`:
 * the most letters of one. NULL: out of memory, or the device failed. */
pattern_search *pattern_search_create(const sigrep_text_config *config, size_t i,
                                      const string_ops *kernel, size_t chunk);
void pattern_search_destroy(pattern_search *s);

/* Search the next letters. Adds matches to `found`, and ends early if that failed. false: the
 * device failed. */
bool pattern_search_push(pattern_search *s, const text_chunk *chunk, text_matches *found);

/* The text ends with the chunk `end`, which is empty: what is pending becomes final. */
void pattern_search_end(pattern_search *s, const text_chunk *end, text_matches *found);

/* Begin a new text. */
void pattern_search_reset(pattern_search *s);

#endif
