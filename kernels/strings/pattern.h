/*
 * pattern.h - a string to search for, as bits.
 *
 *     words   | word 0 ........ 63 | word 1 ....... 127 |      a bit is a row of the pattern
 *     rows      . . . 1 2 3 4 5 6 7 8 9 ............. m        row m is the last bit of all
 *     bits of letter y: 1 if y matches the row's letter        the rows before row 1 match all
 *
 * So the last row is the same bit for all lengths. The rows before row 1 cost nothing: there all
 * distances are 0, as they are in row 0.
 */
#ifndef KERNELS_STRINGS_PATTERN_H
#define KERNELS_STRINGS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRING_WORD = 64 /* rows */ };

typedef struct {
    size_t m;     /* letters, 1 to SIGREP_TEXT_MAX_LENGTH */
    size_t edits; /* k: distances above it are all alike; k < m */
    size_t words;
    const uint64_t *bits[256]; /* of each letter of a text: `words` words; equal ones are shared */
    uint64_t *memory;

    /* Rows whose letters match the same letters of a text are of one kind. */
    unsigned char *kinds; /* of rows 1 to m, at [0, m) */
    size_t n_kinds;
    unsigned char *matched; /* letters that kind q matches: [matched_end[q - 1], matched_end[q]) */
    uint32_t matched_end[256];
} string_pattern;

/* Does the pattern's letter x match the text's letter y? `same`: the table of sigrep_text.h; NULL:
 * each byte matches itself alone. */
static inline bool string_same(const unsigned char *same, unsigned char x, unsigned char y)
{
    return same ? same[256 * x + y] != 0 : x == y;
}

/* Compile x[0..m) for k = edits. false: out of memory. string_pattern_free frees it. */
bool string_pattern_init(string_pattern *p, const unsigned char *x, size_t m, size_t edits,
                         const unsigned char *same);
void string_pattern_free(string_pattern *p);

/* A match that ends at a letter has at most so many letters: each row takes one, and each edit may
 * insert one. */
static inline size_t string_reach(const string_pattern *p)
{
    return p->m + p->edits;
}

/* Bits before row 1. */
static inline size_t string_padding(const string_pattern *p)
{
    return p->words * STRING_WORD - p->m;
}

/* Does the letter match row i, 1 to m? */
static inline bool string_matches(const string_pattern *p, size_t i, unsigned char letter)
{
    const size_t bit = string_padding(p) + i - 1;
    return p->bits[letter][bit / STRING_WORD] >> (bit % STRING_WORD) & 1;
}

#endif
