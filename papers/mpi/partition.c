#include "papers/mpi/partition.h"

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

part part_of(size_t total, size_t ranks, size_t r)
{
    const size_t q = total / ranks, o = total % ranks;
    const size_t first = r * q + lesser(r, o);
    return (part){first, first + q + (r < o)};
}

size_t diagonal_start(const grid *g, size_t nu)
{
    return nu > g->n ? nu - g->n : 0;
}

size_t diagonal_length(const grid *g, size_t nu)
{
    return lesser(nu, g->m) - diagonal_start(g, nu) + 1;
}

part diagonal_part(const grid *g, size_t nu, size_t r)
{
    return part_of(diagonal_length(g, nu), g->ranks, r);
}
