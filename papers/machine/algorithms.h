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

#include "papers/machine/machine.h"
#include "papers/machine/task.h"

typedef enum { ON_DMM = 1, ON_UMM = 2, ON_HMM = 4 } machine_kind;

typedef struct {
    machine_kind kind;
    size_t width, latency, global_latency; /* w, l, L; L: of the HMM alone */
    size_t dmms, blocks, resident;         /* d, D, blocks that a DMM holds at once: of the HMM */
    size_t threads;                        /* p, of all blocks; setup_threads if none is given */
    bool watched;                          /* count hazards */
    task task;
} setup;

typedef struct {
    machine_count count;
    size_t threads, words; /* p; words beside x and y, in all memories */
    double result;         /* NAN: the algorithm computes none */
} outcome;

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
size_t setup_threads(const setup *s, const algorithm *a);
/* Segments of 3m characters in y, which begin m apart. */
size_t setup_segments(const setup *s);
/* Characters of each of the HMM's D substrings: S + 2m. */
size_t setup_substring(const setup *s);

/* The least d[m][j], by the recurrence as it stands. NAN: out of memory. */
double plain_match(const task *t);
double plain_minimum(const task *t);

/* Theorems 9.1 and 10.2: no implementation takes less; with the HMM's d. */
double least_units(const setup *s);

#endif
