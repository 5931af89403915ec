/* argument.h - the text after '=' in a front end: numbers with units. */
#ifndef FILTER_FEATURES_ARGUMENT_H
#define FILTER_FEATURES_ARGUMENT_H

#include "filter/features/front_end.h"

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

#endif
