#include "tools/sigrep-plot/page/reduce.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/common/templates/template_set.h"

/* Shares of the bytes, for all of a recording that is not kept whole. */
static const double ALL_SHARE = 0.8, SAMPLES_SHARE = 0.5, RANGES_SHARE = 0.1, COLUMNS_SHARE = 0.15,
                    SCORES_SHARE = 0.05, MATCHES_SHARE = 0.1;
static const double PATHS_SHARE = 0.2;     /* of what is left around matches */
static const double CONTEXT = 0.25;        /* of a match, on either side */
static const double LEAST_CONTEXT_S = 0.1; /* of audio */
enum {
    MATCH_BYTES = 160,   /* of a match in the page, about */
    SEGMENT_BYTES = 100, /* of three segments in the page, about */
    REMARK_SIZE = 512
};

/* Add a sentence. */
static void __attribute__((format(printf, 2, 3))) remark(reduction *d, const char *format, ...)
{
    char sentence[REMARK_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (d->remarks.length) text_add_string(&d->remarks, ",");
    json_add_string(&d->remarks, sentence);
}

static void remark_of_recording(reduction *d, const recording *r)
{
    if (r->failure[0]) remark(d, "It ends early: %s.", r->failure);
    if (r->n_curves < r->set->n_labels)
        remark(d, "Scores are shown of the first %zu of %zu labels.", r->n_curves,
               r->set->n_labels);
    if (r->info.audio && d->spectrogram.bands == 0)
        remark(d, "At %.9g Hz there is no spectrogram.", r->info.rate_hz);
    if (d->times.counts && r->times) remark(d, "Its times go back, so the axis counts samples.");
}

/* ---- Segments --------------------------------------------------------------------------- */

/* How many samples, columns or frames the whole recording has. */
static uint64_t positions_of(const reduction *d, segment_kind kind)
{
    if (kind == SEGMENT_COLUMNS) return spectrogram_columns(&d->spectrogram, d->r->n);
    return kind == SEGMENT_SCORES ? d->r->n_frames : d->r->n;
}

/* The bytes of a bucket of them. */
static size_t width_of(const reduction *d, segment_kind kind)
{
    if (kind == SEGMENT_COLUMNS) return d->spectrogram.bands;
    return 2 * (kind == SEGMENT_SCORES ? d->r->n_curves : d->r->channels);
}

/* A value as a whole number from 1 to `most`; 0: it is not finite. */
static unsigned whole_of(float v, double least, double top, unsigned most)
{
    if (!isfinite(v)) return 0;
    if (!(top > least)) return (most + 1) / 2;
    const double part = ((double)v - least) / (top - least);
    return part <= 0 ? 1 : part >= 1 ? most : 1 + (unsigned)(part * (most - 1) + 0.5);
}

/* The range of value i of a kind that has numbers. */
static void find_range(const recording *r, segment_kind kind, size_t i, double *least, double *top)
{
    const size_t channel = (kind == SEGMENT_RANGES ? i / 2 : i) % r->channels;
    const bool is_score = kind == SEGMENT_SCORES;
    *least = is_score ? 0 : (double)r->ranges[channel].least;
    *top = is_score ? level_top(&r->curves[i % r->n_curves]) : (double)r->ranges[channel].most;
}

/* `size` bytes of a kind that has numbers. */
static bool add_numbers(const recording *r, segment_kind kind, level l, unsigned char *to,
                        size_t size)
{
    const size_t width = kind == SEGMENT_RANGES ? 1 : 2, n = size / width;
    float *values = malloc(n * sizeof *values);
    bool good = values || report_no_memory(r->name);
    if (good)
        good = kind == SEGMENT_RANGES    ? level_samples(r, l, values)
               : kind == SEGMENT_SAMPLES ? recording_read(r, l.first, (size_t)l.n, values)
                                         : level_scores(r, l, values);
    for (size_t i = 0; good && i < n; i++) {
        double least, top;
        find_range(r, kind, i, &least, &top);
        const unsigned v = whole_of(values[i], least, top, width == 1 ? 255 : 65535);
        to[width * i] = (unsigned char)(v & 255);
        if (width == 2) to[width * i + 1] = (unsigned char)(v >> 8);
    }
    free(values);
    return good;
}

/* false after a failure, which is reported. */
static bool add_segment(reduction *d, segment_kind kind, level l)
{
    const size_t size = level_buckets(l) * width_of(d, kind);
    segment_list *list = &d->lists[kind];
    segment *grown = realloc(list->items, (list->n + 1) * sizeof *grown);
    if (grown) list->items = grown;
    if (!grown || !text_reserve(&d->bytes, size)) return report_no_memory(d->r->name);
    unsigned char *to = (unsigned char *)d->bytes.data + d->bytes.length;
    grown[list->n++] = (segment){.level = l, .offset = d->bytes.length};
    d->bytes.length += size;
    return kind == SEGMENT_COLUMNS ? level_columns(d->r, &d->spectrogram, l, to)
                                   : add_numbers(d->r, kind, l, to, size);
}

/* ---- Matches ---------------------------------------------------------------------------- */

/* What matches of different templates are ranked by. */
static double rank_of(const plot_match *m)
{
    return isfinite(m->threshold) && m->threshold > 0 ? m->score / m->threshold : m->score;
}

static int by_place(const void *a, const void *b)
{
    const plot_match *x = ((const shown_match *)a)->match, *y = ((const shown_match *)b)->match;
    return x < y ? -1 : x > y;
}

static int by_rank(const void *a, const void *b)
{
    const double x = rank_of(((const shown_match *)a)->match),
                 y = rank_of(((const shown_match *)b)->match);
    return x != y ? (x < y ? -1 : 1) : by_place(a, b);
}

/* The best matches that the page has room for, best first. */
static bool choose_matches(reduction *d, double most)
{
    const size_t n = d->r->n_matches;
    const double room = most / MATCH_BYTES;
    d->matches = calloc(n + 1, sizeof *d->matches);
    if (!d->matches) return report_no_memory(d->r->name);
    for (size_t i = 0; i < n; i++) d->matches[i].match = &d->r->matches[i];
    qsort(d->matches, n, sizeof *d->matches, by_rank);
    d->n_matches = (double)n <= room ? n : (size_t)room;
    if (d->n_matches < n) remark(d, "Of %zu matches, the best %zu are shown.", n, d->n_matches);
    return true;
}

/* ---- All of it -------------------------------------------------------------------------- */

static double whole_size(const reduction *d, segment_kind kind)
{
    return (double)positions_of(d, kind) * (double)width_of(d, kind);
}

/* All of a kind, as fine as so many bytes allow. */
static bool add_all(reduction *d, segment_kind kind, double most)
{
    const recording *r = d->r;
    const uint64_t n = positions_of(d, kind);
    if (n == 0) return true;
    const level l = {0, n, level_bucket(n, most / (double)width_of(d, kind))};
    if (kind == SEGMENT_SCORES && l.bucket > 1)
        remark(d, "Away from matches, the least score of every %.3g %s is shown.",
               (double)(l.bucket * r->n) / (double)n / r->info.rate_hz, recording_unit(r));
    if (kind == SEGMENT_COLUMNS && l.bucket > 1)
        remark(d, "Away from matches, the spectrogram has a column every %.3g s.",
               (double)(l.bucket * d->spectrogram.hop) / r->info.rate_hz);
    return add_segment(d, kind, l);
}

/* As fine as the shares of `most` bytes allow; with enough bytes, whole. */
static bool add_whole(reduction *d, double most)
{
    const double samples = whole_size(d, SEGMENT_SAMPLES);
    const double columns = whole_size(d, SEGMENT_COLUMNS);
    const double scores = whole_size(d, SEGMENT_SCORES);
    const bool is_whole = samples + columns + scores <= ALL_SHARE * most;
    return (is_whole || samples <= SAMPLES_SHARE * most
                ? add_all(d, SEGMENT_SAMPLES, samples)
                : add_all(d, SEGMENT_RANGES, RANGES_SHARE * most)) &&
           add_all(d, SEGMENT_SCORES, is_whole ? scores : SCORES_SHARE * most) &&
           add_all(d, SEGMENT_COLUMNS, is_whole ? columns : COLUMNS_SHARE * most);
}

/* ---- Around the best matches ------------------------------------------------------------- */

/* Is all of a kind there, but coarse? */
static bool is_coarse(const reduction *d, segment_kind kind)
{
    const segment_list *list = &d->lists[kind];
    return list->n > 0 && list->items[0].level.bucket > 1;
}

static bool lacks_samples(const reduction *d)
{
    return d->lists[SEGMENT_RANGES].n > 0;
}

/* The samples around a match. */
static level around(const recording *r, const plot_match *m)
{
    const double rate = r->info.audio ? r->info.rate_hz : 0;
    const double wanted = fmax(CONTEXT * (double)(m->end - m->start), LEAST_CONTEXT_S * rate);
    const uint64_t context = (uint64_t)ceil(wanted);
    const uint64_t first = m->start > context ? m->start - context : 0;
    const uint64_t end = m->end + context < r->n ? m->end + context : r->n;
    return (level){first, end - first, 1};
}

/* The frames, spread over the samples, that these samples take. */
static level frames_of(const recording *r, level samples)
{
    const double ratio = (double)r->n_frames / (double)r->n;
    const uint64_t first = (uint64_t)((double)samples.first * ratio);
    const uint64_t end = (uint64_t)ceil((double)(samples.first + samples.n) * ratio);
    return (level){first, (end < r->n_frames ? end : r->n_frames) - first, 1};
}

static double bytes_of(const reduction *d, level l)
{
    double bytes = 0;
    if (lacks_samples(d)) bytes += (double)(l.n * width_of(d, SEGMENT_SAMPLES));
    if (is_coarse(d, SEGMENT_COLUMNS))
        bytes += ((double)l.n / (double)d->spectrogram.hop + 2) * (double)d->spectrogram.bands;
    if (is_coarse(d, SEGMENT_SCORES))
        bytes += (double)(frames_of(d->r, l).n * width_of(d, SEGMENT_SCORES));
    return bytes;
}

/* The paths of the best matches that fit. Returns how many. */
static size_t add_paths(reduction *d, double most)
{
    text_buffer *bytes = &d->bytes;
    size_t n = 0;
    for (; n < d->n_matches; n++) {
        shown_match *shown = &d->matches[n];
        const size_t size = 2 * shown->match->n_pairs;
        if (size == 0 || (double)size > most) break;
        most -= (double)size;
        shown->has_path = true;
        shown->path_at = bytes->length;
        text_add(bytes, d->r->paths.data + shown->match->path, size);
    }
    return n;
}

/* How many of the best matches fit with all around them. */
static size_t count_detailed(const reduction *d, double most)
{
    size_t n = 0;
    for (; n < d->n_matches; n++) {
        const level l = around(d->r, d->matches[n].match);
        const double bytes = bytes_of(d, l) + SEGMENT_BYTES;
        if (bytes > most) break;
        most -= bytes;
    }
    return n;
}

static bool add_detail(reduction *d, level l)
{
    if (lacks_samples(d) && !add_segment(d, SEGMENT_SAMPLES, l)) return false;
    if (is_coarse(d, SEGMENT_SCORES) && !add_segment(d, SEGMENT_SCORES, frames_of(d->r, l)))
        return false;
    if (!is_coarse(d, SEGMENT_COLUMNS)) return true;
    const uint64_t first = l.first / d->spectrogram.hop;
    const uint64_t end = spectrogram_columns(&d->spectrogram, l.first + l.n);
    return add_segment(d, SEGMENT_COLUMNS, (level){first, end - first, 1});
}

static int by_first(const void *a, const void *b)
{
    const level *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* All around the n best matches; what overlaps is added once. */
static bool add_details(reduction *d, size_t n)
{
    level *levels = malloc((n + 1) * sizeof *levels);
    bool good = levels || report_no_memory(d->r->name);
    for (size_t i = 0; good && i < n; i++) levels[i] = around(d->r, d->matches[i].match);
    if (good) qsort(levels, n, sizeof *levels, by_first);
    for (size_t i = 0; good && i < n;) {
        level all = levels[i++];
        for (; i < n && levels[i].first <= all.first + all.n; i++) {
            const uint64_t end = levels[i].first + levels[i].n;
            if (end > all.first + all.n) all.n = end - all.first;
        }
        good = add_detail(d, all);
    }
    free(levels);
    return good;
}

static void remark_of_details(reduction *d, size_t n_paths, size_t n_detailed)
{
    const recording *r = d->r;
    const segment_list *lists = d->lists;
    const size_t n = r->n_matches;
    const char *unit = recording_unit(r);
    if (n_paths < n)
        remark(d, "Warping paths are kept of the best %zu of %zu matches.", n_paths, n);
    if (!lacks_samples(d)) return;
    const double every = (double)lists[SEGMENT_RANGES].items[0].level.bucket / r->info.rate_hz;
    double samples = 0;
    for (size_t i = 0; i < lists[SEGMENT_SAMPLES].n; i++)
        samples += (double)lists[SEGMENT_SAMPLES].items[i].level.n;
    if (n == 0)
        remark(d, "The range of every %.3g %s is kept.", every, unit);
    else
        remark(d,
               "Every sample is kept around the best %zu of %zu matches, %.6g %s in all. "
               "Elsewhere the range of every %.3g %s is kept.",
               n_detailed, n, samples / r->info.rate_hz, unit, every, unit);
}

static bool add_around_matches(reduction *d, double most)
{
    const size_t before = d->bytes.length;
    const size_t n_paths = add_paths(d, PATHS_SHARE * most);
    const size_t n = count_detailed(d, most - (double)(d->bytes.length - before));
    if (!add_details(d, n)) return false;
    remark_of_details(d, n_paths, n);
    qsort(d->matches, d->n_matches, sizeof *d->matches, by_place);
    return true;
}

bool reduce(reduction *d, const recording *r, double most)
{
    const double room = (1 - MATCHES_SHARE) * most;
    *d = (reduction){.r = r};
    if (r->info.audio) d->spectrogram = spectrogram_of(r->info.rate_hz);
    timeline_make(&d->times, r);
    bool good = choose_matches(d, MATCHES_SHARE * most);
    if (good) remark_of_recording(d, r);
    good = good && add_whole(d, room) && add_around_matches(d, room - (double)d->bytes.length);
    if (good && (d->remarks.failed || d->bytes.failed)) good = report_no_memory(r->name);
    return good;
}

void reduction_free(reduction *d)
{
    for (size_t k = 0; k < SEGMENT_KINDS; k++) free(d->lists[k].items);
    free(d->bytes.data);
    free(d->matches);
    free(d->remarks.data);
}
