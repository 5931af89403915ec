#include "tools/sigrep-plot/levels.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"

enum { AT_ONCE = 1 << 16, COLUMNS_AT_ONCE = 1 << 12 };

/* Add a value to a range that begins as two NaN. */
static void widen(float range[2], float v)
{
    if (!isfinite(v)) return;
    if (!(range[0] <= v)) range[0] = v;
    if (!(range[1] >= v)) range[1] = v;
}

static void clear(float *to, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = NAN;
}

/* The size of the next part of a level, from `done` on. */
static size_t part_of(level l, uint64_t done, size_t most)
{
    return l.n - done < most ? (size_t)(l.n - done) : most;
}

/* How many of the next n, from `at` on, belong to the same bucket. */
static size_t rest_of_bucket(level l, uint64_t at, size_t n)
{
    const uint64_t rest = l.bucket - at % l.bucket;
    return rest < n ? (size_t)rest : n;
}

bool level_samples(const recording *r, level l, float *to)
{
    const size_t at_once = recording_at_once(r);
    float *samples = malloc(at_once * r->channels * sizeof *samples);
    bool good = samples || report_no_memory(r->name);
    clear(to, level_buckets(l) * r->channels * 2);
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, at_once);
        good = recording_read(r, l.first + done, n, samples);
        for (size_t i = 0; good && i < n;) {
            float *bucket = to + (done + i) / l.bucket * r->channels * 2;
            for (const size_t end = i + rest_of_bucket(l, done + i, n - i); i < end; i++)
                for (size_t k = 0; k < r->channels; k++)
                    widen(bucket + 2 * k, samples[i * r->channels + k]);
        }
        done += n;
    }
    free(samples);
    return good;
}

bool level_scores(const recording *r, level l, float *to)
{
    float *scores = malloc(AT_ONCE * r->n_curves * sizeof *scores);
    bool good = scores || report_no_memory(r->name);
    clear(to, level_buckets(l) * r->n_curves);
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, AT_ONCE);
        good = recording_read_scores(r, l.first + done, n, scores);
        for (size_t i = 0; good && i < n; i++) {
            float *bucket = to + (done + i) / l.bucket * r->n_curves;
            for (size_t c = 0; c < r->n_curves; c++) {
                const float v = scores[i * r->n_curves + c];
                if (isfinite(v) && !(bucket[c] <= v)) bucket[c] = v;
            }
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
    for (size_t i = 0; i < level_buckets(l) * s->bands; i++) to[i] = 0;
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, COLUMNS_AT_ONCE);
        good = spectrogram_read(s, r, l.first + done, n, columns);
        for (size_t i = 0; good && i < n; i++) {
            unsigned char *bucket = to + (done + i) / l.bucket * s->bands;
            const unsigned char *column = columns + i * s->bands;
            for (size_t b = 0; b < s->bands; b++)
                if (column[b] > bucket[b]) bucket[b] = column[b];
        }
        done += n;
    }
    free(columns);
    return good;
}
