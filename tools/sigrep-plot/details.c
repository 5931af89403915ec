#include "tools/sigrep-plot/details.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"
#include "tools/sigrep-plot/segments.h"

static const double CONTEXT = 0.25;        /* of a match, on either side */
static const double LEAST_CONTEXT_S = 0.1; /* of audio */
static const double PATHS_SHARE = 0.2;
enum { SEGMENT_BYTES = 100 /* of three segments in the page, about */ };

/* What is not there in full already. */
static bool lacks(const reduction *d, segment_kind kind)
{
    const segment_list *list = &d->segments[kind];
    return list->n > 0 && list->items[0].level.bucket > 1;
}

static bool lacks_samples(const reduction *d)
{
    return d->segments[SEGMENT_SAMPLES].n == 0 || d->segments[SEGMENT_RANGES].n > 0;
}

/* The samples around a match. */
static level around(const reduction *d, const plot_match *m)
{
    const recording *r = d->r;
    const double rate = r->info.audio ? r->info.rate_hz : 0;
    const double wanted = fmax(CONTEXT * (double)(m->end - m->start), LEAST_CONTEXT_S * rate);
    const uint64_t context = (uint64_t)ceil(wanted);
    const uint64_t first = m->start > context ? m->start - context : 0;
    const uint64_t end = m->end + context < r->n ? m->end + context : r->n;
    return (level){first, end - first, 1};
}

/* The part of `all` columns or frames, spread over the samples, that these samples take. */
static level scaled(const reduction *d, level samples, uint64_t all)
{
    const double ratio = (double)all / (double)d->r->n;
    const uint64_t first = (uint64_t)((double)samples.first * ratio);
    const uint64_t end = (uint64_t)ceil((double)(samples.first + samples.n) * ratio);
    return (level){first, (end < all ? end : all) - first, 1};
}

static double bytes_of(const reduction *d, level l)
{
    const recording *r = d->r;
    const spectrogram *s = &d->spectrogram;
    double bytes = 0;
    if (lacks_samples(d)) bytes += (double)l.n * (double)(2 * r->channels);
    if (lacks(d, SEGMENT_COLUMNS)) bytes += ((double)l.n / (double)s->hop + 2) * (double)s->bands;
    if (lacks(d, SEGMENT_SCORES))
        bytes += (double)scaled(d, l, r->n_frames).n * (double)(2 * r->n_curves);
    return bytes;
}

static bool add_path(reduction *d, size_t i)
{
    const plot_match *m = &d->r->matches.items[i];
    d->path_at[i] = d->bytes.n;
    d->has_path[i] = true;
    unsigned char *to = blob_reserve(&d->bytes, 2 * m->n_pairs);
    if (to) memcpy(to, d->r->matches.paths + m->path, 2 * m->n_pairs);
    return to != NULL;
}

/* Of the best matches. *n: how many. */
static bool add_paths(reduction *d, const size_t *order, double most, size_t *n)
{
    for (*n = 0; *n < d->n_matches; ++*n) {
        const size_t pairs = d->r->matches.items[order[*n]].n_pairs;
        const double bytes = (double)(2 * pairs);
        if (pairs == 0 || bytes > most) break;
        most -= bytes;
        if (!add_path(d, order[*n])) return false;
    }
    return true;
}

/* Mark the best matches that fit. Returns how many. */
static size_t choose(reduction *d, const size_t *order, double most)
{
    size_t n = 0;
    for (; n < d->n_matches; n++) {
        const plot_match *m = &d->r->matches.items[order[n]];
        const double bytes = bytes_of(d, around(d, m)) + SEGMENT_BYTES;
        if (bytes > most) break;
        most -= bytes;
        d->is_detailed[order[n]] = true;
    }
    return n;
}

static bool add_range(reduction *d, level l)
{
    const recording *r = d->r;
    const spectrogram *s = &d->spectrogram;
    if (lacks_samples(d) && !segment_add_samples(d, l)) return false;
    if (lacks(d, SEGMENT_SCORES) && !segment_add_scores(d, scaled(d, l, r->n_frames))) return false;
    if (!lacks(d, SEGMENT_COLUMNS)) return true;
    const uint64_t first = l.first / s->hop;
    const uint64_t end = spectrogram_columns(s, l.first + l.n);
    return segment_add_columns(d, (level){first, end - first, 1});
}

/* Matches are in order of finality, so their starts may be out of order. */
static int by_start(const void *a, const void *b)
{
    const level *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static bool add_ranges_of_matches(reduction *d)
{
    const match_list *list = &d->r->matches;
    level *ranges = malloc((list->n + 1) * sizeof *ranges);
    bool good = ranges || report_no_memory(d->r->name);
    size_t made = 0;
    for (size_t i = 0; good && i < list->n; i++)
        if (d->is_detailed[i]) ranges[made++] = around(d, &list->items[i]);
    if (good) qsort(ranges, made, sizeof *ranges, by_start);
    for (size_t i = 0; good && i < made;) {
        level all = ranges[i++];
        for (; i < made && ranges[i].first <= all.first + all.n; i++) {
            const uint64_t end = ranges[i].first + ranges[i].n;
            if (end > all.first + all.n) all.n = end - all.first;
        }
        good = add_range(d, all);
    }
    free(ranges);
    return good;
}

static void remark(reduction *d, size_t n_paths, size_t n)
{
    const recording *r = d->r;
    const double bucket = d->segments[SEGMENT_RANGES].n > 0
                              ? (double)d->segments[SEGMENT_RANGES].items[0].level.bucket
                              : 1;
    double samples = 0;
    if (n_paths < r->matches.n)
        text_add_format(&d->remarks, "Warping paths are kept of the best %zu of %zu matches.\n",
                        n_paths, r->matches.n);
    if (!lacks_samples(d)) return;
    for (size_t i = 0; i < d->segments[SEGMENT_SAMPLES].n; i++)
        samples += (double)d->segments[SEGMENT_SAMPLES].items[i].level.n;
    const char *unit = recording_unit(r);
    if (r->matches.n == 0) {
        text_add_format(&d->remarks, "The range of every %.3g %s is kept.\n",
                        bucket / r->info.rate_hz, unit);
        return;
    }
    text_add_format(&d->remarks,
                    "Every sample is kept around the best %zu of %zu matches, %.6g %s in all. "
                    "Elsewhere the range of every %.3g %s is kept.\n",
                    n, r->matches.n, samples / r->info.rate_hz, unit, bucket / r->info.rate_hz,
                    unit);
}

bool details_add(reduction *d, const size_t *order, double most)
{
    const size_t before = d->bytes.n;
    size_t n_paths = 0;
    if (!add_paths(d, order, PATHS_SHARE * most, &n_paths)) return report_no_memory(d->r->name);
    const size_t n = choose(d, order, most - (double)(d->bytes.n - before));
    if (!add_ranges_of_matches(d)) return false;
    remark(d, n_paths, n);
    return true;
}
