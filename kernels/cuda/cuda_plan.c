/*
 * cuda_plan.c - how a sweep is cut into bands and segments, and which kernel does it: by a
 * small model of the multiprocessor. Results do not depend on any of it.
 *
 * A step of a warp has so many instructions. A warp that has its scheduler for itself issues
 * one in two cycles at best, several together do better, up to some 1.3 cycles each; what is
 * constant in this was measured on an H100. More segments share the columns, but each pays its
 * warm-up.
 */
#include <math.h>

#include "kernels/cuda/cuda_kernel.h"

enum {
    SCHEDULERS = 4,
    WARP = 32,
    MOST_WARPS = 4 /* a scheduler */,
    MOST_BLOCKS = 32,
    BLOCK_THREADS = 128
};
enum { FRAME_ROWS = 8, MOST_LANES = 256 };

static size_t most_rows(size_t dim, cuda_family by)
{
    if (dim == 1 && by == CUDA_BAND) return CUDA_BAND_ROWS;
    if (dim == 1 && by == CUDA_WAVEFRONT) return CUDA_WAVEFRONT_ROWS;
    return MOST_LANES * (dim > 1 ? (size_t)FRAME_ROWS : (size_t)cuda_handover_held(0));
}

size_t cuda_plan_bands(size_t length, size_t dim, cuda_family by)
{
    size_t most = most_rows(dim, by);
    return (length + most - 1) / most;
}

cuda_band_rows cuda_plan_band(size_t length, size_t dim, cuda_family by, size_t b)
{
    size_t n = cuda_plan_bands(length, dim, by);
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
    double instructions, wait; /* of a step; cycles that nothing hides */
    double alone, each;        /* cycles an instruction: alone + each * (warps a scheduler) */
} cost;

static cost cost_of(int held, int dim, int lanes)
{
    double cells = (double)(held > 0 ? held : FRAME_ROWS) * CUDA_STEP;
    double barrier = lanes > WARP ? 12.0 * (lanes + WARP - 1) / WARP : 0;
    if (held == CUDA_FRAMES) return (cost){cells * (2.2 * dim + 4), 60 + barrier, 0.2, 0.9};
    return (cost){cells * 3 + 110, 60 + barrier, 0.9, 1.1};
}

/* Cut into segments for so many threads of the device; the cycles of the sweep, with all that
 * run beside it. */
static double cut_for(const cuda_kernel *self, double want, size_t together, int least, cost c,
                      cuda_sweep *item)
{
    size_t states = self->states / together / (size_t)item->rows;
    size_t segments = self->most_segments / together;
    double most = (double)(states < segments ? states : segments);
    if (want > most) want = most;
    if (want > item->groups) want -= (int)want % item->groups; /* whole blocks */
    if (want < 1) want = 1;
    item->length = round_up((int)((item->n + want - 1) / want), CUDA_STEP);
    if (item->length < least) item->length = least;
    item->segments = (item->n + item->length - 1) / item->length;
    int swept = item->length + (item->segments > 1 ? item->warm : 0);
    if (swept > item->n) swept = item->n;
    double steps = swept / (double)CUDA_STEP + item->lanes - 1;
    double threads = (double)item->segments * item->lanes * (double)together;
    int busy = (int)(threads / ((double)self->multiprocessors * SCHEDULERS * WARP) + 0.999);
    return steps * (c.instructions * (c.alone + c.each * busy) + c.wait);
}

/* The best cut with so many rows a thread, in *item; its cycles, or none if it cannot be. */
static double best_cut(const cuda_kernel *self, const cuda_template *own, size_t together, int held,
                       cuda_sweep *item)
{
    double least = -1;
    item->lanes =
        held == CUDA_FRAMES ? cuda_frames_lanes(item->rows) : cuda_handover_lanes(item->rows, held);
    if (!item->lanes) return least;
    item->groups = groups_of(item->lanes);
    cost c = cost_of(held, item->dim, item->lanes);
    for (int warps = 1; warps <= (held == CUDA_FRAMES ? 2 : MOST_WARPS); warps++) {
        if (self->only_warps && self->only_warps != warps) continue;
        cuda_sweep one = *item;
        double threads = (double)self->multiprocessors * SCHEDULERS * WARP * warps;
        double want = threads / item->lanes / (double)together;
        double cycles = cut_for(self, want, together, own->least, c, &one);
        if (least >= 0 && cycles >= least) continue;
        least = cycles;
        *item = one;
    }
    return least;
}

/* What came before a window of noise is forgotten, to the last bit, after some 0.7 columns a row
 * in the mean; the spread grows as rows^(2/3). Both were measured, of 32 to 1024 rows. A
 * `spread` of 2.9 was too little once in some 10^5 to 10^6 times at 64 rows. */
static void set_warm(const cuda_template *own, cuda_sweep *item, double spread)
{
    double rows = item->rows, columns = 0.72 * rows + spread * cbrt(rows * rows);
    item->warm = round_up((int)(columns * own->warm / CUDA_WARM), CUDA_STEP);
}

