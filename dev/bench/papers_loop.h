/*
 * papers_loop.h - the sequential loop with which Nakano et al. compare their GPU. It computes one
 * column after the other, a cell at a time, and is compiled with -O3 alone. kernels/cpu/scalar.c
 * gives the same minima.
 */
#ifndef DEV_BENCH_PAPERS_LOOP_H
#define DEV_BENCH_PAPERS_LOOP_H

#include <stddef.h>

/* n frames of dim floats; d (m floats) goes from D(.,t) to D(.,t+n); score takes n values
 * D(m,.). */
void papers_loop(const float *x, size_t m, const float *y, size_t n, size_t dim, float *d,
                 float *score);

#endif
