/* part_papers_algorithms.h - the algorithms by name in the part `papers' of a GPU. */
#ifndef PAPERS_BENCH_PART_PAPERS_ALGORITHMS_H
#define PAPERS_BENCH_PART_PAPERS_ALGORITHMS_H

#include "dev/bench/bench_options.h"
#include "dev/bench/report.h"
#include "papers/bench/gpu_papers_case.h"

enum { PAPERS_BLOCKS_MEASURED = 8 };

/* D, the numbers of blocks of Table I. */
extern const int papers_blocks[PAPERS_BLOCKS_MEASURED];

/* One length in milliseconds, NAN if m is above GPU_PAPERS_MOST_M, or for blocks of signals. */
typedef struct {
    gpu_papers_case text;
    double algorithm_ms[GPU_PAPERS_ALGORITHMS]; /* of blocks: by the best D */
    double blocks_ms[PAPERS_BLOCKS_MEASURED];
} papers_timings;

/* Do the algorithms agree with the CPU on random strings and signals? Each function here returns
 * false after it has reported an error. */
bool papers_algorithms_check(const bench_options *o);

/* Values of the text are borrowed. */
bool papers_algorithms_measure(const bench_options *o, const gpu_papers_case *text,
                               papers_timings *to);

/* A table of all algorithms. */
void papers_algorithms_report(const papers_timings *all, size_t n, bench_report *out);

/* A table of minima of D words and of n words. */
bool papers_minima(const bench_options *o, size_t n, bench_report *out);

#endif
