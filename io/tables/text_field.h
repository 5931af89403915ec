/*
 * text_field.h - words about a field of text that is not what it should be.
 *
 *     "'abc' is not a number"      "column 3 is empty"
 */
#ifndef IO_TABLES_TEXT_FIELD_H
#define IO_TABLES_TEXT_FIELD_H

#include "io/tables/row.h"

enum {
    TEXT_FIELD_BYTES = 24,                      /* of a field in a message */
    TEXT_FIELD_SHOWN = 4 * TEXT_FIELD_BYTES + 8 /* bytes of `shown` */
};

/* The field in quotes. It may hold anything, so it is shortened and escaped. */
const char *text_field_show(const field *f, char shown[TEXT_FIELD_SHOWN]);

/* Write into reason[size] why r->fields[index] is not a `what`: a number or a time. If no row of
 * numbers came before and the field is a date or a time, the reason names the options for it. */
void text_field_refuse(const row *r, size_t index, const char *what, bool is_first, char *reason,
                       size_t size);

#endif
