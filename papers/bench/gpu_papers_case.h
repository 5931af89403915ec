/*
 * gpu_papers_case.h - the papers' algorithms on a GPU as contestants. Each result is compared with
 * the CPU's before anything is timed.
 */
#ifndef PAPERS_BENCH_GPU_PAPERS_CASE_H
#define PAPERS_BENCH_GPU_PAPERS_CASE_H

#include <stdbool.h>

#include "papers/bench/gpu_papers.h"

/* By gpu_papers_algorithm, and by gpu_papers_minimum. */
extern const char *const gpu_papers_names[GPU_PAPERS_ALGORITHMS];
extern const char *const gpu_minimum_names[GPU_MINIMA];

/* A text, or a signal. x and y are borrowed. */
typedef struct {
    int device;
    bool signals; /* as in gpu_papers_task */
    size_t m, n;
    const void *x, *y;
    double expected;    /* set by gpu_papers_expect */
    double by_segments; /* the same, by segments of 3m, which miss matches of signals */
    gpu_papers_laps laps;
} gpu_papers_case;

/* Each of these returns false after it has reported a failure, or another result than on the CPU.
 */

/* Find the results by the sequential algorithm, and for signals by segments. */
bool gpu_papers_expect(gpu_papers_case *c);

/* Compare, then time. blocks: D, of GPU_PAPERS_BLOCKS alone, whose parts miss matches of signals as
 * well: the CPU cuts them in the same way. */
bool gpu_papers_run(const gpu_papers_case *c, gpu_papers_algorithm algorithm, size_t blocks,
                    gpu_papers_outcome *to);
bool gpu_minimum_run(const gpu_minimum_task *task, const gpu_papers_laps *laps, double *ms);

/* Do all algorithms and minima agree with the CPU on random strings and signals? They have few
 * letters or values, and contain x with some edits. */
bool gpu_papers_agree(int device, uint64_t seed, size_t cases);

#endif
