#include "tools/sigrep-plot/segments.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"

/* A new segment with n bytes of its own. NULL without memory. */
static unsigned char *begin(reduction *d, segment_kind kind, level l, size_t n)
{
    segment_list *list = &d->segments[kind];
    segment *grown = realloc(list->items, (list->n + 1) * sizeof *grown);
    if (!grown) return NULL;
    list->items = grown;
    grown[list->n++] = (segment){.level = l, .offset = d->bytes.n};
    return blob_reserve(&d->bytes, n);
}

/* A value as a whole number from 1 to `most`; 0: it is not finite. */
static unsigned whole_of(float v, double least, double top, unsigned most)
{
    if (!isfinite(v)) return 0;
    if (!(top > least)) return (most + 1) / 2;
    const double part = ((double)v - least) / (top - least);
    return part <= 0 ? 1 : part >= 1 ? most : 1 + (unsigned)(part * (most - 1) + 0.5);
}

static void put_pair(unsigned char *to, unsigned v)
{
    to[0] = (unsigned char)(v & 255);
    to[1] = (unsigned char)(v >> 8);
}

bool segment_add_ranges(reduction *d, level l)
{
    const recording *r = d->r;
    const size_t n = level_buckets(l) * r->channels * 2;
    float *values = malloc(n * sizeof *values);
    unsigned char *to = values ? begin(d, SEGMENT_RANGES, l, n) : NULL;
    const bool good = to ? level_samples(r, l, values) : report_no_memory(r->name);
    for (size_t i = 0; good && i < n; i++) {
        const value_range *range = &r->ranges[i / 2 % r->channels];
        to[i] = (unsigned char)whole_of(values[i], (double)range->least, (double)range->most, 255);
    }
    free(values);
    return good;
}

bool segment_add_samples(reduction *d, level l)
{
    const recording *r = d->r;
    const size_t channels = r->channels, at_once = recording_at_once(r);
    float *values = malloc(at_once * channels * sizeof *values);
    unsigned char *to = values ? begin(d, SEGMENT_SAMPLES, l, (size_t)l.n * channels * 2) : NULL;
    bool good = to || report_no_memory(r->name);
    for (uint64_t done = 0; good && done < l.n;) {
        const size_t n = l.n - done < at_once ? (size_t)(l.n - done) : at_once;
        good = recording_read(r, l.first + done, n, values);
        for (size_t i = 0; good && i < n * channels; i++, to += 2) {
            const value_range *range = &r->ranges[i % channels];
            put_pair(to, whole_of(values[i], (double)range->least, (double)range->most, 65535));
        }
        done += n;
    }
    free(values);
    return good;
}

bool segment_add_scores(reduction *d, level l)
{
    const recording *r = d->r;
    const size_t n = level_buckets(l) * r->n_curves;
    float *values = malloc(n * sizeof *values);
    unsigned char *to = values ? begin(d, SEGMENT_SCORES, l, 2 * n) : NULL;
    const bool good = to ? level_scores(r, l, values) : report_no_memory(r->name);
    for (size_t i = 0; good && i < n; i++, to += 2)
        put_pair(to, whole_of(values[i], 0, reduce_top(&r->curves[i % r->n_curves]), 65535));
    free(values);
    return good;
}

bool segment_add_columns(reduction *d, level l)
{
    unsigned char *to = begin(d, SEGMENT_COLUMNS, l, level_buckets(l) * d->spectrogram.bands);
    return to ? level_columns(d->r, &d->spectrogram, l, to) : report_no_memory(d->r->name);
}
