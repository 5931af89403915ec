/* part_papers_strings.h - the tables of strings in the part `papers' of a GPU. */
#ifndef BENCH_PART_PAPERS_STRINGS_H
#define BENCH_PART_PAPERS_STRINGS_H

#include "tools/sigrep-bench/bench_options.h"
#include "tools/sigrep-bench/gpu_papers_case.h"
#include "tools/sigrep-bench/report.h"

enum { PAPERS_BLOCKS_MEASURED = 8 };

/* D, the numbers of blocks of Table I. */
extern const int papers_blocks[PAPERS_BLOCKS_MEASURED];

/* One length in milliseconds, NAN if m is above GPU_PAPERS_MOST_M. */
typedef struct {
    gpu_papers_case text;
    double algorithm_ms[GPU_PAPERS_ALGORITHMS]; /* of blocks: by the best D */
    double blocks_ms[PAPERS_BLOCKS_MEASURED];
} papers_strings;

/* Do the algorithms agree with the CPU on random strings? Each function here returns false after it
 * has reported an error. */
bool papers_strings_check(const bench_options *o);

/* The strings are borrowed. */
bool papers_strings_measure(const bench_options *o, const gpu_papers_case *text,
                            papers_strings *to);

/* A table of all algorithms. */
void papers_strings_report(const papers_strings *all, size_t n, report *out);

/* A table of minima of D words and of n words. */
bool papers_minima(const bench_options *o, size_t n, report *out);

#endif
