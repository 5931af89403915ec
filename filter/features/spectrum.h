/*
 * spectrum.h - short-time power spectra of a stream, for the front ends built on them.
 *
 *     |<- lead ->|<---- h, its own ---->|<- look-ahead ->|      lead = (w - h) / 2, rounded down
 *     |<------------------ window w -------------------->|
 *
 * A window of w = 25 ms begins every h = 10 ms, both rounded to samples. The first begins with
 * the span. A frame owns the h samples at the centre of its window.
 *
 * A span of n samples gives ceil((n - lead) / h) frames, none if n <= lead. So every sample
 * from the first owned one on has exactly one owner, and each frame owns at least one sample of
 * the span. Zeros fill a window that reaches beyond the span's end.
 *
 * Each channel, with x_0 for the sample before the first:
 *
 *     y_t = x_t - 0.97 x_(t-1)                                          pre-emphasis, float32
 *     v_s = y_(j h + s) (0.54 - 0.46 cos(2 pi s / (w - 1)))             Hamming, float32
 *     P_k = |sum over s < N of v_s exp(-2 pi i s k / N)|^2 / (N sum of squares of the window)
 *
 * N is the least of 2^a, 3 2^a and 5 2^a that is not below w. The caller chooses how far k runs,
 * at most to N/2. The FFT is in float32, P in double. The divisor makes the sum of
 * P over a band half the signal's mean square in that band, at any rate. Samples are clipped
 * to +-1e30, so that all stays finite.
 */
#ifndef FILTER_FEATURES_SPECTRUM_H
#define FILTER_FEATURES_SPECTRUM_H

#include "filter/features/front_end.h"

/*
 * The power spectrum of n real samples v, by FFTW:
 *
 *     P_k = scale |sum over t < n of v_t exp(-2 pi i t k / n)|^2,  k = 0 ... points - 1
 *
 * The FFT is in float32, the square and the scale in double.
 */
typedef struct fourier fourier;

/* 1 <= n <= INT_MAX, 1 <= points <= n/2 + 1. The caller destroys it. NULL without memory. */
fourier *fourier_create(size_t n, size_t points, double scale);
void fourier_destroy(fourier *self);

/* Memory for the n samples, zeros at first. It keeps what the caller writes. */
float *fourier_samples(fourier *self);

/* The spectrum of the samples: `points` values, valid until the next call. */
const double *fourier_power(fourier *self);

typedef struct spectrum spectrum;

/* Receives one channel's spectrum of a frame: spectrum_bins values. Channels come in order. */
typedef void (*spectrum_callback)(void *user, size_t channel, const double *power);

/* Spectra of at least the points from 0 to top_hz <= half the rate. The caller destroys them.
 * SIGREP_BAD_FRONT_END if a window has under 16 samples or more than 2^20, with a message that
 * begins with `stage`; SIGREP_NO_MEMORY. */
sigrep_status spectrum_create(spectrum **made, const char *stage, frame_shape in, double top_hz,
                              sigrep_error *error);
void spectrum_destroy(spectrum *self);

/* The same for a network that was trained so: y_t = x_t, a Hann window, 0.5 - 0.5 cos(2 pi s / w),
 * an N not below 1.28 w, and powers that are not divided. `lead` samples of silence stand before a
 * span. So the first frame owns the span's first h samples, and n samples give ceil(n / h). */
sigrep_status spectrum_create_hann(spectrum **made, const char *stage, frame_shape in,
                                   double top_hz, sigrep_error *error);

/* N, and the number of points in a spectrum. */
size_t spectrum_fft(const spectrum *self);
size_t spectrum_bins(const spectrum *self);

frame_timing spectrum_timing(const spectrum *self);

/* n samples in. Calls `receive` for each frame whose window is full. */
void spectrum_push(spectrum *self, const float *in, size_t n, spectrum_callback receive,
                   void *user);

/* End of the span: calls `receive` for the remaining frames. Then all is as if new. */
void spectrum_flush(spectrum *self, spectrum_callback receive, void *user);

/* Pass over what it keeps of its span. */
void spectrum_pass_state(spectrum *self, state_bytes *st);

/* The most frames that a push of n samples gives; a flush: n = 0. */
size_t spectrum_max_frames(const spectrum *self, size_t n);

#endif
