#include "filter/search/detector.h"

#include <math.h>

#include "filter/search/trace.h"

float detector_eps(double threshold, size_t length)
{
    double limit = threshold * (double)length;
    float eps = (float)limit;
    return (double)eps > limit ? nextafterf(eps, -INFINITY) : eps;
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
