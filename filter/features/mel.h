/*
 * mel.h - the energy of a spectrum in bands that are equally wide to the ear.
 *
 *     1 |    /\    /\      /\          weights of bands b = 0, 1, 2 over frequency F
 *       |   /  \  /  \    /  \
 *       |  /    \/    \  /    \        linear in Hz; a band rises where the one before falls
 *       | /     /\     \/      \
 *     0 |/_____/__\____/\_______\__
 *      f_0    f_1   f_2   f_3   f_4    equally spaced in mel, from f_0 = 0 to f_(n+1) = top
 *
 *     mel(f) = 2595 log10(1 + f / 700)                          (O'Shaughnessy 1987; HTK)
 *     E_b    = sum over k of P_k max(0, min((F_k - f_b) / (f_(b+1) - f_b),
 *                                           (f_(b+2) - F_k) / (f_(b+2) - f_(b+1))))
 *     log_b  = ln(max(E_b, 1e-10))
 *
 * P_k, k = 0 ... N/2, is the power spectrum; F_k = k rate / N. The sum is in double by rising k,
 * then rounded to float32. The logarithm is in float32.
 *
 * The floor 1e-10 makes silence look alike in every file, and ln never meets 0. With the scale
 * of spectrum.h a sine of full scale has an energy of 1/4. Rounding to 16 bits makes noise of
 * variance 2^-30 / 12, which pre-emphasis doubles: below 1e-10 in all bands together.
 */
#ifndef FILTER_FEATURES_MEL_H
#define FILTER_FEATURES_MEL_H

#include "filter/features/spectrum.h"

#define MEL_FLOOR 1e-10f

typedef struct mel_bank mel_bank;

/* n bands from 0 to top_hz <= rate_hz / 2, for FFTs of length `fft` (N). The caller destroys
 * the bank. SIGREP_BAD_FRONT_END if a band would hold no point of the spectrum, with a message
 * that begins with `stage`; SIGREP_NO_MEMORY. */
sigrep_status mel_create(mel_bank **made, const char *stage, size_t n, size_t fft, double rate_hz,
                         double top_hz, sigrep_error *error);
void mel_destroy(mel_bank *bank);

/* The same for bands as a network was trained on them (TensorFlow, linear_to_mel_weight_matrix):
 * from bottom_hz on, top_hz may be above half the rate, and weights are linear in mel, not in Hz. A
 * band whose centre lies above half the rate may hold no point. */
sigrep_status mel_create_linear(mel_bank **made, const char *stage, size_t n, size_t fft,
                                double rate_hz, double bottom_hz, double top_hz,
                                sigrep_error *error);

/* Powers P_k from 0 to top_hz in, n energies E_b out, without the floor. */
void mel_energies(const mel_bank *bank, const double *power, float *out);

/* Powers in, n logarithms log_b out. */
void mel_log(const mel_bank *bank, const double *power, float *out);

/* The spectra of a stream and a bank for them: how front ends for sounds begin. */
typedef struct {
    spectrum *spectra;
    mel_bank *bank;
} mel_spectra;

/* n bands from 0 to top_hz, or to half the rate if that is less. Errors are those of
 * spectrum_create and mel_create. After an error nothing needs to be destroyed, but may be. */
sigrep_status mel_spectra_create(mel_spectra *made, const char *stage, size_t n, frame_shape in,
                                 double top_hz, sigrep_error *error);
void mel_spectra_destroy(mel_spectra *self);

/* What a front end for sounds is made of. */
typedef struct {
    const char *name;
    size_t size; /* of its stage, a struct that begins with a mel_stage */
    size_t bands;
    double top_hz;
    size_t values;      /* of a frame, each channel */
    size_t ring;        /* bytes of frames to look back at, each channel, all floats; 0: none */
    size_t ahead, back; /* frames beside a frame that influence it */
    spectrum_callback receive;
    void (*finish)(void *stage); /* the span ends: give the frames that are left; NULL: none is */
} mel_stage_kind;

typedef struct {
    mel_stage_kind kind;
    mel_spectra mel;
    size_t channels;
    void *ring;
    uint64_t n_in, n_out; /* frames of this span that entered the ring, and that came out */
    float *out;           /* the next channel of the next frame */
} mel_stage;

/* Creates the stage, zeros after its mel_stage. As stage_ops.create; so are the others. */
sigrep_status mel_stage_create(void **stage, const mel_stage_kind *kind, frame_shape in,
                               frame_shape *out, frame_timing *timing, sigrep_error *error);
size_t mel_stage_push(void *stage, const float *in, size_t n, float *out);
size_t mel_stage_flush(void *stage, float *out);
size_t mel_stage_max_frames(const void *stage, size_t n);
void mel_stage_pass_state(void *stage, state_bytes *st);
void mel_stage_destroy(void *stage);

#endif
