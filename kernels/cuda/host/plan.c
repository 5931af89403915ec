/*
 * plan.c - how a sweep is cut into bands and segments, and which kernel does it.
 *
 *     rows  |  | segment | segment | segment |    band 0: its segments run in parallel, but each
 *           |  | segment | segment | segment |    band 1  has a warm-up
 *           v
 *              columns ->
 *
 * A model estimates the cycles of each possible cut, and the cheapest is taken:
 *
 *     cycles of a band = steps of a segment x (warps of a scheduler x cycles of a warp + waits)
 *
 * Its constants were fitted to measurements on an H100 and an H200. Results do not depend on any
 * of it.
 */
#include <math.h>

#include "kernels/cuda/host/cuda_kernel.h"

enum {
    SCHEDULERS = 4,      /* of warps, in a multiprocessor */
    WARP = 32,           /* threads */
    BLOCK_THREADS = 128, /* threads of a block, about */
    MOST_LANES = 256,    /* threads of a segment */
    LEAST_HELD = 8       /* rows that a thread for frames can always hold */
};

static size_t most_rows(size_t dim, cuda_family by)
{
    if (dim == 1 && by == CUDA_BAND) return CUDA_BAND_ROWS;
    return MOST_LANES * (dim > 1 ? (size_t)LEAST_HELD : (size_t)cuda_handover_held(0));
}

size_t cuda_plan_bands(size_t length, size_t dim, cuda_family by)
{
    size_t most = most_rows(dim, by);
    return (length + most - 1) / most;
}

int cuda_plan_frames_held(int rows)
{
    int chosen = 0;
    double least = INFINITY;
    for (int i = 0; cuda_frames_held(i); i++) {
        const int held = cuda_frames_held(i), lanes = cuda_frames_lanes(rows, held);
        /* Relative time of a row: threads with more rows load less, but need more registers. */
        const double price = held >= 16 ? 1.08 : held >= 12 ? 1 : 1.15;
        /* The rings of blocks of single lanes with 12 rows exceed small GPUs' shared memory. */
        const bool too_much = held == 12 && lanes == 1;
        if (!lanes || too_much || price * held * lanes >= least) continue;
        least = price * held * lanes;
        chosen = held;
    }
    return chosen;
}

/* Floats of x for each k. */
static size_t frames_rows(size_t rows)
{
    return (size_t)cuda_frames_rows((int)rows, cuda_plan_frames_held((int)rows));
}

cuda_band_rows cuda_plan_band(size_t length, size_t dim, cuda_family by, size_t b)
{
    const size_t n = cuda_plan_bands(length, dim, by);
    const size_t units = (length + CUDA_UNIT - 1) / CUDA_UNIT;
    const size_t share = units / n, more = units % n, before = b < more ? b : more;
    cuda_band_rows band = {.row = CUDA_UNIT * (b * share + before),
                           .rows = CUDA_UNIT * (share + (b < more))};
    if (band.row < length && band.rows > length - band.row) band.rows = length - band.row;
    band.x_at = band.row;
    if (dim > 1) /* each band of x is padded */
        band.x_at = dim * (before * frames_rows(CUDA_UNIT * (share + 1)) +
                           (b - before) * frames_rows(CUDA_UNIT * share));
    return band;
}

static int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

size_t cuda_plan_share(const cuda_kernel *self, size_t together)
{
    return self->states / together / CUDA_UNIT * CUDA_UNIT;
}

/* Segments a block, of about BLOCK_THREADS threads, that best fill `room` warps: a multiprocessor
 * with frames, a block with samples, which was as fast or faster. If segments cross warps, the
 * threads of a block wait for each other, so one segment is preferred. */
