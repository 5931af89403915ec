/* median.h - numbers in order, and their median. */
#ifndef TOOLS_COMMON_MEDIAN_H
#define TOOLS_COMMON_MEDIAN_H

#include <stddef.h>

void sort_ascending(double *values, size_t n);

/* Sorts n >= 1 values. Returns the middle one, or the mean of the two in the middle. */
double median(double *values, size_t n);

#endif
