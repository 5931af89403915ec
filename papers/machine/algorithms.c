#include "papers/machine/algorithms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/machine/formula.h"
#include "papers/machine/matching.h"
#include "papers/machine/scan.h"

static const char of_all[] = "mn/w + mnl/p";

static const algorithm table[] = {
    {"contiguous", "Lemma 3.1", "n/w + nl/p", ON_DMM | ON_UMM, access_contiguous,
     formula_contiguous_bound, formula_contiguous_order, NULL},
    {"banks", "Lemma 3.2", "n/w + nl/p", ON_DMM | ON_UMM, access_banks, formula_banks_bound,
     formula_contiguous_order, NULL},
    {"minimum", "section 6", "nl", ON_DMM | ON_UMM, minimum_one, formula_one_bound,
     formula_one_order, plain_minimum},
    {"tree", "-", "n/w + nl/p + l log p", ON_DMM | ON_UMM, minimum_tree, formula_tree_bound,
     formula_tree_order, plain_minimum},
    {"shuffle", "Man, Song", "n/w + nl/p + l log_w p", ON_DMM | ON_UMM, minimum_shuffle,
     formula_shuffle_bound, formula_shuffle_order, plain_minimum},
    {"sequential", "section 4", "mnl", ON_DMM | ON_UMM, match_sequential, formula_sequential_bound,
     formula_sequential_order, plain_match},
    {"diagonals", "Lemma 6.1", of_all, ON_DMM | ON_UMM, match_diagonals, formula_diagonals_bound,
     formula_matching_order, plain_match},
    {"slid", "Lemma 7.1", of_all, ON_DMM | ON_UMM, match_slid, formula_slid_bound,
     formula_matching_order, plain_match},
    {"ring", "Theorem 7.2", of_all, ON_DMM | ON_UMM, match_ring, formula_ring_bound,
     formula_matching_order, plain_match},
    {"segments", "Theorem 8.1", of_all, ON_DMM | ON_UMM, match_segments, formula_segments_bound,
     formula_matching_order, plain_match},
    {"blocks", "HMM, Thm 4", "(n+p)/w + m(n+p)/dw + nL/p + mnl/p + L + ml", ON_HMM, match_blocks,
     formula_blocks_bound, formula_blocks_order, plain_match},
};

const algorithm *algorithm_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const algorithm *algorithm_named(const char *name)
{
    size_t i = 0;
    while (algorithm_at(i) && strcmp(algorithm_at(i)->name, name) != 0) i++;
    return algorithm_at(i);
}

size_t algorithm_threads(const setup *s, const algorithm *a)
{
    enum { WARPS = 4 }; /* section 3 leaves p open */
    if (a->run == match_sequential || a->run == minimum_one) return 1;
    if (a->run == match_segments) return s->task.m * setup_segments(s);
    if (a->machines == ON_HMM) return s->task.m * s->blocks;
    return a->expected == plain_match ? s->task.m : WARPS * s->width;
}

double plain_match(const task *t)
{
    double *d = malloc((t->m + 1) * sizeof *d), least = NAN;
    for (size_t i = 0; d && i <= t->m; i++) d[i] = i ? task_edge(t->signals, i) : 0;
    if (d) least = d[t->m];
    for (size_t j = 0; d && j < t->n; j++) {
        double diagonal = 0;
        for (size_t i = 1; i <= t->m; i++) {
            const task_cell c = {d[i], d[i - 1], diagonal, t->x[i - 1], t->y[j]};
            diagonal = d[i];
            d[i] = task_value(t->signals, &c);
        }
        least = task_least(least, d[t->m]);
    }
    free(d);
    return least;
}

double plain_minimum(const task *t)
{
    double least = INFINITY;
    for (size_t j = 0; j < t->n; j++) least = task_least(least, t->y[j]);
    return least;
}

double least_units(const setup *s)
{
    const double m = (double)s->task.m, n = (double)s->task.n;
    const double dmms = s->kind == ON_HMM ? (double)s->dmms : 1;
    return fmax(m * n / ((double)s->width * dmms), m * (double)s->latency);
}
