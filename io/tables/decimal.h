/*
 * decimal.h - the common decimal fractions to numbers, faster than strtod and strtof and with the
 * same bits.
 *
 * W. D. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990: the digits make a
 * whole number w <= 2^53, the places after the point a power 10^k with k <= 22. Both are exact
 * doubles, so w / 10^k is rounded only once.
 */
#ifndef IO_TABLES_DECIMAL_H
#define IO_TABLES_DECIMAL_H

#include <stddef.h>

/* Parse [+-]digits[.digits] at `text`, followed by a character that is no letter, digit or point.
 * Returns the bytes used. 0: not of this form, or too long; *value is unchanged, and strtod or
 * strtof must decide. */
size_t decimal_to_double(const char *text, double *value);
size_t decimal_to_float(const char *text, float *value);

#endif
