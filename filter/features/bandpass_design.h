/*
 * bandpass_design.h - the coefficients of Butterworth's band-pass filter.
 *
 * Order 4 at each edge (24 dB an octave; 3 dB down at both edges): the analogue low-pass with
 * poles p_k = exp(i pi (2k + 5) / 8) (Butterworth 1930) becomes a band-pass of order 8 by
 * s -> (s^2 + w0^2) / (s B), and a digital one by the bilinear transform s = 2 (z-1)/(z+1), its
 * edges warped before, w = 2 tan(pi f / rate), so that they come out where they were asked
 * for (Oppenheim, Schafer: Discrete-Time Signal Processing, 7.1). Its zeros are 1 and -1, four
 * times each. Every pair of conjugate poles makes a section
 *
 *     H(z) = gain (1 - z^-2) / (1 + a1 z^-1 + a2 z^-2),    |H| = 1 at the centre w0
 *
 * in the order of their poles' radius, the least sharp first.
 */
#ifndef FILTER_FEATURES_BANDPASS_DESIGN_H
#define FILTER_FEATURES_BANDPASS_DESIGN_H

enum { BANDPASS_SECTIONS = 4 };

typedef struct {
    double gain, a1, a2;
} bandpass_section;

/* Edges as parts of the rate, 0 < low < high < 1/2. Returns 0 if double precision cannot hold
 * the filter: a pole within 1e-10 of the unit circle, or a gain at an edge that is off by
 * 0.01, as with an edge within some 10^-8 of the rate of 0 or of half the rate. */
int bandpass_design(bandpass_section sections[BANDPASS_SECTIONS], double low, double high);

#endif
