#include "filter/calibration/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ascending.h"
#include "filter/grown.h"

bool candidates_add(candidate_list *list, candidate at)
{
    candidate *items = grown(list->items, &list->capacity, list->n + 1, sizeof *items);
    if (!items) return false;
    list->items = items;
    list->items[list->n++] = at;
    return true;
}

bool candidates_copy(candidate_list *to, const candidate_list *from)
{
    *to = (candidate_list){.items = malloc((from->n + 1) * sizeof *to->items), .n = from->n};
    to->capacity = from->n + 1;
    if (to->items && from->n) memcpy(to->items, from->items, from->n * sizeof *to->items);
    return to->items != NULL;
}

void candidates_free(candidate_list *list)
{
    free(list->items);
    *list = (candidate_list){0};
}

typedef struct {
    candidate_list *list; /* by recording, then start */
    double longest_s;     /* of any candidate */
    size_t n_takes;
    double *best;      /* n_takes, scratch */
    candidate **order; /* the candidates by score */
    double *support;
} agreement;

static int by_start(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->recording != y->recording) return x->recording < y->recording ? -1 : 1;
    if (x->start_s != y->start_s) return x->start_s < y->start_s ? -1 : 1;
    return (x->take > y->take) - (x->take < y->take);
}

/* The order in which matches win over others: by score, then recording, end and take. */
static int by_score(const void *a, const void *b)
{
    const candidate *x = *(candidate *const *)a, *y = *(candidate *const *)b;
    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    if (x->recording != y->recording) return x->recording < y->recording ? -1 : 1;
    if (x->end_s != y->end_s) return x->end_s < y->end_s ? -1 : 1;
    return (x->take > y->take) - (x->take < y->take);
}

/* The first candidate that may overlap candidate i. */
static size_t first_near(const agreement *a, size_t i)
{
    const candidate *items = a->list->items;
    while (i > 0 && items[i - 1].recording == items[i].recording &&
           items[i].start_s - items[i - 1].start_s < a->longest_s)
        i--;
    return i;
}

/* Call visit for each candidate that overlaps candidate i, itself included. */
static void visit_overlapping(agreement *a, size_t i, void (*visit)(agreement *a, candidate *other))
{
    candidate *items = a->list->items;
    const candidate at = items[i];
    for (size_t j = first_near(a, i);
         j < a->list->n && items[j].recording == at.recording && items[j].start_s < at.end_s; j++)
        if (at.start_s < items[j].end_s) visit(a, &items[j]);
}

static void lower_best(agreement *a, candidate *other)
{
    a->best[other->take] = fmin(a->best[other->take], other->score);
}

/* The n-th lowest of the takes' best scores, among matches that overlap candidate i. Infinity if
 * there are fewer takes. */
static double support_of(agreement *a, size_t i, size_t n)
{
    if (n > a->n_takes) return INFINITY;
    for (size_t k = 0; k < a->n_takes; k++) a->best[k] = INFINITY;
    visit_overlapping(a, i, lower_best);
    qsort(a->best, a->n_takes, sizeof *a->best, ascending);
    return a->best[n - 1];
}

static void drop(agreement *a, candidate *other)
{
    (void)a;
    other->score = INFINITY;
}

/* Of candidates that overlap, only the one with the lowest score stays. */
static void keep_disjoint(agreement *a)
{
    candidate_list *list = a->list;
    for (size_t i = 0; i < list->n; i++) a->order[i] = &list->items[i];
    qsort(a->order, list->n, sizeof *a->order, by_score);
    for (size_t i = 0; i < list->n; i++) {
        const double score = a->order[i]->score;
        if (score == INFINITY) continue;
        visit_overlapping(a, (size_t)(a->order[i] - list->items), drop);
        a->order[i]->score = score;
    }
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].score < INFINITY) list->items[kept++] = list->items[i];
    list->n = kept;
}

static bool prepare(agreement *a, candidate_list *list)
{
    *a = (agreement){.list = list};
    for (size_t i = 0; i < list->n; i++) {
        const candidate *at = &list->items[i];
        if (at->take >= a->n_takes) a->n_takes = at->take + 1;
        a->longest_s = fmax(a->longest_s, at->end_s - at->start_s);
    }
    a->best = malloc((a->n_takes + 1) * sizeof *a->best);
    a->order = malloc((list->n + 1) * sizeof *a->order);
    a->support = malloc((list->n + 1) * sizeof *a->support);
    return a->best && a->order && a->support;
}

bool candidates_agree(candidate_list *list, size_t min_matches)
{
    agreement a;
    const bool good = prepare(&a, list);
    if (good && list->n) {
        qsort(list->items, list->n, sizeof *list->items, by_start);
        for (size_t i = 0; i < list->n; i++) a.support[i] = support_of(&a, i, min_matches);
        for (size_t i = 0; i < list->n; i++)
            list->items[i].score = fmax(list->items[i].score, a.support[i]);
        keep_disjoint(&a);
    }
    free(a.best);
    free(a.order);
    free(a.support);
    return good;
}
