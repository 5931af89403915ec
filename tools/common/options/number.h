/* number.h - numbers of the command line: the whole text or nothing, C locale. */
#ifndef TOOLS_COMMON_OPTIONS_NUMBER_H
#define TOOLS_COMMON_OPTIONS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A finite decimal number, such as -1.5e3; no blanks, no hexadecimal, no inf or nan. */
bool number_real(const char *text, double *value);

/* Digits only, in [min, max]. */
bool number_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* As number_real, of text[0..n). */
bool number_real_part(const char *text, size_t n, double *value);

#endif
