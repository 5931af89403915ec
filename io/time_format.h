/*
 * time_format.h - positions as text: seconds, samples, H:M:S or ISO 8601 UTC.
 *
 * The time of sample n is n / rate, rounded once, to the nearest unit of the last
 * decimal, halves away from 0. Rates that are whole numbers (all but odd text input) are
 * divided digit by digit, so there is no drift at any count of 64 bits. Other rates go
 * through long double (64-bit mantissa or more), right to 1e-19 of the value. There are
 * max(3, ceil(log10 rate)) decimals, so that different samples have different times.
 */
#ifndef IO_TIME_FORMAT_H
#define IO_TIME_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rates for which times are promised; options refuse others. */
#define TIME_RATE_MIN 1e-9
#define TIME_RATE_MAX 1e12

/* Room for any time, terminating NUL included. */
#define TIME_TEXT_SIZE 384

typedef enum { TIME_SECONDS, TIME_SAMPLES, TIME_HMS, TIME_CLOCK } time_style;

/* How an input's samples lie in time. */
typedef struct {
    double rate_hz;
    int64_t epoch_s;  /* seconds since 1970 at time 0, for TIME_CLOCK ... */
    int32_t epoch_ns; /* ... and nanoseconds in [0, 1e9) */
    bool from_column; /* times were read, not counted: see time_point.seconds */
} time_scale;

typedef struct {
    uint64_t sample;
    double seconds; /* where scale.from_column */
} time_point;

/* "seconds", "samples", "hms", "clock". */
bool time_style_parse(const char *word, time_style *style);

/* Decimals of a time at this rate. */
unsigned time_decimals(double rate_hz);

/* Write `point` into out. HH:MM:SS.mmm (hours grow) and YYYY-MM-DDTHH:MM:SS.mmmZ. A time
 * that is not finite is "nan", and one beyond +-1e15 s is given in seconds. */
void time_format(char out[TIME_TEXT_SIZE], time_style style, const time_scale *scale,
                 time_point point);

#endif
