#include "tools/sigrep-plot/matches.h"

#include <stdlib.h>

enum { MOST_PATH_BYTES = 1 << 24 };

bool matches_want_path(const match_list *list)
{
    return list->paths.length < MOST_PATH_BYTES;
}

static void add_path(match_list *list, plot_match *m, const sigrep_pair *pairs, size_t n)
{
    char *to = list->paths.data + list->paths.length;
    float most = 0;
    for (size_t k = 0; k < n; k++) most = pairs[k].cost > most ? pairs[k].cost : most;
    for (size_t k = 0; k < n; k++) {
        const sigrep_pair *before = &pairs[k ? k - 1 : 0];
        const bool down = pairs[k].template_frame != before->template_frame;
        const bool along = pairs[k].match_frame != before->match_frame;
        to[2 * k] = (char)(down | along << 1);
        to[2 * k + 1] = (char)(unsigned char)(most > 0 ? 255 * pairs[k].cost / most : 0);
    }
    m->path = list->paths.length;
    m->n_pairs = n;
    m->template_frames = (size_t)pairs[n - 1].template_frame + 1;
    m->match_frames = (size_t)pairs[n - 1].match_frame + 1;
    list->paths.length += 2 * n;
}

bool matches_add(match_list *list, const sigrep_match *m, const sigrep_pair *pairs, size_t n)
{
    if ((list->n & (list->n - 1)) == 0) { /* a power of two: the list is full */
        plot_match *grown = realloc(list->items, (list->n ? 2 * list->n : 1) * sizeof *grown);
        if (!grown) return false;
        list->items = grown;
    }
    if (n && !text_reserve(&list->paths, 2 * n)) return false;
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
    free(list->paths.data);
    *list = (match_list){0};
}
