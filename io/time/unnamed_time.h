/*
 * unnamed_time.h - finds a column of dates as numbers that nobody named as the time, so that it
 * would be compared as a signal.
 */
#ifndef IO_TIME_UNNAMED_TIME_H
#define IO_TIME_UNNAMED_TIME_H

#include "io/source_ops.h"
#include "io/time/exact_time.h"

enum { UNNAMED_COLUMNS = 16 /* the first ones are looked at */ };

/* Begin with zeros. */
typedef struct {
    exact_time first[UNNAMED_COLUMNS]; /* of the first row */
    size_t rows[UNNAMED_COLUMNS];      /* that were looked at */
    bool is_reported;
} unnamed_time;

/* Look at a field of the next row, `column` counted from 1. true, once: in the first two rows it is
 * a time of the years 2000 to 2099 as time_kind.h knows them, and does not go back. Not in
 * templates for a search, nor if columns or the time are named, or if there is no other column. */
bool unnamed_time_look(unnamed_time *u, const source *src, size_t column, const char *field);

/* Warn of this column, shown so. `name`: for --time-column. */
void unnamed_time_report(source *src, const char *shown, const char *name);

#endif
