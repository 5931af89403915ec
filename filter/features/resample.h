/* resample.h - for code that puts a resample stage before a front end. */
#ifndef FILTER_FEATURES_RESAMPLE_H
#define FILTER_FEATURES_RESAMPLE_H

#include "filter/features/timing.h"

/* The largest ratio of two rates. */
#define RESAMPLE_MAX_FACTOR 256

/* Set *hop to from_hz / to_hz, the input samples from one output frame to the next, exactly.
 * SIGREP_BAD_FRONT_END if a rate is no fraction (timing.h) or the ratio is too large or small,
 * with a message that begins "from ... Hz to ... Hz". */
sigrep_status resample_hop(rational *hop, double from_hz, double to_hz, sigrep_error *error);

/* The front end `stages` for samples at from_hz, which it first brings to to_hz. The caller frees
 * it; NULL without memory. */
char *resample_spec(const char *stages, double from_hz, double to_hz);

#endif
