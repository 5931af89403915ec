/*
 * layer.h - one layer of a panel: up to LAYER_ROWS rows over all its columns, as LANES segments in
 * step, one in each lane.
 *
 *              lane 0                    lane 1
 *     above    -------------------       -------------------  ...   D, from the layer above
 *              | x x |     |     |       | x x |     |     |
 *              +-----+-----+-----+       +-----+-----+-----+        x: one stack, 64 columns of
 *              | x x |     |     |       | x x |     |     |        every lane, tile below tile
 *              +-----+-----+-----+       +-----+-----+-----+
 *              | x x |     |     |       | x x |     |     |
 *     below    -------------------       -------------------  ...   D, for the layer below
 *
 * A tile is pruned if no cell at or below eps leads into it in any lane. Pruned cells have some
 * value above eps. The segments are joined as in dense/seams.h: in the first round all lanes but
 * the first begin from +inf. In the next rounds they begin from their predecessors' ends, each
 * until it agrees with the round before.
 *
 * Needs: state/simd_kernel.h, dense/tile.h, row.h. Gives: layer_scratch, layer_sweep,
 * MIN_LAYER_ROWS.
 */
#ifndef KERNELS_CPU_SPARSE_LAYER_H
#define KERNELS_CPU_SPARSE_LAYER_H

#include "kernels/cpu/state/simd_kernel.h"

enum {
    LAYER_ROWS = 128, /* at most */
    MIN_LAYER_ROWS = 16,
    FEW_ACTIVE = 3,                          /* few lanes are active: fewer than a third */
    STACK_COLUMNS = KERNEL_BLOCK,            /* of each lane */
    PANEL_UNIT = LANES * STACK_COLUMNS,      /* columns: a panel is a multiple of it */
    MAX_STACKS = PANEL_COLUMNS / PANEL_UNIT, /* of a panel */
    STACK_BLOCKS = STACK_COLUMNS / LANES,    /* of each lane */
    OUTPUT_COLUMNS = 16,                     /* of the bottom row, written at a time */
};
_Static_assert(STACK_BLOCKS % 4 == 0, "activity is read in words");
_Static_assert(PANEL_UNIT % (LANES * KERNEL_BLOCK) == 0, "lanes are at ends of blocks together");

/* What a layer stores for each stack of its panel. */
typedef struct layer_scratch {
    vf y[MAX_STACKS][STACK_COLUMNS];  /* the samples, gathered by the first layer */
    vf state[MAX_STACKS][LAYER_ROWS]; /* D of all lanes after the stack */
} layer_scratch;

/* A layer under way. */
typedef struct {
    vf state[LAYER_ROWS], corner;
    sparse_panel *panel;
    const sparse_row *above; /* NULL: row 0 of the recurrence */
    sparse_row *below;
    size_t top, rows;
    uint32_t lanes; /* a bit for each lane whose results count */
    bool verify;    /* not the first round: lanes stop when they agree with the round before */
    /* For each tile of a stack: the lanes with an active bottom row, counted over all stacks. */
    size_t active[LAYER_ROWS / TILE_ROWS];
} sparse_layer;

/* Columns of a lane's segment. */
static size_t lane_columns(const sparse_layer *layer)
{
    return LANES * layer->panel->blocks;
}

/* The lanes with a value at or below eps in one of n vectors. */
static uint32_t active_lanes(const sparse_layer *layer, const vf *v, size_t n)
{
    vf lowest = v[0];
    for (size_t i = 1; i < n; i++) lowest = vf_min(lowest, v[i]);
    return vf_at_most(lowest, layer->panel->tmpl->eps) & layer->lanes;
}

/* ---- the row above ---- */

/* The lanes with an active cell in row 1 of the recurrence, where D(1,t) = |x_1 - y_t|. */
static uint32_t active_first(const sparse_layer *layer, const vf *y)
{
    const vf x = vf_all(layer->panel->tmpl->x[0]);
    vf lowest = cell_cost(x, y[0]);
    for (size_t t = 1; t < STACK_COLUMNS; t++) lowest = vf_min(lowest, cell_cost(x, y[t]));
    return vf_at_most(lowest, layer->panel->tmpl->eps) & layer->lanes;
}

/* The lanes with an active block above the stack at column c of each segment. */
static uint32_t active_above(const sparse_layer *layer, size_t c)
{
    const size_t each = lane_columns(layer);
    uint32_t lanes = 0, four;
    for (size_t lane = 0; lane < LANES; lane++) {
        uint32_t some = 0;
        for (size_t k = 0; k < STACK_BLOCKS; k += 4) {
            memcpy(&four, &layer->above->active[(lane * each + c) / LANES + k], sizeof four);
            some |= four;
        }
        lanes |= (uint32_t)(some != 0) << lane;
    }
    return lanes & layer->lanes;
}

