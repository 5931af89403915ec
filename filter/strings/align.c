/*
 * align.c - two strings as wholes, behind sigrep_text.h.
 *
 *     row m  .  .  .  .  .  o  D(m,n)      the chosen path of the cell (m,n): ties go to the
 *            .  .  .  o  o  .              diagonal, then left, then up
 *            .  o  o  .  .  .
 *     row 0  o  .  .  .  .  .
 *           t=0             n
 *
 * The distance is found in a band for k edits, and k doubles until it is enough (Ukkonen 1985). The
 * path is followed backwards, in the band for D(m,n) edits:
 *
 *     columns 0       |       |       |       | n     sweep, and store some columns
 *                                     |#######|       solve the last part: likewise, or if it is
 *                             |#######|               one step, store its tiles and walk
 *
 * So memory is that of a few columns, and all cells are those of the recurrence, ties included.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/strings/band.h"
#include "sigrep_text.h"

enum {
    FIRST_EDITS = 512,
    PARTS = 32 /* of the steps of a sweep; a column is stored for each */
};

typedef struct {
    const unsigned char *x, *y, *same;
    size_t m, n;
} strings;

/* ---- the matrix of two strings ---- */

typedef struct {
    band band;
    string_pattern x;
    band_column column;
} matrix;

/* Neither string is empty. false: out of memory. matrix_close is due in any case. */
static bool matrix_open(matrix *a, const strings *s)
{
    *a = (matrix){.band = {.kernel = string_kernel_find(NULL), .x = &a->x, .y = s->y, .n = s->n}};
    if (!string_pattern_init(&a->x, s->x, s->m, 0, s->same)) return false;
    a->column.words = malloc(a->x.words * sizeof *a->column.words);
    return a->column.words;
}

static void matrix_close(matrix *a)
{
    free(a->column.words);
    string_pattern_free(&a->x);
}

/* ---- the distance ---- */

/* Without the letters that match at both ends: they do not change the distance. */
static strings trimmed(strings s)
{
    while (s.m > 0 && s.n > 0 && string_same(s.same, s.x[s.m - 1], s.y[s.n - 1])) s.m--, s.n--;
    while (s.m > 0 && s.n > 0 && string_same(s.same, *s.x, *s.y)) s.x++, s.y++, s.m--, s.n--;
    return s;
}

static uint64_t double_band(band *b, band_column *c)
{
    const uint64_t least = b->x->m > b->n ? b->x->m - b->n : b->n - b->x->m;
    uint64_t distance;
    b->k = least > FIRST_EDITS ? least : FIRST_EDITS;
    while ((distance = band_distance(b, c)) > b->k) b->k *= 2;
    return distance;
}

static bool find_distance(const strings *all, uint64_t *distance)
{
    const strings s = trimmed(*all);
    matrix a = {0};
    *distance = s.m + s.n;
    if (s.m == 0 || s.n == 0) return true;
    const bool good = matrix_open(&a, &s);
    if (good) *distance = double_band(&a.band, &a.column);
    matrix_close(&a);
    return good;
}

/* ---- the path ---- */

typedef struct {
    const band *b;
    size_t i, t;        /* the path is known from this cell on */
    sigrep_pair *pairs; /* backwards */
    size_t n_pairs;
} solver;

static size_t block_of(const solver *s, size_t i)
{
    return (string_padding(s->b->x) + i - 1) / STRING_TILE;
}

static void add_pair(solver *s, bool same)
{
    s->pairs[s->n_pairs++] = (sigrep_pair){.template_frame = s->i - 1,
                                           .match_frame = s->t - 1,
                                           .start = s->t - 1,
                                           .end = s->t,
                                           .cost = same ? 0 : 1};
}

/* Go on to the chosen neighbour of the path's cell. A letter that matches leads to the diagonal,
 * since diagonals never fall. */
static void follow(solver *s, const string_cells *cells, size_t column)
{
    const size_t bit = (string_padding(s->b->x) + s->i - 1) % STRING_TILE;
    const bool same = string_matches(s->b->x, s->i, s->b->y[s->t - 1]);
    if (same || !(cells->level[column] >> bit & 1)) {
        add_pair(s, same);
        s->i--;
        s->t--;
    } else if (cells->rising[column] >> bit & 1) {
        s->t--;
    } else {
        s->i--;
    }
}

