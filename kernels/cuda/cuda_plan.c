/*
 * cuda_plan.c - how a sweep is cut into bands and segments, and which kernel does it: by a
 * small model of the multiprocessor. Results do not depend on any of it.
 *
 * A step of a warp takes `issue` cycles of a scheduler, and `delay` where the warp has the
 * scheduler for itself and waits for its own results. More segments share the columns, but
 * each pays its warm-up.
 */
#include "kernels/cuda/cuda_kernel.h"

enum { SCHEDULERS = 4, WARP = 32, MOST_WARPS = 4 /* a scheduler */, BLOCK_THREADS = 128 };
enum { FRAME_ROWS = 8, MOST_LANES = 256, WARM_ROWS = 64 };

static size_t most_rows(size_t dim, bool by_bands)
{
    if (by_bands) return CUDA_BAND_ROWS;
    return MOST_LANES * (dim > 1 ? (size_t)FRAME_ROWS : (size_t)cuda_handover_held(0));
}

size_t cuda_plan_bands(size_t length, size_t dim, bool by_bands)
{
    size_t most = most_rows(dim, by_bands);
    return (length + most - 1) / most;
}

cuda_band_rows cuda_plan_band(size_t length, size_t dim, bool by_bands, size_t b)
{
    size_t n = cuda_plan_bands(length, dim, by_bands);
    size_t share = length / n, more = length % n, before = b < more ? b : more;
    cuda_band_rows band = {.row = b * share + before, .rows = share + (b < more)};
    band.x_at = band.row;
    if (dim > 1) /* each band of x is padded */
        band.x_at = dim * (before * (size_t)cuda_frames_rows((int)share + 1) +
                           (b - before) * (size_t)cuda_frames_rows((int)share));
    return band;
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
    double cells = (double)(held > 0 ? held : FRAME_ROWS) * CUDA_STEP;
    double issue = held == CUDA_FRAMES ? cells * (2.2 * dim + 4) : cells * 3.1 + 250;
    return (cost){issue, 1.2 * issue};
}

/* Cut into segments for so many threads of the device; the cycles of the sweep, with all that
 * run beside it. */
static double cut_for(const cuda_kernel *self, double want, size_t together, cost c,
                      cuda_sweep *item)
{
    size_t states = self->states / together / (size_t)item->rows;
    size_t segments = self->most_segments / together;
    double most = (double)(states < segments ? states : segments);
    if (want > most) want = most;
    if (want > item->groups) want -= (int)want % item->groups; /* whole blocks */
    if (want < 1) want = 1;
    item->length = round_up((int)((item->n + want - 1) / want), CUDA_STEP);
    if (item->length < CUDA_BLOCK) item->length = CUDA_BLOCK;
    item->segments = (item->n + item->length - 1) / item->length;
    int swept = item->length + (item->segments > 1 ? item->warm : 0);
    if (swept > item->n) swept = item->n;
    double steps = swept / (double)CUDA_STEP + item->lanes - 1;
    double threads = (double)item->segments * item->lanes * (double)together;
    int busy = (int)(threads / ((double)self->multiprocessors * SCHEDULERS * WARP) + 0.999);
    double step = c.issue * busy > c.delay ? c.issue * busy : c.delay;
    return steps * step;
}

/* The best cut with so many rows a thread, in *item; its cycles, or none if it cannot be. */
static double best_cut(const cuda_kernel *self, size_t together, int held, cuda_sweep *item)
{
    double least = -1;
    item->lanes =
        held == CUDA_FRAMES ? cuda_frames_lanes(item->rows) : cuda_handover_lanes(item->rows, held);
    if (!item->lanes) return least;
    item->groups = groups_of(item->lanes);
    cost c = cost_of(held, item->dim);
    for (int warps = 1; warps <= (held == CUDA_FRAMES ? 2 : MOST_WARPS); warps++) {
        if (self->only_warps && self->only_warps != warps) continue;
        cuda_sweep one = *item;
        double threads = (double)self->multiprocessors * SCHEDULERS * WARP * warps;
        double want = threads / item->lanes / (double)together;
        double cycles = cut_for(self, want, together, c, &one);
        if (least >= 0 && cycles >= least) continue;
        least = cycles;
        *item = one;
    }
    return least;
}

