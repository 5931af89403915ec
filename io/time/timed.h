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

/* Is there a frame that can be read without reading the input? */
bool timed_is_ready(const source *src);

/*
 * How far apart the times of a column are, judged by its first steps.
 *
 *     times     0.00  0.01  0.02  0.04  0.05        from a sample to the next, both times known
 *     steps         10    10    20    10   ms       their median: 10 ms, so the rate is 100 Hz
 */
enum {
    TIME_STEPS = 64,    /* the steps that count: the first ones */
    TIME_STEPS_GAP = 5, /* a longer jump, in medians, is a gap */
};

/* Begin with time_steps_none. */
typedef struct {
    double ns[TIME_STEPS];
    size_t n;
    exact_time last; /* of the sample before */
} time_steps;

time_steps time_steps_none(void);

/* Add the time of the next sample. A time that goes back makes no step. Steps beyond TIME_STEPS are
 * not counted. */
void time_steps_add(time_steps *s, exact_time time);

/* The median in nanoseconds; of an even number, the mean of the two in the middle. 0: there is no
 * step, or most of them are 0. */
double time_steps_median(const time_steps *s);

/* The same, but of an even number the lower of the two. */
double time_steps_low_median(const time_steps *s);

/* The number of steps that differ from the median by more than a tenth of it, if those are most of
 * them, or if two, and more than a quarter, are 1.5 to 5 medians long. Else 0. */
size_t time_steps_uneven(const time_steps *s);

#endif
