/* sweep_case.h - contestants of a race: a kernel through kernels/kernel.h, the papers' loop, and
 * the instruction ceiling. */
#ifndef DEV_BENCH_SWEEP_CASE_H
#define DEV_BENCH_SWEEP_CASE_H

#include "dev/bench/ceiling.h"
#include "dev/bench/race.h"
#include "kernels/kernel.h"

/* The problem; the arrays are borrowed. */
typedef struct {
    const float *x;      /* m x dim: the template; all n_templates are the same */
    const float *frames; /* n x dim: the stream; it starts again if no whole chunk is left */
    size_t m, n, dim, n_templates;
    size_t chunk; /* frames; 0: the kernel's choice */
    float eps;
    const char *device; /* as in kernel_choose; NULL: any */
} sweep_problem;

/* One template of m samples over n, without a threshold. */
sweep_problem sweep_of_samples(const float *x, size_t m, const float *y, size_t n, size_t chunk);

typedef struct {
    sweep_problem problem;
    const kernel_ops *ops; /* NULL: the papers' loop */
    pool *workers;
    void *kernel;
    kernel_output output; /* its minima */
    size_t at;            /* frames swept so far */
    float *d, *score;     /* of the papers' loop */
} sweep_case;

/* A kernel, or the papers' loop if ops is NULL, sweeps chunk after chunk. Sets up *race, which
 * borrows *own. The caller frees it. */
sigrep_status sweep_case_create(race_case *race, sweep_case *own, const kernel_ops *ops,
                                const sweep_problem *problem, size_t threads);
void sweep_case_free(sweep_case *own);

/* Does a kernel give the bits of the papers' loop's minima at the stream's beginning? eps must be
 * +inf. Resets both. */
bool sweep_case_agrees(sweep_case *own, sweep_case *papers);

/* The lowest D(m,t) of the stream. */
sigrep_status sweep_case_lowest(sweep_case *own, float *lowest);

typedef struct {
    const ceiling *set;
    size_t mix, dim, threads;
    pool *workers;
} ceiling_case;

/* Runs a mix on own->threads at once. The caller sets all of *own but its workers, and frees it.
 * Sets up *race, which borrows *own. */
sigrep_status ceiling_case_create(race_case *race, ceiling_case *own);
void ceiling_case_free(ceiling_case *own);

#endif