static int groups_of(int lanes, int room)
{
    static const double ALIKE = 0.02; /* share of the room: uses that differ by less are alike */
    const bool in_warp = WARP % lanes == 0;
    int best = 1;
    double best_use = 0;
    for (int groups = 1; groups * lanes <= 2 * BLOCK_THREADS || groups == 1; groups++) {
        const int warps = round_up(groups * lanes, WARP) / WARP;
        const int blocks = room > warps ? room / warps : 1;
        double use = (double)(blocks * groups * lanes) / (WARP * (room > warps ? room : warps));
        if (use > best_use + ALIKE ||
            (in_warp && use > best_use - ALIKE && groups * lanes <= BLOCK_THREADS)) {
            best = groups;
            best_use = use;
        }
    }
    return best;
}

/* Cycles of a step: `each` for each warp of a scheduler, and `wait`, which nothing hides. */
typedef struct {
    double each, wait;
} cost;

enum { CELL = 3 }; /* instructions of a cell of samples */

static cost cost_of_frames(int held, int dim)
{
    static const double VALUE = 2.2, CELL_OF_FRAMES = 4; /* instructions of a value, and a cell */
    static const double INSTRUCTION = 0.8,               /* cycles of an instruction */
        WAIT = 1.7; /* cycles of waiting for each instruction */
    const double instructions = held * CUDA_STEP * (VALUE * dim + CELL_OF_FRAMES);
    return (cost){INSTRUCTION * instructions, WAIT * instructions};
}

/* Each segment of a warp has its own blocks of minima to end. */
static cost cost_of_samples(int held, int lanes)
{
    enum { STEP = 30, WAIT = 320, MORE = 30 /* cycles of waiting for each segment of a warp */ };
    static const double INSTRUCTION = 1.23;
    return (cost){INSTRUCTION * (held * CUDA_STEP * CELL + STEP),
                  WAIT + MORE * (lanes < WARP ? (double)WARP / lanes : 1)};
}

/* Cut into `want` segments or fewer, of a multiple of `grain` columns if that makes them little
 * longer. Returns the steps of a segment. */
static double cut_for(const cuda_kernel *self, double want, size_t together, int least, int grain,
                      cuda_sweep *item)
{
    enum { LITTLE = 24 }; /* little longer: by a 24th at most */
    size_t states = cuda_plan_share(self, together) / (size_t)round_up(item->rows, CUDA_UNIT);
    size_t segments = self->most_segments / together;
    double most = (double)(states < segments ? states : segments);
    if (want > most) want = most;
    if (want > item->groups) want -= (int)want % item->groups; /* whole blocks */
    if (want < 1) want = 1;
    item->length = round_up((int)((item->n + want - 1) / want), CUDA_STEP);
    if (item->length < least) item->length = least;
    const int even = round_up(item->length, grain);
    if (even - item->length <= item->length / LITTLE) item->length = even;
    item->segments = (item->n + item->length - 1) / item->length;
    int swept = item->length + (item->segments > 1 ? item->warm : 0);
    if (swept > item->n) swept = item->n;
    return swept / (double)CUDA_STEP + item->lanes - 1;
}

/* The best cut with `held` rows a thread, in *item. Returns the cycles of the sweep and of those
 * beside it; below 0: not possible. All multiprocessors get equally many blocks: one more anywhere,
 * and all wait for it. */
static double best_cut(const cuda_kernel *self, const cuda_template *own, size_t together, int held,
                       cuda_sweep *item)
{
    double least = -1;
    item->lanes =
        item->dim > 1 ? cuda_frames_lanes(item->rows, held) : cuda_handover_lanes(item->rows, held);
    if (!item->lanes) return least;
    const cost c =
        item->dim > 1 ? cost_of_frames(held, item->dim) : cost_of_samples(held, item->lanes);
    const int most_warps = held > (item->dim > 1 ? 8 : 12) ? 2 : 3; /* that the registers allow */
    for (int warps = 1; warps <= most_warps; warps++) {
        cuda_sweep one = *item;
        one.groups = groups_of(item->lanes, item->dim > 1 ? SCHEDULERS * warps : 1);
        const int block = round_up(one.groups * one.lanes, WARP) / WARP; /* warps */
        double blocks = (double)SCHEDULERS * warps / block;
        if (blocks > 1) blocks = floor(blocks);
        double want = floor(self->multiprocessors * blocks / (double)together);
        want = fmax(1, want) * one.groups;
        /* If many segments share a warp, their blocks of minima should end at the same steps. */
        const int grain = item->lanes <= WARP / 4 ? CUDA_BLOCK : CUDA_STEP;
        double steps = cut_for(self, want, together, own->least, grain, &one);
        blocks = ceil((double)one.segments / one.groups) * (double)together;
        double busy = ceil(ceil(blocks / self->multiprocessors) * block / SCHEDULERS);
        double cycles = steps * (c.each * busy + c.wait);
        if (least >= 0 && cycles >= least) continue;
        least = cycles;
        *item = one;
    }
    return least;
}

