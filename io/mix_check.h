/* mix_check.h - do the channels of a sound cancel each other in their mean? */
#ifndef IO_MIX_CHECK_H
#define IO_MIX_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Zeros at first. */
typedef struct {
    size_t frames;      /* of the part that is being judged */
    double mean, parts; /* sums of squares: of the means, of all channels' values */
    bool cancels;       /* so it was in a part: no more are judged */
} mix_check;

/* Judge n frames of floats or of doubles, one of which is NULL. Returns true for the first part of
 * 2^16 frames whose mean is lost. */
bool mix_check_add(mix_check *c, const float *floats, const double *doubles, size_t channels,
                   size_t n);

/* The end: judge the last part. */
bool mix_check_end(mix_check *c);

#endif
