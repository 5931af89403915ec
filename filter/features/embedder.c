#include "filter/features/embedder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/embedding/network.h"
#include "filter/features/cepstra.h"
#include "filter/features/mel.h"
#include "filter/features/spectrum.h"
#include "filter/state/state.h"
#include "filter/status.h"

#define BOTTOM_HZ 60.0
#define TOP_HZ 3800.0
#define FLOOR 0.001f

enum {
    FFT_AT_16_KHZ = 512,
    BANDS = NETWORK_BANDS,
    BACK = 52, /* rows before the one that e stands for */
    AHEAD = NETWORK_FIELD - 1 - BACK
};

/* The mean of e over the library's minute of foreign speech (dev/eval/make-embedding). */
static const double mean[EMBEDDER_VALUES] = {
    -8.795,  13.5,   6.019,  1.127,  3.361,  21.63,  14.14,  1.899,  12.68,  17.16,  -11.86,
    -7.198,  12.71,  -3.787, -5.245, 5.159,  3.775,  -2.738, 4.952,  -11.34, 5.205,  16.42,
    -12.85,  0.9806, -3.437, 6.506,  -17.84, 9.596,  11.46,  4.294,  -20.06, 8.724,  -21.04,
    -0.7082, -5.288, 5.547,  23.8,   19.17,  1.157,  23.98,  -4.264, 3.363,  43.91,  -19.34,
    -7.518,  -7.084, -12.1,  5.114,  17.12,  -0.421, -13.37, 9.93,   8.537,  -9.389, -14.54,
    -13.78,  -9.331, 28.02,  -17.71, -4.427, 4.61,   9.228,  0.7286, -6.6,   21.66,  7.572,
    -2.643,  -11.02, -4.194, -9.002, -1.764, 14.14,  3.529,  -13.69, 18.19,  1.205,  -5.368,
    -8.441,  -19.11, -26.91, 6.421,  14.51,  17.48,  -6.432, 12.03,  7.741,  3.827,  -3.521,
    0.06967, 27.19,  3.11,   15.14,  18.29,  -20.92, 6.039,  12.15,
};

struct embedder {
    size_t rows; /* from one e to the next */
    size_t channels;
    mel_spectra mel;
    double *magnitudes;  /* of a spectrum */
    float (*row)[BANDS]; /* the last one of each channel */
    int started;         /* `row` is of this span */
    weights *weights;
    network **networks; /* one a channel */
    size_t pending;     /* rows that wait in the networks */
    float *e;           /* of one channel */
    float *out;         /* what comes out next */
};

void embedder_destroy(embedder *self)
{
    if (!self) return;
    mel_spectra_destroy(&self->mel);
    for (size_t k = 0; self->networks && k < self->channels; k++)
        network_destroy(self->networks[k]);
    weights_destroy(self->weights);
    free(self->networks);
    free(self->magnitudes);
    free(self->row);
    free(self->e);
    free(self);
}

static sigrep_status make_spectra(embedder *self, const char *stage, frame_shape in,
                                  sigrep_error *error)
{
    const double top_hz = in.rate_hz / 2 < TOP_HZ ? in.rate_hz / 2 : TOP_HZ;
    const sigrep_status status = spectrum_create_hann(&self->mel.spectra, stage, in, top_hz, error);
    if (status) return status;
    return mel_create_linear(&self->mel.bank, stage, BANDS, spectrum_fft(self->mel.spectra),
                             in.rate_hz, BOTTOM_HZ, TOP_HZ, error);
}

/* Returns 0 without memory. */
static int make_networks(embedder *self)
{
    const size_t most = NETWORK_MOST / self->rows + 1, bins = spectrum_bins(self->mel.spectra);
    self->weights = weights_create();
    self->networks = calloc(self->channels, sizeof *self->networks);
    self->row = calloc(self->channels, sizeof *self->row);
    self->magnitudes = malloc(bins * sizeof *self->magnitudes);
    self->e = malloc(most * EMBEDDER_VALUES * sizeof *self->e);
    int made = self->weights && self->networks && self->row && self->magnitudes && self->e;
    for (size_t k = 0; made && k < self->channels; k++) {
        self->networks[k] = network_create(self->weights, self->rows, NULL);
        made = self->networks[k] != NULL;
    }
    return made;
}

