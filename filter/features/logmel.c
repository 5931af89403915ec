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

static void add_spectrum(void *user, size_t channel, const double *power)
{
    mel_stage *self = user;
    mel_log(self->mel.bank, power, self->out);
    self->out += self->kind.bands;
    if (channel == 0) self->n_out++;
}

static sigrep_status logmel_create(void **stage, const char *argument, frame_shape in,
                                   frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    mel_stage_kind kind = {.name = "logmel",
                           .size = sizeof(mel_stage),
                           .top_hz = in.rate_hz / 2,
                           .receive = add_spectrum};
    const sigrep_status status = parse_bands(&kind.bands, argument, error);
    kind.values = kind.bands;
    return status ? status : mel_stage_create(stage, &kind, in, out, timing, error);
}

const stage_ops stage_logmel = {
    .name = "logmel",
    .argument = "BANDS",
    .argument_required = 0,
    .restarts = 1,
    .create = logmel_create,
    .push = mel_stage_push,
    .flush = mel_stage_flush,
    .pass_state = mel_stage_pass_state,
    .max_frames = mel_stage_max_frames,
    .destroy = mel_stage_destroy,
};
