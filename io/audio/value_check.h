/*
 * value_check.h - are raw floats plausible? Bytes of another format give numbers that no signal
 * has. The first samples are judged, however the reads cut them.
 */
#ifndef IO_AUDIO_VALUE_CHECK_H
#define IO_AUDIO_VALUE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

enum { VALUE_CHECK_MOST = 4096 }; /* values that are judged */

typedef struct {
    size_t width; /* bytes of a value: 4 or 8 */
    bool big_endian;
    bool is_complete; /* no more values count */
    size_t seen;
    size_t absurd; /* not finite, beyond 1e30 in magnitude, or denormal as float32 but not 0 */
} value_check;

/* Judge n more values, up to VALUE_CHECK_MOST in all: then the check is complete. `bytes` may have
 * any alignment. */
void value_check_add(value_check *c, const unsigned char *bytes, size_t n);

/* Are more than half of the values absurd? */
bool value_check_fails(const value_check *c);

#endif
