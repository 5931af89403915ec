/*
 * fourier.h - the power spectrum of n real samples v, by FFTW:
 *
 *     P_k = scale |sum over t < n of v_t exp(-2 pi i t k / n)|^2,  k = 0 ... points - 1
 *
 * The FFT is in float32, the square and the scale in double.
 */
#ifndef FILTER_FEATURES_FOURIER_H
#define FILTER_FEATURES_FOURIER_H

#include <stddef.h>

typedef struct fourier fourier;

/* 1 <= n <= INT_MAX, 1 <= points <= n/2 + 1. The caller destroys it. NULL without memory. */
fourier *fourier_create(size_t n, size_t points, double scale);
void fourier_destroy(fourier *self);

/* Memory for the n samples, zeros at first. It keeps what the caller writes. */
float *fourier_samples(fourier *self);

/* The spectrum of the samples: `points` values, valid until the next call. */
const double *fourier_power(fourier *self);

#endif
