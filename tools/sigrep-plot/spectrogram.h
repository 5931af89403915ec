/*
 * spectrogram.h - energies in mel bands, by the library's front end logmel:
 *
 *     samples --> a take of a bundle with the front end logmel=64 --> its frames --> bytes
 *
 * A byte is 0.4 dB; 0 is -100 dB and silence, 255 is +2 dB. Full scale has about -6 dB.
 */
#ifndef TOOLS_SIGREP_PLOT_SPECTROGRAM_H
#define TOOLS_SIGREP_PLOT_SPECTROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct recording recording; /* recording.h */

#define SPECTROGRAM_FLOOR_DB (-100.0)
#define SPECTROGRAM_STEP_DB 0.4

typedef struct {
    size_t bands;   /* 0: none can be made at this rate */
    uint64_t hop;   /* samples a column */
    double rate_hz; /* of the samples; bands go from 0 Hz to half of it, evenly in mel */
} spectrogram;

/* What a spectrogram of samples at this rate has. */
spectrogram spectrogram_of(double rate_hz);

/* The columns of n samples; the last one may be of fewer samples. */
uint64_t spectrogram_columns(const spectrogram *s, uint64_t n);

/* Columns [first, first + n) of a recording, n x bands bytes. Channels are mixed, gaps are silent.
 * false after a failure, which is reported. */
bool spectrogram_read(const spectrogram *s, const recording *r, uint64_t first, size_t n,
                      unsigned char *to);

/* All columns of mono samples, likewise. false without memory. */
bool spectrogram_make(const spectrogram *s, const float *samples, size_t n, unsigned char *to);

#endif
