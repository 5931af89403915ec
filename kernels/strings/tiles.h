/*
 * tiles.h - the matrix of two whole strings x and y, in tiles of 64 x 64 cells.
 *
 *                 columns: letters of y             an edge: the differences of 64 cells to the
 *                   64    64    64                  cells before them, -1, 0 or 1
 *                +-top-+-----+-----+
 *     rows    64 l     |     |     |                a tile is given its left and top edge, and
 *     of x       +-----+-----+-----+                makes them the right and the bottom one:
 *             64 |     |     |     |                Myers (1999), Hyyrö (2003)
 *                +-----+-----+-----+
 *
 *     D(i,0) = i    D(0,t) = t    D(i,t) as in docs/SEMANTICS.md, "Strings"
 *
 * x is compiled as for a search (pattern.h), so rows may come before row 1, and they match all
 * letters. The column before letter 1 falls by one in each of them. So D is t + 1, t + 2 ... above
 * row 0, and row 0 itself becomes t.
 */
#ifndef KERNELS_STRINGS_TILES_H
#define KERNELS_STRINGS_TILES_H

#include "kernels/strings/pattern.h"

enum { STRING_TILE = STRING_WORD /* rows and columns */ };

typedef struct {
    uint64_t up, down; /* bits of the differences +1 and -1 */
} string_edge;

typedef struct {
    string_edge left, top;
} string_tile;

/* How the cells of a tile came about: a word a column, a bit a row. */
typedef struct {
    uint64_t level[STRING_TILE];  /* D(i,t) = D(i-1,t-1) */
    uint64_t rising[STRING_TILE]; /* D(i,t) = D(i,t-1) + 1 */
} string_cells;

/* The edge of block w, rows 64 w to 64 w + 63 of the pattern's bits, before the first letter. */
string_edge string_first_edge(const string_pattern *p, size_t w);

/* Sweep a tile of block w over n <= 64 letters. `cells`: NULL, or room for n columns. */
void string_tile_sweep(const string_pattern *p, size_t w, const unsigned char *letters, size_t n,
                       string_tile *edges, string_cells *cells);

/*
 * Sweep blocks [first, end) over the next letters. left[w] is the edge of block w before them, and
 * becomes the one behind. Above block `first` each cell counts as one more than the cell before it.
 * `tiles`: NULL, or room for the edges of all tiles as they were given, the stripes of 64 letters
 * of a block together. This is one stripe of n <= 64 letters; string_ops.stripes is `lanes` of 64.
 */
void string_stripe(const string_pattern *p, size_t first, size_t end, const unsigned char *letters,
                   size_t n, string_edge *left, string_tile *tiles);

#endif
