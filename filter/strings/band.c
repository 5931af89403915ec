#include "filter/strings/band.h"

static size_t wide_columns(const band *b)
{
    return b->kernel->lanes * STRING_TILE;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t band_steps(const band *b)
{
    const size_t wide = wide_columns(b);
    return b->n / wide + (b->n % wide + STRING_TILE - 1) / STRING_TILE;
}

size_t band_step_end(const band *b, size_t s)
{
    const size_t wide = b->n / wide_columns(b);
    if (s <= wide) return s * wide_columns(b);
    return least(b->n, wide * wide_columns(b) + (s - wide) * STRING_TILE);
}

size_t band_step_stripes(const band *b, size_t t)
{
    return b->n - t >= wide_columns(b) ? b->kernel->lanes : 1;
}

void band_begin(const band *b, band_column *c)
{
    c->t = c->first = 0;
    c->end = b->x->words;
    c->above = (int64_t)string_padding(b->x);
    for (size_t w = 0; w < b->x->words; w++) c->words[w] = string_first_edge(b->x, w);
}

/* The row before block w: the last one of block w - 1. Rows before row 0 are negative. */
static int64_t row_before(const band *b, size_t w)
{
    return (int64_t)(w * STRING_TILE) - (int64_t)string_padding(b->x);
}

/* How much lower (m,n) is than the cell's diagonal. */
static int64_t below(const band *b, const band_column *c, int64_t row)
{
    return ((int64_t)b->x->m - row) - (int64_t)(b->n - c->t);
}

/* What a path through the cell has left of its k edits. */
static int64_t left_over(const band *b, const band_column *c, int64_t row, int64_t distance)
{
    const int64_t off = below(b, c, row);
    return (int64_t)b->k - distance - (off < 0 ? -off : off);
}

/* D from the first row to the last of a block. */
static int64_t rise(string_edge e)
{
    return __builtin_popcountll(e.up) - __builtin_popcountll(e.down);
}

/* The last row that paths may reach in the next step from a block that ends at `row`, where at most
 * `spare` edits are left over. Down towards (m,n) is free, farther down costs two edits a row. */
static int64_t reach(const band *b, const band_column *c, int64_t row, int64_t spare)
{
    const int64_t columns = (int64_t)(band_step_stripes(b, c->t) * STRING_TILE);
    const int64_t off = below(b, c, row);
    return row + columns + (off > 0 ? off : 0) + spare / 2;
}

bool band_narrow(const band *b, band_column *c, size_t most)
{
    const size_t old_end = c->end;
    int64_t distance = c->above, farthest = -1;
    size_t first = c->end;
    for (size_t w = c->first; w < old_end; w++) {
        const int64_t before = left_over(b, c, row_before(b, w), distance);
        if (first == old_end) c->above = distance;
        distance += rise(c->words[w]);
        /* From row to row it changes by two at most, so inside the block it is at most: */
        const int64_t spare =
            (before + left_over(b, c, row_before(b, w + 1), distance)) / 2 + STRING_TILE;
        if (spare < 0) continue;
        if (first == old_end) first = w;
        const int64_t row = reach(b, c, row_before(b, w + 1), spare);
        if (row > farthest) farthest = row;
    }
    if (first == old_end) return false;
    c->first = first;
    c->end = least(most, ((size_t)farthest + string_padding(b->x)) / STRING_TILE + 1);
    /* Below the old band each row counts as one more than the row before. */
    for (size_t w = old_end; w < c->end; w++) c->words[w] = (string_edge){.up = ~(uint64_t)0};
    return c->first < c->end;
}

void band_step(const band *b, band_column *c, string_tile *tiles)
{
    const unsigned char *letters = b->y + c->t;
    size_t columns = least(STRING_TILE, b->n - c->t);
    if (band_step_stripes(b, c->t) > 1) {
        columns = wide_columns(b);
        b->kernel->stripes(b->x, c->first, c->end, letters, c->words, tiles);
    } else {
        string_stripe(b->x, c->first, c->end, letters, columns, c->words, tiles);
    }
    c->t += columns;
    c->above += (int64_t)columns;
}

uint64_t band_distance(const band *b, band_column *c)
{
    band_begin(b, c);
    while (c->t < b->n) {
        if (!band_narrow(b, c, b->x->words)) return b->k + 1;
        band_step(b, c, NULL);
    }
    if (c->end < b->x->words) return b->k + 1;
    int64_t distance = c->above;
    for (size_t w = c->first; w < c->end; w++) distance += rise(c->words[w]);
    return (uint64_t)distance;
}
