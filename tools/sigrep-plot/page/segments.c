#include "tools/sigrep-plot/page/segments.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-plot/recording.h"

uint64_t segments_positions(const segment_set *set, segment_kind kind)
{
    if (kind == SEGMENT_COLUMNS) return spectrogram_columns(&set->spectrogram, set->r->n);
    return kind == SEGMENT_SCORES ? set->r->n_frames : set->r->n;
}

size_t segments_width(const segment_set *set, segment_kind kind)
{
    if (kind == SEGMENT_COLUMNS) return set->spectrogram.bands;
    return 2 * (kind == SEGMENT_SCORES ? set->r->n_curves : set->r->channels);
}

/* A value as a whole number from 1 to `most`; 0: it is not finite. */
static unsigned whole_of(float v, double least, double top, unsigned most)
{
    if (!isfinite(v)) return 0;
    if (!(top > least)) return (most + 1) / 2;
    const double part = ((double)v - least) / (top - least);
    return part <= 0 ? 1 : part >= 1 ? most : 1 + (unsigned)(part * (most - 1) + 0.5);
}

static unsigned whole_in_range(float v, value_range range, unsigned most)
{
    return whole_of(v, (double)range.least, (double)range.most, most);
}

static void put_pair(unsigned char *to, unsigned v)
{
    to[0] = (unsigned char)(v & 255);
    to[1] = (unsigned char)(v >> 8);
}

/* `size` bytes of a kind that has numbers. */
static bool fill(const recording *r, segment_kind kind, level l, unsigned char *to, size_t size)
{
    const size_t n = kind == SEGMENT_RANGES ? size : size / 2;
    float *values = malloc(n * sizeof *values);
    bool good = values || report_no_memory(r->name);
    if (kind == SEGMENT_RANGES)
        good = good && level_samples(r, l, values);
    else if (kind == SEGMENT_SAMPLES)
        good = good && recording_read(r, l.first, (size_t)l.n, values);
    else
        good = good && level_scores(r, l, values);
    for (size_t i = 0; good && i < n; i++) {
        if (kind == SEGMENT_RANGES)
            to[i] = (unsigned char)whole_in_range(values[i], r->ranges[i / 2 % r->channels], 255);
        else if (kind == SEGMENT_SAMPLES)
            put_pair(to + 2 * i, whole_in_range(values[i], r->ranges[i % r->channels], 65535));
        else
            put_pair(to + 2 * i,
                     whole_of(values[i], 0, level_top(&r->curves[i % r->n_curves]), 65535));
    }
    free(values);
    return good;
}

bool segments_add(segment_set *set, segment_kind kind, level l)
{
    const size_t size = level_buckets(l) * segments_width(set, kind);
    segment_list *list = &set->lists[kind];
    segment *grown = realloc(list->items, (list->n + 1) * sizeof *grown);
    if (grown) list->items = grown;
    if (!grown || !text_reserve(&set->bytes, size)) return report_no_memory(set->r->name);
    unsigned char *to = (unsigned char *)set->bytes.data + set->bytes.length;
    grown[list->n++] = (segment){.level = l, .offset = set->bytes.length};
    set->bytes.length += size;
    return kind == SEGMENT_COLUMNS ? level_columns(set->r, &set->spectrogram, l, to)
                                   : fill(set->r, kind, l, to, size);
}

void segments_free(segment_set *set)
{
    for (size_t k = 0; k < SEGMENT_KINDS; k++) free(set->lists[k].items);
    free(set->bytes.data);
}
