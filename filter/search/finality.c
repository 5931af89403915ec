#include "filter/search/finality.h"

#include <math.h>
#include <stdlib.h>

#include "filter/search/detector.h"
#include "filter/search/window.h"
#include "kernels/kernel.h"

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
