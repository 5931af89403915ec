/*
 * left_out.h - what a table had that made gaps or no samples: counted, and reported once, when the
 * input ends or nobody reads on. Begin with a zeroed one.
 */
#ifndef IO_TABLES_LEFT_OUT_H
#define IO_TABLES_LEFT_OUT_H

#include "io/source_ops.h"

typedef struct {
    uint64_t *missing; /* values of each channel */
    size_t channels;
    uint64_t headers;    /* lines that repeat the header */
    uint64_t blank;      /* lines between the rows of a single column ... */
    uint64_t pending;    /* ... and those that no row has followed yet */
    uint64_t words;      /* rows that begin with a word: footers, if they are few */
    uint64_t first_word; /* the line of the first of them */
    uint64_t rows;       /* that begin with a number or time */
    uint64_t others;     /* rows of JSON without any of the columns */
    bool is_reported;
} left_out;

/* false: out of memory. */
bool left_out_begin(left_out *l, size_t channels);
void left_out_free(left_out *l);

/* The channel with the most missing values, and their number in all channels, 0: none is missing.
 */
uint64_t left_out_missing(const left_out *l, size_t *channel);

/* A row follows the blank lines. */
void left_out_end_blank(left_out *l);

/* The missing values are reported otherwise. */
void left_out_forget_missing(left_out *l, source *src);

/* Report all once, as warnings. `name`: of the column with the most missing values. */
void left_out_report(left_out *l, source *src, const char *name);

#endif
