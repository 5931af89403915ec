/*
 * timed.h - what stands between a back end and source_read if the input has a time column, or if
 * gaps are to be bridged.
 *
 *     back end --> timed: rate, gaps --> fill.h: bridges --> source_read
 *
 * - The rate is that of the first steps. Opening waits for TIME_STEPS of them, for TIMED_FRAMES
 *   frames, or for the end; for STAMPS_FRAMES if most times are equal. -r and near_rate_hz take its
 * place (source.h).
 * - Numbers become seconds, or seconds since 1970: time_kind.h. Rows that share a stamp share its
 *   interval: stamps.h.
 * - A jump of more than TIME_STEPS_GAP steps, or backwards, becomes one frame of NaN without a
 *   time, and a warning.
 * - fill_s: a jump that is short enough becomes frames at even times, and all runs of missing
 *   values that are short enough become straight lines.
 *
 * - even_hz: rows become samples at even times, by straight lines between them: even_times.h.
 *
 * docs/SEMANTICS.md has the rules. Nothing depends on how the frames are cut into reads.
 */
#ifndef IO_TIME_TIMED_H
#define IO_TIME_TIMED_H

#include "io/source_ops.h"
#include "io/time/exact_time.h"

enum { TIMED_FRAMES = 1024 };

/* Set src->timed if the input needs it, and the rate in src->info. Not for microphones. false
 * after source_fail. */
bool timed_open(source *src);
void timed_close(source *src);

/* As source_ops.read. Frames that wait for others come before the end or an error. */
ssize_t timed_read(source *src, double *frames, exact_time *times, size_t max, bool wait);

/* As source_lines, with an empty line for each frame that is made up. */
kept_lines *timed_lines(source *src);

/* As source_unsettled. */
size_t timed_unsettled(const source *src);

/* Is there a frame that can be read without reading the input? */
bool timed_is_ready(const source *src);

#endif
