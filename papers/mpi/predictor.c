#include "papers/mpi/predictor.h"

#include "papers/mpi/systems.h"

/* Does any rank send after this diagonal? */
static bool step_sends(const grid *g, size_t nu)
{
    for (size_t r = 0; r < g->ranks; r++) {
        if (part_is_empty(diagonal_part(g, nu, r))) return false;
        const diagonal_messages of = messages_after(OPASM, g, nu, r);
        if (of.sends_left || of.sends_right) return true;
    }
    return false;
}

static double opasm_seconds(const grid *g, const predictor_times *t)
{
    double cells = 0, sending = 0;
    for (size_t nu = 0; nu <= g->n + g->m; nu++) {
        const part most = diagonal_part(g, nu, 0);
        cells += (double)(most.end - most.first);
        if (nu < g->n + g->m) sending += step_sends(g, nu);
    }
    return cells * t->cell_s + sending * (t->start_s + t->word_s);
}

static double edm_seconds(const grid *g, const predictor_times *t)
{
    const double rows = (double)part_of(g->n + 1, g->ranks, 0).end;
    const double columns = (double)part_of(g->m + 1, g->ranks, 0).end;
    const double steps = (double)system_steps(EDM, g);
    return steps * rows * columns * t->row_cell_s +
           (g->ranks > 1 ? steps - 1 : 0) * (t->start_s + columns * t->word_s);
}

double predictor_seconds(parallel_system which, const grid *g, const predictor_times *t)
{
    return which == EDM ? edm_seconds(g, t) : opasm_seconds(g, t);
}
