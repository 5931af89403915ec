/*
 * gpu_papers.h - the papers' algorithms on a GPU, for strings and for signals. docs/PAPERS.md says
 * which is whose; papers_algorithms.h has them on one core.
 *
 *     gpu_papers_case ──> gpu_papers.cu ──> gpu_match.cuh: the least d[m][j] of each part
 *     (C: compares)                     └─> gpu_minimum.cuh: the least of all parts
 */
#ifndef PAPERS_BENCH_GPU_PAPERS_H
#define PAPERS_BENCH_GPU_PAPERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GPU_PAPERS_DIAGONALS, /* one block, three diagonals in shared memory: Lemma 6.1 */
    GPU_PAPERS_SLID,      /* one block, 3 x m words in global memory: Theorem 7.2 */
    GPU_PAPERS_SEGMENTS,  /* a block for each segment of 3m, the same: Theorem 8.1 */
    GPU_PAPERS_LAUNCHES,  /* the same by a launch a diagonal: all n threads wait for each other */
    GPU_PAPERS_BLOCKS,    /* D blocks, diagonals in shared memory: HMM, Theorem 4; like segments
                             exact for strings alone */
    GPU_PAPERS_ALGORITHMS
} gpu_papers_algorithm;

typedef enum {
    GPU_MINIMUM_ONE,      /* one thread: Nakano, section 6 */
    GPU_MINIMUM_TREE,     /* one block, a tree in shared memory */
    GPU_MINIMUM_SHUFFLES, /* one block, registers of a warp: Man and Song */
    GPU_MINIMUM_MARKS,    /* each value marks a word, one thread finds the first: Theorem 8.1; of
                             whole numbers alone, so not of signals */
    GPU_MINIMA
} gpu_papers_minimum;

enum { GPU_PAPERS_MOST_M = 1024 /* threads of a block */ };

/* x and y are borrowed. 1 <= m <= GPU_PAPERS_MOST_M, m <= n < 2^28. */
typedef struct {
    int device;
    int signals; /* non-zero: x and y are finite float, cells are costs; 0: uint8_t, and edits */
    size_t m, n;
    const void *x, *y;
    gpu_papers_algorithm algorithm;
    gpu_papers_minimum minimum; /* of segments and blocks */
    size_t blocks;              /* D, of GPU_PAPERS_BLOCKS, from 1 */
} gpu_papers_task;

/* Values from 0 to `most`, borrowed. */
typedef struct {
    int device;
    const int32_t *values;
    size_t n; /* from 1, below 2^28 */
    int32_t most;
    gpu_papers_minimum minimum;
} gpu_minimum_task;

/* How often it runs: once for the result, then in `rounds` rounds (0: none) of about lap_s. */
typedef struct {
    size_t rounds;
    double lap_s;
} gpu_papers_laps;

typedef struct {
    double least; /* d[m][j], or value */
    double ms;    /* of one run by the device's clock, without copies: the median of the rounds */
} gpu_papers_outcome;

/* Each returns NULL, or why it failed. */
const char *gpu_papers_match(const gpu_papers_task *task, const gpu_papers_laps *laps,
                             gpu_papers_outcome *to);
const char *gpu_papers_least(const gpu_minimum_task *task, const gpu_papers_laps *laps,
                             gpu_papers_outcome *to);

#ifdef __cplusplus
}
#endif
#endif
