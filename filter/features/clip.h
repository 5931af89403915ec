/* clip.h - keep values finite: a value beyond a limit becomes the limit. */
#ifndef FILTER_FEATURES_CLIP_H
#define FILTER_FEATURES_CLIP_H

#include <float.h>

/* The value nearest to x in [-limit, limit]. */
static inline float clip(float x, float limit)
{
    x = x > limit ? limit : x;
    return x < -limit ? -limit : x;
}

/* The finite float32 nearest to x. */
static inline float clip_double(double x)
{
    if (x > (double)FLT_MAX) return FLT_MAX;
    if (x < -(double)FLT_MAX) return -FLT_MAX;
    return (float)x;
}

#endif