/* Transpose the row above that stack into scratch->row. */
static void load_above(const sparse_layer *layer, size_t c)
{
    vf *row = layer->panel->scratch->row;
    const size_t each = lane_columns(layer);
    if (!layer->above) memset(row, 0, STACK_COLUMNS * sizeof *row);
    for (size_t t = 0; layer->above && t < STACK_COLUMNS; t += LANES) {
        const float *up[LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t at = lane * each + c + t;
            up[lane] = layer->above->value + (layer->above->active[at / LANES] ? at : INFINITE_AT);
        }
        vf_load_transposed(up, row + t);
    }
}

/* D of the row above, in the column before each segment; `first` for the first segment. */
static vf corners_above(const sparse_layer *layer, float first)
{
    vf corner = vf_all(layer->above ? INFINITY : 0);
    if (!layer->above) return corner;
    corner[0] = first;
    for (size_t lane = 1; lane < LANES; lane++) {
        const size_t last = lane * lane_columns(layer) - 1;
        if (layer->above->active[last / LANES]) corner[lane] = layer->above->value[last];
    }
    return corner;
}

/* ---- one stack ---- */

/* Sweep the stack at column c of each segment. Returns whether its bottom row is active. */
static bool stack_sweep(sparse_layer *layer, size_t c)
{
    sparse_panel *panel = layer->panel;
    vf corner = layer->corner, *row = panel->scratch->row;
    vf *y = panel->scratch->layer_scratch->y[c / STACK_COLUMNS];
    if (!panel->gathered && !layer->verify)
        lanes_gather(panel->chunk->frames + panel->begin + c, lane_columns(layer), STACK_COLUMNS,
                     y);
    bool leads = (layer->above ? active_above(layer, c) : active_first(layer, y)) != 0;
    layer->corner = vf_all(INFINITY);
    if (leads) {
        load_above(layer, c);
        layer->corner = row[STACK_COLUMNS - 1];
    } else
        for (size_t t = 0; t < STACK_COLUMNS; t++) row[t] = vf_all(INFINITY);
    for (size_t i = 0, rows; i < layer->rows; i += rows) {
        vf *state = layer->state + i;
        rows = layer->rows - i < TILE_ROWS ? layer->rows - i : TILE_ROWS;
        const vf below = state[rows - 1];
        leads = leads || active_lanes(layer, &corner, 1) || active_lanes(layer, state, rows);
        if (leads) {
            lanes_sweep(state, panel->tmpl->x + layer->top + i, rows, y, row, corner, STACK_COLUMNS,
                        1, &(lanes_prefetch){0});
            panel->done += rows * PANEL_UNIT * 3 / 2; /* dense tiles take two thirds of the time */
            const uint32_t lanes = active_lanes(layer, row, STACK_COLUMNS);
            layer->active[i / TILE_ROWS] += (size_t)__builtin_popcount(lanes);
            leads = lanes != 0;
        }
        corner = below;
    }
    return leads;
}

/* Hand on the active blocks of the bottom row. */
static void output_bottom(const sparse_layer *layer, size_t c)
{
    const vf *row = layer->panel->scratch->row;
    const size_t each = lane_columns(layer);
    for (size_t t = 0; t < STACK_COLUMNS; t += OUTPUT_COLUMNS) {
        const uint32_t lanes = active_lanes(layer, row + t, OUTPUT_COLUMNS);
        for (size_t k = 0; lanes && k < OUTPUT_COLUMNS; k += LANES) {
            const float *rows[LANES];
            vf values[LANES];
            for (size_t i = 0; i < LANES; i++) rows[i] = (const float *)&row[t + k + i];
            vf_load_transposed(rows, values);
            for (uint32_t left = lanes; left; left &= left - 1) {
                const size_t lane = (size_t)__builtin_ctz(left);
                const size_t at = lane * each + c + t + k;
                vf_store(layer->below->value + at, values[lane]);
                layer->below->active[at / LANES] = true;
            }
        }
    }
}

/* ---- checkpoints ---- */

/* d[lane]: the checkpoint at column c of each segment. Returns the lanes that have one there. */
static uint32_t checkpoints_after(const sparse_layer *layer, size_t c, float *d[LANES])
{
    const sparse_panel *panel = layer->panel;
    const checkpoints *ring = &panel->tmpl->checkpoints;
    const uint64_t begin = panel->chunk->self->position + panel->begin + c;
    const size_t each = lane_columns(layer);
    uint32_t lanes = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        lanes |= (uint32_t)(((begin + lane * each) & (ring->spacing - 1)) == 0) << lane;
    lanes &= layer->lanes;
    if (!lanes) return 0;
    if (each % ring->spacing == 0)
        checkpoints_apart(ring, begin, each, LANES, d);
    else
        for (size_t lane = 0; lane < LANES; lane++)
            d[lane] = checkpoint_at(ring, begin + lane * each);
    return lanes;
}

