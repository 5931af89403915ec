#include "filter/search_state.h"

enum { LEAST_BATCH = 8 }; /* columns: fewer cost as much */

float search_bound(const search *se)
{
    return se->lowest_only && se->det.pending ? se->det.d : se->gate.eps;
}

uint64_t search_first_end(const search *se)
{
    return se->on.origin + se->gate.length_min - 1;
}

uint64_t search_end_of_block(uint64_t at, uint64_t limit)
{
    uint64_t end = (at / KERNEL_BLOCK + 1) * KERNEL_BLOCK;
    return end < limit ? end : limit;
}

bool search_may_end(const search *se, const sweep_step *in, uint64_t from, uint64_t to)
{
    uint64_t begin = from + 1 > se->gate.length_max ? from + 1 - se->gate.length_max : 0;
    begin = later(begin, se->on.origin);
    return trace_least(&se->on.tr, window_at(in->frames, begin), (size_t)(to - begin)) <=
           search_bound(se);
}

sigrep_status search_tell(search *se, uint64_t now, found_list *out)
{
    const detector *det = &se->det;
    se->det.pending = false;
    const uint64_t twice = 2 * ((uint64_t)det->last + 1 - se->on.origin);
    se->enough = twice > LEAST_BATCH ? twice : LEAST_BATCH;
    return found_add(out, &(found){.index = se->index,
                                   .start = (uint64_t)det->start,
                                   .end = (uint64_t)det->last + 1,
                                   .first = se->first,
                                   .final = now,
                                   .d = det->d});
}

sigrep_status search_find_late(search *se, const sweep_step *in, found_list *out)
{
    return endings_find(&se->late, &se->scout, se->index, in, out);
}

bool search_take(search *se, const trace_end *end)
{
    detector none = {.pending = false};
    detector *det = se->lowest_only ? &none : &se->det;
    bool was_pending = se->det.pending;
    detector_column(det, &se->gate, end);
    if (none.pending) se->det = none;
    if (se->det.pending && !was_pending) se->first = end->t + 1;
    return se->det.pending && se->det.last == (int64_t)end->t;
}
