/*
 * seams.h - why segments give the exact result.
 *
 *     first pass    |==seg 0==>|==seg 1==>|==seg 2==>|     1 and 2 start from +inf: wrong at first,
 *                   true       wrong..right               right after a template length or so
 *     verify pass              |=>        |=>             on from the predecessor's last column,
 *                               until a column agrees      until one agrees with its checkpoint
 *     repair                              |=======>|       if none agreed: one after the other
 *
 * Columns agree if they are equal in all rows at or below eps; no match ends from a cell above it.
 * If one column agrees, all later ones do. So if the predecessor's last column is right, the whole
 * segment is right, and by induction the whole chunk.
 *
 * A segment without an agreeing column has another last column than its successor began from. The
 * successors are then swept again, each from a true column, until one column agrees.
 *
 * Needs: state/simd_kernel.h, plain.h, segments.h. Gives: repair_seams.
 */
#ifndef KERNELS_CPU_DENSE_SEAMS_H
#define KERNELS_CPU_DENSE_SEAMS_H

#include "kernels/cpu/state/simd_kernel.h"

enum { BACK_OFF_CHUNKS = 15 }; /* without segments, after many repairs */

static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    bool agree = true;
    for (size_t i = 0; i < length; i++) agree &= a[i] == b[i] || (a[i] > eps && b[i] > eps);
    return agree;
}

/* tmpl->d becomes the last column that the verify pass gave to a segment, and so does its
 * checkpoint. */
static void take_last_column(const segment_sweep *sw, simd_template *tmpl, size_t group,
                             size_t lane)
{
    const vf *state = state_of(tmpl, group);
    const uint64_t end = sw->chunk->self->position + lane_begin(sw, group, lane + 1);
    float *d = tmpl->d + tmpl->pad;
    for (size_t i = 0; i < tmpl->length; i++) d[i] = state[i][lane];
    memcpy(checkpoint_at(&tmpl->checkpoints, end), d, tmpl->length * sizeof *d);
}

/* Sweep a segment again from tmpl->d, its predecessor's true last column. tmpl->d becomes its own.
 * Returns whether the successor began from another column. */
static bool repair_segment(const segment_sweep *sw, simd_template *tmpl, simd_scratch *scratch,
                           size_t group, size_t lane)
{
    const simd_chunk *chunk = sw->chunk;
    const size_t begin = lane_begin(sw, group, lane), spacing = tmpl->checkpoints.spacing;
    for (size_t c = 0; c < sw->columns; c += spacing) {
        const uint64_t position = chunk->self->position + begin + c + spacing;
        memcpy(scratch->before, checkpoint_at(&tmpl->checkpoints, position),
               tmpl->length * sizeof *scratch->before);
        sweep_plain(chunk, tmpl, scratch, begin + c, begin + c + spacing);
        if (!columns_agree(scratch->before, tmpl->d + tmpl->pad, tmpl->length, tmpl->eps)) continue;
        if (c + spacing == sw->columns || !unverified_of(tmpl, group)[lane]) return false;
        take_last_column(sw, tmpl, group, lane);
        return true;
    }
    return true;
}

/* Repair a template's segments after the verify pass; hardly ever is there one to repair. */
static void repair_seams(const segment_sweep *sw, simd_template *tmpl, simd_scratch *scratch)
{
    bool changed = false;
    size_t repaired = 0;
    for (size_t i = 1; i < sw->groups * LANES; i++) {
        const size_t group = i / LANES, lane = i % LANES;
        if (changed) {
            changed = repair_segment(sw, tmpl, scratch, group, lane);
            repaired++;
        } else if (unverified_of(tmpl, group)[lane]) {
            take_last_column(sw, tmpl, group, lane);
            changed = true;
        }
    }
    if (repaired > sw->groups * LANES / 4) tmpl->back_off = BACK_OFF_CHUNKS;
}

#endif
