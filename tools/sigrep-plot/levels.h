/*
 * levels.h - a recording in fewer values: each bucket of samples, columns or frames becomes one.
 *
 *     samples  | | | | | | | | | | | |      bucket 4: the last bucket may be shorter
 *     buckets  |-------|-------|-------|
 */
#ifndef TOOLS_SIGREP_PLOT_LEVELS_H
#define TOOLS_SIGREP_PLOT_LEVELS_H

#include <math.h>

#include "tools/sigrep-plot/spectrogram.h"

typedef struct score_curve score_curve; /* recording.h */

/* What is reduced: [first, first + n) of samples, columns or frames, in buckets of so many. */
typedef struct {
    uint64_t first, n, bucket;
} level;

static inline size_t level_buckets(level l)
{
    return (size_t)((l.n + l.bucket - 1) / l.bucket);
}

/* The least whole bucket with which n values become at most `most`. */
static inline uint64_t level_bucket(uint64_t n, double most)
{
    const double bucket = ceil(most >= 1 ? (double)n / most : (double)n);
    return bucket > 1 ? (uint64_t)bucket : 1;
}

/* The value at the top of a curve's axis. */
double level_top(const score_curve *curve);

/* Least and highest value of each channel, of each bucket: buckets x channels x 2. NaN: no value is
 * finite. Each function returns false after a failure, which is reported. */
bool level_samples(const recording *r, level l, float *to);

/* The least score of each curve: buckets x curves. NaN: there is none. */
bool level_scores(const recording *r, level l, float *to);

/* The highest energy of each band: buckets x bands. */
bool level_columns(const recording *r, const spectrogram *s, level l, unsigned char *to);

#endif
