#include "filter/search/score_seam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/search/cursor.h"
#include "filter/search/window.h"
#include "filter/state/state.h"

sigrep_status score_seam_create(score_seam *seam, const float *x, size_t length, size_t dim)
{
    const sigrep_status status = trace_create(&seam->trace, NULL, x, length, dim);
    seam->is_open = false;
    seam->column = status ? NULL : malloc(length * sizeof *seam->column);
    return status || seam->column ? status : SIGREP_NO_MEMORY;
}

void score_seam_free(score_seam *seam)
{
    trace_free(&seam->trace);
    free(seam->column);
}

void score_seam_reset(score_seam *seam)
{
    seam->is_open = false;
}

/* Trace up to `to`; `scores`, which may be NULL, get D(m,t) from frame in->from on. */
static void advance(score_seam *seam, const swept_chunk *in, uint64_t to, float *scores)
{
    trace *tr = &seam->trace;
    while (tr->position < to) {
        const uint64_t at = tr->position, left = to - at;
        const size_t n = left < TRACE_BATCH ? (size_t)left : TRACE_BATCH;
        trace_run(tr, window_at(in->frames, at), n, INFINITY, NULL);
        if (scores) memcpy(scores + (at - in->from), tr->cells.end_d, n * sizeof *scores);
    }
}

/* Read the kernel's checkpoint at `at`. */
static sigrep_status read_checkpoint(const swept_chunk *in, size_t index, uint64_t at, float *d)
{
    return in->checkpoint(in->source, index, at - in->base, d);
}

sigrep_status score_seam_mend(score_seam *seam, const swept_chunk *in, size_t index, size_t spacing,
                              float *scores)
{
    const trace *tr = &seam->trace;
    const uint64_t end = in->n_gaps ? in->gaps[0] : in->to;
    sigrep_status status = SIGREP_OK;
    while (seam->is_open && tr->position < end && !status) {
        const uint64_t next = (tr->position / spacing + 1) * spacing;
        advance(seam, in, next < end ? next : end, scores);
        if (tr->position % spacing) continue;
        status = read_checkpoint(in, index, tr->position, seam->column);
        seam->is_open = memcmp(seam->column, trace_column(&seam->trace),
                               tr->cells.length * sizeof *seam->column) != 0;
    }
    if (in->n_gaps) seam->is_open = false;
    return status;
}

sigrep_status score_seam_settle(score_seam *seam, const swept_chunk *in, size_t index,
                                size_t spacing)
{
    const uint64_t at = in->to / spacing * spacing;
    sigrep_status status = SIGREP_OK;
    if (seam->is_open) return SIGREP_OK; /* its trace is there */
    if (at > in->base) {
        status = read_checkpoint(in, index, at, trace_column(&seam->trace));
        trace_start_from(&seam->trace, at);
    } else {
        trace_start_cold(&seam->trace, in->base);
    }
    /* The +inf of a gap on the way makes all of D +inf, as in the kernel. */
    if (!status) advance(seam, in, in->to, NULL);
    return status;
}

void score_seam_pass_state(score_seam *seam, state_bytes *st, uint64_t at)
{
    if (st->is_reading) trace_start_cold(&seam->trace, at);
    state_floats(st, trace_column(&seam->trace), seam->trace.cells.length);
    seam->is_open = st->is_reading;
}
