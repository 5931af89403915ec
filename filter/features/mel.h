/*
 * mel.h - logarithms of the energy in bands that are equally wide to the ear.
 *
 * n triangles over the power spectrum P_k, k = 0 ... N/2, of a signal. Their n + 2 corners
 * f_0 = 0 ... f_(n+1) = top are equally spaced in mel, m(f) = 2595 log10(1 + f / 700)
 * (O'Shaughnessy 1987; HTK), and each rises and falls linearly in Hz, with 1 at its peak:
 *
 *     E_b = sum over k of P_k max(0, min((F_k - f_b) / (f_(b+1) - f_b),
 *                                        (f_(b+2) - F_k) / (f_(b+2) - f_(b+1))))   F_k = k rate/N
 *     out_b = ln(max(E_b, 1e-10))
 *
 * The sum is taken in double by rising k and rounded to float32, as the logarithm is. The floor:
 * with spectrum.h's scale a sine of full scale has an energy of 1/4, and the noise of rounding to
 * 16 bits (variance 2^-30 / 12, doubled by the pre-emphasis) lies below 1e-10 in all bands
 * together. So silence looks alike in every file, and ln never meets 0.
 */
#ifndef FILTER_FEATURES_MEL_H
#define FILTER_FEATURES_MEL_H

#include "filter/features/spectrum.h"

#define MEL_FLOOR 1e-10f

typedef struct mel_bank mel_bank;

/* n bands from 0 to top_hz, at most rate_hz / 2, over spectra of `fft` points.
 * SIGREP_BAD_FRONT_END, with words that begin with `stage`, where a band would hold no point of the
 * spectrum. The caller destroys it. */
sigrep_status mel_create(mel_bank **made, const char *stage, size_t n, size_t fft, double rate_hz,
                         double top_hz, sigrep_error *error);
void mel_destroy(mel_bank *bank);

/* The powers from 0 to top_hz in, n energies E_b out: no floor. */
void mel_energies(const mel_bank *bank, const double *power, float *out);

/* The same, n logarithms out. */
void mel_log(const mel_bank *bank, const double *power, float *out);

/* Spectra of a stream and the bands over them: what front ends for sounds begin with. */
typedef struct {
    spectrum *spectra;
    mel_bank *bank;
} mel_spectra;

/* n bands from 0 to top_hz, or to half the rate where that is less. Errors are those of
 * spectrum_create and mel_create; there is nothing to destroy then, but it may be done. */
sigrep_status mel_spectra_create(mel_spectra *made, const char *stage, size_t n, feature_shape in,
                                 double top_hz, sigrep_error *error);
void mel_spectra_destroy(mel_spectra *self);

#endif