/* Store the layer's rows of checkpoints at column c of each segment. */
static void layer_checkpoints(const sparse_layer *layer, size_t c)
{
    float *d[LANES];
    const uint32_t lanes = checkpoints_after(layer, c, d);
    for (size_t i = 0; lanes && i < layer->rows; i += LANES) {
        const size_t count = layer->rows - i < LANES ? layer->rows - i : LANES;
        const float *rows[LANES];
        vf r[LANES];
        for (size_t k = 0; k < LANES; k++)
            rows[k] = (const float *)&layer->state[i + (k < count ? k : 0)];
        vf_load_transposed(rows, r);
        for (uint32_t left = lanes; left; left &= left - 1) {
            const size_t lane = (size_t)__builtin_ctz(left);
            if (count == LANES)
                vf_store(d[lane] + layer->top + i, r[lane]);
            else
                memcpy(d[lane] + layer->top + i, &r[lane], count * sizeof(float));
        }
    }
}

/* ---- rounds ---- */

/* The lanes that differ in a cell at or below eps. */
static uint32_t differing_lanes(const vf *a, const vf *b, size_t rows, float eps)
{
    vi differs = {0};
    for (size_t i = 0; i < rows; i++) differs |= (a[i] != b[i]) & (vf_min(a[i], b[i]) <= eps);
    /* A mask of all ones is a NaN: cut down to the exponent it is +inf. */
    return ~vf_at_most((vf)(differs & 0x7f800000), 0) & ((1u << LANES) - 1);
}

/* Sweep the segments on from layer->state. layer->lanes loses each lane that agrees with the round
 * before after some stack: all that follows agrees too. */
static void layer_round(sparse_layer *layer)
{
    const sparse_panel *panel = layer->panel;
    const size_t each = lane_columns(layer);
    for (size_t c = 0; c < each && layer->lanes && panel->done <= panel->budget;
         c += STACK_COLUMNS) {
        if (stack_sweep(layer, c)) output_bottom(layer, c);
        layer_checkpoints(layer, c + STACK_COLUMNS);
        vf *was = panel->scratch->layer_scratch->state[c / STACK_COLUMNS];
        if (layer->verify)
            layer->lanes &= differing_lanes(layer->state, was, layer->rows, panel->tmpl->eps);
        for (size_t i = 0; i < layer->rows; i++)
            was[i] = vf_pick(layer->lanes, layer->state[i], was[i]);
    }
}

/* Rows of the next panel's first layer: down to the first tile in which few lanes are active. */
static size_t next_first_rows(const sparse_layer *layer)
{
    const size_t lanes = panel_columns(layer->panel) / STACK_COLUMNS; /* of all stacks */
    size_t rows = TILE_ROWS;
    for (; rows <= layer->rows; rows += TILE_ROWS)
        if (layer->active[rows / TILE_ROWS - 1] * FEW_ACTIVE < lanes) break;
    return rows < MIN_LAYER_ROWS ? MIN_LAYER_ROWS : rows < LAYER_ROWS ? rows : LAYER_ROWS;
}

/* Sweep rows [top, top + rows) of the panel. corner: D(top - 1,.) in the column before it. Stops
 * beyond the budget. */
static void layer_sweep(sparse_panel *panel, const sparse_row *above, sparse_row *below, size_t top,
                        size_t rows, float corner)
{
    const uint32_t all = (1u << LANES) - 1;
    float *d = panel->tmpl->d + panel->tmpl->pad + top;
    const vf *end = panel->scratch->layer_scratch->state[panel_columns(panel) / PANEL_UNIT - 1];
    sparse_layer layer = {
        .panel = panel, .above = above, .below = below, .top = top, .rows = rows, .lanes = all};
    for (size_t i = 0; i < rows; i++) {
        layer.state[i] = vf_all(INFINITY);
        layer.state[i][0] = d[i];
    }
    const vf corners = layer.corner = corners_above(&layer, corner);
    layer_round(&layer);
    layer.verify = panel->gathered = true;
    if (!top) panel->tmpl->first_rows = next_first_rows(&layer);
    for (layer.lanes = all & ~1u; layer.lanes && panel->done <= panel->budget;
         layer.lanes = layer.lanes << 1 & all) {
        for (size_t i = 0; i < rows; i++) layer.state[i] = vf_shift(end[i], INFINITY);
        layer.corner = corners;
        layer_round(&layer);
    }
    for (size_t i = 0; i < rows; i++) d[i] = end[i][LANES - 1];
}

#endif
