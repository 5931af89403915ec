/*
 * file_time.h - the time at which a recording begins, as recorders write it into its name:
 *
 *     20260101_120000.WAV                AudioMoth
 *     GARDEN_20260101_120000.wav         Song Meter; _ may also be T, - or $
 *     GARDEN_20260101_120000_250.wav     with milliseconds
 *     20260101T120000+1000_REC.flac      with a zone: Z, or after a T hours and minutes
 */
#ifndef IO_TIME_FILE_TIME_H
#define IO_TIME_FILE_TIME_H

#include "io/time/exact_time.h"

/* Parse the first such time in a path's last name. Without a zone it is_local. false: it has none.
 */
bool file_time_parse(const char *path, exact_time *time);

#endif
