/* matching.h - the ASM or the ADSM: sections 4 to 10 of Nakano on a DMM or a UMM; Man, Nakano and
 * Ito on an HMM. */
#ifndef PAPERS_MACHINE_MATCHING_H
#define PAPERS_MACHINE_MATCHING_H

#include "papers/machine/setup.h"

/* One thread, row by row. */
bool match_sequential(const setup *s, outcome *to);
/* Lemma 6.1: m threads, the whole matrix. */
bool match_diagonals(const setup *s, outcome *to);
/* Lemma 7.1: the same with a matrix that is slid, so that diagonals lie in rows. */
bool match_slid(const setup *s, outcome *to);
/* Theorem 7.2: three rows of m words of it. */
bool match_ring(const setup *s, outcome *to);
/*
 * Theorems 8.1 and 10.1: n threads, segments of 3m characters side by side.
 *
 *     y    | Y0 | Y1 | Y2 | Y3 | Y4 |     m characters each
 *     Z0   |==============|               exact for strings: no substring that matters is longer
 *     Z1        |==============|          than 2m. Signals have no such bound.
 */
bool match_segments(const setup *s, outcome *to);
/*
 * HMM, Theorem 4: d DMMs, D substrings of S + 2m characters, m threads each. With D = d and p / d
 * threads a block it is Lemma 3.
 *
 *     y     |---------------------------------|
 *     Y_0   |=====S=====|==2m==|                  1. x and Y_b from global to shared memory
 *     Y_1               |=====S=====|==2m==|      2. ASM(x, Y_b) in shared memory, three rows of d
 *     Y_2                           |==...        3. its result to global memory
 *                                                 4. the least of all, by block 0
 */
bool match_blocks(const setup *s, outcome *to);

#endif
