#include "tools/common/median.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_ascending(double *values, size_t n)
{
    if (n) qsort(values, n, sizeof *values, ascending);
}

double median(double *values, size_t n)
{
    sort_ascending(values, n);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}
