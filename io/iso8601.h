/*
 * iso8601.h - a date and time of day to seconds since 1970-01-01T00:00:00Z.
 */
#ifndef IO_ISO8601_H
#define IO_ISO8601_H

#include <stddef.h>

/* Parse YYYY-MM-DD, then T or a space and hh:mm, then :ss, a fraction, and Z or +hh:mm
 * (also +hhmm, +hh, -...), all but the date optional from the right; no zone is UTC.
 * `text` ends with a NUL. Returns the bytes used, 0 where it is no such time; what follows
 * is the caller's to judge. Second 60 is the one after 59. */
size_t iso8601_parse(const char *text, double *seconds);

#endif
