/*
 * gpu_papers_case.h - the papers' algorithms for strings on a GPU as contestants. Each result is
 * compared with the sequential algorithm's on the CPU before anything is timed.
 */
#ifndef BENCH_GPU_PAPERS_CASE_H
#define BENCH_GPU_PAPERS_CASE_H

#include <stdbool.h>

#include "tools/sigrep-bench/gpu_papers.h"

/* By gpu_papers_algorithm, and by gpu_papers_minimum. */
extern const char *const gpu_papers_names[GPU_PAPERS_ALGORITHMS];
extern const char *const gpu_minimum_names[GPU_MINIMA];

/* A text for all algorithms. Strings are borrowed. */
typedef struct {
    int device;
    size_t m, n;
    const uint8_t *x, *y;
    int32_t expected; /* set by gpu_papers_expect */
    gpu_papers_laps laps;
} gpu_papers_case;

/* Each of these returns false after it has reported a failure, or another result than on the CPU.
 */

/* Find the result by the sequential algorithm. */
bool gpu_papers_expect(gpu_papers_case *c);

/* Compare, then time. blocks: D, of GPU_PAPERS_BLOCKS alone. */
bool gpu_papers_run(const gpu_papers_case *c, gpu_papers_algorithm algorithm, size_t blocks,
                    double *ms);
bool gpu_minimum_run(const gpu_minimum_task *task, const gpu_papers_laps *laps, double *ms);

/* Do all algorithms and minima agree with the CPU on random strings? They have few letters, and
 * contain x with some edits. */
bool gpu_papers_agree(int device, uint64_t seed, size_t cases);

#endif
