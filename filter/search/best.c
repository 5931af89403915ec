#include "filter/search/best.h"

#include <search.h>
#include <stdlib.h>

#include "filter/grown.h"
#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/status.h"
#include "kernels/kernel.h"

/* A part of a span, and the lowest match in it. */
typedef struct {
    span where;
    uint64_t from, to;
    frame_match match;
} part;

/* Frames of a chunk: parts are often short, and each template has a window of its own. */
enum { MOST_CHUNK = 16384 };

struct best {
    searches_plan plan;
    const sigrep_store *store;
    part *parts; /* a binary heap, the lowest match first */
    size_t n, capacity;
    part last; /* of the last match returned; split when the next is wanted */
    bool has_last;
    bool has_levels;    /* all templates have one */
    float *frames;      /* plan.chunk frames read back */
    match_list matches; /* scratch */
    sigrep_status failure;
    bool is_stopped;
    uint64_t unasked;    /* work since the last question whether to stop */
    searches **searches; /* one a template, made when first needed */
};

sigrep_status best_create(best **out, const searches_plan *plan, const sigrep_store *store)
{
    *out = NULL;
    best *be = calloc(1, sizeof *be);
    if (!be) return SIGREP_NO_MEMORY;
    *be = (best){.plan = *plan, .store = store};
    be->plan.background = false;
    be->plan.stop.work = STOPPING_WORK;
    if (be->plan.chunk > MOST_CHUNK) be->plan.chunk = MOST_CHUNK;
    be->frames = malloc(be->plan.chunk * plan->dim * sizeof *be->frames);
    be->searches = calloc(plan->n_templates, sizeof *be->searches);
    be->has_levels = true;
    for (size_t j = 0; j < plan->n_templates; j++)
        if (!(plan->templates[j].level > 0)) be->has_levels = false;
    if (!be->frames || !be->searches) {
        best_destroy(be);
        return SIGREP_NO_MEMORY;
    }
    *out = be;
    return SIGREP_OK;
}

void best_destroy(best *be)
{
    if (!be) return;
    for (size_t j = 0; be->searches && j < be->plan.n_templates; j++)
        searches_destroy(be->searches[j]);
    free(be->searches);
    free(be->frames);
    free(be->parts);
    match_list_free(&be->matches);
    free(be);
}

void best_reset(best *be)
{
    be->n = 0;
    be->has_last = be->is_stopped = false;
}

/* Scores of different templates compare better as shares of their levels. */
static double rank_of(const best *be, const frame_match *match)
{
    const template *x = &be->plan.templates[match->index];
    const double score = (double)match->d / (double)x->length;
    return be->has_levels ? score / x->level : score;
}

/* No two parts are equal: those of one template have no end in common. */
static bool lower(const best *be, const part *a, const part *b)
{
    const frame_match *x = &a->match, *y = &b->match;
    const double rank_x = rank_of(be, x), rank_y = rank_of(be, y);
    if (rank_x != rank_y) return rank_x < rank_y;
    if (x->end != y->end) return x->end < y->end;
    return x->index < y->index;
}

static void heap_add(best *be, const part *added)
{
    size_t at = be->n++;
    for (size_t up; at > 0 && lower(be, added, &be->parts[up = (at - 1) / 2]); at = up)
        be->parts[at] = be->parts[up];
    be->parts[at] = *added;
}

static part heap_take(best *be)
{
    const part lowest = be->parts[0], last = be->parts[--be->n];
    size_t at = 0;
    for (size_t down = 1; down < be->n; down = 2 * at + 1) {
        if (down + 1 < be->n && lower(be, &be->parts[down + 1], &be->parts[down])) down++;
        if (!lower(be, &be->parts[down], &last)) break;
        be->parts[at] = be->parts[down];
        at = down;
    }
    be->parts[at] = last;
    return lowest;
}

