#include "filter/search/detector.h"

#include <math.h>
#include <stdlib.h>

#include "filter/search/trace.h"
#include "filter/search/window.h"
#include "kernels/kernel.h"

float detector_eps(double threshold, size_t length)
{
    const double m = (double)length;
    float eps = (float)(threshold * m), next;
    while ((double)eps / m > threshold) eps = nextafterf(eps, -INFINITY);
    while (eps < INFINITY && (double)(next = nextafterf(eps, INFINITY)) / m <= threshold)
        eps = next;
    return eps;
}

detector_gate detector_gate_of(double threshold, double min, double max, size_t length)
{
    double m = (double)length;
    uint64_t length_min = (uint64_t)ceil(min * m);
    return (detector_gate){.eps = detector_eps(threshold, length),
                           .length_min = length_min > 1 ? length_min : 1,
                           .length_max = (uint64_t)floor(max * m)};
}

bool detector_is_candidate(const detector_gate *gate, const trace_end *end)
{
    if (!isfinite(end->d) || end->d > gate->eps || end->s == TRACE_TOO_OLD) return false;
    uint64_t length = end->t - (uint64_t)end->s + 1;
    return length >= gate->length_min && length <= gate->length_max;
}

void detector_update(detector *det, const detector_gate *gate, const trace_end *end)
{
    if (!detector_is_candidate(gate, end)) return;
    if (det->pending && !(end->d < det->d && end->s <= det->last)) return;
    *det = (detector){.pending = true, .d = end->d, .start = end->s, .last = (int64_t)end->t};
}

trace_watch detector_watch(const detector *det, const detector_gate *gate, uint64_t begin)
{
    return (trace_watch){.d = det->d,
                         .last = (int32_t)(det->last - (int64_t)begin),
                         .length_max = (int32_t)gate->length_max};
}

bool detector_is_final(const detector *det, const detector_gate *gate, const trace *tr)
{
    const int64_t oldest = (int64_t)tr->position - (int64_t)gate->length_max;
    return !trace_has(tr, nextafterf(det->d, -INFINITY), oldest, det->last);
}

enum { WATCHED = 2 * KERNEL_BLOCK }; /* columns from one check for rivals to the next */

sigrep_status finality_create(finality *fin, const float *x, size_t length, size_t dim)
{
    *fin = (finality){.d = malloc(length * sizeof *fin->d), .s = malloc(length * sizeof *fin->s)};
    if (!fin->d || !fin->s) return SIGREP_NO_MEMORY;
    return trace_create(&fin->again, NULL, x, length, dim);
}

void finality_free(finality *fin)
{
    trace_free(&fin->again);
    free(fin->d);
    free(fin->s);
}

void finality_mark(finality *fin, const trace *tr)
{
    fin->position = tr->position;
    trace_save(tr, fin->d, fin->s);
}

/* Move the mark by multiples of WATCHED columns, as near to the match's end as they go. */
static void approach(finality *fin, uint64_t last, float eps, const window *frames,
                     uint64_t *columns)
{
    trace_restore(&fin->again, fin->d, fin->s, fin->position);
    if (fin->position + WATCHED > last) return;
    while (fin->position + WATCHED <= last) {
        trace_run(&fin->again, window_at(frames, fin->position), WATCHED, eps, NULL);
        fin->position += WATCHED;
        *columns += WATCHED;
    }
    trace_save(&fin->again, fin->d, fin->s);
}

uint64_t finality_of(finality *fin, const detector *det, const detector_gate *gate,
                     const window *frames, uint64_t end, uint64_t *columns)
{
    uint64_t without_rival = (uint64_t)det->last; /* the first such frame */
    approach(fin, without_rival, gate->eps, frames, columns);
    do {
        const uint64_t begin = fin->again.position, left = end - begin;
        const size_t n = left < WATCHED ? (size_t)left : WATCHED;
        trace_watch watch = detector_watch(det, gate, begin);
        trace_run(&fin->again, window_at(frames, begin), n, nextafterf(watch.d, -1), &watch);
        *columns += n;
        const uint64_t after_rival = begin + (uint64_t)(watch.latest + 1);
        if (after_rival > without_rival) without_rival = after_rival;
    } while (!detector_is_final(det, gate, &fin->again));
    return without_rival + 1;
}