/* In noise of 32 to 1024 rows, D forgets its start to the last bit after MEAN columns a row in the
 * mean, and the spread grows as rows^(2/3). `spread`: columns for each rows^(2/3). At 64 rows 3.4
 * was too little ten times in 10^6 seams, 4 once, 4.5 never in 1.5 10^6. */
static void set_warm(const cuda_template *own, cuda_sweep *item, double spread)
{
    static const double MEAN = 0.72;
    double rows = item->rows, columns = MEAN * rows + spread * cbrt(rows * rows);
    item->warm = round_up((int)(columns * own->warm / CUDA_WARM), CUDA_STEP);
}

/* The best cut for the hand-over kernel. Returns the cycles. */
static double cut_handover(const cuda_kernel *self, const cuda_template *own, size_t together,
                           cuda_sweep *item, int *held)
{
    static const double SPREAD = 2.6; /* see set_warm: few seams, so few can fail */
    double least = -1;
    set_warm(own, item, SPREAD);
    *held = cuda_plan_frames_held(item->rows);
    if (item->dim > 1) return best_cut(self, own, together, *held, item);
    cuda_sweep chosen = *item;
    const bool banded = cuda_plan_bands(own->length, 1, CUDA_HANDOVER) > 1; /* by most rows only */
    for (int i = 0; cuda_handover_held(i) && !(banded && i); i++) {
        cuda_sweep one = *item;
        double cycles = best_cut(self, own, together, cuda_handover_held(i), &one);
        if (cycles < 0 || (least >= 0 && cycles >= least)) continue;
        least = cycles;
        *held = cuda_handover_held(i);
        chosen = one;
    }
    *item = chosen;
    return least;
}

/* The cut of a band for the bands' kernel. Returns the cycles of one band. */
static double cut_band(const cuda_kernel *self, const cuda_template *own, cuda_sweep *item)
{
    enum {
        GRAIN = 8,     /* rows: the kernel is compiled for multiples of it */
        STEP = 50,     /* instructions of a step beside its cells */
        LAUNCH = 5000, /* cycles of a launch */
        SIXTEENTH = 16,
        STOP = 3 /* columns that a warp could sweep in the time of a stop */
    };
    static const double SPREAD = 3.4, /* see set_warm */
        SPREAD_OF_BANDS = 0.4, /* added for each factor e of bands: a failed seam costs all */
        WAIT = 0.7;            /* waits of a step, in cycles for each instruction */
    const size_t bands = cuda_plan_bands(own->length, 1, CUDA_BAND);
    set_warm(own, item, SPREAD + SPREAD_OF_BANDS * log((double)bands));
    item->lanes = item->groups = 1;
    double instructions = round_up(item->rows, GRAIN) * CUDA_STEP * CELL + STEP;
    double want = (double)self->multiprocessors * CUDA_BAND_BLOCKS * CUDA_BAND_THREADS;
    double steps = cut_for(self, want, 1, own->least, CUDA_STEP, item);
    double busy = ceil(item->segments / ((double)self->multiprocessors * SCHEDULERS * WARP));
    double cycles = steps * instructions * (WAIT + busy) + LAUNCH;
    /* Whole sixteenths of a spacing: then all threads of a warp store checkpoints at the same
     * steps. Else the warp stops for each thread. */
    int even = round_up(item->length, (1 << own->spacing_shift) / SIXTEENTH);
    const int64_t stops = (int64_t)item->length * WARP >> own->spacing_shift;
    if (even - item->length <= STOP * stops) item->length = even;
    item->segments = (item->n + item->length - 1) / item->length;
    return cycles;
}