sigrep_status best_add(best *be, const span *where, uint64_t from, uint64_t to,
                       const frame_match *match)
{
    part *parts = grown(be->parts, &be->capacity, be->n + 1, sizeof *parts);
    if (!parts) return SIGREP_NO_MEMORY;
    be->parts = parts;
    heap_add(be, &(part){.where = *where, .from = from, .to = to, .match = *match});
    return SIGREP_OK;
}

static sigrep_status searches_of(best *be, size_t index, searches **one)
{
    sigrep_status status = SIGREP_OK;
    if (!be->searches[index]) {
        searches_plan plan = be->plan;
        plan.templates += index;
        plan.n_templates = 1;
        plan.lowest_only = true;
        plan.want_scores = false;
        status = searches_create(&be->searches[index], &plan);
        if (status_is_device_failure(status) && plan.fallback) {
            const sigrep_status failure = status;
            plan.ops = plan.fallback;
            plan.fallback = NULL;
            status = searches_create(&be->searches[index], &plan);
            if (!status) be->failure = failure;
        }
    }
    *one = be->searches[index];
    return status;
}

/* Search frames [from, to) of the store as a stream of its own, so many rows in each. Its matches
 * go to be->matches, in frames from `from` on. */
static sigrep_status search_frames(best *be, searches *one, size_t rows, uint64_t from, uint64_t to)
{
    const sigrep_store *store = be->store;
    sigrep_status status = SIGREP_OK;
    be->matches.n = 0;
    searches_reset(one);
    for (uint64_t at = from; at < to && !status;) {
        size_t n = to - at < be->plan.chunk ? (size_t)(to - at) : be->plan.chunk;
        if (stopping_wanted(&be->plan.stop, &be->unasked, n * rows * be->plan.dim))
            return SIGREP_STOPPED;
        if (store->read(store->user, at, be->frames, n, be->plan.dim)) return SIGREP_STORE_FAILED;
        searches_append(one, be->frames, n);
        status = searches_run(one, &be->matches);
        at += n;
    }
    return status ? status : searches_finish(one, &be->matches);
}

static sigrep_status search_part(best *be, const span *where, size_t index, uint64_t from,
                                 uint64_t to)
{
    if (to - from < be->plan.templates[index].gate.length_min) return SIGREP_OK;
    searches *one;
    sigrep_status status = searches_of(be, index, &one);
    if (!status) status = search_frames(be, one, be->plan.templates[index].length, from, to);
    be->is_stopped |= status == SIGREP_STOPPED;
    if (status || !be->matches.n) return status;
    frame_match match = be->matches.items[0];
    match.index = index;
    match.start += from;
    match.end += from;
    return best_add(be, where, from, to, &match);
}

/* The frames left and right of the last match become two parts. */
static sigrep_status split(best *be)
{
    if (!be->has_last) return SIGREP_OK;
    be->has_last = false;
    const part *last = &be->last;
    const frame_match *match = &last->match;
    sigrep_status status = search_part(be, &last->where, match->index, last->from, match->start);
    if (status) return status;
    return search_part(be, &last->where, match->index, match->end, last->to);
}

sigrep_status best_next(best *be, frame_match *match, span *where)
{
    sigrep_status status = split(be);
    if (status) return status;
    if (!be->n) return SIGREP_STOPPED;
    be->last = heap_take(be);
    be->has_last = true;
    *match = be->last.match;
    *where = be->last.where;
    return SIGREP_OK;
}

void best_leave(best *be)
{
    be->has_last = false;
}

bool best_is_stopped(const best *be)
{
    return be->is_stopped;
}

sigrep_status best_add_work(const best *be, sigrep_stats *stats)
{
    sigrep_status failure = be->failure;
    for (size_t j = 0; j < be->plan.n_templates; j++) {
        const searches *one = be->searches[j];
        if (!one) continue;
        if (!failure) failure = one->failure;
        stats->cells += one->cells;
        stats->cells_traced += searches_cells_traced(one);
    }
    return failure;
}

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