/* Follow the path to row 0 or out of the tile that it is in, whose first column comes behind letter
 * t. */
static void walk_tile(solver *s, string_tile edges, size_t t)
{
    const size_t w = block_of(s, s->i);
    string_cells cells;
    string_tile_sweep(s->b->x, w, s->b->y + t, s->t - t, &edges, &cells);
    while (s->i > 0 && s->t > t && block_of(s, s->i) == w) follow(s, &cells, s->t - t - 1);
}

/* Solve one step from column c on. */
static bool solve_step(solver *s, band_column *c)
{
    const size_t begin = c->t, stripes = band_step_stripes(s->b, begin);
    if (!band_narrow(s->b, c, block_of(s, s->i) + 1)) return true; /* never */
    string_tile *tiles = malloc((c->end - c->first) * stripes * sizeof *tiles);
    if (!tiles) return false;
    band_step(s->b, c, tiles);
    while (s->i > 0 && s->t > begin) {
        const size_t stripe = (s->t - 1 - begin) / STRING_TILE;
        const size_t tile = (block_of(s, s->i) - c->first) * stripes + stripe;
        walk_tile(s, tiles[tile], begin + stripe * STRING_TILE);
    }
    free(tiles);
    return true;
}

/* Sweep from column c to the column behind step `to`. */
static void sweep_to(const solver *s, band_column *c, size_t to)
{
    while (c->t < band_step_end(s->b, to) && band_narrow(s->b, c, block_of(s, s->i) + 1))
        band_step(s->b, c, NULL);
}

/* Solve steps [from, to). Column c is the one before them, and scratch. false: out of memory. The
 * depth is a logarithm of the steps. */
static bool solve(solver *s, band_column *c, size_t from, size_t to)
{
    if (s->i == 0 || from == to) return true;
    if (to - from == 1) return solve_step(s, c);
    const size_t blocks = block_of(s, s->i) + 1, part = (to - from + PARTS - 1) / PARTS;
    const size_t n = (to - from + part - 1) / part;
    band_column columns[PARTS];
    string_edge *words = malloc(n * blocks * sizeof *words);
    for (size_t j = 0; j < n && words; j++) {
        sweep_to(s, c, from + j * part);
        columns[j] = *c;
        columns[j].words = words + j * blocks;
        if (c->end > blocks) columns[j].end = blocks;
        memcpy(columns[j].words, c->words, blocks * sizeof *words);
    }
    bool good = words != NULL;
    for (size_t j = n; j-- > 0 && good;) {
        const size_t end = from + (j + 1) * part;
        good = solve(s, &columns[j], from + j * part, end < to ? end : to);
    }
    free(words);
    return good;
}

static void turn(sigrep_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const sigrep_pair pair = pairs[i];
        pairs[i] = pairs[n - 1 - i];
        pairs[n - 1 - i] = pair;
    }
}

/* `distance` is D(m,n). */
static bool find_path(const strings *all, uint64_t distance, sigrep_pair *pairs, size_t *n_pairs)
{
    matrix a = {0};
    solver s = {.b = &a.band, .i = all->m, .t = all->n, .pairs = pairs};
    *n_pairs = 0;
    if (all->m == 0 || all->n == 0) return true;
    bool good = matrix_open(&a, all);
    if (good) {
        a.band.k = distance;
        band_begin(&a.band, &a.column);
        good = solve(&s, &a.column, 0, band_steps(&a.band));
    }
    matrix_close(&a);
    turn(pairs, s.n_pairs);
    *n_pairs = s.n_pairs;
    return good;
}

sigrep_status sigrep_text_align(const void *x, size_t m, const void *y, size_t n,
                                const unsigned char *same, double *distance, sigrep_pair *pairs,
                                size_t *n_pairs)
{
    const strings s = {.x = x, .y = y, .same = same, .m = m, .n = n};
    uint64_t edits;
    bool good = find_distance(&s, &edits);
    *distance = (double)edits;
    if (good && pairs) good = find_path(&s, edits, pairs, n_pairs);
    return good ? SIGREP_OK : SIGREP_NO_MEMORY;
}
