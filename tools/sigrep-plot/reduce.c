#include "tools/sigrep-plot/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/details.h"
#include "tools/sigrep-plot/recording.h"
#include "tools/sigrep-plot/segments.h"

/* Shares of the bytes, for all of a recording that is not kept whole. */
static const double ALL_SHARE = 0.8, SAMPLES_SHARE = 0.5, RANGES_SHARE = 0.1, COLUMNS_SHARE = 0.15,
                    SCORES_SHARE = 0.05;
enum { MATCH_BYTES = 160 /* of a match in the page, about */ };
static const double MATCHES_SHARE = 0.1;
static const double TOP = 4; /* thresholds at the top of an axis of scores */

double reduce_top(const score_curve *curve)
{
    const double threshold = isnan(curve->threshold) ? 1 : curve->threshold;
    const double most = curve->most > 0 ? (double)curve->most : 1;
    const bool is_usual = isfinite(threshold) && threshold > 0;
    return is_usual && TOP * threshold < most ? TOP * threshold : most;
}

static bool add_ranges(reduction *d, double most)
{
    const recording *r = d->r;
    const double bytes = (double)(2 * r->channels);
    const level l = {0, r->n, level_bucket(r->n, most / bytes)};
    return segment_add_ranges(d, l);
}

static bool add_scores(reduction *d, double most)
{
    const recording *r = d->r;
    if (r->n_frames == 0) return true;
    const level l = {0, r->n_frames, level_bucket(r->n_frames, most / (double)(2 * r->n_curves))};
    if (l.bucket > 1)
        text_add_format(
            &d->remarks, "Away from matches, the least score of every %.3g %s is shown.\n",
            (double)(l.bucket * r->n) / (double)r->n_frames / r->info.rate_hz, recording_unit(r));
    return segment_add_scores(d, l);
}

static bool add_columns(reduction *d, double most)
{
    const recording *r = d->r;
    const spectrogram *s = &d->spectrogram;
    if (s->bands == 0) return true;
    const uint64_t n = spectrogram_columns(s, r->n);
    const level l = {0, n, level_bucket(n, most / (double)s->bands)};
    if (l.bucket > 1)
        text_add_format(&d->remarks,
                        "Away from matches, the spectrogram has a column every %.3g s.\n",
                        (double)(l.bucket * s->hop) / r->info.rate_hz);
    return segment_add_columns(d, l);
}

static int by_number(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The best matches that the page has room for. */
static bool choose_matches(reduction *d, const size_t *order, double most)
{
    const match_list *list = &d->r->matches;
    const double room = most / MATCH_BYTES;
    d->n_matches = (double)list->n <= room ? list->n : (size_t)room;
    d->matches = malloc((list->n + 1) * sizeof *d->matches);
    if (!d->matches) return false;
    for (size_t i = 0; i < d->n_matches; i++) d->matches[i] = order[i];
    qsort(d->matches, d->n_matches, sizeof *d->matches, by_number);
    if (d->n_matches < list->n)
        text_add_format(&d->remarks, "Of %zu matches, the best %zu are shown.\n", list->n,
                        d->n_matches);
    return true;
}

/* All of it, as fine as its shares of `most` bytes allow; with enough bytes, whole. */
static bool add_whole(reduction *d, double most)
{
    const recording *r = d->r;
    const double samples = (double)r->n * (double)(2 * r->channels);
    const double columns =
        (double)spectrogram_columns(&d->spectrogram, r->n) * (double)d->spectrogram.bands;
    const double scores = (double)r->n_frames * (double)(2 * r->n_curves);
    const bool is_whole = samples + columns + scores <= ALL_SHARE * most;
    const bool has_samples = is_whole || samples <= SAMPLES_SHARE * most;
    return (has_samples ? segment_add_samples(d, (level){0, r->n, 1})
                        : add_ranges(d, RANGES_SHARE * most)) &&
           add_scores(d, is_whole ? scores : SCORES_SHARE * most) &&
           add_columns(d, is_whole ? columns : COLUMNS_SHARE * most);
}

static void remark_of_recording(reduction *d)
{
    const recording *r = d->r;
    if (r->failure[0]) text_add_format(&d->remarks, "It ends early: %s.\n", r->failure);
    if (r->n_curves < r->n_labels)
        text_add_format(&d->remarks, "Scores are shown of the first %zu of %zu labels.\n",
                        r->n_curves, r->n_labels);
    if (r->info.audio && d->spectrogram.bands == 0)
        text_add_format(&d->remarks, "At %.9g Hz there is no spectrogram.\n", r->info.rate_hz);
    if (d->times.counts && r->times)
        text_add_format(&d->remarks, "Its times go back, so the axis counts samples.\n");
}

bool reduce(reduction *d, const recording *r, double most)
{
    *d = (reduction){.r = r};
    size_t *order = matches_by_rank(&r->matches);
    d->is_detailed = calloc(r->matches.n + 1, sizeof *d->is_detailed);
    d->has_path = calloc(r->matches.n + 1, sizeof *d->has_path);
    d->path_at = calloc(r->matches.n + 1, sizeof *d->path_at);
    if (r->info.audio) d->spectrogram = spectrogram_of(r->info.rate_hz);
    bool good = order && d->is_detailed && d->has_path && d->path_at &&
                choose_matches(d, order, MATCHES_SHARE * most);
    if (!good) report_no_memory(r->name);
    const double room = (1 - MATCHES_SHARE) * most;
    good = good && timeline_make(&d->times, r);
    if (good) remark_of_recording(d);
    good = good && add_whole(d, room) && details_add(d, order, room - (double)d->bytes.n);
    free(order);
    if (good && d->remarks.failed) good = report_no_memory(r->name);
    return good;
}

void reduction_free(reduction *d)
{
    timeline_free(&d->times);
    blob_free(&d->bytes);
    for (size_t k = 0; k < SEGMENT_KINDS; k++) free(d->segments[k].items);
    free(d->matches);
    free(d->is_detailed);
    free(d->has_path);
    free(d->path_at);
    free(d->remarks.data);
    *d = (reduction){0};
}
