#include "tools/sigrep-plot/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"

enum { MOST_VALUES = 1 << 18 /* read at once */, COLUMNS_AT_ONCE = 1 << 12 };
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

/* recording_read or recording_read_scores */
typedef bool read_fn(const recording *r, uint64_t first, size_t n, float *to);

/* The least values of `width` series, and after each the highest if `both`. */
static bool reduce_values(const recording *r, read_fn *read, size_t width, level l, bool both,
                          float *to)
{
    const size_t at_once = width < MOST_VALUES ? MOST_VALUES / width : 1, each = both ? 2 : 1;
    float *values = malloc(at_once * width * sizeof *values);
    bool good = values || report_no_memory(r->name);
    for (size_t i = 0; i < level_buckets(l) * width * each; i++) to[i] = NAN;
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = part_of(l, done, at_once);
        good = read(r, l.first + done, n, values);
        for (size_t i = 0; good && i < n; i++) {
            float *range = to + (done + i) / l.bucket * width * each;
            for (size_t k = 0; k < width; k++, range += each) {
                const float v = values[i * width + k];
                if (!isfinite(v)) continue;
                if (!(range[0] <= v)) range[0] = v;
                if (both && !(range[1] >= v)) range[1] = v;
            }
        }
        done += n;
    }
    free(values);
    return good;
}

bool level_samples(const recording *r, level l, float *to)
{
    return reduce_values(r, recording_read, r->channels, l, true, to);
}

bool level_scores(const recording *r, level l, float *to)
{
    return reduce_values(r, recording_read_scores, r->n_curves, l, false, to);
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
