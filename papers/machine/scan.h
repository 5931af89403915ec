/*
 * scan.h - what reads y once. Section 3 of Nakano: access to its n words by p threads; the result
 * is their sum. Section 6, Man and Song: the least word. First each thread reads its share, n / p
 * numbers. Then:
 *
 *     one thread    reads all n, one after the other (Nakano)
 *     tree          thread i < half takes the number of thread i + half, until one is left
 *     shuffle       registers of a warp, without memory; a number of each warp goes through memory,
 *                   until one warp is left (Man and Song)
 */
#ifndef PAPERS_MACHINE_SCAN_H
#define PAPERS_MACHINE_SCAN_H

#include "papers/machine/setup.h"

/* T(i) reads a[p t + i] in round t. */
bool access_contiguous(const setup *s, outcome *to);
/* T(i) reads a[b[p t + i]], where b[i] mod w = i mod w. Here b turns the order of rows of w words
 * around, each bank by another number of rows. */
bool access_banks(const setup *s, outcome *to);

bool minimum_one(const setup *s, outcome *to);
bool minimum_tree(const setup *s, outcome *to);
bool minimum_shuffle(const setup *s, outcome *to);

/* The least of values[0..n), which the first n threads of the block have, by a tree in the n words
 * from `at` on. values are overwritten. false: out of memory. */
bool minimum_by_tree(machine *on, size_t block, machine_memory where, size_t at, size_t n,
                     double *values, double *least);

#endif
