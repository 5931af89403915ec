/*
 * time_range.h - the START-END that cuts a template out of a file, and which samples it names.
 *
 *     80-82                               seconds: decimals, without a sign or an exponent
 *     1:20:00.5-1:30:00                   hours, minutes, seconds
 *     2026-09-01T10:00-2026-09-01T10:01   dates and times in ISO 8601 (io/time/exact_time.h)
 *
 * Of a file with a time column these are the column's own times. If that has dates, also:
 * - numbers below 1e8 are seconds after the first sample; from 1e8 on seconds since 1970, and from
 *   1e11 on milliseconds;
 * - hours are hours of the day, UTC, at or after the first sample.
 */
#ifndef TOOLS_COMMON_OPTIONS_TIME_RANGE_H
#define TOOLS_COMMON_OPTIONS_TIME_RANGE_H

#include "io/source.h"
#include "io/time/exact_time.h"

typedef enum { RANGE_SECONDS, RANGE_HOURS, RANGE_DATES } time_range_kind;

typedef struct {
    const char *text; /* as it was written, borrowed */
    time_range_kind kind;
    exact_time start, end; /* start before end; of hours only: not the same */
    double start_s, end_s; /* the same */
} time_range;

/* Parse all of `text`. false: it is no range. */
bool time_range_parse(time_range *r, const char *text);

/* The samples of a file whose times lie in a range. */
typedef struct {
    const time_range *range;
    source_times times; /* what the file's times are; not SOURCE_NO_TIMES */
    double step_ns;     /* one step of the file, about */
    exact_time start, end;
    exact_time first, last; /* known times of the file so far */
    uint64_t n;             /* samples so far */
    uint64_t begin_at, end_at;
    bool has_begin, has_end;
} time_cut;

/* Begin; the range is borrowed. */
time_cut time_cut_of(const time_range *range, const source_info *info);

/* Add the times of the next n samples. */
void time_cut_add(time_cut *c, const exact_time *times, size_t n);

/* After all samples, find the part [*begin, *end). It begins with the first sample whose time is
 * not before START, and ends before the next one whose time is not before END. START may lie up to
 * a step before the first time, END up to a step after the last. Returns NULL, or why there is no
 * such part. */
const char *time_cut_find(const time_cut *c, uint64_t *begin, uint64_t *end);

#endif
