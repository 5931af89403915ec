/*
 * fourier.h - the first points of the power spectrum of n real samples, by FFTW:
 *
 *     P_k = scale |sum over i < n of v_i exp(-2 pi i k / n)|^2,  k = 0 ... points - 1
 *
 * a float32 FFT, then double.
 */
#ifndef FILTER_FEATURES_FOURIER_H
#define FILTER_FEATURES_FOURIER_H

#include <stddef.h>

typedef struct fourier fourier;

/* n is from 1 to INT_MAX, and points from 1 to n/2 + 1. NULL without memory. The
 * caller destroys it. */
fourier *fourier_create(size_t n, size_t points, double scale);
void fourier_destroy(fourier *self);

/* Where the n samples are put; they stay. Zeros at first. */
float *fourier_samples(fourier *self);

/* Their spectrum: `points` values, until the next call. */
const double *fourier_power(fourier *self);

#endif
