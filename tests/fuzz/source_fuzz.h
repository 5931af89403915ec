/*
 * source_fuzz.h - a source over bytes in memory, for the fuzz targets of io. It is read in several
 * ways of cutting the bytes, which must all give the same.
 */
#ifndef TESTS_FUZZ_SOURCE_FUZZ_H
#define TESTS_FUZZ_SOURCE_FUZZ_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "io/source.h"
#include "io/time/exact_time.h"
#include "tests/fuzz/cut_input.h"

enum {
    FUZZ_VALUES = 1 << 16,
    FUZZ_WORDS = 4096,
    FUZZ_MOST = 1 << 18 /* frames that are read: a gap may be long */
};

typedef struct {
    size_t frames;
    size_t channels;
    uint64_t sum; /* FNV-1a of all values and times */
    bool failed;
    char words[FUZZ_WORDS]; /* the error and all warnings */
} fuzz_result;

static ssize_t fuzz_write(int fd, const void *bytes, size_t size)
{
    (void)fd, (void)bytes;
    return (ssize_t)size;
}

static inline void fuzz_mix(fuzz_result *r, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) r->sum = (r->sum ^ b[i]) * 1099511628211u;
}

static inline void fuzz_add(fuzz_result *r, const char *words)
{
    size_t n = strlen(r->words);
    snprintf(r->words + n, sizeof r->words - n, "%s\n", words);
}

/* NaNs differ in bits that mean nothing. */
static inline void fuzz_mix_value(fuzz_result *r, double value)
{
    if (value != value) value = 0.5;
    fuzz_mix(r, &value, sizeof value);
}

/* Read all frames, at most `most` at a time; 0: as many as there is room for. */
static inline void fuzz_drain(source *src, fuzz_result *r, size_t most)
{
    static float frames[FUZZ_VALUES];
    static exact_time times[FUZZ_VALUES];
    size_t room = FUZZ_VALUES / r->channels;
    if (most == 0 || most > room) most = room;
    for (ssize_t n = 1; n > 0;) {
        if (r->frames >= FUZZ_MOST) return;
        memset(times, 0, most * sizeof *times);
        n = source_read(src, frames, times, most);
        if (n > (ssize_t)most) abort();
        for (ssize_t i = 0; i < n; i++) fuzz_mix_value(r, exact_time_as_double(times[i]));
        for (ssize_t i = 0; i < n * (ssize_t)r->channels; i++) fuzz_mix_value(r, (double)frames[i]);
        r->frames += n > 0 ? (size_t)n : 0;
        r->failed = n < 0;
        for (const char *w; (w = source_warning(src));) fuzz_add(r, w);
    }
    if (r->failed != (source_error(src)[0] != '\0')) abort();
    if (source_read(src, frames, times, most) != (r->failed ? -1 : 0)) abort();
}

/* Read it all, frame by frame. No call of read gives more than `piece` bytes. */
static inline fuzz_result fuzz_run(const uint8_t *bytes, size_t n, const source_options *options,
                                   size_t piece)
{
    static const fd_calls calls = {.read = fuzz_read, .write = fuzz_write, .poll = fuzz_poll};
    fuzz_result r = {.sum = 14695981039346656037u};
    char error[256] = "";
    fuzz_bytes = bytes;
    fuzz_left = n;
    fuzz_piece = piece;
    fd_set_calls(&calls);
    source *src = source_open("/dev/null", options, error, sizeof error);
    if (src) {
        source_info info = source_get_info(src);
        if (info.channels == 0 || !(info.rate_hz > 0)) abort();
        r.channels = info.channels;
        fuzz_drain(src, &r, 1);
        fuzz_add(&r, source_error(src));
    } else {
        if (!error[0] || strchr(error, '\n')) abort();
        r.failed = true;
        fuzz_add(&r, error);
    }
    source_close(src);
    fd_set_calls(NULL);
    return r;
}

/* Read the bytes from a file, which standard input becomes. It must open. */
static inline fuzz_result fuzz_run_file(const uint8_t *bytes, size_t n,
                                        const source_options *options)
{
    static int fd = -1;
    if (fd < 0) {
        FILE *file = tmpfile();
        if (!file || (fd = dup2(fileno(file), STDIN_FILENO)) < 0) abort();
    }
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) abort();
    if (fd_write_all(fd, bytes, n) != 0 || lseek(fd, 0, SEEK_SET) != 0) abort();
    char error[256] = "";
    source *src = source_open("-", options, error, sizeof error);
    if (!src) abort();
    fuzz_result r = {.channels = source_get_info(src).channels};
    fuzz_drain(src, &r, 0);
    if (r.frames != source_get_info(src).frames) abort();
    source_close(src);
    return r;
}

/* Read the bytes whole, `piece` bytes at a time, and byte by byte. All three must be the same. */
static inline fuzz_result fuzz_compare(const uint8_t *bytes, size_t n,
                                       const source_options *options, size_t piece)
{
    fuzz_result whole = fuzz_run(bytes, n, options, n + 1);
    for (int i = 0; i < 2; i++) {
        fuzz_result cut = fuzz_run(bytes, n, options, i || !piece ? 1 : piece);
        if (cut.frames != whole.frames || cut.channels != whole.channels || cut.sum != whole.sum ||
            cut.failed != whole.failed || strcmp(cut.words, whole.words) != 0) {
            fprintf(stderr, "whole: %zu frames, %scut: %zu frames, %s", whole.frames, whole.words,
                    cut.frames, cut.words);
            abort();
        }
    }
    return whole;
}

#endif
