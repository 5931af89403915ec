/* median.h - the median of numbers. */
#ifndef FILTER_CLI_COMMON_MEDIAN_H
#define FILTER_CLI_COMMON_MEDIAN_H

#include <stddef.h>

/* Sorts n >= 1 values. Returns the middle one, or the mean of the two in the middle. */
double median(double *values, size_t n);

#endif
