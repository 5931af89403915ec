/*
 * papers_algorithms.h - the papers' algorithms on one core, for strings and for signals.
 * docs/PAPERS.md says which is whose; papers/machine counts what they take on the papers'
 * machines.
 */
#ifndef PAPERS_BENCH_PAPERS_ALGORITHMS_H
#define PAPERS_BENCH_PAPERS_ALGORITHMS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    PAPERS_SEQUENTIAL, /* a column after the other */
    PAPERS_DIAGONALS,  /* three diagonals by rows: Lemma 6.1, in the space of HMM, Lemma 2 */
    PAPERS_SLID,       /* three rows of m of the slid matrix: Theorem 7.2 */
    PAPERS_SEGMENTS,   /* the same for segments of 3m: Theorem 8.1; exact for strings alone */
    PAPERS_BLOCKS,     /* diagonals for D substrings that overlap by 2m: HMM, Theorem 4; the same */
    PAPERS_ALGORITHMS
} papers_algorithm;

extern const char *const papers_names[PAPERS_ALGORITHMS];

/* Characters are uint8_t, samples float. All arrays are borrowed. 1 <= m <= n. */
typedef struct {
    size_t m, n;
    const void *x, *y;           /* m, n */
    const void *x_back, *y_back; /* the same, backwards */
    void *cells;                 /* 3 (m + 1) of 4 bytes, for int32_t or float */
    size_t blocks;               /* D, of PAPERS_BLOCKS alone, from 1 */
} papers_task;

/* n characters or samples backwards; the caller frees them. NULL: out of memory. */
void *papers_backwards(bool signals, const void *values, size_t n);

/* The least d[m][j]: edits, or the lowest cost. */
double papers_match_strings(papers_algorithm algorithm, const papers_task *task);
double papers_match_signals(papers_algorithm algorithm, const papers_task *task);

#endif
