#include "tools/sigrep-plot/matches.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PATH_BYTES = 1 << 24 };

bool matches_want_path(const match_list *list)
{
    return list->paths_size < MOST_PATH_BYTES;
}

/* Room for n more bytes of paths. */
static bool reserve(match_list *list, size_t n)
{
    size_t room = list->paths_room ? list->paths_room : 1 << 12;
    while (room < list->paths_size + n) room *= 2;
    if (room == list->paths_room) return true;
    unsigned char *grown = realloc(list->paths, room);
    if (!grown) return false;
    list->paths = grown;
    list->paths_room = room;
    return true;
}

static void add_path(match_list *list, plot_match *m, const sigrep_pair *pairs, size_t n)
{
    unsigned char *to = list->paths + list->paths_size;
    float most = 0;
    for (size_t k = 0; k < n; k++) most = pairs[k].cost > most ? pairs[k].cost : most;
    for (size_t k = 0; k < n; k++) {
        const sigrep_pair *before = &pairs[k ? k - 1 : 0];
        const bool down = pairs[k].template_frame != before->template_frame;
        const bool along = pairs[k].match_frame != before->match_frame;
        to[2 * k] = (unsigned char)(down | along << 1);
        to[2 * k + 1] = (unsigned char)(most > 0 ? 255 * pairs[k].cost / most : 0);
    }
    m->path = list->paths_size;
    m->n_pairs = n;
    m->template_frames = (size_t)pairs[n - 1].template_frame + 1;
    m->match_frames = (size_t)pairs[n - 1].match_frame + 1;
    list->paths_size += 2 * n;
}

bool matches_add(match_list *list, const sigrep_match *m, const sigrep_pair *pairs, size_t n)
{
    if ((list->n & (list->n - 1)) == 0) { /* a power of two: the list is full */
        plot_match *grown = realloc(list->items, (list->n ? 2 * list->n : 1) * sizeof *grown);
        if (!grown) return false;
        list->items = grown;
    }
    if (n && !reserve(list, 2 * n)) return false;
    plot_match *item = &list->items[list->n++];
    *item = (plot_match){.start = m->start,
                         .end = m->end,
                         .score = m->score,
                         .threshold = m->threshold,
                         .template_index = m->template_index};
    if (n) add_path(list, item, pairs, n);
    return true;
}

void matches_free(match_list *list)
{
    free(list->items);
    free(list->paths);
    *list = (match_list){0};
}

/* What matches of different templates are ranked by. */
static double rank_of(const plot_match *m)
{
    return isfinite(m->threshold) && m->threshold > 0 ? m->score / m->threshold : m->score;
}

typedef struct {
    double rank;
    size_t i;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

size_t *matches_by_rank(const match_list *list)
{
    ranked *all = malloc((list->n + 1) * sizeof *all);
    size_t *order = malloc((list->n + 1) * sizeof *order);
    for (size_t i = 0; all && order && i < list->n; i++)
        all[i] = (ranked){rank_of(&list->items[i]), i};
    if (all && order) {
        qsort(all, list->n, sizeof *all, by_rank);
        for (size_t i = 0; i < list->n; i++) order[i] = all[i].i;
    } else {
        free(order);
        order = NULL;
    }
    free(all);
    return order;
}
