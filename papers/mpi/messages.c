#include "papers/mpi/messages.h"

/* A rank's cells of diagonals nu and nu + 1, and how long the latter is. */
typedef struct {
    part now, next;
    size_t next_length;
} neighbours_view;

static neighbours_view look(const grid *g, size_t nu, size_t r)
{
    return (neighbours_view){diagonal_part(g, nu, r), diagonal_part(g, nu + 1, r),
                             diagonal_length(g, nu + 1)};
}

static bool has(part p, size_t x)
{
    return p.first <= x && x < p.end;
}

/*
 * Lines 2 and 11 of PP-COMM. Cell l is read on the next diagonal by its cells l and l + 1, or from
 * nu = n on, since these begin one j later, by its cells l - 1 and l. Is the second of them another
 * rank's? In print it need not exist, which sends messages that nobody reads.
 */
static bool opasm_sends_right(const grid *g, size_t nu, size_t r)
{
    const neighbours_view v = look(g, nu, r);
    if (part_is_empty(v.now)) return false;
    const size_t reader = v.now.end - 1 + (nu < g->n);
    return reader < v.next_length && !has(v.next, reader);
}

/* Lines 4 and 13: the first of the two readers. */
static bool opasm_sends_left(const grid *g, size_t nu, size_t r)
{
    const neighbours_view v = look(g, nu, r);
    if (part_is_empty(v.now) || r == 0) return false;
    return !has(v.next, v.now.first - (nu >= g->n));
}

static bool pasm_sends(const grid *g, size_t nu, size_t r, size_t to)
{
    return !part_is_empty(diagonal_part(g, nu, r)) && !part_is_empty(diagonal_part(g, nu + 1, to));
}

static bool sends_right(parallel_system which, const grid *g, size_t nu, size_t r)
{
    if (r + 1 >= g->ranks) return false;
    return which == PASM ? pasm_sends(g, nu, r, r + 1) : opasm_sends_right(g, nu, r);
}

static bool sends_left(parallel_system which, const grid *g, size_t nu, size_t r)
{
    if (r == 0) return false;
    return which == PASM ? pasm_sends(g, nu, r, r - 1) : opasm_sends_left(g, nu, r);
}

diagonal_messages messages_after(parallel_system which, const grid *g, size_t nu, size_t r)
{
    const size_t start = diagonal_start(g, nu);
    const part own = diagonal_part(g, nu, r);
    diagonal_messages of = {
        .sends_left = sends_left(which, g, nu, r),
        .sends_right = sends_right(which, g, nu, r),
        .receives_left = r > 0 && sends_right(which, g, nu, r - 1),
        .receives_right = r + 1 < g->ranks && sends_left(which, g, nu, r + 1),
        .first_j = start + own.first,
        .last_j = start + own.end - 1,
    };
    if (of.receives_left) of.left_j = start + diagonal_part(g, nu, r - 1).end - 1;
    if (of.receives_right) of.right_j = start + diagonal_part(g, nu, r + 1).first;
    return of;
}
