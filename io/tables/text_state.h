/*
 * text_state.h - what the files of text.c share; only they include it.
 *
 *     text_open.c     from the first bytes to the first row: table_start.h, names, jsonl.h
 *     text_columns.c  which columns make a frame; whether a row is good
 *     text_group.c    whether a row is of the group that is read
 *     text.c          rows, one after another, as frames
 */
#ifndef IO_TABLES_TEXT_STATE_H
#define IO_TABLES_TEXT_STATE_H

#include "io/source_ops.h"
#include "io/tables/decimal_pair.h"
#include "io/tables/jsonl.h"
#include "io/tables/left_out.h"
#include "io/tables/row.h"
#include "io/tables/table_start.h"
#include "io/tables/text_header.h"
#include "io/tables/text_lines.h"
#include "io/time/unnamed_time.h"

typedef enum {
    ROW_GOOD,
    ROW_BAD,
    ROW_OTHER, /* of another group */
    ROW_INCOMPLETE,
    ROW_END
} row_kind;

typedef struct {
    text_lines lines;
    row row;
    size_t fields_room; /* of row.fields */
    size_t *columns;    /* NULL: all but the keys: time and group */
    size_t n_columns;
    size_t group_column; /* 0: none */
    char *group;         /* of a template: the one of its rows */
    size_t width;        /* fields in every row; 0 until the first good one */
    size_t n_beyond;     /* tabs at the end of every row, if the first one told its width */
    text_header header;
    table_start *start; /* of text, until its lines are read */
    size_t held;        /* the next of those lines */
    size_t units;       /* the next of the lines after the header that may come again with it */
    uint64_t gaps;      /* bad lines before the pending row, given as frames of NaN */
    size_t lacking;     /* a column that the last row lacks or has as NaN, from 1; 0: none */
    size_t n_lacking;   /* rows */
    bool wants_times;
    bool lacks_names;     /* a template without a header, but columns are chosen by name */
    bool row_pending;     /* `row` was read while opening; text_read gives it first */
    bool is_iso;          /* the times are dates; else numbers, which timed.h judges */
    bool has_form;        /* they have a form of time_pattern.h */
    bool beyond_reported; /* a value that is too large for float32 */
    bool has_whole_row;   /* or its lack was reported: lack_reported */
    bool lack_reported;
    bool is_sure_pair; /* two fields are two values */
    uint64_t chosen;   /* of the first 64 columns, one a bit, those that are read ... */
    uint64_t filled;   /* ... and those that have a value in some row */
    left_out left_out;
    decimal_pair pair; /* else two fields may be one value */
    char shown[TEXT_FIELD_SHOWN], pair_shown[TEXT_FIELD_SHOWN];
    unnamed_time unnamed;
    jsonl *json; /* of JSON Lines; else NULL */
    char reason[SOURCE_REASON / 2];
} text;

/* Is the column, from 0, the time, or a part of it, or the group? */
static inline bool text_is_key(const text *t, size_t index)
{
    const size_t column = index + 1;
    return column == t->row.time_column || column == t->row.clock_column ||
           column == t->group_column;
}

/* How many columns of the row are such. */
static inline size_t text_keys(const text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->row.n; i++) n += text_is_key(t, i);
    return n;
}

/* Record why the line is bad. Always false. */
bool text_refuse(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool text_check_fields(text *t);

bool text_check_row(source *src, text *t);

void text_report_pair(source *src, text *t);

/* Find the numbers of named columns. false after source_fail. */
bool text_take_names(source *src, text *t);

/* May the line be a row of options.group? false: its bytes lack the word. */
bool text_may_have_group(const source *src, const text *t);

/* Whose is the row? ROW_GOOD: of the group, or there is no column of groups. ROW_OTHER: not of it,
 * so pass over it. ROW_BAD: it has no word there. ROW_END after source_fail. */
row_kind text_see_group(source *src, text *t);

/* Make room for the fields of the line, and one more: the most that it can have. A line of JSON has
 * all columns of the list and the time. */
bool text_make_fields(source *src, text *t);

/* Parse the line into the row. false: it is bad. */
bool text_parse_line(source *src, text *t);

/* Make the next line that opening held the current one. false: there is none. */
bool text_next_held(source *src, text *t);

/* Read on to the next line that is a frame, good or bad. */
row_kind text_next_row(source *src, text *t, bool wait);

/* Warn of the bad line. false: it ends the input. Before the first good line other options are to
 * be mended. */
bool text_skip_bad_line(source *src, const text *t);

/* The source_ops of text, and its source.end_warnings. */
extern const source_ops text_ops;

/* See source.read_doubles. */
ssize_t text_read(source *src, double *frames, exact_time *times, size_t max, bool wait);
void text_end_warnings(source *src);

#endif
