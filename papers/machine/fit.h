/*
 * fit.h - an HMM that stands for a GPU: the milliseconds of a time unit and the latencies at which
 * the bound of Theorem 4 (formula.h) comes nearest to measured times.
 *
 *     measured times ──> unit, l, L ──> times for any m and D ──> the best D
 *
 * Real GPUs hold few blocks at once. The papers' HMM holds all of them, so it is fitted, too.
 */
#ifndef PAPERS_MACHINE_FIT_H
#define PAPERS_MACHINE_FIT_H

#include "papers/machine/measured.h"

typedef struct {
    bool holds_all;                 /* all blocks at once */
    size_t latency, global_latency; /* time units */
    double unit_ms;
    double error; /* root mean square of the relative errors of the times that were fitted */
} fit;

/* Fit to all rows but `without`; n_rows or more: to all. */
fit fit_rows(const measured *times, bool holds_all, size_t without);

/* The milliseconds of m and D. */
double fit_ms(const fit *f, const measured *times, size_t m, size_t blocks);

/* The place in times->blocks of the D that is fastest by the fit. */
size_t fit_best(const fit *f, const measured *times, size_t m);

#endif
