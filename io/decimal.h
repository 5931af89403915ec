/*
 * decimal.h - decimal fractions to numbers, correctly rounded, as strtod and strtof do it, but
 * only the common and quick case: W. D. Clinger, "How to Read Floating Point Numbers
 * Accurately", PLDI 1990. Digits that make a whole number w <= 2^53, divided by 10^k with
 * k <= 22, are the quotient of two exact doubles, and a division rounds once.
 */
#ifndef IO_DECIMAL_H
#define IO_DECIMAL_H

#include <stddef.h>

/* A number [+-]digits[.digits] at `text`, which a character ends that is no letter, digit or
 * point. Returns the bytes used; 0, and leaves *value alone, where it is not of this kind or
 * too long: then ask strtod or strtof, which says the same of all that are. */
size_t decimal_to_double(const char *text, double *value);
size_t decimal_to_float(const char *text, float *value);

#endif
