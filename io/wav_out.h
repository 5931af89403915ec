/* wav_out.h - a WAV file of 16 bits, written whole. */
#ifndef IO_WAV_OUT_H
#define IO_WAV_OUT_H

#include <stddef.h>
#include <stdint.h>

/* The rates and lengths that such a file can have: 32 bits of whole Hz, 4 GiB. */
#define WAV_OUT_MAX_SAMPLES ((size_t)1 << 30)

/* Make a new file of n samples of one channel, 1.0 full scale (what is beyond it is clipped, what
 * is not finite 0). 0, EEXIST where there is one already, or the errno of what failed; then there
 * is no file. n <= WAV_OUT_MAX_SAMPLES. */
int wav_write(const char *path, const float *samples, size_t n, uint32_t rate_hz);

#endif
