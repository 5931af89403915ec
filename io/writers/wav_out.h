/* wav_out.h - write WAV files: one channel of 16 bits, or float32 as it is. */
#ifndef IO_WRITERS_WAV_OUT_H
#define IO_WRITERS_WAV_OUT_H

#include <stddef.h>
#include <stdint.h>

#define WAV_OUT_MAX_SAMPLES ((size_t)1 << 30) /* 2 GiB; the format's limit is 4 GiB */

/* Create `path` with n <= WAV_OUT_MAX_SAMPLES samples. 1.0 is full scale: larger values are
 * clipped, values that are not finite become 0. Returns 0, EEXIST if the file exists, or another
 * errno; then no new file is left. If the file system can, none is there before it is whole. */
int wav_write(const char *path, const float *samples, size_t n, uint32_t rate_hz);

/* Write n frames of float32 to the new file `fd`, as they are. Returns 0, EFBIG if they are more
 * than WAV can hold, or another errno. */
int wav_write_float(int fd, const float *frames, size_t n, size_t channels, uint32_t rate_hz);

#endif
