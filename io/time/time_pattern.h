/*
 * time_pattern.h - times as people write them: by a format of strptime, or by one of these forms,
 * which are certain:
 *
 *     31.12.2026                 the day first, as always with points
 *     2026/12/31   2026-12-31    the year first
 *     23:59:59                   a time of day, behind a date or alone
 *     11:59:59 PM   23:59:59,25  ... with AM or PM; with a fraction behind a point or comma
 *
 * 12/31/2026 and 31/12/26 are not certain: they need a format.
 */
#ifndef IO_TIME_TIME_PATTERN_H
#define IO_TIME_TIME_PATTERN_H

#include <stdbool.h>

typedef struct exact_time exact_time; /* io/time/exact_time.h */

enum { TIME_PATTERN_SIZE = 64 /* bytes of a format, and of a time, NUL included */ };

typedef struct time_pattern {
    char format[TIME_PATTERN_SIZE];         /* of strptime, without %f */
    char to_fraction[TIME_PATTERN_SIZE];    /* its part before the fraction of seconds */
    bool needs_fraction, may_have_fraction; /* digits; a mark and digits */
    bool has_date, has_zone;
} time_pattern;

/* Parse a format of strptime(3), in which %f is a fraction of seconds: digits. NULL, or why it is
 * refused: what it writes must give back a time. */
const char *time_pattern_parse(time_pattern *p, const char *format);

/* Find the form of this text among those above. false: it has none. */
bool time_pattern_find(time_pattern *p, const char *text);

/* Read all of `text`. A date is since 1970, is_local without a zone; without has_date it is
 * seconds. false: it is no such time; *t is unchanged. */
bool time_pattern_read(const time_pattern *p, const char *text, exact_time *t);

#endif
