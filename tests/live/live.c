/*
 * live.c - what tests/live/run needs besides sigrep:
 *
 *     live compose FROM COPIES PAUSE WAV RAW    write COPIES of FROM, PAUSE samples of
 *                                               silence after each, as 48 kHz WAV and float32
 *     live record INPUT RATE RAW                write the samples of a source, gaps as NaN, until
 *                                               standard input ends
 *     live same PLAYED RECORDED                 does RECORDED hold PLAYED, bit for bit?
 *     live pace BYTES_PER_S ON OFF ON ...       write noise for ON seconds, nothing for OFF. On
 *                                               standard error: "on at TIME SILENCE" when noise
 *                                               begins again, "late SECONDS" after a sleep that
 *                                               the machine made too long
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/source.h"
#include "tests/check.h"

enum { RATE = 48000, PIECE = 4096 };

static void die(const char *what, const char *why)
{
    fprintf(stderr, "live: %s: %s\n", what, why);
    exit(2);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (!file) die(path, "cannot be opened");
    return file;
}

static void put(FILE *file, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, file) != size) die("write", "failed");
}

static float *read_file(const char *path, size_t *n)
{
    FILE *file = open_file(path, "rb");
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file) / sizeof(float);
    rewind(file);
    float *values = malloc(*n * sizeof *values + 1);
    if (!values || fread(values, sizeof *values, *n, file) != *n) die(path, "cannot be read");
    fclose(file);
    return values;
}

/* The RIFF header of n samples of 16 bits, one channel; this machine is little-endian. */
static void put_header(FILE *wav, uint32_t n)
{
    const uint32_t sizes[] = {36 + 2 * n, 16, 1 | 1 << 16, RATE, 2 * RATE, 2 | 16 << 16, 2 * n};
    put(wav, "RIFF", 4);
    put(wav, sizes, 4);
    put(wav, "WAVEfmt ", 8);
    put(wav, sizes + 1, 20);
    put(wav, "data", 4);
    put(wav, sizes + 6, 4);
}

static int compose(char **argv)
{
    static float samples[1 << 20];
    char why[256];
    source *src = source_open(argv[0], &(source_options){.wake_fd = -1}, why, sizeof why);
    if (!src) die(argv[0], why);
    size_t n = 0;
    ssize_t got;
    while (n + PIECE <= sizeof samples / sizeof *samples &&
           (got = source_read(src, samples + n, NULL, PIECE)) > 0)
        n += (size_t)got;
    source_close(src);
    uint32_t copies = (uint32_t)atoi(argv[1]);
    n += (size_t)atoi(argv[2]); /* the samples after them are zeros */
    if (n > sizeof samples / sizeof *samples) die(argv[0], "is too long");
    FILE *wav = open_file(argv[3], "wb"), *raw = open_file(argv[4], "wb");
    put_header(wav, copies * (uint32_t)n);
    for (uint32_t i = 0; i < copies; i++) {
        for (size_t k = 0; k < n; k++) {
            int16_t value = (int16_t)lrintf(samples[k] * 32768);
            put(wav, &value, sizeof value);
        }
        put(raw, samples, n * sizeof *samples);
    }
    return fclose(wav) | fclose(raw);
}

static int record(char **argv)
{
    static float frames[PIECE];
    char why[256];
    source_options options = {.rate_hz = atof(argv[1]), .wake_fd = STDIN_FILENO};
    source *src = source_open(argv[0], &options, why, sizeof why);
    if (!src) die(argv[0], why);
    FILE *raw = open_file(argv[2], "wb");
    const float gap = NAN;
    uint64_t samples = 0, gaps = 0;
    ssize_t n;
    while ((n = source_read(src, frames, NULL, PIECE)) > 0) {
        for (uint64_t i = 0; i < source_gap(src); i++) put(raw, &gap, sizeof gap);
        gaps += source_gap(src) > 0;
        put(raw, frames, (size_t)n * sizeof *frames);
        samples += (uint64_t)n;
    }
    printf("%llu samples recorded, %llu gaps\n", (unsigned long long)samples,
           (unsigned long long)gaps);
    if (n < 0) die(argv[0], source_error(src));
    source_close(src);
    return fclose(raw);
}

static size_t first_sound(const float *values, size_t n)
{
    size_t i = 0;
    while (i < n && values[i] == 0) i++;
    return i;
}

static int same(char **argv)
{
    size_t n, m;
    float *played = read_file(argv[0], &n), *recorded = read_file(argv[1], &m);
    size_t i = first_sound(played, n), k = first_sound(recorded, m), begin = i;
    while (i < n && k < m && memcmp(&played[i], &recorded[k], sizeof *played) == 0) i++, k++;
    printf("%zu of %zu samples are the same bits\n", i - begin, n - begin);
    free(played);
    free(recorded);
    return i < n;
}

static double now_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int pace(int argc, char **argv)
{
    static const double LATE_S = 0.04;
    uint64_t seed = 1;
    double rate = atof(argv[0]), at_s = now_s(CLOCK_MONOTONIC), silent_since_s = at_s;
    for (int i = 1; i < argc; i++) {
        double until_s = at_s + atof(argv[i]), due = 0;
        if (i % 2)
            fprintf(stderr, "on at %.3f %.3f\n", now_s(CLOCK_REALTIME), at_s - silent_since_s);
        while (at_s < until_s) {
            unsigned char noise[PIECE];
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
            double now = now_s(CLOCK_MONOTONIC);
            if (now - at_s > LATE_S) fprintf(stderr, "late %.3f\n", now - at_s);
            due += (now - at_s) * rate;
            at_s = now;
            size_t n = due < PIECE ? (size_t)due & ~(size_t)1 : PIECE;
            due -= (double)n;
            for (size_t k = 0; k < n; k++) noise[k] = (unsigned char)check_random(&seed);
            if (i % 2 && write(STDOUT_FILENO, noise, n) != (ssize_t)n) return 1;
        }
        if (i % 2) silent_since_s = at_s - due / rate;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 7 && strcmp(argv[1], "compose") == 0) return compose(argv + 2);
    if (argc == 5 && strcmp(argv[1], "record") == 0) return record(argv + 2);
    if (argc == 4 && strcmp(argv[1], "same") == 0) return same(argv + 2);
    if (argc > 3 && strcmp(argv[1], "pace") == 0) return pace(argc - 2, argv + 2);
    die("usage", "see live.c");
}
