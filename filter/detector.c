#include "filter/detector.h"

#include <math.h>

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

/* t - S + 1 of a path that ends in the last column and began at s. */
static uint64_t path_length(const trace *tr, int64_t s)
{
    return tr->position - (uint64_t)s;
}

bool detector_is_candidate(const detector_gate *gate, const trace *tr)
{
    float d = trace_distance(tr);
    int64_t s = trace_start(tr);
    if (!isfinite(d) || d > gate->eps || s == TRACE_TOO_OLD) return false;
    uint64_t length = path_length(tr, s);
    return length >= gate->length_min && length <= gate->length_max;
}

void detector_column(detector *det, const detector_gate *gate, const trace *tr)
{
    if (!detector_is_candidate(gate, tr)) return;
    float d = trace_distance(tr);
    int64_t s = trace_start(tr);
    if (det->pending && !(d < det->d && s <= det->last)) return;
    *det = (detector){.pending = true, .d = d, .start = s, .last = (int64_t)tr->position - 1};
}

bool detector_is_final(const detector *det, const detector_gate *gate, const trace *tr)
{
    bool all_young = tr->position <= gate->length_max;
    int64_t oldest = all_young ? 0 : (int64_t)(tr->position - gate->length_max);
    for (size_t i = 0; i < tr->length; i++)
        if (tr->d[i] < det->d && tr->s[i] <= det->last && tr->s[i] >= oldest) return false;
    return true;
}
