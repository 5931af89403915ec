/*
 * time_kind.h - what the numbers of a time column stand for, judged by their size:
 *
 *     1767268800           10 digits   s since 1970            [1e8, 1e11): from March 1973 on
 *     1767268800123        13          ms                      [1e11, 1e14)
 *     1767268800123456     16          us                      [1e14, 1e17)
 *     1767268800123456789  19          ns                      [1e17, 2^61)
 *     20260101120000       14          2026-01-01T12:00:00     dates without a zone, which go first
 *     12.5                             seconds without a date
 *
 * Dates have 6 (months, from three rows on), 8 (days), 10 (hours), 12 (minutes), 14 (seconds) or 17
 * digits (milliseconds), those of 14 perhaps a fraction. Their years are 1900 to 2199; those of 10
 * digits, which are also seconds since 1970 in the years 2030 to 2036, end in 2099.
 */
#ifndef IO_TIME_TIME_KIND_H
#define IO_TIME_TIME_KIND_H

#include "io/source.h"
#include "io/time/exact_time.h"

/* The kinds of dates are their digits. */
typedef enum {
    TIME_PLAIN,
    TIME_EPOCH,
    TIME_EPOCH_MS,
    TIME_EPOCH_US,
    TIME_EPOCH_NS,
    TIME_MONTHS = 6,
    TIME_DAYS = 8,
    TIME_HOURS = 10,
    TIME_MINUTES = 12,
    TIME_DATES = 14,
    TIME_DATES_MS = 17
} time_kind;

/* The kind of n numbers, of which the unknown ones do not count. They are dates if all are; else
 * the first decides. */
time_kind time_kind_of(const exact_time *numbers, size_t n);

/* The kind of numbers that count this unit, which is not TIME_UNIT_AUTO, from whenever. */
time_kind time_kind_of_unit(time_unit unit);

/* Is the time, in seconds, as large as those since 1970 are? Not if it is unknown. */
bool time_kind_is_epoch(exact_time t);

/* Does this kind give dates without a zone? */
static inline bool time_kind_has_dates(time_kind kind)
{
    return kind >= TIME_MONTHS;
}

/* Make the time of a known number. false: it is no such date. */
bool time_kind_apply(time_kind kind, exact_time *t);

#endif
