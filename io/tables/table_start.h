/*
 * table_start.h - the first lines of a table: which character separates, which line has the names,
 * which one is the first row. They are held until that is clear.
 *
 *     sep=;                    names the separator
 *     Logger 5, made by X      before the table: passed over
 *     t;V(a,b)                 names: as many as the row has values
 *     s;V                      words between, above numbers: units, passed over
 *     0;oops                   has a number in a column of numbers: a bad row
 *     0,5;12,25                the first row: its chosen columns are values
 *
 * Of tabs, semicolons, commas and blanks, the one separates by which names and row agree in number,
 * and the row has the fewest words.
 */
#ifndef IO_TABLES_TABLE_START_H
#define IO_TABLES_TABLE_START_H

#include "io/source_ops.h"
#include "io/tables/row.h"

enum { START_LINES = 64 /* held, at most */ };

typedef struct {
    char *text; /* as it is in the file */
    size_t length;
    uint64_t number; /* from 1 */
    bool is_bad;     /* a row, but with a word in a column of numbers */
} start_line;

/* A line that was cut, with memory of its own. */
typedef struct {
    char *line;
    const char *text; /* the same, as it was written; borrowed */
    field *fields;
    row row;
} start_cut;

typedef struct {
    const source_options *options;
    start_line lines[START_LINES];
    size_t n;
    size_t row;    /* its index; n: there is none */
    size_t header; /* of the names; n: there are none */
    size_t time_column, clock_column, group_column;
    char separator;
    ptrdiff_t shift;    /* add it to the number of a name to have that of the column ... */
    size_t shift_after; /* ... if that is larger */
    bool names_agree;   /* in number, with the row */
    bool is_named;      /* all names that were asked for are in the header */
    bool is_odd_header; /* it has numbers, or words for missing values */
    bool has_doubt;     /* line `doubt` may be a row; the next line with numbers tells */
    size_t doubt;
    bool first_is_names; /* though it has numbers */
    bool is_unclear;     /* the first row may be names or units as well */
    bool has_comment;    /* a line before the first row is one */
    bool is_counted;     /* the first row counts 0, 1, 2: it may be a header of pandas */
    char forced;         /* the separator by sep=; 0: none */
    bool is_out_of_memory;
    start_cut names, first; /* the lines `header` and `row`, cut, once START_ROW was returned */
} table_start;

typedef enum {
    START_WAITING, /* for the next line */
    START_ROW,     /* `row` is the first row */
} start_state;

/* How the options read rows, without fields and a time column. */
row table_row(const source_options *o, char separator);

/* Begin with a zeroed one and `options`. */
void table_start_free(table_start *s);

/* Hold a line that is neither blank nor a comment. false: out of memory. */
bool table_start_add(table_start *s, const char *line, size_t length, uint64_t number);

/* Judge the lines so far. The last one may have to wait for the next, unless is_end. */
start_state table_start_judge(table_start *s, bool is_end);

/* Lines that are neither names, row nor bad, and the number of the first of them. */
size_t table_start_passed_over(const table_start *s, uint64_t *first);

/* There is no first row: take the first line with a number for it, or the second line, so that an
 * error can name what is wrong with it. false: there is none. */
bool table_start_guess(table_start *s);

#endif
