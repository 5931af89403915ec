/*
 * spectrum.h - short-time power spectra of a stream, for the front ends built on them.
 *
 * Windows of w = 25 ms begin every h = 10 ms, both rounded to samples; the first begins
 * with the stretch. A frame owns the h samples at the centre of its window:
 *
 *     |<- lead ->|<---- h, its own ---->|<- look-ahead ->|      lead = (w - h) / 2, rounded down
 *     |<------------------ window w -------------------->|
 *
 * A stretch of n samples gives ceil((n - lead) / h) frames, none if n <= lead: every sample
 * from the first owned one on is owned by exactly one frame, and each frame owns at least
 * one sample of the stretch. Windows that reach beyond its end are filled up with zeros.
 *
 * Per channel, with x_0 for the sample before the first:
 *
 *     y_t = x_t - 0.97 x_(t-1)                                          pre-emphasis, float32
 *     v_i = y_(j h + i) (0.54 - 0.46 cos(2 pi i / (w - 1)))             Hamming, float32
 *     P_k = |sum over i < N of v_i exp(-2 pi i k / N)|^2 / (N sum of squares of the window)
 *
 * for k = 0 ... N/2, as far as they are asked for, with N the least of 2^a, 3 2^a and 5 2^a that is
 * not below w: a float32 FFT (FFTW), then double. The divisor makes the sum of P over a band half
 * the mean square of the signal in it, at any rate. Samples beyond +-1e30 count as +-1e30, so that
 * all stays finite.
 */
#ifndef FILTER_FEATURES_SPECTRUM_H
#define FILTER_FEATURES_SPECTRUM_H

#include "filter/features/feature.h"

typedef struct spectrum spectrum;

/* Gets one channel's spectrum of a frame, spectrum_bins values; channels come in order. */
typedef void (*spectrum_taker)(void *user, size_t channel, const double *power);

/* `stage` is for messages. At least the points from 0 to
 * top_hz are given, which is at most half the rate.
 * SIGREP_BAD_FRONT_END where a window has under 16 samples or more
 * than 2^20. The caller destroys it. */
sigrep_status spectrum_create(spectrum **made, const char *stage, feature_shape in, double top_hz,
                              sigrep_error *error);
void spectrum_destroy(spectrum *self);

/* N, and the number of points that are given. */
size_t spectrum_fft(const spectrum *self);
size_t spectrum_bins(const spectrum *self);

feature_timing spectrum_timing(const spectrum *self);

/* n samples in. The frames whose windows are full go to `take`. */
void spectrum_push(spectrum *self, const float *in, size_t n, spectrum_taker take, void *user);

/* End of the stretch: the remaining frames go to `take`, and all is as new. */
void spectrum_flush(spectrum *self, spectrum_taker take, void *user);

/* The most frames that a push of n samples, or a flush, gives. */
size_t spectrum_max_frames(const spectrum *self, size_t n);

#endif
