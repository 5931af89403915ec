#include "tools/sigrep-calibrate/gap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANGE_LEAST = 20 /* scores above */, STRAYS_ONE_IN = 100, DIGITS = 17 };

typedef struct {
    const double *scores;
    size_t n;
    double *distinct; /* the n_distinct of them that differ from the one before */
    size_t n_distinct;
    size_t *rank; /* of each score among them */
} score_list;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool make_list(score_list *list, const double *scores, size_t n)
{
    *list = (score_list){.scores = scores, .n = n};
    list->distinct = malloc((n + 1) * sizeof *list->distinct);
    list->rank = malloc((n + 1) * sizeof *list->rank);
    if (!list->distinct || !list->rank) return false;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || scores[i] != scores[i - 1]) list->distinct[list->n_distinct++] = scores[i];
        list->rank[i] = list->n_distinct - 1;
    }
    return true;
}

/* How far `steps` steps from one distinct score to the next go, from `from` to `to` at most. */
static double range_of(const score_list *list, size_t from, size_t to, size_t steps)
{
    const double range = list->distinct[to] - list->distinct[from];
    return to - from < steps && to > from ? range * (double)steps / (double)(to - from) : range;
}

/* The clearness of the gap between scores[i - 1] and scores[j]. */
static double clearness_of(const score_list *list, size_t i, size_t j)
{
    const size_t m = least(i, list->n - j), low = list->rank[i - 1], high = list->rank[j];
    const size_t first = low >= m ? low - m + 1 : low > 0;
    const size_t last = least(list->n_distinct - 1, high + (m > RANGE_LEAST ? m : RANGE_LEAST));
    const double below = range_of(list, first, low, m > 2 ? m - 2 : 1);
    const double above = range_of(list, high, last, m - 1);
    const double width = list->scores[j] - list->scores[i - 1];
    const double sure = m > 2 ? sqrt((double)m - 2) : 1;
    if (!(width > 0)) return 0;
    return below + above > 0 ? sure * width / (below + above) : INFINITY;
}

/* The middle, rounded as far as that leaves it between the two. */
static double middle(double low, double high)
{
    const double exact = low + (high - low) / 2;
    for (int digits = 3; digits < DIGITS; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, exact);
        const double rounded = strtod(text, NULL);
        if (low < rounded && rounded < high) return rounded;
    }
    return exact;
}

static void find_clearest(score_gap *gap, const score_list *list)
{
    const size_t n = list->n;
    for (size_t i = GAP_LEAST_BELOW, j = i; i + GAP_LEAST_ABOVE <= n; i++) {
        if (j < i) j = i;
        while (j + 1 + GAP_LEAST_ABOVE <= n && STRAYS_ONE_IN * (j + 1 - i) <= least(i, n - j - 1))
            j++;
        const double clearness = clearness_of(list, i, j);
        if (clearness <= gap->clearness) continue;
        gap->low = list->scores[i - 1];
        gap->high = list->scores[j];
        gap->clearness = clearness;
        gap->n_below = i;
    }
    gap->threshold = middle(gap->low, gap->high);
    while (gap->n_matches < n && list->scores[gap->n_matches] <= gap->threshold) gap->n_matches++;
}

static void find_few(score_gap *gap, const score_list *list)
{
    double clearest = GAP_CLEAR;
    for (size_t i = 1; i < GAP_LEAST_BELOW; i++) {
        const double clearness = clearness_of(list, i, i);
        if (clearness < clearest) continue;
        clearest = clearness;
        gap->few = i;
    }
}

gap_status gap_find(score_gap *gap, const double *scores, size_t n)
{
    score_list list;
    *gap = (score_gap){.clearness = -1};
    if (n < GAP_LEAST_BELOW + GAP_LEAST_ABOVE) return GAP_TOO_FEW_PLACES;
    const bool good = make_list(&list, scores, n);
    if (good) {
        find_clearest(gap, &list);
        find_few(gap, &list);
    }
    free(list.distinct);
    free(list.rank);
    return good ? GAP_FOUND : GAP_NO_MEMORY;
}
