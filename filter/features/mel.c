#include "filter/features/mel.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "filter/features/stage.h"
#include "filter/state/state.h"
#include "filter/status.h"

typedef struct {
    size_t first, count; /* points of the spectrum */
    const double *weights;
} band;

struct mel_bank {
    size_t n;
    band *bands;
    double *weights; /* of all bands, one after the other */
};

static double mel_of(double hz)
{
    return 2595 * log10(1 + hz / 700);
}

static double hz_of(double mel)
{
    return 700 * (pow(10, mel / 2595) - 1);
}

/* The bands of a bank. Weights rise and fall with Hz, or with mel if they are `in_mel`. */
typedef struct {
    size_t fft;
    double rate_hz, bottom_mel, top_mel;
    bool in_mel;
} band_plan;

static double triangle(double at, const double corner[3])
{
    const double up = (at - corner[0]) / (corner[1] - corner[0]);
    const double down = (corner[2] - at) / (corner[2] - corner[1]);
    const double least = up < down ? up : down;
    return least > 0 ? least : 0;
}

/* Fill band b by weights, and return those after its own. */
static double *fill_band(mel_bank *bank, size_t b, const band_plan *plan, double *weights)
{
    const double step = (plan->top_mel - plan->bottom_mel) / (double)(bank->n + 1);
    double corner[3];
    for (size_t i = 0; i < 3; i++) {
        corner[i] = plan->bottom_mel + step * (double)(b + i);
        if (!plan->in_mel) corner[i] = hz_of(corner[i]);
    }
    band *at = &bank->bands[b];
    *at = (band){.weights = weights};
    for (size_t k = 0; k <= plan->fft / 2; k++) {
        const double hz = (double)k * plan->rate_hz / (double)plan->fft;
        const double weight = triangle(plan->in_mel ? mel_of(hz) : hz, corner);
        if (!(weight > 0)) continue;
        if (at->count == 0) at->first = k;
        at->count++;
        *weights++ = weight;
    }
    return weights;
}

/* Returns 0 if a band below half the rate holds no point. No point lies in more than two bands. */
static int fill_bands(mel_bank *bank, const band_plan *plan)
{
    const double step = (plan->top_mel - plan->bottom_mel) / (double)(bank->n + 1);
    double *weights = bank->weights;
    for (size_t b = 0; b < bank->n; b++) {
        const double centre = hz_of(plan->bottom_mel + step * (double)(b + 1));
        weights = fill_band(bank, b, plan, weights);
        if (bank->bands[b].count == 0 && centre <= plan->rate_hz / 2) return 0;
    }
    return 1;
}

void mel_destroy(mel_bank *bank)
{
    if (!bank) return;
    free(bank->bands);
    free(bank->weights);
    free(bank);
}

static sigrep_status create(mel_bank **made, const char *stage, size_t n, const band_plan *plan,
                            sigrep_error *error)
{
    mel_bank *bank = calloc(1, sizeof *bank);
    if (bank) {
        bank->n = n;
        bank->bands = calloc(n, sizeof *bank->bands);
        /* Two bands a point, and two more a band for corners that rounding puts on a point. */
        bank->weights = malloc((plan->fft + 2 + 2 * n) * sizeof *bank->weights);
    }
    if (!bank || !bank->bands || !bank->weights) {
        mel_destroy(bank);
        return status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", stage);
    }
    if (!fill_bands(bank, plan)) {
        mel_destroy(bank);
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "%s: a spectrum of %zu points at %g Hz is too coarse for %zu mel bands",
                           stage, plan->fft, plan->rate_hz, n);
    }
    *made = bank;
    return SIGREP_OK;
}

sigrep_status mel_create(mel_bank **made, const char *stage, size_t n, size_t fft, double rate_hz,
                         double top_hz, sigrep_error *error)
{
    const band_plan plan = {fft, rate_hz, 0, mel_of(top_hz), false};
    return create(made, stage, n, &plan, error);
}

sigrep_status mel_create_linear(mel_bank **made, const char *stage, size_t n, size_t fft,
                                double rate_hz, double bottom_hz, double top_hz,
                                sigrep_error *error)
{
    const band_plan plan = {fft, rate_hz, mel_of(bottom_hz), mel_of(top_hz), true};
    return create(made, stage, n, &plan, error);
}