static void set_warm(const cuda_template *own, cuda_sweep *item, double share)
{
    item->warm = round_up((int)(share * own->warm * item->rows / WARM_ROWS), CUDA_STEP);
}

/* By the hand-over kernel; the cycles. */
static double cut_handover(const cuda_kernel *self, const cuda_template *own, size_t together,
                           cuda_sweep *item, int *held)
{
    double least = -1;
    set_warm(own, item, 0.75); /* few seams, so few can fail */
    *held = CUDA_FRAMES;
    if (item->dim > 1) return best_cut(self, together, CUDA_FRAMES, item);
    cuda_sweep chosen = *item;
    for (int i = 0; cuda_handover_held(i); i++) {
        cuda_sweep one = *item;
        if (self->only_held && self->only_held != cuda_handover_held(i)) continue;
        double cycles = best_cut(self, together, cuda_handover_held(i), &one);
        if (cycles < 0 || (least >= 0 && cycles >= least)) continue;
        least = cycles;
        *held = cuda_handover_held(i);
        chosen = one;
    }
    *item = chosen;
    return least;
}

/* By the bands' kernel; the cycles of one band. */
static double cut_band(const cuda_kernel *self, const cuda_template *own, cuda_sweep *item)
{
    enum { GRAIN = 8, LAUNCH = 8000 /* cycles, of a sweep and its check */ };
    set_warm(own, item, 1);
    item->lanes = item->groups = 1;
    int held = round_up(item->rows, GRAIN);
    cost c = {(double)held * CUDA_STEP * 3.1 + 60, (double)held * CUDA_STEP * 3.6 + 60};
    double want = (double)self->multiprocessors * CUDA_BAND_BLOCKS * CUDA_BAND_THREADS;
    double cycles = cut_for(self, want, 1, c, item) + LAUNCH;
    /* Segments of whole spacings, where that is not much longer: the threads of a warp then
     * store their kept columns at the same time. */
    int even = round_up(item->length, 1 << own->spacing_shift);
    if (even - item->length <= item->length / 24) item->length = even;
    item->segments = (item->n + item->length - 1) / item->length;
    return cycles;
}

int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item)
{
    int held = CUDA_BY_BANDS;
    if (own->by_bands)
        cut_band(self, own, item);
    else
        cut_handover(self, own, together, item, &held);
    return held;
}

void cuda_plan_choose(const cuda_kernel *self, cuda_template *own, size_t together,
                      const cuda_sweep *item)
{
    bool samples = self->dim == 1;
    size_t n_wide = cuda_plan_bands(own->length, self->dim, false);
    own->by_bands = samples && self->family == CUDA_BAND;
    if (samples && self->family == CUDA_ANY) {
        cuda_sweep wide = *item, narrow = *item;
        int held;
        wide.rows = (int)cuda_plan_band(own->length, 1, false, 0).rows;
        narrow.rows = (int)cuda_plan_band(own->length, 1, true, 0).rows;
        size_t beside = n_wide > 1 ? 1 : together;
        double by_handover =
            (double)n_wide / (double)beside * cut_handover(self, own, beside, &wide, &held);
        double by_bands =
            (double)cuda_plan_bands(own->length, 1, true) * cut_band(self, own, &narrow);
        own->by_bands = by_bands < by_handover;
    }
    own->alone = own->by_bands || n_wide > 1;
}

/* Longer warm-ups where seams failed, shorter ones after a while in which none did. */
void cuda_plan_learn(cuda_template *own, size_t bad)
{
    enum { CALM = 16, MOST = 8 /* times the rows */, LEAST_WARM = 96 };
    if (own->careful) own->careful--;
    if (bad) {
        own->calm = 0;
        own->careful = CALM;
        own->warm += own->warm / 4;
        if (own->warm > MOST * WARM_ROWS) own->warm = MOST * WARM_ROWS;
    } else if (++own->calm >= CALM) {
        own->calm = 0;
        own->warm -= own->warm / 16;
        if (own->warm < LEAST_WARM) own->warm = LEAST_WARM;
    }
}
