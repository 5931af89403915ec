/*
 * formula.h - the papers' formulas for time units. A bound adds up the steps of the derivation,
 * each round with its stages and latency - 1. An order is what stands inside O(...).
 */
#ifndef PAPERS_MACHINE_FORMULA_H
#define PAPERS_MACHINE_FORMULA_H

#include "papers/machine/setup.h"

double formula_contiguous_bound(const setup *s); /* Lemmas 3.1 and 3.2 */
double formula_banks_bound(const setup *s);
double formula_contiguous_order(const setup *s);
double formula_one_bound(const setup *s);
double formula_one_order(const setup *s);
double formula_tree_bound(const setup *s);
double formula_tree_order(const setup *s);
double formula_shuffle_bound(const setup *s);
double formula_shuffle_order(const setup *s);
double formula_sequential_bound(const setup *s);
double formula_sequential_order(const setup *s);
double formula_diagonals_bound(const setup *s); /* Lemma 6.1 */
double formula_slid_bound(const setup *s);      /* Lemma 7.1 */
double formula_ring_bound(const setup *s);      /* Theorem 7.2 */
double formula_segments_bound(const setup *s);  /* Theorems 8.1 and 10.1 */
double formula_matching_order(const setup *s);  /* all four; HMM, Lemma 2 for p < m */
double formula_blocks_bound(const setup *s);    /* HMM, Theorem 4 */
double formula_blocks_order(const setup *s);

#endif
