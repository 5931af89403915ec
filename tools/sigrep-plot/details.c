#include "tools/sigrep-plot/details.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/messages.h"

static const double CONTEXT = 0.5;         /* of a match, on either side */
static const double LEAST_CONTEXT_S = 0.2; /* of audio */

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
    if (m->n_pairs == 0) return true;
    d->path_at[i] = d->bytes.n;
    unsigned char *to = blob_reserve(&d->bytes, 2 * m->n_pairs);
    if (!to) return false;
    memcpy(to, d->r->matches.paths + m->path, 2 * m->n_pairs);
    return true;
}

/* Mark the matches that get details, best first, and add their paths. */
static bool choose(reduction *d, const size_t *order, double most, size_t *n_chosen)
{
    const match_list *list = &d->r->matches;
    *n_chosen = 0;
    double left = most;
    for (size_t i = 0; i < d->n_matches; i++) {
        const plot_match *m = &list->items[order[i]];
        const double bytes = bytes_of(d, around(d, m)) + (double)(2 * m->n_pairs);
        if (bytes > left) break;
        left -= bytes;
        d->detailed[order[i]] = true;
        ++*n_chosen;
        if (!add_path(d, order[i])) return false;
    }
    return true;
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

static bool add_ranges_of_matches(reduction *d, size_t n)
{
    const match_list *list = &d->r->matches;
    level *ranges = malloc((n + 1) * sizeof *ranges);
    bool good = ranges || report_no_memory(d->r->name);
    size_t made = 0;
    for (size_t i = 0; good && i < list->n; i++)
        if (d->detailed[i]) ranges[made++] = around(d, &list->items[i]);
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

static void remark(reduction *d, size_t n)
{
    const recording *r = d->r;
    if (n < r->matches.n)
        text_add_format(&d->remarks, "Warping paths are kept for the best %zu of %zu matches.\n", n,
                        r->matches.n);
    if (!lacks_samples(d)) return;
    double seconds = 0;
    for (size_t i = 0; i < d->segments[SEGMENT_SAMPLES].n; i++)
        seconds += (double)d->segments[SEGMENT_SAMPLES].items[i].level.n / r->info.rate_hz;
    text_add_format(&d->remarks,
                    "Every sample is kept around the best %zu of %zu matches, %.3g s in all; "
                    "elsewhere the range of every %.3g s.\n",
                    n, r->matches.n, seconds,
                    (double)d->segments[SEGMENT_RANGES].items[0].level.bucket / r->info.rate_hz);
}

bool details_add(reduction *d, const size_t *order, double most)
{
    size_t n = 0;
    if (!choose(d, order, most, &n)) return report_no_memory(d->r->name);
    if (!add_ranges_of_matches(d, n)) return false;
    remark(d, n);
    return true;
}
