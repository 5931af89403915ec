/*
 * row.h - one line of text, cut into fields. text.c adds line numbers and the choice of columns.
 */
#ifndef IO_TABLES_ROW_H
#define IO_TABLES_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "io/time/exact_time.h"

enum { ROW_LINE = 65536 }; /* bytes of the longest line */

typedef struct {
    const char *text; /* borrowed from the line, without quotes; for messages */
    size_t length;    /* bytes */
    float value;      /* if `number` */
    bool number;
    bool missing; /* no number but empty, null or NA; `value` is NaN */
} field;

typedef struct {
    size_t time_column; /* from 1: this field is a time; 0: none */
    field *fields;      /* the caller's; room for one more than the line has bytes: all commas */
    size_t n;           /* fields; 0: a blank line or a comment */
    size_t n_trailing;  /* tabs at the end, which make no field */
    bool mixed;         /* both commas and semicolons separate: probably decimal commas */
    exact_time time;    /* of the time column: seconds, since 1970 if time_iso */
    bool time_ok;       /* the time is there: a number or ISO 8601 */
    bool time_iso;
} row;

/*
 * Cut `line`, of `length` bytes and a NUL, into r->fields. The line is changed.
 *
 *     1.5, "2", yes it is; 4  # comment         4 fields, of which "yes it is" is no number
 *
 * Commas, semicolons, tabs and runs of spaces separate fields. Double quotes may enclose a field. A
 * # outside quotes begins a comment. Text that is no number extends to the next comma, semicolon or
 * tab, or to the next space if the line has none of these.
 */
void row_parse(row *r, char *line, size_t length);

/* Add a field that stands alone, as a value of JSON does: `length` bytes and a NUL, borrowed. r->n
 * and the time begin as 0 and false. */
void row_add(row *r, const char *text, size_t length);

/* Add the empty fields at the end that tabs stand for, if then there are n. */
void row_pad(row *r, size_t n);

#endif
