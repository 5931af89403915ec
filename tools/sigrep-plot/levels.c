#include "tools/sigrep-plot/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"

enum { AT_ONCE = 1 << 16, COLUMNS_AT_ONCE = 1 << 12 };
static const double TOP = 4; /* thresholds at the top of an axis of scores */

double level_top(const score_curve *curve)
{
    const double threshold = isnan(curve->threshold) ? 1 : curve->threshold;
    const double most = curve->most > 0 ? (double)curve->most : 1;
    const bool is_usual = isfinite(threshold) && threshold > 0;
    return is_usual && TOP * threshold < most ? TOP * threshold : most;
}

/* The size of the next part of a level, from `done` on. */
static size_t part_of(level l, uint64_t done, size_t most)
{
    return l.n - done < most ? (size_t)(l.n - done) : most;
}

bool level_samples(const recording *r, level l, float *to)
{
    const size_t at_once = recording_at_once(r), channels = r->channels;
    float *samples = malloc(at_once * channels * sizeof *samples);
    bool good = samples || report_no_memory(r->name);
    for (size_t i = 0; i < level_buckets(l) * channels * 2; i++) to[i] = NAN;
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, at_once);
        good = recording_read(r, l.first + done, n, samples);
        for (size_t i = 0; good && i < n; i++) {
            float *range = to + (done + i) / l.bucket * channels * 2;
            for (size_t k = 0; k < channels; k++, range += 2) {
                const float v = samples[i * channels + k];
                if (!isfinite(v)) continue;
                if (!(range[0] <= v)) range[0] = v;
                if (!(range[1] >= v)) range[1] = v;
            }
        }
        done += n;
    }
    free(samples);
    return good;
}

bool level_scores(const recording *r, level l, float *to)
{
    const size_t curves = r->n_curves;
    float *scores = malloc(AT_ONCE * curves * sizeof *scores);
    bool good = scores || report_no_memory(r->name);
    for (size_t i = 0; i < level_buckets(l) * curves; i++) to[i] = NAN;
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, AT_ONCE);
        good = recording_read_scores(r, l.first + done, n, scores);
        for (size_t i = 0; good && i < n * curves; i++) {
            float *least = to + (done + i / curves) / l.bucket * curves + i % curves;
            if (isfinite(scores[i]) && !(*least <= scores[i])) *least = scores[i];
        }
        done += n;
    }
    free(scores);
    return good;
}

bool level_columns(const recording *r, const spectrogram *s, level l, unsigned char *to)
{
    unsigned char *columns = calloc(COLUMNS_AT_ONCE, s->bands);
    bool good = columns || report_no_memory(r->name);
    memset(to, 0, level_buckets(l) * s->bands);
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, COLUMNS_AT_ONCE);
        good = spectrogram_read(s, r, l.first + done, n, columns);
        for (size_t i = 0; good && i < n * s->bands; i++) {
            unsigned char *most = to + (done + i / s->bands) / l.bucket * s->bands + i % s->bands;
            if (columns[i] > *most) *most = columns[i];
        }
        done += n;
    }
    free(columns);
    return good;
}
