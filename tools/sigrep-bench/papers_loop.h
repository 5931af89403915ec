/*
 * papers_loop.h - the sequential loop with which Nakano et al. compare their GPU: a column at a
 * time, a cell after the other, compiled plainly with -O3 and nothing else. What
 * kernels/cpu/scalar.c computes, without kept columns and blocks.
 */
#ifndef BENCH_PAPERS_LOOP_H
#define BENCH_PAPERS_LOOP_H

#include <stddef.h>

/* n frames of dim floats; d (m floats) goes from D(.,t) to D(.,t+n); score takes n values
 * D(m,.). */
void papers_loop(const float *x, size_t m, const float *y, size_t n, size_t dim, float *d,
                 float *score);

#endif
