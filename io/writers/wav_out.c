#define _GNU_SOURCE /* O_TMPFILE */

#include "io/writers/wav_out.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"

enum {
    HEADER = 44,       /* bytes */
    FLOAT_HEADER = 58, /* a format that is not PCM has a longer `fmt ` chunk, and `fact` */
    BLOCK = 4096       /* values written at once */
};

/* Store x in little-endian order. Returns the place after it. */
static unsigned char *put(unsigned char *at, uint32_t x, int bytes)
{
    for (int i = 0; i < bytes; i++) *at++ = (unsigned char)(x >> 8 * i);
    return at;
}

static unsigned char *put_word(unsigned char *at, const char *word)
{
    memcpy(at, word, 4);
    return at + 4;
}

/* The header of n frames, of 16 bits or of float32. */
static unsigned char *put_header(unsigned char *at, bool is_float, uint32_t n, uint16_t channels,
                                 uint32_t rate_hz)
{
    const uint32_t frame = (is_float ? 4U : 2U) * channels;
    at = put(put_word(at, "RIFF"), n * frame + (is_float ? FLOAT_HEADER : HEADER) - 8, 4);
    at = put(put_word(put_word(at, "WAVE"), "fmt "), is_float ? 18 : 16, 4);
    at = put(put(at, is_float ? 3 : 1, 2), channels, 2);
    at = put(put(at, rate_hz, 4), rate_hz * frame, 4);
    at = put(put(at, frame, 2), is_float ? 32 : 16, 2);
    if (is_float) at = put(put(put_word(put(at, 0, 2), "fact"), 4, 4), n, 4);
    return put(put_word(at, "data"), n * frame, 4);
}

static int16_t sample_of(float x)
{
    if (!isfinite(x)) return 0;
    const float scaled = rintf(x * 32768);
    return (int16_t)(scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : scaled);
}

/* Write a new file. 0 or an errno. */
static int create(const char *path, const unsigned char *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int failure = fd < 0 ? errno : fd_write_all(fd, bytes, size);
    if (fd >= 0 && close(fd) != 0 && !failure) failure = errno;
    if (fd >= 0 && failure) unlink(path);
    return failure;
}

/* The same, but the file has no name before it is whole: whenever the program is killed, there is
 * no part of it. ENOTSUP: there are no such files here. */
static int create_whole(const char *path, const unsigned char *bytes, size_t size)
{
#ifdef O_TMPFILE
    char own[64];
    struct stat st;
    if (lstat(path, &st) == 0) return EEXIST;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int fd = folder ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
    free(folder);
    if (fd < 0) return ENOTSUP;
    int failure = fd_write_all(fd, bytes, size);
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    if (!failure && linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) != 0)
        failure = errno == EEXIST ? EEXIST : ENOTSUP;
    if (close(fd) != 0 && !failure) failure = errno;
    return failure;
#else
    (void)path;
    (void)bytes;
    (void)size;
    return ENOTSUP;
#endif
}

int wav_write(const char *path, const float *samples, size_t n, uint32_t rate_hz)
{
    const size_t size = HEADER + 2 * n;
    unsigned char *bytes = malloc(size);
    if (!bytes) return ENOMEM;
    unsigned char *at = put_header(bytes, false, (uint32_t)n, 1, rate_hz);
    for (size_t i = 0; i < n; i++) at = put(at, (uint16_t)sample_of(samples[i]), 2);
    int failure = create_whole(path, bytes, size);
    if (failure == ENOTSUP) failure = create(path, bytes, size);
    free(bytes);
    return failure;
}

int wav_write_float(int fd, const float *frames, size_t n, size_t channels, uint32_t rate_hz)
{
    unsigned char bytes[4 * BLOCK];
    size_t left = n * channels;
    if (channels > UINT16_MAX / 4 || n > (UINT32_MAX - FLOAT_HEADER) / 4 / channels) return EFBIG;
    put_header(bytes, true, (uint32_t)n, (uint16_t)channels, rate_hz);
    int failure = fd_write_all(fd, bytes, FLOAT_HEADER);
    while (left > 0 && !failure) {
        const size_t part = left < BLOCK ? left : BLOCK;
        unsigned char *at = bytes;
        for (size_t i = 0; i < part; i++) {
            uint32_t bits;
            memcpy(&bits, frames++, sizeof bits);
            at = put(at, bits, 4);
        }
        failure = fd_write_all(fd, bytes, 4 * part);
        left -= part;
    }
    return failure;
}
