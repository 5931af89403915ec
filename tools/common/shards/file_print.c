#include "tools/common/shards/file_print.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 1 << 16 /* bytes */, BLOCKS = 16 };

/* Add the bytes [at, at + n) of the file. false: they could not be read; errno is 0 if it ended. */
static bool add_bytes(uint32_t *sum, int fd, uint64_t at, size_t n)
{
    unsigned char bytes[BLOCK];
    while (n > 0) {
        errno = 0;
        const ssize_t got = pread(fd, bytes, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        *sum = (uint32_t)crc32(*sum, bytes, (uInt)got);
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

/* Open a regular file; an errno if that fails. */
static int open_file(int *fd, const char *path, struct stat *st)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) return errno;
    if (fstat(*fd, st) == 0 && S_ISREG(st->st_mode)) return 0;
    close(*fd);
    return EINVAL;
}

int file_print(char print[SHARD_FILE], const char *path)
{
    struct stat st;
    int fd;
    uint32_t sum = 0;
    const int failure = open_file(&fd, path, &st);
    if (failure) return failure;
    const uint64_t size = (uint64_t)st.st_size, last = size - BLOCK;
    const bool is_small = size <= (uint64_t)BLOCK * BLOCKS;
    bool good = true;
    for (uint64_t i = 0; i < BLOCKS && good; i++) {
        const uint64_t at = is_small ? i * BLOCK : last * i / (BLOCKS - 1);
        const uint64_t left = at < size ? size - at : 0;
        good = add_bytes(&sum, fd, at, left < BLOCK ? (size_t)left : BLOCK);
    }
    const int why = good ? 0 : errno ? errno : EIO;
    close(fd);
    snprintf(print, SHARD_FILE, "%" PRIu64 "-%" PRId64 "-%08" PRIx32, size, (int64_t)st.st_mtime,
             sum);
    return why;
}

int file_sum(uint32_t *sum, const char *path)
{
    struct stat st;
    int fd;
    const int failure = open_file(&fd, path, &st);
    if (failure) return failure;
    const uint64_t size = (uint64_t)st.st_size;
    bool good = true;
    for (uint64_t at = 0; at < size && good; at += BLOCK)
        good = add_bytes(sum, fd, at, size - at < BLOCK ? (size_t)(size - at) : BLOCK);
    const int why = good ? 0 : errno ? errno : EIO;
    close(fd);
    return why;
}
