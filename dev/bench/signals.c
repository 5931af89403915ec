#include "dev/bench/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/bench/bench_fail.h"

/* Uniform in [-1, 1), by Knuth's linear congruential generator. */
static float uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(int32_t)(*seed >> 32) / 2147483648.0f;
}

float *signal_walk(size_t n, size_t dim, uint64_t seed)
{
    if (n > SIZE_MAX / sizeof(float) / dim) return NULL;
    float *y = calloc(n * dim, sizeof *y);
    if (!y) return NULL;
    for (size_t k = 0; k < dim; k++) y[k] = uniform(&seed);
    for (size_t i = dim; i < n * dim; i++) y[i] = y[i - dim] + uniform(&seed);
    return y;
}

float *signal_leaky(size_t n, float keep, uint64_t seed)
{
    float *y = calloc(n, sizeof *y);
    for (size_t i = 0; y && i < n; i++) y[i] = (i ? keep * y[i - 1] : 0) + uniform(&seed);
    return y;
}

float *signal_noise(size_t n, uint64_t seed)
{
    float *y = calloc(n, sizeof *y);
    for (size_t i = 0; y && i < n; i++) y[i] = uniform(&seed);
    return y;
}

float *signal_periodic(size_t n, size_t period, float noise, uint64_t seed)
{
    const double turn = 2 * acos(-1) / (double)period;
    float *y = calloc(n, sizeof *y);
    if (!y) return NULL;
    for (size_t i = 0; i < n; i++) {
        const double phase = turn * (double)(i % period);
        y[i] = (float)(sin(phase) + 0.5 * sin(3 * phase + 1)) + noise * uniform(&seed);
    }
    return y;
}

/* Two samples of 12 bits in three bytes, the first lead's first. examples/ecg/wfdb212.c has the
 * whole format. */
static float *read_first_lead(const char *path, size_t *n)
{
    enum { BASELINE = 1024, GAIN = 200 };
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    unsigned char pair[3];
    size_t room = 0;
    float *y = NULL;
    *n = 0;
    while (fread(pair, 1, sizeof pair, file) == sizeof pair) {
        if (*n == room) {
            room = room ? 2 * room : 4096;
            float *grown = realloc(y, room * sizeof *y);
            if (!grown) break;
            y = grown;
        }
        int value = pair[0] | (pair[1] & 0x0f) << 8;
        if (value >= 2048) value -= 4096;
        y[(*n)++] = (float)(value - BASELINE) / GAIN;
    }
    fclose(file);
    return y;
}

float *signal_heartbeats(const char *path, size_t *n)
{
    float *y = read_first_lead(path, n);
    if (y && *n >= BEAT_TO) return y;
    free(y);
    bench_fail("%s: no record of heartbeats; name one by --ecg", path);
    return NULL;
}

/* xorshift64 (Marsaglia 2003). */
uint8_t *signal_letters(size_t n, uint64_t seed)
{
    uint8_t *letters = malloc(n);
    for (size_t i = 0; letters && i < n; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        letters[i] = seed >> 40 & 1;
    }
    return letters;
}
