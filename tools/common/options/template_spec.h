/*
 * template_spec.h - TEMPLATE as the user writes it:
 *
 *     [LABEL=]FILE[@START-END]
 *
 * The first '=' counts, if no '/' precedes it. The last '@' counts if a START-END follows it. Else
 * both belong to the name. START-END cuts a template out of a file:
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
#ifndef TOOLS_COMMON_OPTIONS_TEMPLATE_SPEC_H
#define TOOLS_COMMON_OPTIONS_TEMPLATE_SPEC_H

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

typedef struct template_spec {
    char *label;           /* NULL: none was given */
    bool is_default_label; /* the labels of a table go before it */
    char *path;
    bool has_range;
    time_range range; /* its text is a part of the one that was parsed */
} template_spec;

/* NULL, or why `text` is no template; then *spec is empty. The caller frees it. */
const char *template_spec_parse(template_spec *spec, const char *text);
void template_spec_free(template_spec *spec);

/* What follows the last '/' that is not at the end: "a/b/" gives "b/". */
const char *template_base_name(const char *path);

/* The base name without its extension, the label of a template that was given none: "a/b.wav" gives
 * "b", ".wav" stays. The caller frees it; NULL: out of memory. */
char *template_stem(const char *path);

#endif
