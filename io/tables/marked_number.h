/*
 * marked_number.h - numbers with a decimal comma, or with marks between thousands:
 *
 *     20,05   1.234,5   1,234.5   1'234.5   1 234,5
 *
 * A mark stands before each three digits but the first ones: the point or comma that is not
 * decimal, an apostrophe, or a blank that breaks no line.
 */
#ifndef IO_TABLES_MARKED_NUMBER_H
#define IO_TABLES_MARKED_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { MARKED_NUMBER_SIZE = 64 };

/* How numbers are written. */
typedef struct {
    char decimal;    /* a point or a comma */
    bool is_given;   /* it is certain, so 1.234 may be thousands; else only with a decimal mark */
    bool has_commas; /* they do not separate fields, here */
    bool has_blanks; /* likewise; with is_given they are marks, too */
} number_marks;

/* Copy the number at `text`, which a NUL ends, as [+-]digits[.digits][e[+-]digits] and a NUL.
 * Returns the bytes used; 0: it is none, or goes on as no number does. */
size_t marked_number_copy(number_marks marks, const char *text, char plain[MARKED_NUMBER_SIZE]);

#endif
