/* signals.h - streams from fixed seeds, and a real ECG. The caller frees them. NULL: no memory. */
#ifndef DEV_BENCH_SIGNALS_H
#define DEV_BENCH_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

/* n frames of dim values, each a random walk with steps uniform in [-1, 1). */
float *signal_walk(size_t n, size_t dim, uint64_t seed);

/* n samples, each `keep` times the one before and a step uniform in [-1, 1): autoregressive. */
float *signal_leaky(size_t n, float keep, uint64_t seed);

/* n samples, uniform in [-1, 1). Most cells are close to the lowest score, so pruning gains little.
 */
float *signal_noise(size_t n, uint64_t seed);

/* n samples of a wave of that period, one and a half in amplitude, plus noise uniform in
 * [-noise, noise). */
float *signal_periodic(size_t n, size_t period, float noise, uint64_t seed);

/* The first lead of a PhysioNet record of two leads in format 212, in millivolts at a gain of 200
 * (MIT-BIH); *n samples. NULL, and reported: no such file, or one without the beat. */
float *signal_heartbeats(const char *path, size_t *n);

/* n random letters 0 and 1, the papers' choice; seed above 0. */
uint8_t *signal_letters(size_t n, uint64_t seed);

enum { BEAT_FROM = 24264, BEAT_TO = 24354 }; /* record 100, 67.4 to 67.65 s: a normal beat */

#endif
