/* wav_out.h - write WAV files: one channel of 16 bits, or frames as they are. */
#ifndef IO_WRITERS_WAV_OUT_H
#define IO_WRITERS_WAV_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAV_OUT_MAX_SAMPLES ((size_t)1 << 30) /* 2 GiB; the format's limit is 4 GiB */

/* Create `path` with n <= WAV_OUT_MAX_SAMPLES samples. 1.0 is full scale: larger values are
 * clipped, values that are not finite become 0. Returns 0, EEXIST if the file exists, or another
 * errno; then no new file is left. If the file system can, none is there before it is whole. */
int wav_write(const char *path, const float *samples, size_t n, uint32_t rate_hz);

/* Of frames that are written as they are. */
typedef struct {
    unsigned integer_bits; /* values are such integers, scaled to [-1, 1): 8, 16, 24 or 32; 0: they
                              are floats */
    bool is_wide;          /* values are given as doubles, else as float32 */
    size_t channels;
    uint32_t rate_hz;
} wav_format;

/* Write n frames to the new file `fd`, in integers or floats of the values' own width. Integers
 * beyond full scale are clipped. Returns 0, EFBIG if they are more than WAV can hold, or another
 * errno. */
int wav_write_frames(int fd, const wav_format *format, const void *frames, size_t n);

#endif
