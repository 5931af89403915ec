/* parts.h - the tables of sigrep-bench. Each returns false after it has reported an error. */
#ifndef DEV_BENCH_PARTS_H
#define DEV_BENCH_PARTS_H

#include "dev/bench/bench_fail.h"
#include "dev/bench/bench_options.h"
#include "dev/bench/report.h"

/* Values a frame, without -k. */
extern const size_list usual_dims;

/* The limits of the instruction sets; comes before `kernels'. */
bool part_ceilings(const bench_options *o, bench_report *out);

/* Every kernel, m, K, number of templates and threads. */
bool part_kernels(const bench_options *o, bench_report *out);

/* The kernels to be shown while one of n, templates, threads grows. */
bool part_growth(const bench_options *o, bench_report *out);

/* The whole program, fed from a file and from a pipe, beside its kernel alone. */
bool part_program(const bench_options *o, bench_report *out);

/* Streams full of matches, beside the same search without a match. */
bool part_matches(const bench_options *o, bench_report *out);

/* Sweeps with a threshold, beside those without one. */
bool part_pruning(const bench_options *o, bench_report *out);

/* The kernels for strings (kernels/strings): the papers' task as they had it. */
bool part_strings(const bench_options *o, bench_report *out);

/* On a GPU: the GPUs and their limits; kernels over samples, frames, live chunks. */
bool gpu_machine(const bench_options *o, bench_report *out);
bool gpu_part_kernels(const bench_options *o, bench_report *out);
bool gpu_part_frames(const bench_options *o, bench_report *out);
bool gpu_part_live(const bench_options *o, bench_report *out);

#endif