void mel_energies(const mel_bank *bank, const double *power, float *out)
{
    for (size_t b = 0; b < bank->n; b++) {
        const band *at = &bank->bands[b];
        double energy = 0;
        for (size_t i = 0; i < at->count; i++) energy += at->weights[i] * power[at->first + i];
        out[b] = clip_double(energy);
    }
}

void mel_log(const mel_bank *bank, const double *power, float *out)
{
    mel_energies(bank, power, out);
    for (size_t b = 0; b < bank->n; b++) out[b] = logf(out[b] > MEL_FLOOR ? out[b] : MEL_FLOOR);
}

void mel_spectra_destroy(mel_spectra *self)
{
    spectrum_destroy(self->spectra);
    mel_destroy(self->bank);
    *self = (mel_spectra){0};
}

sigrep_status mel_spectra_create(mel_spectra *made, const char *stage, size_t n, frame_shape in,
                                 double top_hz, sigrep_error *error)
{
    *made = (mel_spectra){0};
    if (in.rate_hz / 2 < top_hz) top_hz = in.rate_hz / 2;
    sigrep_status status = spectrum_create(&made->spectra, stage, in, top_hz, error);
    if (status == SIGREP_OK)
        status = mel_create(&made->bank, stage, n, spectrum_fft(made->spectra), in.rate_hz, top_hz,
                            error);
    if (status != SIGREP_OK) mel_spectra_destroy(made);
    return status;
}

void mel_stage_destroy(void *stage)
{
    mel_stage *self = stage;
    if (!self) return;
    mel_spectra_destroy(&self->mel);
    free(self->ring);
    free(self);
}

sigrep_status mel_stage_create(void **stage, const mel_stage_kind *kind, frame_shape in,
                               frame_shape *out, frame_timing *timing, sigrep_error *error)
{
    size_t dim;
    mel_stage *self = calloc(1, kind->size);
    bool fits = self && !__builtin_mul_overflow(in.dim, kind->values, &dim);
    if (fits && kind->ring) {
        self->ring = calloc(in.dim, kind->ring);
        fits = self->ring != NULL;
    }
    if (!fits) {
        mel_stage_destroy(self);
        return status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", kind->name);
    }
    self->kind = *kind;
    self->channels = in.dim;
    const sigrep_status status =
        mel_spectra_create(&self->mel, kind->name, kind->bands, in, kind->top_hz, error);
    if (status != SIGREP_OK) {
        mel_stage_destroy(self);
        return status;
    }
    *stage = self;
    *timing = spectrum_timing(self->mel.spectra);
    timing->look_ahead += kind->ahead * timing->hop;
    timing->memory += (kind->ahead + kind->back) * timing->hop;
    *out = (frame_shape){.dim = dim, .rate_hz = in.rate_hz / (double)timing->hop};
    return SIGREP_OK;
}

size_t mel_stage_push(void *stage, const float *in, size_t n, float *out)
{
    mel_stage *self = stage;
    const uint64_t before = self->n_out;
    self->out = out;
    spectrum_push(self->mel.spectra, in, n, self->kind.receive, self);
    return (size_t)(self->n_out - before);
}

size_t mel_stage_flush(void *stage, float *out)
{
    mel_stage *self = stage;
    const uint64_t before = self->n_out;
    self->out = out;
    spectrum_flush(self->mel.spectra, self->kind.receive, self);
    if (self->kind.finish) self->kind.finish(self);
    const size_t frames = (size_t)(self->n_out - before);
    self->n_in = self->n_out = 0;
    return frames;
}

size_t mel_stage_max_frames(const void *stage, size_t n)
{
    const mel_stage *self = stage;
    return spectrum_max_frames(self->mel.spectra, n) + self->kind.ahead;
}

void mel_stage_pass_state(void *stage, state_bytes *st)
{
    mel_stage *self = stage;
    spectrum_pass_state(self->mel.spectra, st);
    if (!self->ring) return; /* it looks at one frame at a time */
    state_u64(st, &self->n_in);
    state_u64(st, &self->n_out);
    state_must(st, self->n_out <= self->n_in && self->n_in - self->n_out <= self->kind.ahead);
    if (st->is_wrong) self->n_in = self->n_out = 0;
    state_floats(st, self->ring, self->channels * self->kind.ring / sizeof(float));
}
