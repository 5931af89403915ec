#include "filter/search/taken.h"

#include <search.h>
#include <stdlib.h>

typedef struct {
    size_t label;
    uint64_t start, end;
} interval;

/* Intervals that overlap are equal. */
static int compare(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    if (x->end <= y->start) return -1;
    return y->end <= x->start;
}

sigrep_status taken_add(taken *all, size_t label, uint64_t start, uint64_t end, bool *is_new)
{
    *is_new = false;
    interval *added = malloc(sizeof *added);
    if (!added) return SIGREP_NO_MEMORY;
    *added = (interval){label, start, end};
    /* A node begins with the pointer to its key. */
    interval *const *node = tsearch(added, &all->tree, compare);
    *is_new = node && *node == added;
    if (!*is_new) free(added);
    return node ? SIGREP_OK : SIGREP_NO_MEMORY;
}

void taken_clear(taken *all)
{
    while (all->tree) {
        interval *root = *(interval **)all->tree;
        tdelete(root, &all->tree, compare);
        free(root);
    }
}
