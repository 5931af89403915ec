/*
 * cuda_plan.c - how a sweep is cut into segments: by a small model of the multiprocessor.
 *
 * A step of a warp takes `issue` cycles of a scheduler, and `delay` where the warp has the
 * scheduler for itself and waits for its own results. More segments share the columns, but each
 * pays its warm-up. Results do not depend on any of it.
 */
#include "kernels/cuda/cuda_kernel.h"

enum { SCHEDULERS = 4, WARP = 32, MOST_WARPS = 4 /* a scheduler */, BLOCK_THREADS = 128 };

/* Lanes of a frames kernel's row share (frames.cu) for the model. */
enum { FRAME_ROWS = 8, MOST_FRAME_ROWS = 512 * FRAME_ROWS };

size_t cuda_plan_most_rows(size_t dim)
{
    return dim > 1 ? MOST_FRAME_ROWS : 512 * (size_t)cuda_handover_held(0);
}

static int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

/* Segments a block: as many as fill it best, with blocks of about BLOCK_THREADS. */
static int groups_of(int lanes)
{
    int best = 1;
    double best_use = 0;
    for (int groups = 1; groups * lanes <= 2 * BLOCK_THREADS || groups == 1; groups++) {
        double use = (double)(groups * lanes) / round_up(groups * lanes, WARP);
        if (use > best_use + 0.02 || (use > best_use - 0.02 && groups * lanes <= BLOCK_THREADS)) {
            best = groups;
            best_use = use;
        }
    }
    return best;
}

typedef struct {
    double issue, delay; /* cycles a step */
} cost;

static cost cost_of(int held, int dim)
{
    double cells = (double)(held ? held : FRAME_ROWS) * CUDA_STEP;
    double issue = cells * (dim > 1 ? 2.2 * dim + 2 : 3.2) + 70;
    return (cost){issue, 1.15 * issue + 100};
}

/* Cut for `warps` warps a scheduler; the cycles that it takes. */
static double cut_for(const cuda_kernel *self, const cuda_template *own, size_t together, int warps,
                      cost c, cuda_sweep *item)
{
    double threads = (double)self->multiprocessors * SCHEDULERS * WARP * warps;
    double want = threads / item->lanes / (double)together;
    double most = (double)(own->most_segments < 1 ? 1 : own->most_segments);
    if (want > most) want = most;
    if (want < 1) want = 1;
    item->length = round_up((int)((double)item->n / want) + 1, CUDA_BLOCK);
    while ((double)(item->n + item->length - 1) / item->length >= most + 1)
        item->length += CUDA_BLOCK;
    item->segments = (item->n + item->length - 1) / item->length;
    int swept = item->length + (item->segments > 1 ? item->warm : 0);
    if (swept > item->n) swept = item->n;
    double steps = swept / (double)CUDA_STEP + item->lanes - 1;
    double all = (double)item->segments * item->lanes * (double)together;
    double each = all / ((double)self->multiprocessors * SCHEDULERS * WARP);
    int rounds = (int)(each + 0.999);
    double busy = rounds < 1 ? 1 : rounds;
    double step = c.issue * busy > c.delay ? c.issue * busy : c.delay;
    return steps * step;
}

static int lanes_of(int rows, int held)
{
    return held ? cuda_handover_lanes(rows, held) : cuda_frames_lanes(rows);
}

/* The best cut with so many rows a thread, in *item; its cycles. */
static double best_cut(const cuda_kernel *self, const cuda_template *own, size_t together, int held,
                       cuda_sweep *item)
{
    double least = -1;
    item->lanes = lanes_of(item->rows, held);
    if (!item->lanes) return least;
    item->groups = groups_of(item->lanes);
    cost c = cost_of(held, item->dim);
    for (int warps = 1; warps <= MOST_WARPS; warps++) {
        cuda_sweep one = *item;
        double cycles = cut_for(self, own, together, warps, c, &one);
        if (least >= 0 && cycles >= least) continue;
        least = cycles;
        item->length = one.length;
        item->segments = one.segments;
    }
    return least;
}

int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item)
{
    double longest = (double)own->bands[0].rows;
    item->warm = round_up((int)((double)own->warm * item->rows / longest), CUDA_STEP);
    if (item->dim > 1) {
        best_cut(self, own, together, 0, item);
        return 0;
    }
    int best = 0;
    double least = -1;
    cuda_sweep chosen = *item;
    for (int i = 0; cuda_handover_held(i); i++) {
        cuda_sweep one = *item;
        double cycles = best_cut(self, own, together, cuda_handover_held(i), &one);
        if (cycles < 0 || (least >= 0 && cycles >= least)) continue;
        least = cycles;
        best = cuda_handover_held(i);
        chosen = one;
    }
    *item = chosen;
    return best;
}

/* Longer warm-ups where seams failed, shorter ones after a while in which none did. */
void cuda_plan_learn(cuda_template *own, size_t bad)
{
    enum { CALM = 16, MOST = 8 /* lengths */ };
    int rows = (int)own->bands[0].rows;
    if (bad) {
        own->calm = 0;
        own->warm += own->warm / 4 + 1;
        if (own->warm > MOST * rows) own->warm = MOST * rows;
    } else if (++own->calm >= CALM) {
        own->calm = 0;
        own->warm -= own->warm / 16;
        if (own->warm < rows) own->warm = rows;
    }
}
