/*
 * minimum.h - the least of n numbers of y. First each thread reads its share, n / p numbers. Then:
 *
 *     one thread    reads all n, one after the other (Nakano)
 *     tree          thread i < half takes the number of thread i + half, until one is left
 *     shuffle       registers of a warp, without memory; a number of each warp goes through memory,
 *                   until one warp is left (Man and Song)
 */
#ifndef PAPERS_MACHINE_MINIMUM_H
#define PAPERS_MACHINE_MINIMUM_H

#include "papers/machine/algorithms.h"

bool minimum_one(const setup *s, outcome *to);
bool minimum_tree(const setup *s, outcome *to);
bool minimum_shuffle(const setup *s, outcome *to);

/* The least of values[0..n), which the first n threads of the block have, by a tree in the n words
 * from `at` on. values are overwritten. false: out of memory. */
bool minimum_by_tree(machine *on, size_t block, machine_memory where, size_t at, size_t n,
                     double *values, double *least);

#endif