/* By the hand-over kernel; the cycles. */
static double cut_handover(const cuda_kernel *self, const cuda_template *own, size_t together,
                           cuda_sweep *item, int *held)
{
    double least = -1;
    set_warm(own, item, 2.6); /* few seams, so few can fail */
    *held = CUDA_FRAMES;
    if (item->dim > 1) return best_cut(self, own, together, CUDA_FRAMES, item);
    cuda_sweep chosen = *item;
    for (int i = 0; cuda_handover_held(i); i++) {
        cuda_sweep one = *item;
        if (self->only_held && self->only_held != cuda_handover_held(i)) continue;
        double cycles = best_cut(self, own, together, cuda_handover_held(i), &one);
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
    enum { GRAIN = 8, LAUNCH = 5000 /* cycles */ };
    set_warm(own, item, 3.4);
    item->lanes = item->groups = 1;
    int held = round_up(item->rows, GRAIN);
    cost c = {(double)held * CUDA_STEP * 3 + 50, 0, 0.7, 1};
    double want = (double)self->multiprocessors * CUDA_BAND_BLOCKS * CUDA_BAND_THREADS;
    double cycles = cut_for(self, want, 1, own->least, c, item) + LAUNCH;
    /* Not much longer segments of whole sixteenths of a spacing: kept columns then lie alike in
     * segments that are near to each other, which the threads of a warp take. */
    int even = round_up(item->length, 1 << own->spacing_shift >> 4);
    if (even - item->length <= item->length / 24) item->length = even;
    item->segments = (item->n + item->length - 1) / item->length;
    return cycles;
}

/* By the papers' kernel: as many blocks of threads as run at a time, warmed up over twice the
 * template's length. */
static void cut_wavefront(const cuda_kernel *self, const cuda_template *own, size_t together,
                          cuda_sweep *item)
{
    enum { THREADS = 2048 /* a multiprocessor */ };
    item->lanes = cuda_wavefront_lanes(item->rows);
    item->groups = 1;
    item->warm = round_up(2 * item->rows, CUDA_STEP) * own->warm / CUDA_WARM;
    item->warm = round_up(item->warm, CUDA_STEP);
    int blocks = THREADS / round_up(item->lanes, WARP);
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    double want = self->only_segments ? (double)self->only_segments
                                      : (double)(blocks * self->multiprocessors) / (double)together;
    cut_for(self, want, together, own->least, (cost){1, 0, 0, 1}, item);
}

int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item)
{
    int held = own->by == CUDA_BAND ? CUDA_BY_BANDS : CUDA_BY_WAVEFRONT;
    if (own->by == CUDA_BAND)
        cut_band(self, own, item);
    else if (own->by == CUDA_WAVEFRONT)
        cut_wavefront(self, own, together, item);
    else
        cut_handover(self, own, together, item, &held);
    return held;
}

void cuda_plan_choose(const cuda_kernel *self, cuda_template *own, size_t together,
                      const cuda_sweep *item)
{
    own->by = self->dim > 1 ? CUDA_HANDOVER : self->family;
    if (own->by == CUDA_ANY) {
        cuda_sweep wide = *item, narrow = *item;
        int held;
        size_t n_wide = cuda_plan_bands(own->length, 1, CUDA_HANDOVER);
        wide.rows = (int)cuda_plan_band(own->length, 1, CUDA_HANDOVER, 0).rows;
        narrow.rows = (int)cuda_plan_band(own->length, 1, CUDA_BAND, 0).rows;
        size_t beside = n_wide > 1 ? 1 : together;
        double by_handover =
            (double)n_wide / (double)beside * cut_handover(self, own, beside, &wide, &held);
        double by_bands =
            (double)cuda_plan_bands(own->length, 1, CUDA_BAND) * cut_band(self, own, &narrow);
        own->by = by_bands < by_handover ? CUDA_BAND : CUDA_HANDOVER;
    }
    own->alone = own->by == CUDA_BAND || cuda_plan_bands(own->length, self->dim, own->by) > 1;
}

void cuda_plan_learn(cuda_template *own, size_t bad, int hopeless)
{
    enum { CALM = 16, MOST = 5 * CUDA_WARM, LONGER = 32 };
    enum { MOST_LEAST = 1 << 30 /* all that a step may have */ };
    if (own->careful) own->careful--;
    if (hopeless) own->least = hopeless < MOST_LEAST / LONGER ? LONGER * hopeless : MOST_LEAST;
    if (bad) {
        own->calm = 0;
        own->careful = CALM;
        own->warm += own->warm / 4;
        if (own->warm > MOST) own->warm = MOST;
    } else if (++own->calm >= CALM) {
        own->calm = 0;
        own->warm -= own->warm / 16;
        if (own->warm < CUDA_WARM) own->warm = CUDA_WARM;
        if (own->least > CUDA_BLOCK) own->least /= 2;
    }
}
