/*
 * row.h - one line of text cut into fields. No line numbers, no columns: text.c's.
 */
#ifndef IO_ROW_H
#define IO_ROW_H

#include <stdbool.h>
#include <stddef.h>

enum { ROW_LINE = 65536 }; /* bytes of the longest line */

typedef struct {
    const char *text; /* into the line, without quotes; for messages */
    size_t length;
    float value;
    bool number;
} field;

typedef struct {
    size_t time_column; /* from 1: that field is a time; 0: none */
    field *fields;      /* room for one more than the line has bytes: it may be all commas */
    size_t n;
    bool mixed;    /* both commas and semicolons separate: decimal commas, most likely */
    double time_s; /* of the time column */
    bool time_ok;  /* it is there, and a finite number or ISO 8601 */
    bool time_iso;
} row;

/* Cut `line` (length bytes, then a NUL) at commas, semicolons, tabs and runs of spaces;
 * what follows a # outside quotes is a comment, and goes. Double quotes may stand around
 * a field. A field that is no number reaches to the next comma, semicolon or tab where
 * the line has them. n is 0 for a blank line or a comment. The line is changed. */
void row_parse(row *r, char *line, size_t length);

#endif
