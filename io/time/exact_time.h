/*
 * exact_time.h - a time that a column of the input gives, exact to a nanosecond. A double would
 * know an epoch of 1.7e9 s to 0.24 us only.
 */
#ifndef IO_TIME_EXACT_TIME_H
#define IO_TIME_EXACT_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct exact_time {
    int64_t seconds;  /* since 0 or 1970, rounded down; |seconds| <= 2^61 if the input gives it */
    int32_t ns;       /* after these seconds, [0, 1e9); -1: the time is not known */
    int16_t decimals; /* of seconds, 0 to 9: as many as this time needs, or more */
    bool is_local;    /* a date whose zone is not known; taken as UTC */
} exact_time;

static inline exact_time exact_time_unknown(void)
{
    return (exact_time){.ns = -1};
}

static inline bool exact_time_is_known(exact_time t)
{
    return t.ns >= 0;
}

/* ns in [0, 1e9]. It has the decimals that it needs. */
exact_time exact_time_make(int64_t seconds, int32_t ns);

/* Parse a number of seconds at `text`, which a NUL ends: [+-]digits[.digits][e[+-]digits]. It is
 * rounded to a nanosecond, halves away from 0. Returns the bytes used; 0: no such number, or beyond
 * 2^61 s. */
size_t exact_time_parse(const char *text, exact_time *t);

/*
 * Parse a date and time of day at the start of `text`, which a NUL ends, to seconds since
 * 1970-01-01T00:00:00Z:
 *
 *     YYYY-MM-DD[(T| )hh:mm[:ss[.fraction]][Z|+hh:mm|+hhmm|+hh|-...]]      no zone: is_local
 *     YYYYMMDDThhmm[ss[.fraction]][Z|...]
 *
 * Returns the bytes used, 0 if it is no time. The caller judges what follows. Second 60 is the one
 * after 59.
 */
size_t iso8601_parse(const char *text, exact_time *time);

/* Parse blanks and a zone (+hhmm, +hh:mm, -..., Z, UTC or GMT) after a date and time of day that
 * has none, and apply it to *time. Returns the bytes used, 0: no such zone. Between blanks, +0100
 * might be the next column. */
size_t iso8601_parse_zone(const char *text, exact_time *time);

/* Set *time to year, month, day, hour, minute and second, is_local. false: there is no such one. */
bool exact_time_from_date(const int date[6], exact_time *time);

/* Is a before b, both known? */
bool exact_time_is_before(exact_time a, exact_time b);

/* `last`, and once more the step from `previous` to it. Both are known. */
exact_time exact_time_step_on(exact_time previous, exact_time last);

/* How long after `from` a time is, with its decimals. Unknown if that time is; `from` is known. */
exact_time exact_time_since(exact_time from, exact_time t);

/* Nanoseconds from one known time to another, exact below 2^53. */
double exact_time_ns_between(exact_time from, exact_time to);

/* The time k / n of the way from one known time to another, 0 <= k <= n, rounded to the decimals
 * that these two have. */
exact_time exact_time_part_way(exact_time from, exact_time to, uint64_t k, uint64_t n);

/* A time that was written in units of 10^-places seconds, 3, 6 or 9, and read as seconds. */
exact_time exact_time_from_unit(exact_time number, int places);

double exact_time_as_double(exact_time t);

#endif
