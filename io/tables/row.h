/*
 * row.h - one line of text, cut into fields. text.c adds line numbers and the choice of columns.
 */
#ifndef IO_TABLES_ROW_H
#define IO_TABLES_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "io/time/exact_time.h"
#include "io/time/time_pattern.h"

enum { ROW_LINE = 65536 }; /* bytes of the longest line */

typedef struct {
    const char *text; /* borrowed from the line, without quotes; for messages */
    size_t length;    /* bytes */
    double value;     /* if `number` */
    bool number;
    bool missing; /* no number but a word for none, or empty; `value` is NaN */
    bool quoted;
} field;

typedef struct {
    char separator;        /* of the table: a comma, semicolon, tab, or a blank: runs of blanks */
    char comment;          /* begins comments; 0: # */
    char decimal;          /* of its numbers: a point or comma; 0: only whole ones so far */
    bool is_decimal_given; /* the other one stands between thousands */
    size_t time_column;    /* from 1: this field is a time; 0: none */
    size_t clock_column;   /* ... but its time of day is in this one; 0: it is one field */
    const time_pattern *format; /* of times, borrowed; NULL: a number, ISO 8601 or ... */
    time_pattern form;          /* ... that of the first time that is neither; "": none so far */
    field *fields;      /* the caller's; room for one more than the line has bytes: all commas */
    size_t n;           /* fields; 0: a blank line or a comment */
    bool is_blank;      /* nor is there a comment */
    size_t n_trailing;  /* tabs at the end, which make no field */
    bool mixed;         /* it has decimals of the other kind than `decimal`; they are no numbers */
    exact_time time;    /* of the time column: seconds, since 1970 if time_iso */
    bool time_ok;       /* the time is there */
    bool time_iso;      /* it is a date */
    bool time_has_form; /* `format` or `form` */
} row;

/*
 * Cut `line`, of `length` bytes and a NUL, into r->fields. The line is changed.
 *
 *     1.5, "2", yes it is, 4  # comment         4 fields, of which "yes it is" is no number
 *
 * r->separator separates fields, and blanks beside it are left out. Double quotes may enclose a
 * field, and two of them in it are one. Unless commas separate, a number may have a decimal comma;
 * then no other may have a point, but between thousands: marked_number.h. A # outside quotes begins
 * a comment: at the start of the line, after a number and a blank, or between blanks; but not #N/A
 * and other words for no value.
 */
void row_parse(row *r, char *line, size_t length);

/* Is the line blank, or a comment? */
bool row_is_blank(const char *line, char comment);

/* Add a field that stands alone, as a value of JSON does: `length` bytes and a NUL, borrowed. r->n
 * and the time begin as 0 and false. */
void row_add(row *r, const char *text, size_t length);

/* Add the empty fields at the end that tabs stand for, and one more if may_lack_last, if then there
 * are n. */
void row_pad(row *r, size_t n, bool may_lack_last);

/*
 * Parse [+-]digits[.digits] at `text`, followed by a character that is no letter, digit or point:
 * the common decimal fractions, faster than strtod and with the same bits. Returns the
 * bytes used. 0: not of this form, or too long; *value is unchanged, and strtod must
 * decide.
 *
 * W. D. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990: the digits make a
 * whole number w <= 2^53, the places after the point a power 10^k with k <= 22. Both are exact
 * doubles, so w / 10^k is rounded only once.
 */
size_t decimal_to_double(const char *text, double *value);

enum {
    TEXT_FIELD_BYTES = 24,                       /* of a field in a message, about */
    TEXT_FIELD_SHOWN = 4 * TEXT_FIELD_BYTES + 16 /* bytes of `shown` */
};

/* Is the field a date or a time, in whatever form? */
bool text_field_is_time(const field *f);

/* The field in quotes. It may hold anything, so it is shortened and escaped. */
const char *text_field_show(const field *f, char shown[TEXT_FIELD_SHOWN]);

/* Write into reason[size] why r->fields[index] is not a `what`: a number or a time. If no row of
 * numbers came before and the field is a date or a time, the reason names the options for it. */
void text_field_refuse(const row *r, size_t index, const char *what, bool is_first, char *reason,
                       size_t size);

#endif
