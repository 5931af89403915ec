/* tables.h - the tables of sigrep-papers. Each returns false after it has reported an error. */
#ifndef PAPERS_BENCH_TABLES_H
#define PAPERS_BENCH_TABLES_H

#include "dev/bench/bench_options.h"
#include "dev/bench/report.h"

/* The papers' algorithms on one core, for strings and for signals. */
bool cpu_table(const bench_options *o, bench_report *out);

/* On a GPU: the papers' task, by D blocks, by all their algorithms; their minima. */
bool gpu_tables(const bench_options *o, bench_report *out);

#endif
