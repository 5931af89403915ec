/*
 * bandpass.h - the coefficients of a Butterworth band-pass filter.
 *
 * Order 4 at each edge: 3 dB down at the edge, 24 dB an octave beyond it.
 *
 *     1. edges      w = 2 tan(pi f / rate): warped, so that step 4 puts them where they belong
 *     2. low-pass   poles p_k = exp(i pi (2k + 5) / 8)                      (Butterworth 1930)
 *     3. band-pass  s -> (s^2 + w0^2) / (s B): order 8
 *     4. digital    s = 2 (z - 1) / (z + 1), the bilinear transform
 *
 * Steps 1 and 4: Oppenheim, Schafer, Discrete-Time Signal Processing, 7.1. The zeros are 1
 * and -1, four times each. Every pair of conjugate poles makes a section
 *
 *     H(z) = gain (1 - z^-2) / (1 + a1 z^-1 + a2 z^-2),    |H| = 1 at the centre w0
 *
 * Sections come in the order of their poles' radius, the least sharp first.
 */
#ifndef FILTER_FEATURES_BANDPASS_H
#define FILTER_FEATURES_BANDPASS_H

enum { BANDPASS_SECTIONS = 4 };

typedef struct {
    double gain, a1, a2;
} bandpass_section;

/* Edges are fractions of the rate, 0 < low < high < 1/2. Returns 0 if double precision cannot
 * hold the filter: a pole lies within 1e-10 of the unit circle, or the gain at an edge is off
 * by 0.01. The latter happens to edges within about 10^-8 of 0 or 1/2. */
int bandpass_design(bandpass_section sections[BANDPASS_SECTIONS], double low, double high);

#endif
