/*
 * logmel[=BANDS] - logarithms of the energies in BANDS (26) mel bands from 0 Hz to half the rate,
 * every 10 ms.
 *
 * The windows, their timing and the number of frames are those of spectrum.h, the bands and
 * the floor under the logarithm those of mel.h. A frame has the bands of the first channel,
 * then those of the second, and so on. Look-ahead: what the window of 25 ms has behind the
 * frame's own samples, 7.5 ms; memory: the window and one sample.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/features/mel.h"
#include "filter/features/stages.h"

enum { DEFAULT_BANDS = 26, MAX_BANDS = 1024 };

typedef struct {
    mel_spectra mel;
    size_t bands, dim;
    float *out; /* where the next frame goes */
    size_t frames;
} logmel_stage;

static void logmel_destroy(void *stage)
{
    logmel_stage *self = stage;
    if (!self) return;
    mel_spectra_destroy(&self->mel);
    free(self);
}

static sigrep_status bands_of(size_t *bands, const char *argument, sigrep_error *error)
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

static sigrep_status logmel_create(void **stage, const char *argument, feature_shape in,
                                   feature_shape *out, feature_timing *timing, sigrep_error *error)
{
    size_t bands = 0, dim;
    sigrep_status status = bands_of(&bands, argument, error);
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
    *out = (feature_shape){.dim = dim, .rate_hz = in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

static void take(void *user, size_t channel, const double *power)
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
    spectrum_push(self->mel.spectra, in, n, take, self);
    return self->frames;
}

static size_t logmel_flush(void *stage, float *out)
{
    logmel_stage *self = stage;
    self->out = out;
    self->frames = 0;
    spectrum_flush(self->mel.spectra, take, self);
    return self->frames;
}

static size_t logmel_max_frames(const void *stage, size_t n)
{
    return spectrum_max_frames(((const logmel_stage *)stage)->mel.spectra, n);
}

const feature_ops feature_logmel = {
    .name = "logmel",
    .argument = "BANDS",
    .argument_required = 0,
    .create = logmel_create,
    .push = logmel_push,
    .flush = logmel_flush,
    .max_frames = logmel_max_frames,
    .destroy = logmel_destroy,
};
