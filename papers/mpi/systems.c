#include "papers/mpi/systems.h"

const char *const system_names[] = {[PASM] = "pasm", [OPASM] = "opasm", [EDM] = "edm"};

size_t system_memory(parallel_system which, const problem *p, const peers *with)
{
    return which == EDM ? blocks_memory(p, with) : diagonals_memory(p);
}

void system_run(parallel_system which, const problem *p, peers *with, void *memory)
{
    cells_begin(p);
    if (which == EDM)
        blocks_run(p, with, memory);
    else
        diagonals_run(which, p, with, memory, (part){0, p->n + p->m + 1});
}

size_t system_steps(parallel_system which, const grid *g)
{
    const size_t rows = g->n + 1, columns = g->m + 1, p = g->ranks;
    if (which != EDM) return g->n + g->m + 1;
    return (p < rows ? p : rows) + (p < columns ? p : columns) - 1;
}
