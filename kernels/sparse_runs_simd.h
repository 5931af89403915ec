/*
 * sparse_runs_simd.h - samples (dim 1) where few cells are <= eps: only those, the others count as
 * +inf (costs are never negative, so no path from them ends in a candidate). A part of the
 * window is swept strip by strip, the row between two strips in memory.
 *
 *     first strip   ############################     all of it (sparse_full_simd.h)
 *     strip         ...####......########.......     runs, from a block of the row above that
 *     strip         ....####........#######.....     has a cell <= eps until all cells of an
 *     strip         ..........................       anti-diagonal exceed it
 *
 * A run is anti-diagonals of a strip, every row a column behind the one above it. It begins and
 * ends with a state of +inf: cells outside of it, which its lanes evaluate too, are +inf anyway.
 *
 * An anti-diagonal waits for the one before it, so several runs take steps in turns: each takes
 * the runs of a segment of the part, then of the next one that nobody has. What lives at the
 * end of a segment goes on afterwards, over what was found behind it without it, until it dies
 * or is where that was: then what follows is right already. Whoever is further to the right
 * is ahead, so that the last to write is who knows more.
 */
#ifndef KERNELS_SPARSE_RUNS_SIMD_H
#define KERNELS_SPARSE_RUNS_SIMD_H

#include "kernels/sparse_row_simd.h"

enum {
    RUN_VECTORS = RUN_ROWS / LANES,
    RUN_BLOCKS = RUN_STEPS / LANES, /* of LANES columns */
    RUN_SEGMENT = 64,               /* blocks */
    RUN_CHECK = 4,                  /* blocks from one state that is remembered to the next */
    RUN_SEGMENTS = SPARSE_COLUMNS / RUN_STEPS / RUN_SEGMENT,
    RUN_CHECKS = SPARSE_COLUMNS / RUN_STEPS / RUN_CHECK,
#if LANES == 16
    RUNS = 4 /* in turns: as many as the registers hold */
#elif LANES == 8
    RUNS = 2
#else
    RUNS = 1
#endif
};

/* Row i is lane i / RUN_VECTORS of vector i % RUN_VECTORS, see diagonal_simd.h. */
typedef struct {
    vf now[RUN_VECTORS], before[RUN_VECTORS]; /* D one and two steps ago */
    vf corner;                                /* diag of vector 0 */
    vf y[RUN_VECTORS];                        /* what the vectors compared with */
} run_state;

typedef struct {
    run_state s;
    vf trail[(1 + RUN_STEPS) * RUN_VECTORS]; /* D after each step of a block, and before it */
    size_t segment, b;                       /* b: the next block */
    bool works;                              /* it has a segment */
    bool lives;                              /* it has a cell <= eps to go on from */
} run;

/* What a thread needs beside rows. */
struct runs_bench {
    run_state end[RUN_SEGMENTS]; /* where segments ended */
    bool lives[RUN_SEGMENTS];
    run_state check[RUN_CHECKS];
    bool checked[RUN_CHECKS]; /* something lived there */
    run runs[RUNS];
};

/* A strip of RUN_ROWS rows. */
typedef struct {
    vf x[RUN_VECTORS];
    sparse_part *p;
    struct runs_bench *bench;
    const sparse_row *above;
    sparse_row *below;
    size_t top, blocks;
    size_t next; /* segment that nobody has */
    bool again;  /* over what was found without what comes from the left */
} runs_strip;

SIMD_INLINE void run_step(run_state *s, const vf *x, float sample, float above, vf *trail)
{
    const vf up = vf_shift(s->now[RUN_VECTORS - 1], above);
    const vf y = vf_shift(s->y[RUN_VECTORS - 1], sample);
    vf next[RUN_VECTORS];
    UNROLL
    for (int v = RUN_VECTORS - 1; v > 0; v--) {
        s->y[v] = s->y[v - 1];
        next[v] =
            vf_min(vf_min(s->before[v - 1], s->now[v]), s->now[v - 1]) + vf_abs(s->y[v] - x[v]);
    }
    s->y[0] = y;
    next[0] = vf_min(vf_min(s->corner, s->now[0]), up) + vf_abs(y - x[0]);
    s->corner = up;
    UNROLL
    for (int v = 0; v < RUN_VECTORS; v++) {
        s->before[v] = s->now[v];
        trail[v] = s->now[v] = next[v];
    }
}

