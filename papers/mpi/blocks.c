/*
 * blocks.c - EDM, the system of Edmiston et al.: blocks of rows and columns.
 *
 *               columns   0    1    2    3          rank r begins when rank r - 1 has its first
 *     rows of rank 0     [0]  [1]  [2]  [3]         block: a number is the step. The last row of a
 *                    1   [1]  [2]  [3]  [4]         block goes to the rank below.
 *                    2   [2]  [3]  [4]  [5]
 *
 * In print n and m are multiples of p. Here blocks differ by a row and a column, and ranks beyond
 * the last row have none.
 */
#include <string.h>

#include "papers/mpi/systems.h"

/* What a rank keeps: its last row so far, the column before its block, and a cell. */
typedef struct {
    const problem *p;
    size_t size; /* of a cell */
    part rows;
    unsigned char *row, *left, *corner;
} block_cells;

size_t blocks_memory(const problem *p, const peers *with)
{
    const part rows = part_of(p->n + 1, with->ranks, with->rank);
    return (p->m + 1 + rows.end - rows.first + 2) * cells_size(p->kind);
}

/* Compute the columns of a block. b->corner is the cell before its first one, in the row above. */
static void compute(const block_cells *b, part columns)
{
    const size_t size = b->size;
    unsigned char *last = b->row + (columns.end - 1) * size, *kept = b->corner + size;
    for (size_t i = b->rows.first; i < b->rows.end; i++) {
        unsigned char *left = b->left + (i - b->rows.first) * size;
        cells_row(b->p, i, columns.first, columns.end, b->row, left, b->corner);
        cells_take_row(b->p, i, columns.first, columns.end, b->row);
        memcpy(b->corner, left, size);
        memcpy(left, last, size);
    }
    memcpy(b->corner, kept, size);
}

static block_cells begin(const problem *p, const peers *with, void *memory)
{
    const size_t size = cells_size(p->kind);
    block_cells b = {.p = p, .size = size, .row = memory};
    b.rows = part_of(p->n + 1, with->ranks, with->rank);
    b.left = b.row + (p->m + 1) * size;
    b.corner = b.left + (b.rows.end - b.rows.first) * size;
    memset(memory, 0, blocks_memory(p, with));
    return b;
}

size_t blocks_first(const problem *p, const peers *with, void *memory, size_t most_rows)
{
    block_cells b = begin(p, with, memory);
    const part columns = part_of(p->m + 1, with->ranks, 0);
    if (b.rows.end - b.rows.first > most_rows) b.rows.end = b.rows.first + most_rows;
    compute(&b, columns);
    return (b.rows.end - b.rows.first) * (columns.end - columns.first);
}

void blocks_run(const problem *p, peers *with, void *memory)
{
    const size_t size = cells_size(p->kind), r = with->rank;
    const block_cells b = begin(p, with, memory);
    if (part_is_empty(b.rows)) return;
    for (size_t c = 0; c < with->ranks; c++) {
        const part columns = part_of(p->m + 1, with->ranks, c);
        if (part_is_empty(columns)) return;
        unsigned char *at = b.row + columns.first * size;
        const size_t bytes = (columns.end - columns.first) * size;
        const message above = {r - 1, at, bytes}, below = {r + 1, at, bytes};
        peers_exchange(with, &above, r > 0, NULL, 0);
        /* The corner of the next block, before this one's cells lie there. */
        memcpy(b.corner + size, b.row + (columns.end - 1) * size, size);
        compute(&b, columns);
        peers_exchange(with, NULL, 0, &below, b.rows.end <= p->n);
    }
}
