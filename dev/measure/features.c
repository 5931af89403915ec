/*
 * features.c - how many times faster than real time does one core make frames of sound?
 * Prints the median of R runs by processor time. Each pushes SECONDS of noise in the program's
 * blocks.
 *
 *     features [SECONDS [R]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "filter/features/front_end.h"
#include "kernels/float_env.h"
#include "tools/common/median.h"

enum { BLOCK = 4096, MOST_RUNS = 1000 }; /* BLOCK: filter/session/session.c's */

/* Processor time: other programs take none of it. */
static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* White noise, uniform in [-0.5, 0.5): a front end's time does not depend on values. */
static void make_noise(float *x, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's LCG */
        x[i] = (float)(int32_t)(state >> 32) / 4294967296.0f;
    }
}

/* Seconds that the front end takes for n samples, the block again and again. */
static double run_s(front_end *chain, const float *block, size_t n)
{
    const float *frames;
    const double begin = now_s();
    for (size_t t = 0; t < n; t += BLOCK)
        front_end_push(chain, block, n - t < BLOCK ? n - t : BLOCK, &frames);
    front_end_flush(chain, &frames);
    return now_s() - begin;
}

/* Returns 0, or 1 if there is no such front end. */
static int bench(const char *spec, double rate_hz, const float *block, double seconds, size_t runs)
{
    static double took[MOST_RUNS];
    front_end *chain;
    sigrep_error error;
    const frame_shape in = {.dim = 1, .rate_hz = rate_hz};
    if (front_end_create(&chain, spec, in, BLOCK, &error)) {
        fprintf(stderr, "features: %s\n", error.text);
        return 1;
    }
    for (size_t r = 0; r < runs; r++) took[r] = run_s(chain, block, (size_t)(seconds * rate_hz));
    front_end_destroy(chain);
    const double middle = median(took, runs);
    printf("%-12s %6g Hz  %8.0f times real time  (%.0f to %.0f)\n", spec, rate_hz, seconds / middle,
           seconds / took[runs - 1], seconds / took[0]);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const specs[] = {"words", "voices", "speech", "mfcc", "logmel"};
    static const double rates_hz[] = {8000, 16000, 48000};
    static float block[BLOCK];
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
    const unsigned long runs = argc > 2 ? strtoul(argv[2], NULL, 10) : 9;
    if (!(seconds > 0 && seconds < 1e6) || runs < 1 || runs > MOST_RUNS) {
        fprintf(stderr, "usage: features [SECONDS [R]]    R up to %d\n", MOST_RUNS);
        return 2;
    }
    const float_env mode = float_env_enter(); /* as every entry into the library does */
    int bad = 0;
    make_noise(block, BLOCK);
    printf("%g s of sound, median of %lu runs (slowest to fastest)\n", seconds, runs);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (size_t r = 0; r < sizeof rates_hz / sizeof *rates_hz; r++)
            bad |= bench(specs[s], rates_hz[r], block, seconds, runs);
    float_env_leave(mode);
    return bad;
}
