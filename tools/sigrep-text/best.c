#include "tools/sigrep-text/best.h"

#include <stdlib.h>
#include <string.h>

/* Lines of one pattern: a heap, so that the worst is the first. */
typedef struct best_of_pattern {
    best_line *lines;
    size_t n, room;
} best_of_pattern;

static int compare(const void *first, const void *second)
{
    const best_line *a = first, *b = second;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Has the pattern a place in the list? false: out of memory. */
static bool make_pattern(best_list *list, size_t pattern)
{
    if (pattern < list->n_patterns) return true;
    best_of_pattern *grown = realloc(list->patterns, (pattern + 1) * sizeof *grown);
    if (!grown) return false;
    memset(grown + list->n_patterns, 0, (pattern + 1 - list->n_patterns) * sizeof *grown);
    list->patterns = grown;
    list->n_patterns = pattern + 1;
    return true;
}

static bool make_room(best_of_pattern *p)
{
    if (p->n < p->room) return true;
    const size_t room = p->room ? 2 * p->room : 16;
    best_line *grown = realloc(p->lines, room * sizeof *grown);
    if (!grown) return false;
    p->lines = grown;
    p->room = room;
    return true;
}

static void swap(best_line *a, best_line *b)
{
    const best_line line = *a;
    *a = *b;
    *b = line;
}

/* Add a line at the heap's end, and let it rise. false: out of memory. */
static bool push(best_of_pattern *p, best_line line)
{
    if (!make_room(p)) return false;
    size_t at = p->n++;
    p->lines[at] = line;
    for (; at > 0 && compare(&p->lines[at], &p->lines[(at - 1) / 2]) > 0; at = (at - 1) / 2)
        swap(&p->lines[at], &p->lines[(at - 1) / 2]);
    return true;
}

/* Put a line in place of the worst, and let it sink. */
static void replace_worst(best_of_pattern *p, best_line line)
{
    size_t at = 0, child;
    free(p->lines[0].line);
    p->lines[0] = line;
    while ((child = 2 * at + 1) < p->n) {
        if (child + 1 < p->n && compare(&p->lines[child + 1], &p->lines[child]) > 0) child++;
        if (compare(&p->lines[at], &p->lines[child]) >= 0) break;
        swap(&p->lines[at], &p->lines[child]);
        at = child;
    }
}

bool best_offer(best_list *list, size_t pattern, size_t distance, const char *line, size_t length)
{
    if (list->most == 0) return true;
    if (!make_pattern(list, pattern)) return false;
    best_of_pattern *p = &list->patterns[pattern];
    const bool is_full = p->n == list->most;
    if (is_full && p->lines[0].distance <= distance) return true;
    best_line kept = {.distance = distance, .order = list->offered++, .length = length};
    kept.line = malloc(length);
    if (!kept.line) return false;
    memcpy(kept.line, line, length);
    if (is_full)
        replace_worst(p, kept);
    else if (!push(p, kept)) {
        free(kept.line);
        return false;
    }
    return true;
}

void best_take(best_list *list, text_buffer *out)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n_patterns; i++) n += list->patterns[i].n;
    best_line *all = malloc((n + 1) * sizeof *all);
    out->failed |= !all;
    n = 0;
    for (size_t i = 0; i < list->n_patterns && all; i++) {
        best_of_pattern *p = &list->patterns[i];
        if (p->n > 0) memcpy(all + n, p->lines, p->n * sizeof *all);
        n += p->n;
        p->n = 0;
    }
    if (n > 1) qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < n; i++) {
        text_add(out, all[i].line, all[i].length);
        free(all[i].line);
    }
    free(all);
    list->offered = 0;
}

void best_free(best_list *list)
{
    for (size_t i = 0; i < list->n_patterns; i++) {
        best_of_pattern *p = &list->patterns[i];
        for (size_t k = 0; k < p->n; k++) free(p->lines[k].line);
        free(p->lines);
    }
    free(list->patterns);
    *list = (best_list){0};
}
