/*
 * report.h - tables for people (Markdown, aligned), or the same fields as one JSON object:
 *
 *     {"sigrep_bench": VERSION, "machine": {...}, "PART": [{FIELD: VALUE, ...}, ...], ...}
 *
 * A row is printed when it ends. Numbers that do not exist (NAN) are "-" or null.
 */
#ifndef DEV_BENCH_REPORT_H
#define DEV_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "dev/bench/machine.h"

enum { REPORT_LINE = 512 };

typedef struct {
    bool json;
    bool in_part, has_rows;     /* a part was begun; it has a row */
    char heads[REPORT_LINE];    /* text: the names of the columns, for the first row */
    char rule[REPORT_LINE];     /* text: the line below them */
    char line[4 * REPORT_LINE]; /* the row so far */
    size_t fields;
} bench_report;

void report_begin(bench_report *out, bool json, const machine *here);
void report_end(bench_report *out);

/* A table: its name in JSON, its heading for people. */
void report_part(bench_report *out, const char *name, const char *heading);

/* The fields of a row: the name in JSON, the head of the column. */
void report_text(bench_report *out, const char *name, const char *head, const char *value);
void report_whole(bench_report *out, const char *name, const char *head, size_t value);
void report_real(bench_report *out, const char *name, const char *head, double value);
void report_percent(bench_report *out, const char *name, const char *head,
                    double share); /* JSON: share */
void report_row_end(bench_report *out);

#endif
