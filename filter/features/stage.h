/* stage.h - what the files of stages share: the list of all, arguments, and clipping. */
#ifndef FILTER_FEATURES_STAGE_H
#define FILTER_FEATURES_STAGE_H

#include <float.h>
#include <math.h>

#include "filter/features/front_end.h"

/* The top of each stage's file defines it; raw is the samples themselves. */
extern const stage_ops stage_raw;
extern const stage_ops stage_diff;
extern const stage_ops stage_znorm;
extern const stage_ops stage_envelope;
extern const stage_ops stage_bandpass;
extern const stage_ops stage_resample;
extern const stage_ops stage_logmel;
extern const stage_ops stage_mfcc;
extern const stage_ops stage_speech;
extern const stage_ops stage_voices;
extern const stage_ops stage_words;
extern const stage_ops stage_zmatch;

/* The longest window or hop, in samples. */
#define ARGUMENT_MAX_SAMPLES ((uint64_t)1 << 40)

/* Read a plain decimal number, such as 2, -0.01 or 5e-3, with a point in every locale. It may
 * overflow to infinity. Returns 0 if `text` is anything else. */
int argument_number(double *value, const char *text);

/* Print a number so that argument_number reads the very same one, in every locale. */
enum { ARGUMENT_PRINTED = 32 };
void argument_print(char text[ARGUMENT_PRINTED], double value);

/* Read a finite number above 0. Otherwise SIGREP_BAD_FRONT_END with a message that begins
 * with `stage`. */
sigrep_status argument_seconds(double *seconds, const char *stage, const char *text,
                               sigrep_error *error);

/* Turn `seconds` into samples, not rounded. SIGREP_BAD_FRONT_END above ARGUMENT_MAX_SAMPLES. */
sigrep_status argument_samples(double *samples, const char *stage, double seconds, double rate_hz,
                               sigrep_error *error);

/* Values from here on keep more digits than float32 has: see stage_level and stage_round. Smaller
 * ones, all sound among them, are rounded to float32 between stages. */
#define STAGE_WIDE 1024.0

/* What a stage subtracts from the samples of a span, of which this is the first, to keep the digits
 * of their changes. 0 for small numbers. */
static inline double stage_level(double first)
{
    return fabs(first) < STAGE_WIDE ? 0 : first;
}

/* A value between stages. */
static inline double stage_round(double x)
{
    return fabs(x) < STAGE_WIDE ? (double)(float)x : x;
}

/* Values of a stage that takes floats and doubles; the pointer to the other type is NULL. The
 * compiler makes a loop for each type of one body, if that is inlined. */
#define STAGE_INLINE static inline __attribute__((always_inline))

typedef struct {
    const float *floats;
    const double *doubles;
} stage_in;

typedef struct {
    float *floats;
    double *doubles;
} stage_out;

STAGE_INLINE double stage_get(stage_in in, size_t i)
{
    return in.doubles ? in.doubles[i] : (double)in.floats[i];
}

STAGE_INLINE void stage_put(stage_out out, size_t i, float y)
{
    if (out.doubles)
        out.doubles[i] = (double)y;
    else
        out.floats[i] = y;
}

/* The value nearest to x in [-limit, limit]. */
static inline float clip(float x, float limit)
{
    x = x > limit ? limit : x;
    return x < -limit ? -limit : x;
}

/* The finite float32 nearest to x. */
static inline float clip_double(double x)
{
    return clip((float)x, FLT_MAX);
}

#endif