sigrep_status embedder_create(embedder **made, const char *stage, size_t rows, frame_shape in,
                              frame_timing *timing, sigrep_error *error)
{
    embedder *self = calloc(1, sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", stage);
    self->rows = rows;
    self->channels = in.dim;
    sigrep_status status = make_spectra(self, stage, in, error);
    if (!status && !make_networks(self))
        status = status_fail(error, SIGREP_NO_MEMORY, "%s: out of memory", stage);
    if (status) {
        embedder_destroy(self);
        return status;
    }
    *made = self;
    *timing = spectrum_timing(self->mel.spectra);
    /* The field ends AHEAD rows after its own row, and the frame owns `rows` rows. */
    timing->look_ahead += (AHEAD + 1 - rows) * timing->hop;
    timing->memory += (NETWORK_FIELD - 1) * timing->hop;
    timing->hop *= rows;
    return SIGREP_OK;
}

size_t embedder_channels(const embedder *self)
{
    return self->channels;
}

/* Let the pending rows through the networks. */
static void run(embedder *self)
{
    const size_t dim = self->channels * EMBEDDER_VALUES;
    size_t got = 0;
    for (size_t k = 0; k < self->channels; k++) {
        got = network_push(self->networks[k], self->pending, self->e);
        for (size_t i = 0; i < got; i++)
            memcpy(self->out + i * dim + k * EMBEDDER_VALUES, self->e + i * EMBEDDER_VALUES,
                   EMBEDDER_VALUES * sizeof *self->e);
    }
    self->out += got * dim;
    self->pending = 0;
}

/* Push the last row of each channel so many times. */
static void push_row(embedder *self, size_t times)
{
    for (; times > 0; times--) {
        for (size_t k = 0; k < self->channels; k++)
            memcpy(network_row(self->networks[k], self->pending), self->row[k],
                   sizeof self->row[k]);
        if (++self->pending == NETWORK_MOST) run(self);
    }
}

static void add_spectrum(void *user, size_t channel, const double *power)
{
    embedder *self = user;
    const double scale = FFT_AT_16_KHZ / (double)spectrum_fft(self->mel.spectra);
    const size_t bins = spectrum_bins(self->mel.spectra);
    float *row = self->row[channel];
    for (size_t k = 0; k < bins; k++) self->magnitudes[k] = sqrt(power[k]) * scale;
    mel_energies(self->mel.bank, self->magnitudes, row);
    for (size_t b = 0; b < BANDS; b++) row[b] = logf(row[b] + FLOOR);
    if (channel + 1 < self->channels) return;
    push_row(self, self->started ? 1 : BACK + 1);
    self->started = 1;
}

static size_t frames_since(const embedder *self, const float *out)
{
    return (size_t)(self->out - out) / (self->channels * EMBEDDER_VALUES);
}

size_t embedder_push(embedder *self, const float *in, size_t n, float *out)
{
    self->out = out;
    spectrum_push(self->mel.spectra, in, n, add_spectrum, self);
    run(self);
    return frames_since(self, out);
}

size_t embedder_flush(embedder *self, float *out)
{
    self->out = out;
    spectrum_flush(self->mel.spectra, add_spectrum, self);
    if (self->started) push_row(self, AHEAD);
    run(self);
    for (size_t k = 0; k < self->channels; k++) network_restart(self->networks[k]);
    self->started = 0;
    return frames_since(self, out);
}

size_t embedder_max_frames(const embedder *self, size_t n)
{
    return (spectrum_max_frames(self->mel.spectra, n) + NETWORK_FIELD) / self->rows + 1;
}

void embedder_pass_state(embedder *self, state_bytes *st)
{
    spectrum_pass_state(self->mel.spectra, st);
    state_int_flag(st, &self->started);
    state_floats(st, self->row[0], self->channels * BANDS);
    for (size_t k = 0; k < self->channels; k++) network_pass_state(self->networks[k], st);
}

void embedder_unit(const float *e, float *out)
{
    double centred[EMBEDDER_VALUES];
    for (size_t i = 0; i < EMBEDDER_VALUES; i++) centred[i] = (double)e[i] - mean[i];
    unit_length(centred, EMBEDDER_VALUES, out);
}
