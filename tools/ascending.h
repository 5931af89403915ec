/* ascending.h - numbers in order, for qsort, and the median of doubles. */
#ifndef TOOLS_ASCENDING_H
#define TOOLS_ASCENDING_H

#include <stdlib.h>

static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int ascending_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Of n >= 1 values, which it sorts: the one in the middle, or the mean of the two there. */
static inline double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, ascending);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

#endif