/* A block of each run, in turns. Those that do not work, or are behind the end, find +inf. */
static void runs_block(const runs_strip *r)
{
    const float *y[RUNS], *above[RUNS], *nothing = r->above->value + SPARSE_NOTHING;
    run_state s[RUNS];
    vf *trail[RUNS], x[RUN_VECTORS];
    for (size_t v = 0; v < RUN_VECTORS; v++) x[v] = r->x[v];
    UNROLL
    for (size_t k = 0; k < RUNS; k++) {
        run *one = &r->bench->runs[k];
        const bool inside = one->works && one->b < r->blocks;
        const size_t at = inside ? one->b * RUN_STEPS : 0;
        y[k] = inside ? r->p->w->frames + r->p->begin + at : nothing;
        above[k] = inside && r->above->active[one->b * RUN_BLOCKS] ? r->above->value + at : nothing;
        trail[k] = one->trail + RUN_VECTORS;
        s[k] = one->s;
        for (size_t v = 0; v < RUN_VECTORS; v++) one->trail[v] = s[k].now[v];
    }
    for (size_t i = 0; i < RUN_STEPS; i++) {
        UNROLL
        for (size_t k = 0; k < RUNS; k++)
            run_step(&s[k], x, y[k][i], above[k][i], trail[k] + i * RUN_VECTORS);
    }
    UNROLL
    for (size_t k = 0; k < RUNS; k++) r->bench->runs[k].s = s[k];
    r->p->done += RUNS * RUN_ROWS * RUN_STEPS * 5 / 2;
}

SIMD_INLINE bool run_lives(const run_state *s, float eps)
{
    vf least = s->corner;
    for (size_t v = 0; v < RUN_VECTORS; v++) least = vf_min(least, vf_min(s->now[v], s->before[v]));
    return vf_at_most(least, eps) != 0;
}

/* Nothing that is <= eps sets them apart. */
static bool run_agrees(const run_state *a, const run_state *b, float eps)
{
    vi differs = (a->corner != b->corner) & (vf_min(a->corner, b->corner) <= eps);
    for (size_t v = 0; v < RUN_VECTORS; v++) {
        differs |= (a->now[v] != b->now[v]) & (vf_min(a->now[v], b->now[v]) <= eps);
        differs |= (a->before[v] != b->before[v]) & (vf_min(a->before[v], b->before[v]) <= eps);
    }
    return sparse_lanes(differs) == 0;
}

/* After the b-th block of steps the trail has, RUN_ROWS values apart, the bottom row of the block
 * before it, */
SIMD_INLINE void run_tell(const runs_strip *r, const run *one)
{
    const float *bottom = (const float *)one->trail + RUN_ROWS - 1;
    vf value[RUN_BLOCKS], least = vf_all(INFINITY);
    for (size_t k = 0; k < RUN_BLOCKS; k++) {
        value[k] = vf_load_apart(bottom + k * LANES * RUN_ROWS, RUN_ROWS);
        least = vf_min(least, value[k]);
    }
    if (!vf_at_most(least, r->p->own->eps)) return;
    memcpy(r->below->value + (one->b - 1) * RUN_STEPS, value, sizeof value);
    memset(&r->below->active[(one->b - 1) * RUN_BLOCKS], true, RUN_BLOCKS);
}

/* and, a row further down in each step, the last column of that block. */
static void run_column(const run *one, float *d)
{
    const float *trail = (const float *)one->trail;
    for (size_t i = 0; i < RUN_ROWS; i++)
        d[i] = trail[i * RUN_ROWS + i % RUN_VECTORS * LANES + i / RUN_VECTORS];
}

/* What a run has come to by a block. */
SIMD_INLINE void run_after(const runs_strip *r, run *one)
{
    const simd_template *own = r->p->own;
    const uint64_t begin = r->p->w->self->position + r->p->begin + one->b * RUN_STEPS;
    if (one->b > 0) {
        run_tell(r, one);
        if (!r->p->first && (begin & (own->kept.spacing - 1)) == 0)
            run_column(one, columns_at(&own->kept, begin) + r->top);
    }
    one->lives = run_lives(&one->s, own->eps);
    one->b++;
    if (one->b % RUN_CHECK || !one->lives) return;
    struct runs_bench *bench = r->bench;
    const size_t i = one->b / RUN_CHECK - 1;
    if (r->again && bench->checked[i] && run_agrees(&one->s, &bench->check[i], own->eps))
        one->works = false;
    bench->check[i] = one->s;
    bench->checked[i] = true;
}

static void state_clear(run_state *s)
{
    s->corner = vf_all(INFINITY);
    for (size_t v = 0; v < RUN_VECTORS; v++) s->now[v] = s->before[v] = s->y[v] = s->corner;
}

/* A segment for one that has none. False: there is none. */
static bool run_takes(runs_strip *r, run *one)
{
    struct runs_bench *bench = r->bench;
    const size_t segments = r->blocks / RUN_SEGMENT;
    while (r->again && r->next < segments && !bench->lives[r->next - 1]) r->next++;
    if (r->next >= segments) return false;
    one->works = true;
    one->segment = r->next++;
    one->b = one->segment * RUN_SEGMENT;
    one->lives = r->again;
    if (r->again) one->s = bench->end[one->segment - 1];
    return true;
}

