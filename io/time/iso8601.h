/*
 * iso8601.h - a date and time of day to seconds since 1970-01-01T00:00:00Z, to a nanosecond.
 *
 *     YYYY-MM-DD[(T| )hh:mm[:ss[.fraction]][Z|+hh:mm|+hhmm|+hh|-...]]      no zone: UTC
 */
#ifndef IO_TIME_ISO8601_H
#define IO_TIME_ISO8601_H

#include <stddef.h>

#include "io/time/exact_time.h"

/* Parse a time at the start of `text`, which a NUL ends. Returns the bytes used, 0 if it is no
 * time. The caller judges what follows. Second 60 is the one after 59. */
size_t iso8601_parse(const char *text, exact_time *time);

#endif
