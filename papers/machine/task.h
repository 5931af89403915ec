/*
 * task.h - what the algorithms compute: the approximate string matching (ASM) of two strings, or
 * the approximate discrete signal matching (ADSM) of two signals.
 *
 *     strings   d[i][j] = min(d[i][j-1] + 1, d[i-1][j] + 1, d[i-1][j-1] + (x_i != y_j))
 *     signals   d[i][j] = min(d[i][j-1], d[i-1][j], d[i-1][j-1]) + |x_i - y_j|
 *
 * d[0][j] = 0, and d[i][0] is i or infinite. The result is the least d[m][j].
 */
#ifndef PAPERS_MACHINE_TASK_H
#define PAPERS_MACHINE_TASK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool signals;
    size_t m, n;
    const double *x, *y; /* m and n characters or samples, borrowed */
} task;

/* The neighbours and the two characters of a cell. */
typedef struct {
    double left, up, diagonal, x, y;
} task_cell;

/* NAN if one of them is: a cell that nobody has written. */
double task_least(double a, double b);
double task_value(bool signals, const task_cell *c);
/* d[i][0] */
double task_edge(bool signals, size_t i);

/* m + n random characters of four letters, or samples from 0 to 9, the same for a seed. Returns x
 * with y after it, which the caller frees; NULL: out of memory. */
double *task_random(bool signals, size_t m, size_t n, unsigned long long seed);

#endif
