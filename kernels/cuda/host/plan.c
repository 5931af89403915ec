/*
 * plan.c - how a sweep is cut into bands and segments.
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
    LEAST_HELD = 8       /* rows that a thread for frames can always hold */
};

size_t cuda_plan_bands(size_t length, size_t dim)
{
    const size_t most = CUDA_MOST_LANES * (dim > 1 ? (size_t)LEAST_HELD : (size_t)cuda_held(1, 0));
    return (length + most - 1) / most;
}

int cuda_plan_frames_held(int rows)
{
    int chosen = 0;
    double least = INFINITY;
    for (int i = 0, held; (held = cuda_held(2, i)); i++) {
        const int lanes = cuda_lanes(rows, held);
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

cuda_band_rows cuda_plan_band(size_t length, size_t dim, size_t b)
{
    const size_t n = cuda_plan_bands(length, dim);
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
 * beside it; INFINITY: not possible. All multiprocessors get equally many blocks: one more
 * anywhere, and all wait for it. */
static double best_cut(const cuda_kernel *self, const cuda_template *own, size_t together, int held,
                       cuda_sweep *item)
{
    double least = INFINITY;
    item->lanes = cuda_lanes(item->rows, held);
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
        if (cycles >= least) continue;
        least = cycles;
        *item = one;
    }
    return least;
}

/* In noise of 32 to 1024 rows, D forgets its start to the last bit after MEAN columns a row in the
 * mean, and the spread grows as rows^(2/3). At 64 rows 3.4 columns for each rows^(2/3) were too
 * few ten times in 10^6 seams, 4 once, 4.5 never in 1.5 10^6. There are few seams, so few fail. */
static int warm_up(const cuda_template *own, int rows)
{
    static const double MEAN = 0.72, SPREAD = 2.6;
    const double columns = MEAN * rows + SPREAD * cbrt((double)rows * rows);
    return round_up((int)(columns * own->warm / CUDA_WARM), CUDA_STEP);
}

int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item)
{
    item->warm = warm_up(own, item->rows);
    int held = cuda_plan_frames_held(item->rows);
    if (item->dim > 1) {
        best_cut(self, own, together, held, item);
        return held;
    }
    double least = INFINITY;
    cuda_sweep chosen = *item;
    for (int i = 0; cuda_held(1, i) && !(own->bands > 1 && i); i++) { /* bands: by most rows only */
        cuda_sweep one = *item;
        double cycles = best_cut(self, own, together, cuda_held(1, i), &one);
        if (cycles >= least) continue;
        least = cycles;
        held = cuda_held(1, i);
        chosen = one;
    }
    *item = chosen;
    return held;
}

void cuda_plan_learn(cuda_template *own, size_t bad, int too_short)
{
    enum {
        STEADY = 64,          /* chunks without a failure, after which warm-ups become shorter */
        MOST = 5 * CUDA_WARM, /* longest warm-up */
        LONGER = 32,          /* times: segments after some that were too short */
        MOST_LEAST = 1 << 30, /* columns: the longest chunk */
        GROW = 4,             /* warm-ups grow by a fourth */
        SHRINK = 16           /* warm-ups shrink by a sixteenth */
    };
    if (too_short) own->least = too_short < MOST_LEAST / LONGER ? LONGER * too_short : MOST_LEAST;
    if (bad) {
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
