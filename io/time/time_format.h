/*
 * time_format.h - positions in a stream as text: seconds, samples, H:M:S or ISO 8601 in UTC.
 *
 * Sample n is at n / rate seconds, rounded once to the last decimal, halves away from 0. There are
 * max(3, ceil(log10 rate)) decimals, so that different samples have different times.
 *
 * Times of a column are exact. They have at least the decimals that the time says.
 *
 * Whole rates are divided digit by digit: no count of 64 bits drifts. Other rates use
 * long double, exact to 1e-19 of the value.
 */
#ifndef IO_TIME_TIME_FORMAT_H
#define IO_TIME_TIME_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/time/exact_time.h"

/* The rates in Hz for which this holds; options refuse others. */
#define TIME_RATE_MIN 1e-9
#define TIME_RATE_MAX 1e12

#define TIME_TEXT_SIZE 384 /* bytes of the longest time, NUL included */

typedef enum { TIME_SECONDS, TIME_SAMPLES, TIME_HMS, TIME_CLOCK } time_style;

/* How the samples of an input lie in time. */
typedef struct {
    double rate_hz;
    int64_t epoch_s;  /* for TIME_CLOCK: the time of sample 0, in seconds since 1970 ... */
    int32_t epoch_ns; /* ... and nanoseconds, [0, 1e9) */
    bool from_column; /* times were read from the input, not counted */
    bool is_local;    /* TIME_CLOCK: the zone of the epoch is not known */
    bool says_utc;    /* TIME_CLOCK: times without a zone get a Z, too */
    bool in_zone;     /* TIME_CLOCK: in the program's zone (time_zone.h), not in UTC */
} time_scale;

typedef struct {
    uint64_t sample;
    exact_time time; /* with scale.from_column */
} time_point;

/* Parse "seconds", "samples", "hms" or "clock". false: none of these. */
bool time_style_parse(const char *word, time_style *style);

/* The number of decimals of a time at this rate. */
unsigned time_decimals(double rate_hz);

/* Write `point` into out: 12.345, 12345, HH:MM:SS.mmm (hours grow) or YYYY-MM-DDTHH:MM:SS.mmmZ,
 * without the Z if the time is_local, +HH:MM in its place in a zone. A time that is not known is
 * "nan"; beyond +-1e15 s it is in seconds in every style. */
void time_format(char out[TIME_TEXT_SIZE], time_style style, const time_scale *scale,
                 time_point point);

#endif
