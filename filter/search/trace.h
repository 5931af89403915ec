/*
 * trace.h - the recurrence with starts: D(.,t) and S(.,t) of one template, a batch of
 * columns at a time, by one of the kernels of kernels/trace_kernel.h. Positions are frames
 * in 64 bits here.
 */
#ifndef FILTER_SEARCH_TRACE_H
#define FILTER_SEARCH_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/trace_kernel.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */

/* The start of a path from a column with unknown starts: too long ago. */
#define TRACE_TOO_OLD INT64_MIN

typedef struct trace {
    const trace_kernel *ops;
    trace_cells cells;
    uint64_t begin;    /* frames before the last batch */
    uint64_t position; /* frames before the next column */
} trace;

/* The end of a path: in the last row, unless stated otherwise. */
typedef struct trace_end {
    uint64_t t; /* its frame */
    float d;    /* D(m,t) */
    int64_t s;  /* S(m,t), or TRACE_TOO_OLD */
} trace_end;

/* x: length x dim, copied. ops NULL: the best there is. The caller frees it with trace_free. */
sigrep_status trace_create(trace *tr, const trace_kernel *ops, const float *x, size_t length,
                           size_t dim);
void trace_free(trace *tr);

/* A cold start: the next column is `origin`, the first frame that a path may use. */
void trace_start_cold(trace *tr, uint64_t origin);

/* D of the last column, m floats, to read or to fill in. */
float *trace_column(trace *tr);

/* Go on at `position`: the caller filled trace_column with the exact column before it. Its starts
 * are unknown. */
void trace_start_from(trace *tr, uint64_t position);

/* S of the last column, m values relative to `position`, to fill in. */
int32_t *trace_starts(trace *tr);

/* Go on at `position`: the caller filled trace_column and trace_starts with the exact column before
 * it. */
void trace_be_at(trace *tr, uint64_t position);

/* Evaluate the next n <= TRACE_BATCH columns, n x dim floats. Cells above `bound` may be
 * given as +inf, or as anything above. `watch` may be NULL; its frames count from `begin`. */
void trace_run(trace *tr, const float *frames, size_t n, float bound, trace_watch *watch);

/* The end of column t of the last batch. */
trace_end trace_at(const trace *tr, uint64_t t);

/* The first column of the last batch from `at` on, not before the batch, whose D(m,t) is <=
 * `limit`; else `position`. */
uint64_t trace_next_within(const trace *tr, uint64_t at, float limit);

/* The position after the last column of the last batch whose D(m,t) is <= `limit`; `begin` if none
 * is. */
uint64_t trace_last_within(const trace *tr, float limit);

/* Has every cell of the last column that is <= `limit` a start of `floor` or later? */
bool trace_begins_after(const trace *tr, int64_t floor, float limit);

/* Has a cell of the last column D <= limit and a start in [from, to]? */
bool trace_has(const trace *tr, float limit, int64_t from, int64_t to);

/* The earliest start, of `oldest` or later, of a cell of the last column that is <= `limit`;
 * `position` if there is none. */
int64_t trace_earliest(const trace *tr, float limit, int64_t oldest);

/* D and S of row i (from 0) in the last column. */
trace_end trace_cell(const trace *tr, size_t i);

/* Have two traces of one template the same cells up to `limit` in their last columns, with starts
 * equally long ago? Starts `length_max` or more columns ago are too old, however old. */
bool trace_agrees(const trace *tr, const trace *other, float limit, uint64_t length_max);

/* Copy D and S of the last column, m values each, and copy them back. */
void trace_save(const trace *tr, float *d, int32_t *s);
void trace_restore(trace *tr, const float *d, const int32_t *s, uint64_t position);

/* Pass over the cells of the last column that are <= `limit`, with starts of `oldest` or later. The
 * others are read as +inf and too old. The column is that before `position`. */
void trace_pass_state(trace *tr, state_bytes *st, float limit, int64_t oldest);

#endif
