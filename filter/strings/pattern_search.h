/*
 * pattern_search.h - the matches of one pattern: the rules of docs/SEMANTICS.md, "Strings".
 *
 *     minima of blocks --> trace or scout (around candidates) --> matches, when final --> found
 *
 * The minima come from a sweep of the chunk (kernels/strings/strings.h). They may be too low, but
 * never too high: then more is traced, and no match changes.
 */
#ifndef FILTER_STRINGS_PATTERN_SEARCH_H
#define FILTER_STRINGS_PATTERN_SEARCH_H

#include "kernels/strings/scout.h"
#include "kernels/strings/strings.h"
#include "kernels/strings/trace.h"
#include "sigrep_text.h"

/* Letters [begin, end) of a text, and those before them, as far as a match can reach. */
typedef struct {
    uint64_t begin, end;
    const unsigned char *letters; /* letters[0] is letter `begin` */
    const unsigned char *before;  /* before[-1] is the letter before it */
    const uint32_t *minima;       /* of blocks: of those that hold the chunk's letters */
    size_t lead;                  /* letters before the chunk in the first block */
} text_chunk;

typedef struct {
    sigrep_text_match match;
    bool is_by_end; /* the end of the text decided it: it comes after all others */
} found_match;

typedef struct {
    found_match *items;
    size_t n, room;
    bool failed; /* out of memory: a match is missing */
} text_matches;

/* false: out of memory. free(list->items) frees it. */
bool text_matches_add(text_matches *list, const found_match *matches, size_t n);

/* A pattern backwards, to choose between equally good intervals from the other side. */
typedef struct {
    string_pattern pattern;
    string_trace trace;
    string_scout scout;
} mirror;

typedef struct {
    string_pattern pattern;
    string_trace trace;
    mirror *mirror;     /* NULL: the pattern is not reversed */
    uint64_t origin;    /* the first letter that a match may use */
    uint64_t next;      /* the letter that comes next: to the trace, or to be looked at */
    uint64_t known;     /* matches that are found now are final after so many letters, or more */
    string_scout scout; /* with columns, if it can do without a trace */
    uint64_t scouted;   /* the letter from which the scout goes */
    bool is_tracing;
    bool is_scouting;         /* while it traces: no candidate so far, or with columns */
    bool has_best, has_ended; /* a match; the text */
    sigrep_text_match best;   /* pattern and text are those of all matches */
    text_matches found;       /* not yet called back */
} pattern_search;

/* Most edits of a match of the i-th pattern. */
size_t pattern_edits(const sigrep_text_config *config, size_t i);

/* The search for the i-th pattern. false: out of memory. pattern_search_free frees it in any case.
 */
bool pattern_search_init(pattern_search *p, const sigrep_text_config *config, size_t i);
void pattern_search_free(pattern_search *p);

/* Begin a text, the text-th of a call. */
void pattern_search_begin(pattern_search *p, size_t text);

/* Search the next chunk of the text. */
void pattern_search_chunk(pattern_search *p, const text_chunk *chunk);

/* The text ends: what is pending becomes final. `end` is empty. */
void pattern_search_end(pattern_search *p, const text_chunk *end);

#endif
