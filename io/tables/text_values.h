/*
 * text_values.h - the values of a source of text, and warnings of those that become gaps. Begin
 * with a zeroed one.
 */
#ifndef IO_TABLES_TEXT_VALUES_H
#define IO_TABLES_TEXT_VALUES_H

#include "io/source_ops.h"
#include "io/tables/row.h"

typedef struct jsonl jsonl; /* io/tables/jsonl.h */

typedef struct {
    bool beyond_reported;
    size_t lacking;     /* a column that the last row lacks or has as NaN, from 1; 0: none */
    size_t n_lacking;   /* rows */
    bool has_whole_row; /* or its lack was reported */
    uint64_t chosen;    /* of the first 64 columns, one a bit, those that are read ... */
    uint64_t filled;    /* ... and those that have a value in some row */
} text_values;

/* The value of a field of row r in this line. The first that float32 cannot hold is reported. */
float text_values_take(source *src, text_values *v, const row *r, size_t index, uint64_t line);

/* Count a row of which all values were taken. `lacking` is then for the next one. Returns true if
 * the first rows all lack a value, so that it is time to report that. */
bool text_values_end_row(text_values *v);

/* Warn if every row so far lacks a value, and bridges (fill_s) make none whole: then nothing can be
 * found. json: of JSON Lines; else NULL. */
void text_values_report_lacking(source *src, text_values *v, const jsonl *json);

#endif