int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item)
{
    int held = CUDA_BY_BANDS;
    if (own->by == CUDA_BAND)
        cut_band(self, own, item);
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

void cuda_plan_learn(cuda_template *own, size_t bad, int too_short)
{
    enum {
        STEADY = 64,          /* chunks without a failure, after which warm-ups become shorter */
        VERIFY_BANDS = 16,    /* chunks in which bands are verified one by one, after failures */
        FEW = 64,             /* failed seams, at most, that may be chance */
        MOST = 5 * CUDA_WARM, /* longest warm-up */
        LONGER = 32,          /* times: segments after some that were too short */
        MOST_LEAST = 1 << 30, /* columns: the longest chunk */
        GROW = 4,             /* warm-ups grow by a fourth */
        SHRINK = 16           /* warm-ups shrink by a sixteenth */
    };
    if (own->verify_bands) own->verify_bands--;
    if (too_short) own->least = too_short < MOST_LEAST / LONGER ? LONGER * too_short : MOST_LEAST;
    if (bad) {
        /* Against chance longer warm-ups will do. */
        if (bad > FEW || own->steady < CUDA_STEADY) own->verify_bands = VERIFY_BANDS;
        own->steady = 0;
        own->warm += own->warm / GROW;
        if (own->warm > MOST) own->warm = MOST;
    } else if (own->steady < STEADY) {
        own->steady++;
    } else if (own->warm > CUDA_WARM || own->least > CUDA_BLOCK) {
        own->steady = 0;
        own->warm -= own->warm / SHRINK;
        if (own->warm < CUDA_WARM) own->warm = CUDA_WARM;
        own->least = round_up(own->least / 2, CUDA_BLOCK);
    }
}

/* ---- sizes that hold for all chunks ---- */

/* A spacing near half the history: going on from a checkpoint then costs little more than the
 * history itself, and storing checkpoints costs little beside the sweep. */
int cuda_plan_spacing_shift(size_t history)
{
    enum { LEAST = 9, MOST = 16 }; /* log2 of frames */
    int shift = LEAST;
    while (shift < MOST && ((size_t)2 << shift) <= history / 3 * 2) shift++;
    return shift;
}

size_t cuda_kernel_spacing(const void *kernel, size_t index)
{
    return (size_t)1 << ((const cuda_kernel *)kernel)->templates[index].spacing_shift;
}

/* Long enough that warm-ups cost little, and so does the work between two chunks, which counts if
 * templates are short. Bounded by the memory of frames and checkpoints. */
size_t cuda_kernel_best_chunk(const kernel_plan *plan)
{
    enum { LEAST = 1 << 16, MOST = 1 << 23 };                /* frames */
    const size_t frames_a_row = plan->dim > 1 ? 4096 : 8192; /* of the longest template */
    const size_t most_bytes = (size_t)1 << 30;
    size_t longest = 0, bytes_a_frame = 3 * plan->dim * sizeof(float);
    for (size_t j = 0; j < plan->n_templates; j++) {
        const kernel_template *x = &plan->templates[j];
        if (x->length > longest) longest = x->length;
        bytes_a_frame += 1 + (x->length * sizeof(float) >> cuda_plan_spacing_shift(x->history));
    }
    size_t chunk = LEAST;
    while (chunk < MOST && chunk / frames_a_row < longest) chunk *= 2;
    while (chunk > LEAST && chunk * bytes_a_frame > most_bytes) chunk /= 2;
    return chunk;
}
