#include "tools/sigrep-plot/spectrogram.h"

#include <math.h>
#include <stdlib.h>

#include "sigrep.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"

enum { CONTEXT = 4 /* columns around those that are kept: more than a window */ };

/* Of the first front end that this rate allows. NULL: none, or no memory. */
static sigrep_bundle *empty_bundle(double rate_hz)
{
    static const char *const front_ends[] = {"logmel=64", "logmel=40", "logmel=26"};
    sigrep_bundle *bundle = NULL;
    for (size_t i = 0; i < sizeof front_ends / sizeof *front_ends && !bundle; i++) {
        const sigrep_bundle_info info = {
            .size = sizeof info, .front_end = front_ends[i], .rate_hz = rate_hz, .channels = 1};
        (void)sigrep_bundle_create(&bundle, &info, NULL);
    }
    return bundle;
}

spectrogram spectrogram_of(double rate_hz)
{
    spectrogram s = {.rate_hz = rate_hz};
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle *bundle = empty_bundle(rate_hz);
    if (!bundle) return s;
    sigrep_bundle_get_info(bundle, &info);
    sigrep_bundle_destroy(bundle);
    s.bands = info.frame_dim;
    s.hop = info.hop;
    return s;
}

uint64_t spectrogram_columns(const spectrogram *s, uint64_t n)
{
    return s->bands ? (n + s->hop - 1) / s->hop : 0;
}

/* ln of an energy as a byte. */
static unsigned char level_of(float log_energy)
{
    const double db = 10 / log(10) * (double)log_energy;
    const double level = (db - SPECTROGRAM_FLOOR_DB) / SPECTROGRAM_STEP_DB;
    return (unsigned char)(level <= 0 ? 0 : level >= 255 ? 255 : level);
}

/* Columns [skip, skip + columns) of n samples. */
static bool transform(const spectrogram *s, const float *samples, size_t n, size_t skip,
                      size_t columns, unsigned char *to)
{
    sigrep_bundle *bundle = empty_bundle(s->rate_hz);
    sigrep_bundle_take made = {.size = sizeof made};
    const sigrep_template take = {
        .size = sizeof take, .label = "x", .samples = samples, .length = n};
    const bool good = bundle && !sigrep_bundle_add_take(bundle, "x", &take, NULL) &&
                      !sigrep_bundle_get_take(bundle, 0, &made);
    const size_t all = good ? (size_t)made.frames->length : 0;
    for (size_t t = 0; t < columns && skip + t < all; t++)
        for (size_t b = 0; b < s->bands; b++)
            to[t * s->bands + b] = level_of(made.frames->samples[(skip + t) * s->bands + b]);
    sigrep_bundle_destroy(bundle);
    return good;
}

/* The mean of all channels, in place. */
static void mix(float *samples, size_t n, size_t channels)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < channels; k++) sum += (double)samples[i * channels + k];
        samples[i] = isfinite(sum) ? (float)(sum / (double)channels) : 0;
    }
}

bool spectrogram_read(const spectrogram *s, const recording *r, uint64_t first, size_t n,
                      unsigned char *to)
{
    const uint64_t lead = first < CONTEXT ? first : CONTEXT;
    const uint64_t begin = (first - lead) * s->hop;
    const uint64_t wanted = (first + n + CONTEXT) * s->hop;
    const size_t length = (size_t)((wanted < r->n ? wanted : r->n) - begin);
    /* A take has two frames at least. */
    const size_t room = length < 2 * (size_t)s->hop ? 2 * (size_t)s->hop : length;
    float *samples = calloc(room * r->channels, sizeof *samples);
    if (!samples) return report_no_memory(r->name);
    bool good = recording_read(r, begin, length, samples);
    if (good) {
        mix(samples, room, r->channels);
        good = transform(s, samples, room, (size_t)lead, n, to) || report_no_memory(r->name);
    }
    free(samples);
    return good;
}

bool spectrogram_make(const spectrogram *s, const float *samples, size_t n, unsigned char *to)
{
    const size_t columns = (size_t)spectrogram_columns(s, n);
    return n < 2 * (size_t)s->hop || transform(s, samples, n, 0, columns, to);
}
