/*
 * hmm.h - Man, Nakano and Ito: d DMMs compute the ASM of D substrings of S + 2m characters, by m
 * threads each (Theorem 4). With D = d and p / d threads a block it is Lemma 3.
 *
 *     y     |---------------------------------|
 *     Y_0   |=====S=====|==2m==|                  1. x and Y_b from global to shared memory
 *     Y_1               |=====S=====|==2m==|      2. ASM(x, Y_b) in shared memory, three rows of d
 *     Y_2                           |==...        3. its result to global memory
 *                                                 4. the least of all, by block 0
 */
#ifndef PAPERS_MACHINE_HMM_H
#define PAPERS_MACHINE_HMM_H

#include "papers/machine/algorithms.h"

bool hmm_blocks(const setup *s, outcome *to);

#endif
