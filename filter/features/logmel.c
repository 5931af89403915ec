/*
 * logmel[=BANDS] - logarithms of the energies in BANDS mel bands, 26 by default, from 0 Hz to
 * half the rate.
 *
 *     samples --> spectrum.h: a window of 25 ms every 10 ms --> mel.h: ln of each band --> frames
 *
 * A frame holds the bands of the first channel, then those of the second, and so on.
 * Look-ahead: 7.5 ms, the part of the window after the frame's own samples. Memory: the
 * window and one sample.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/features/mel.h"
#include "filter/features/stage.h"
#include "filter/status.h"

enum { DEFAULT_BANDS = 26, MAX_BANDS = 1024 };

typedef struct {
    mel_spectra mel;
    size_t bands, dim;
    float *out;    /* the next channel of the next frame */
    size_t frames; /* given by this call */
} logmel_stage;

static void logmel_destroy(void *stage)
{
    logmel_stage *self = stage;
    if (!self) return;
    mel_spectra_destroy(&self->mel);
    free(self);
}

static sigrep_status parse_bands(size_t *bands, const char *argument, sigrep_error *error)
{
    *bands = DEFAULT_BANDS;
    if (!argument) return SIGREP_OK;
    const size_t length = strlen(argument);
    const int plain = length < 5 && strspn(argument, "0123456789") == length;
    const unsigned long value = plain ? strtoul(argument, NULL, 10) : 0;
    if (value < 1 || value > MAX_BANDS)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "logmel=%.40s: BANDS must be a whole number from 1 to %d", argument,
                           MAX_BANDS);
    *bands = (size_t)value;
    return SIGREP_OK;
}

static sigrep_status logmel_create(void **stage, const char *argument, frame_shape in,
                                   frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    size_t bands = 0, dim;
    sigrep_status status = parse_bands(&bands, argument, error);
    if (status != SIGREP_OK) return status;
    logmel_stage *self = calloc(1, sizeof *self);
    if (!self || __builtin_mul_overflow(bands, in.dim, &dim)) {
        free(self);
        return status_fail(error, SIGREP_NO_MEMORY, "logmel: out of memory");
    }
    self->bands = bands;
    self->dim = dim;
    status = mel_spectra_create(&self->mel, "logmel", bands, in, in.rate_hz / 2, error);
    if (status != SIGREP_OK) {
        logmel_destroy(self);
        return status;
    }
    *stage = self;
    *timing = spectrum_timing(self->mel.spectra);
    *out = (frame_shape){.dim = dim, .rate_hz = in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

static void add_spectrum(void *user, size_t channel, const double *power)
{
    logmel_stage *self = user;
    if (channel == 0) self->frames++;
    mel_log(self->mel.bank, power, self->out);
    self->out += self->bands;
}

static size_t logmel_push(void *stage, const float *in, size_t n, float *out)
{
    logmel_stage *self = stage;
    self->out = out;
    self->frames = 0;
    spectrum_push(self->mel.spectra, in, n, add_spectrum, self);
    return self->frames;
}

static size_t logmel_flush(void *stage, float *out)
{
    logmel_stage *self = stage;
    self->out = out;
    self->frames = 0;
    spectrum_flush(self->mel.spectra, add_spectrum, self);
    return self->frames;
}

static size_t logmel_max_frames(const void *stage, size_t n)
{
    return spectrum_max_frames(((const logmel_stage *)stage)->mel.spectra, n);
}

const stage_ops stage_logmel = {
    .name = "logmel",
    .argument = "BANDS",
    .argument_required = 0,
    .restarts = 1,
    .create = logmel_create,
    .push = logmel_push,
    .flush = logmel_flush,
    .max_frames = logmel_max_frames,
    .destroy = logmel_destroy,
};
