/* median.h - numbers in order, and their median. */
#ifndef TOOLS_COMMON_MEDIAN_H
#define TOOLS_COMMON_MEDIAN_H

#include <stdlib.h>

static inline int median_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_ascending(double *values, size_t n)
{
    if (n) qsort(values, n, sizeof *values, median_ascending);
}

/* Sorts n >= 1 values. Returns the middle one, or the mean of the two in the middle. */
static inline double median(double *values, size_t n)
{
    sort_ascending(values, n);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

#endif
