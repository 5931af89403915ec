#include "kernels/strings/trace.h"

#include <stdlib.h>

typedef struct {
    uint32_t distance;
    uint64_t start;
} trace_cell;

struct string_trace {
    const string_pattern *p;
    uint64_t next;    /* the number of the next letter */
    size_t last;      /* the last row with a distance of at most k; 0: none but row 0 */
    trace_cell *rows; /* [0, m]; those above `last` are not valid */
};

string_trace *string_trace_create(const string_pattern *p)
{
    string_trace *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->p = p;
    t->rows = malloc((p->m + 1) * sizeof *t->rows);
    if (t->rows) return t;
    free(t);
    return NULL;
}

void string_trace_destroy(string_trace *t)
{
    if (!t) return;
    free(t->rows);
    free(t);
}

void string_trace_begin(string_trace *t, uint64_t origin)
{
    t->next = origin;
    t->last = t->p->edits; /* < m */
    for (size_t i = 0; i <= t->last; i++)
        t->rows[i] = (trace_cell){.distance = (uint32_t)i, .start = origin};
}

/* Ties go to the diagonal, then left, then up. */
static trace_cell best_of(trace_cell diagonal, trace_cell left, trace_cell up)
{
    trace_cell best = diagonal;
    if (left.distance < best.distance) best = left;
    if (up.distance < best.distance) best = up;
    return best;
}

static trace_cell with_edit(trace_cell from)
{
    from.distance++;
    return from;
}

uint32_t string_trace_next(string_trace *t, unsigned char letter)
{
    const uint32_t above = (uint32_t)t->p->edits + 1;
    const size_t end = t->last < t->p->m ? t->last + 1 : t->p->m;
    trace_cell diagonal = t->rows[0]; /* its path begins with this letter */
    if (end > t->last) t->rows[end] = (trace_cell){.distance = above};
    t->next++;
    t->rows[0].start = t->next;
    t->last = 0;
    for (size_t i = 1; i <= end; i++) {
        const trace_cell left = t->rows[i];
        const bool same = string_matches(t->p, i, letter);
        t->rows[i] = best_of(same ? diagonal : with_edit(diagonal), with_edit(left),
                             with_edit(t->rows[i - 1]));
        if (t->rows[i].distance < above) t->last = i;
        diagonal = left;
    }
    return t->last == t->p->m ? t->rows[t->last].distance : above;
}

uint64_t string_trace_start(const string_trace *t)
{
    return t->rows[t->p->m].start;
}

bool string_trace_has_rival(const string_trace *t, uint32_t distance, uint64_t end)
{
    for (size_t i = 1; i <= t->last; i++)
        if (t->rows[i].distance < distance && t->rows[i].start < end) return true;
    return false;
}
