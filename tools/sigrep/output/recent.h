/*
 * recent.h - the recent samples of an input, with what is around a match.
 *
 *     samples    0 ............|..........| gap |...........
 *     records    0 ... forgotten | kept ..| kept ..........|
 *                                <- span ->
 *
 * A record is a sample with its frame, and its time and line if the input has them. A span is a run
 * of records without samples missing between them.
 */
#ifndef TOOLS_SIGREP_OUTPUT_RECENT_H
#define TOOLS_SIGREP_OUTPUT_RECENT_H

#include "io/text_buffer.h"
#include "io/time/exact_time.h"

typedef struct recent recent;

typedef struct {
    size_t frame_bytes;
    double rate_hz;
    bool has_times; /* of a column: they count, not the rate */
    bool has_lines;
    bool keeps_all; /* recent_forget has no effect */
} recent_settings;

typedef struct {
    uint64_t record;   /* of the sample that was asked for */
    uint64_t from, to; /* records of the span */
    bool is_closed;    /* nothing will be added to it */
} recent_span;

/* NULL: out of memory. */
recent *recent_create(const recent_settings *settings);
void recent_destroy(recent *r); /* NULL is allowed */

/* Add n samples; times and lines (n of them, with newlines; empty ones count as
 * none) if there are any. NULL, or what went
 * wrong: then r can only be read and destroyed. */
const char *recent_add(recent *r, const void *frames, const exact_time *times,
                       const text_buffer *lines, size_t n);

/* n samples are missing here. NULL, or what went wrong. */
const char *recent_gap(recent *r, uint64_t n);

/* Nothing will be added: all spans are closed. */
void recent_end(recent *r);

/* The number of samples, gaps included. */
uint64_t recent_samples(const recent *r);

/* Forget the records more than `seconds` before the last `horizon` ones, but none from `needed` on.
 */
void recent_forget(recent *r, uint64_t horizon, double seconds, uint64_t needed);

/* The span of a sample. `from` is at or after what was forgotten. An empty one if all of it was. */
recent_span recent_find(const recent *r, uint64_t sample);

/* The first record of the span that lies at most `seconds` before the span's `record`, whose time
 * is `time`. */
uint64_t recent_before(recent *r, const recent_span *span, double seconds, exact_time time);

/* The end of the records that begin less than `seconds` after the end of a match, at `time`. The
 * records before `end` are known to. *is_whole: no record that may come will. */
uint64_t recent_after(recent *r, const recent_span *span, uint64_t over, uint64_t end,
                      double seconds, exact_time time, bool *is_whole);

/* Copy frames, or append lines, of the records [from, to), which are kept. NULL, or what went
 * wrong. */
const char *recent_frames(recent *r, uint64_t from, uint64_t to, void *frames);
const char *recent_lines(recent *r, uint64_t from, uint64_t to, text_buffer *lines);

#endif
