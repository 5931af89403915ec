/* wav_out.h - write a WAV file: one channel, 16 bits. */
#ifndef IO_WAV_OUT_H
#define IO_WAV_OUT_H

#include <stddef.h>
#include <stdint.h>

#define WAV_OUT_MAX_SAMPLES ((size_t)1 << 30) /* 2 GiB; the format's limit is 4 GiB */

/* Create `path` with n <= WAV_OUT_MAX_SAMPLES samples. 1.0 is full scale: larger values are
 * clipped, values that are not finite become 0. Returns 0, EEXIST if the file exists, or another
 * errno; then no new file is left. */
int wav_write(const char *path, const float *samples, size_t n, uint32_t rate_hz);

#endif
