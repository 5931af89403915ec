/*
 * stamps.h - rows that share stamps: times coarser than the step from row to row.
 *
 *     stamps    5   5   5   5   6   6   6   6   7   7         unit: 1 s, 4 rows a stamp
 *     times     5.0 .25 .5  .75 6.0 .25 .5  .75 7.0 .25       step: 0.25 s
 *
 * Row k of a stamp gets stamp + k * step, but not beyond stamp + unit - step. No row waits for the
 * next stamp.
 */
#ifndef IO_TIME_STAMPS_H
#define IO_TIME_STAMPS_H

#include "io/time/exact_time.h"

enum { STAMPS_FRAMES = 8192 /* the most first rows that are judged */ };

typedef struct {
    double unit_ns;    /* from stamp to stamp; 0: rows have times of their own */
    double step_ns;    /* from row to row, in (0, unit_ns] */
    double slack;      /* of the step's rate, relative: how exactly it is known */
    exact_time stamp;  /* the last one */
    uint64_t row;      /* of the last row, in this stamp, from 0 */
    bool has_no_begin; /* of its rows the first may be missing: the first stamp, or after a gap */
} stamps;

/* Judge by the first n times, unknown ones included. Rows share stamps if two steps or more are 0,
 * an eighth or more of them, and not all. */
stamps stamps_judge(const exact_time *times, size_t n);

/* Do these times share stamps, of which there are too few yet to judge the step, or with a rate
 * the unit? */
bool stamps_need_more(const exact_time *times, size_t n, bool has_rate);

/* Take the step of a rate, unless it is longer than the unit. */
void stamps_set_rate(stamps *s, double rate_hz);

/* Has the next row with a time, `rows` rows after the last one, the same stamp? Then *time becomes
 * its own. If it does not go back behind the stamp, it does not go back behind `last`, either. */
bool stamps_place(stamps *s, exact_time last, uint64_t rows, exact_time *time);

/* A new stamp begins. */
void stamps_begin(stamps *s, exact_time stamp, bool has_no_begin);

/* May rows be missing before a row of a new stamp, for all that stamps say? true without stamps. */
bool stamps_is_pause(const stamps *s, exact_time last, exact_time stamp);

#endif