/* To the next block that a run has to do. */
static void run_finds(runs_strip *r, run *one)
{
    struct runs_bench *bench = r->bench;
    while (one->works || run_takes(r, one)) {
        const size_t end = (one->segment + 1) * RUN_SEGMENT;
        if (!one->lives && !r->again && one->b < end) {
            one->b =
                next_active(r->above, (uint32_t)(one->b * RUN_STEPS), (uint32_t)(end * RUN_STEPS)) /
                RUN_STEPS;
            if (one->b < end) state_clear(&one->s);
        }
        if (one->b < end && (one->lives || !r->again)) return;
        if (one->b == end) {
            bench->end[one->segment] = one->s;
            bench->lives[one->segment] = one->lives;
            one->segment++;
        }
        one->works = r->again && one->lives && one->b < r->blocks;
    }
}

/* Runs until there is none left. */
static void runs_go(runs_strip *r)
{
    for (;;) {
        bool some = false;
        for (size_t k = 0; k < RUNS; k++) {
            run *one = &r->bench->runs[k];
            if (!one->works || !one->lives || one->b % RUN_SEGMENT == 0) run_finds(r, one);
            some |= one->works;
        }
        if (!some || r->p->done > r->p->budget) return;
        runs_block(r);
        for (size_t k = 0; k < RUNS; k++)
            if (r->bench->runs[k].works) run_after(r, &r->bench->runs[k]);
    }
}

/* The first block of steps of a run that comes from before the part: rows whose column is not
 * there yet keep what they have. */
static void run_enters(runs_strip *r, run *one, const float *d, float corner)
{
    run_state *s = &one->s;
    const float *above = r->above->value + (r->above->active[0] ? 0 : (size_t)SPARSE_NOTHING);
    state_clear(s);
    for (size_t i = 0; i < RUN_ROWS; i++)
        s->now[i % RUN_VECTORS][i / RUN_VECTORS] = s->before[i % RUN_VECTORS][i / RUN_VECTORS] =
            d[i];
    s->corner = vf_shift(s->now[RUN_VECTORS - 1], corner);
    for (size_t i = 0; i < RUN_STEPS; i++) {
        vf was[RUN_VECTORS];
        memcpy(was, s->now, sizeof was);
        run_step(s, r->x, r->p->w->frames[r->p->begin + i], above[i], one->trail);
        for (int v = 0; v < RUN_VECTORS; v++)
            s->now[v] = vf_select(vi_iota() * RUN_VECTORS + v <= (int)i, s->now[v], was[v]);
    }
    one->works = true;
    run_after(r, one);
}

/* D of the part's last column: a block behind its end. */
static void runs_end(runs_strip *r, float *d)
{
    const size_t last = r->blocks / RUN_SEGMENT - 1;
    run *one = &r->bench->runs[0];
    if (!r->bench->lives[last]) {
        for (size_t i = 0; i < RUN_ROWS; i++) d[i] = INFINITY;
        return;
    }
    one->s = r->bench->end[last];
    one->b = r->blocks;
    runs_block(r);
    run_after(r, one);
    run_column(one, d);
}

/* Blocks are whole: what is not active of one that is becomes +inf. */
static void runs_widen(sparse_row *row, size_t blocks)
{
    for (size_t b = 0; RUN_BLOCKS > 1 && b < blocks; b++) {
        bool *active = &row->active[b * RUN_BLOCKS];
        if (!memchr(active, 1, RUN_BLOCKS)) continue;
        for (size_t k = 0; k < RUN_BLOCKS; k++) {
            float *value = row->value + b * RUN_STEPS + k * LANES;
            if (!active[k]) vf_store(value, vf_all(INFINITY));
            active[k] = true;
        }
    }
}

/* The rows from `top` on. corner: D(top - 1,.) before the part. */
static void runs_strip_sweep(sparse_part *p, sparse_row *above, sparse_row *below, size_t top,
                             float corner)
{
    struct runs_bench *bench = p->bench->runs;
    float *d = p->own->d + p->own->pad + top;
    runs_strip r = {.p = p,
                    .bench = bench,
                    .above = above,
                    .below = below,
                    .top = top,
                    .blocks = part_columns(p) / RUN_STEPS};
    for (size_t i = 0; i < RUN_ROWS; i++)
        r.x[i % RUN_VECTORS][i / RUN_VECTORS] = p->own->x[top + i];
    runs_widen(above, r.blocks);
    memset(bench->checked, 0, sizeof bench->checked);
    for (size_t k = 0; k < RUNS; k++) bench->runs[k].works = false;
    if (corner <= p->own->eps || any_at_most(d, RUN_ROWS, p->own->eps)) {
        run *one = &bench->runs[0];
        run_takes(&r, one);
        run_enters(&r, one, d, corner);
    }
    runs_go(&r);
    r.again = true;
    r.next = 1;
    runs_go(&r);
    runs_end(&r, d);
}

#endif
