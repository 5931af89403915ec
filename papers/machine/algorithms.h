/*
 * algorithms.h - the papers' algorithms by name. Each runs on a machine, and gives its result, what
 * was counted, and the papers' formulas for that.
 *
 *     setup ──> run ──> machine ──> outcome: the result and time units
 *
 * A bound is the papers' derivation, added up; an order is what stands inside O(...).
 */
#ifndef PAPERS_MACHINE_ALGORITHMS_H
#define PAPERS_MACHINE_ALGORITHMS_H

#include "papers/machine/setup.h"

typedef struct {
    const char *name, *claim, *formula; /* which lemma; what is inside its O(...) */
    unsigned machines;                  /* machine_kind, added up */
    /* false: out of memory */
    bool (*run)(const setup *s, outcome *to);
    /* Time units: the steps of the paper's derivation with their constants. NAN: it has none. */
    double (*bound)(const setup *s);
    double (*order)(const setup *s);
    double (*expected)(const task *t); /* the result, computed plainly; NULL: there is none */
} algorithm;

/* NULL after the last. */
const algorithm *algorithm_at(size_t i);
const algorithm *algorithm_named(const char *name);

/* As many threads as the paper takes. */
size_t algorithm_threads(const setup *s, const algorithm *a);

/* The least d[m][j], by the recurrence as it stands. NAN: out of memory. */
double plain_match(const task *t);
double plain_minimum(const task *t);

/* Theorems 9.1 and 10.2: no implementation takes less; with the HMM's d. */
double least_units(const setup *s);

#endif
