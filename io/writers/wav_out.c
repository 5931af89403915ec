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
static unsigned char *put(unsigned char *at, uint64_t x, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) *at++ = (unsigned char)(x >> 8 * i);
    return at;
}

static unsigned char *put_word(unsigned char *at, const char *word)
{
    memcpy(at, word, 4);
    return at + 4;
}

static uint32_t bytes_of_value(const wav_format *f)
{
    return f->integer_bits ? f->integer_bits / 8 : f->is_wide ? 8 : 4;
}

static size_t header_size(const wav_format *f)
{
    return f->integer_bits ? HEADER : FLOAT_HEADER;
}

/* The header of n frames. An odd number of bytes is followed by one of padding. */
static unsigned char *put_header(unsigned char *at, const wav_format *f, uint32_t n)
{
    const bool is_float = f->integer_bits == 0;
    const uint32_t frame = bytes_of_value(f) * (uint32_t)f->channels, size = n * frame;
    at = put(put_word(at, "RIFF"), size + size % 2 + header_size(f) - 8, 4);
    at = put(put_word(put_word(at, "WAVE"), "fmt "), is_float ? 18 : 16, 4);
    at = put(put(at, is_float ? 3 : 1, 2), f->channels, 2);
    at = put(put(at, f->rate_hz, 4), (uint64_t)f->rate_hz * frame, 4);
    at = put(put(at, frame, 2), 8 * bytes_of_value(f), 2);
    if (is_float) at = put(put(put_word(put(at, 0, 2), "fact"), 4, 4), n, 4);
    return put(put_word(at, "data"), size, 4);
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
    const wav_format format = {.integer_bits = 16, .channels = 1, .rate_hz = rate_hz};
    unsigned char *at = put_header(bytes, &format, (uint32_t)n);
    for (size_t i = 0; i < n; i++) at = put(at, (uint16_t)sample_of(samples[i]), 2);
    int failure = create_whole(path, bytes, size);
    if (failure == ENOTSUP) failure = create(path, bytes, size);
    free(bytes);
    return failure;
}

static uint64_t float_bits(const wav_format *f, const void *frames, size_t i)
{
    uint64_t wide;
    uint32_t narrow;
    if (f->is_wide) {
        memcpy(&wide, (const double *)frames + i, sizeof wide);
        return wide;
    }
    memcpy(&narrow, (const float *)frames + i, sizeof narrow);
    return narrow;
}

/* A value as its bits in the file. 8 bits are unsigned there. */
static uint64_t encode(const wav_format *f, const void *frames, size_t i)
{
    if (!f->integer_bits) return float_bits(f, frames, i);
    const double full = ldexp(1, (int)f->integer_bits - 1);
    const double x = f->is_wide ? ((const double *)frames)[i] : (double)((const float *)frames)[i];
    const double clipped = isnan(x) ? 0 : fmin(fmax(rint(x * full), -full), full - 1);
    return (uint64_t)((int64_t)clipped + (f->integer_bits == 8 ? 128 : 0));
}

int wav_write_frames(int fd, const wav_format *f, const void *frames, size_t n)
{
    unsigned char bytes[8 * BLOCK];
    const size_t width = bytes_of_value(f), header = header_size(f), most = UINT32_MAX - header - 1;
    if (f->channels > UINT16_MAX / width || n > most / width / f->channels) return EFBIG;
    const size_t values = n * f->channels;
    put_header(bytes, f, (uint32_t)n);
    int failure = fd_write_all(fd, bytes, header);
    for (size_t i = 0; i < values && !failure;) {
        const size_t end = values - i < BLOCK ? values : i + BLOCK;
        unsigned char *at = bytes;
        for (; i < end; i++) at = put(at, encode(f, frames, i), width);
        if (end == values && values * width % 2 == 1) at = put(at, 0, 1);
        failure = fd_write_all(fd, bytes, (size_t)(at - bytes));
    }
    return failure;
}
