/*
 * jsonl.h - a line of JSON Lines as a row (row.h): a field for each column, then the time.
 *
 *     {"ts": "2026-11-21T08:00:00Z", "door": {"angle": 12.5, "open": true}, "v": [7, null]}
 *
 *     --time-column ts --columns door.angle,door.open,v.1     12.5, 1, NaN, and the time
 *
 * Every line is an object or every line is an array. The columns are its keys or elements, as the
 * first line has them in order; numbers count these from 1. A name is a path: keys and element
 * numbers (from 0), joined by dots. A key may itself hold dots. Without a list of columns, those
 * keys count that have a number or a boolean in the first line; of an array, all elements do.
 *
 * true is 1 and false is 0. null, NaN and what a line lacks are NaN. A string counts as the same
 * word would in text: "1.5" is a number and "NA" is no value. Of a key that comes twice, the last
 * one counts. A line without any of the columns, not even null, is passed over, the first one too.
 */
#ifndef IO_TABLES_JSONL_H
#define IO_TABLES_JSONL_H

#include "io/source_ops.h"
#include "io/tables/row.h"

typedef struct jsonl jsonl;

/* The options outlive it, and so does *passed_over: the number of rows without any of the columns.
 * NULL: out of memory. */
jsonl *jsonl_create(const source_options *o, uint64_t *passed_over);
void jsonl_free(jsonl *j); /* NULL is allowed */

/*
 * Parse `line`, of `length` bytes and a NUL, into r->fields, which has room for each column, one
 * more, and as many as the line has bytes. The line is changed. The fields are valid until the next
 * call. A blank line has none, nor has a row without any of the columns. r->time_column is set: the
 * last field, or 0 if there are no times. false: the line is bad, for the reason in reason[size];
 * or source_fail was called.
 */
bool jsonl_parse(jsonl *j, source *src, row *r, char *line, size_t length, char *reason,
                 size_t size);

/* The names in the last line, for a message: "'t', 'x'". */
void jsonl_list(const jsonl *j, char *out, size_t size);

/* The name of a column, from 1. */
const char *jsonl_name(const jsonl *j, size_t column);

#endif
