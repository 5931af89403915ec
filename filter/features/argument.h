/*
 * argument.h - what stands after '=' in a front end: numbers with units.
 */
#ifndef FILTER_FEATURES_ARGUMENT_H
#define FILTER_FEATURES_ARGUMENT_H

#include "filter/features/feature.h"

/* No stage counts more samples than this in a window or a hop (2^40). */
#define ARGUMENT_MAX_SAMPLES ((uint64_t)1 << 40)

/* A plain decimal number, such as 2, -0.01 or 5e-3; always with a point, whatever the locale.
 * It may have overflowed to infinity. Returns 0 if `text` is anything else. */
int argument_number(double *value, const char *text);

/* argument_number greater than 0, such as 2, 0.01 or 5e-3. SIGREP_BAD_FRONT_END with words
 * that begin with `stage` if not. */
sigrep_status argument_seconds(double *seconds, const char *stage, const char *text,
                               sigrep_error *error);

/* `seconds` in samples, as a real number. An error above ARGUMENT_MAX_SAMPLES. */
sigrep_status argument_samples(double *samples, const char *stage, double seconds, double rate_hz,
                               sigrep_error *error);

#endif
