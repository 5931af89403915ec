#include "filter/search/label_groups.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "filter/search/match_list.h"

typedef struct {
    size_t length;
    double threshold;
    size_t class; /* index of the first member with this label */
} member;

/* Stored at the first member's place; others stay empty. */
typedef struct {
    size_t n_members;
    size_t min_matches;
    bool asked;          /* ... is its own */
    uint64_t length_max; /* the largest of its members */
    match_list waiting;  /* of groups that are not closed */
    match_list past;     /* of closed groups, if a later match may still overlap them */
    match_list kept;     /* what was kept of the last closed group, */
    match_list scratch;  /* and what is being kept of the next */
    uint64_t last_close;
} label_group;

struct label_groups {
    size_t n;
    member *members;
    label_group *states;
    bool *agrees; /* n, scratch: which templates overlap a match */
};

sigrep_status label_groups_create(label_groups **out, const label_group_member *members, size_t n,
                                  size_t min_matches)
{
    label_groups *cl = calloc(1, sizeof *cl);
    *out = cl;
    if (!cl) return SIGREP_NO_MEMORY;
    *cl = (label_groups){.n = n};
    cl->members = calloc(n, sizeof *cl->members);
    cl->states = calloc(n, sizeof *cl->states);
    cl->agrees = calloc(n, sizeof *cl->agrees);
    if (!cl->members || !cl->states || !cl->agrees) {
        label_groups_destroy(cl);
        *out = NULL;
        return SIGREP_NO_MEMORY;
    }
    for (size_t j = 0; j < n; j++) {
        size_t first = 0;
        while (strcmp(members[first].label, members[j].label) != 0) first++;
        cl->members[j] = (member){members[j].length, members[j].threshold, first};
        label_group *state = &cl->states[first];
        state->n_members++;
        state->min_matches = min_matches;
        if (members[j].length_max > state->length_max) state->length_max = members[j].length_max;
    }
    return SIGREP_OK;
}

void label_groups_destroy(label_groups *cl)
{
    if (!cl) return;
    for (size_t j = 0; cl->states && j < cl->n; j++) {
        match_list_free(&cl->states[j].waiting);
        match_list_free(&cl->states[j].past);
        match_list_free(&cl->states[j].kept);
        match_list_free(&cl->states[j].scratch);
    }
    free(cl->members);
    free(cl->states);
    free(cl->agrees);
    free(cl);
}

void label_groups_reset(label_groups *cl)
{
    for (size_t j = 0; j < cl->n; j++) {
        label_group *state = &cl->states[j];
        state->waiting.n = state->past.n = state->kept.n = 0;
        state->last_close = 0;
    }
}

void label_groups_require(label_groups *cl, size_t index, size_t min_matches)
{
    label_group *state = &cl->states[cl->members[index].class];
    if (min_matches == 0 || (state->asked && min_matches <= state->min_matches)) return;
    state->min_matches = min_matches;
    state->asked = true;
}

size_t label_groups_of(const label_groups *cl, size_t index)
{
    return cl->members[index].class;
}

static bool overlaps_any(const frame_match *match, const match_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (frame_matches_overlap(match, &list->items[i])) return true;
    return false;
}

static double score_ratio(const label_groups *cl, const frame_match *match)
{
    const member *x = &cl->members[match->index];
    return x->threshold > 0 ? (double)match->d / (double)x->length / x->threshold : 0;
}

/* Is a the better match? */
static bool better(const label_groups *cl, const frame_match *a, const frame_match *b)
{
    double ratio_a = score_ratio(cl, a), ratio_b = score_ratio(cl, b);
    if (ratio_a != ratio_b) return ratio_a < ratio_b;
    if (a->end != b->end) return a->end < b->end;
    return a->index < b->index;
}

static void mark_agreeing(const label_groups *cl, const frame_match *match, const match_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (frame_matches_overlap(match, &list->items[i])) cl->agrees[list->items[i].index] = true;
}

/* Do enough templates of the class have a match that overlaps this one? */
static bool is_supported(const label_groups *cl, const label_group *state, const frame_match *match)
{
    if (state->min_matches <= 1) return true;
    memset(cl->agrees, 0, cl->n * sizeof *cl->agrees);
    mark_agreeing(cl, match, &state->past);
    mark_agreeing(cl, match, &state->waiting);
    size_t n = 0;
    for (size_t j = 0; j < cl->n; j++) n += cl->agrees[j];
    return n >= state->min_matches;
}

/* The group at the head of the waiting matches, which are sorted by start: its size, and
 * the end of its last match. */
static size_t group_at_head(const label_group *state, uint64_t *end)
{
    const frame_match *items = state->waiting.items;
    uint64_t last_start = items[0].start + 8 * state->length_max;
    size_t n = 1;
    *end = items[0].end;
    for (; n < state->waiting.n && items[n].start < *end && items[n].start <= last_start; n++)
        if (items[n].end > *end) *end = items[n].end;
    return n;
}

/* The end of the span that holds frame `end` - 1; UINT64_MAX: it goes on. */
static uint64_t stretch_end(const label_groups_progress *at, uint64_t end)
{
    for (size_t b = 0; b < at->n_gaps; b++)
        if (at->gaps[b] >= end) return at->gaps[b];
    return at->now == UINT64_MAX ? at->end : UINT64_MAX;
}

/* The first time from `close` on at which none of these matches is pending. */
static uint64_t after_pending(const match_list *waiting, uint64_t close)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < waiting->n; i++) {
            const frame_match *match = &waiting->items[i];
            if (match->first > close || close >= match->final) continue;
            close = match->final;
            moved = true;
        }
    }
    return close;
}

/* When a group that ends at `end` is complete; UINT64_MAX: that cannot be said yet. */
static uint64_t close_time(const label_groups *cl, const label_group *state, uint64_t end,
                           const label_groups_progress *at)
{
    uint64_t close = end + state->length_max - 1;
    uint64_t last = stretch_end(at, end);
    if (close > last) close = last + 1;
    if (close < state->last_close) close = state->last_close;
    close = after_pending(&state->waiting, close);
    size_t class = cl->members[state->waiting.items[0].index].class;
    for (size_t j = class; j < cl->n; j++)
        if (cl->members[j].class == class && at->pending_since[j] <= close) return UINT64_MAX;
    return close;
}

/* Of the first n waiting matches the best that may be kept, NULL: none. */
static const frame_match *best_of(const label_groups *cl, const label_group *state, size_t n)
{
    const frame_match *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const frame_match *match = &state->waiting.items[i];
        if (best && !better(cl, match, best)) continue;
        if (overlaps_any(match, &state->scratch) || overlaps_any(match, &state->kept)) continue;
        if (is_supported(cl, state, match)) best = match;
    }
    return best;
}

/* The first n waiting matches become past; of all these, those stay that a match which
 * begins no earlier may overlap. */
static sigrep_status move_to_past(label_group *state, size_t n)
{
    frame_match *items = state->waiting.items;
    match_list *past = &state->past;
    uint64_t last_start = items[n - 1].start;
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < n && !status; i++) status = match_list_add(past, &items[i]);
    size_t left = 0;
    for (size_t i = 0; i < past->n; i++)
        if (past->items[i].end > last_start) past->items[left++] = past->items[i];
    past->n = left;
    memmove(items, items + n, (state->waiting.n - n) * sizeof *items);
    state->waiting.n -= n;
    return status;
}

/* Decide the first n waiting matches, a group: the best of them become events. */
static sigrep_status close_group(label_groups *cl, label_group *state, size_t n, uint64_t close,
                                 match_list *events)
{
    sigrep_status status = SIGREP_OK;
    const frame_match *best;
    state->scratch.n = 0;
    while (!status && (best = best_of(cl, state, n))) {
        frame_match event = *best;
        event.final = close;
        status = match_list_add(&state->scratch, best);
        if (!status) status = match_list_add(events, &event);
    }
    match_list kept = state->scratch;
    state->scratch = state->kept;
    state->kept = kept;
    if (!status) status = move_to_past(state, n);
    state->last_close = close;
    return status;
}

static sigrep_status close_groups(label_groups *cl, label_group *state,
                                  const label_groups_progress *at, match_list *events)
{
    match_list_sort_by_start(&state->waiting);
    while (state->waiting.n) {
        uint64_t end;
        size_t n = group_at_head(state, &end);
        uint64_t close = close_time(cl, state, end, at);
        if (close == UINT64_MAX || close > at->now) break;
        sigrep_status status = close_group(cl, state, n, close, events);
        if (status) return status;
    }
    return SIGREP_OK;
}

sigrep_status label_groups_update(label_groups *cl, const match_list *matches,
                                  const label_groups_progress *at, match_list *events)
{
    for (size_t i = 0; i < matches->n; i++) {
        const frame_match *match = &matches->items[i];
        label_group *state = &cl->states[cl->members[match->index].class];
        bool alone = state->n_members == 1;
        if (alone && state->min_matches > 1) continue;
        sigrep_status status = match_list_add(alone ? events : &state->waiting, match);
        if (status) return status;
    }
    for (size_t j = 0; j < cl->n; j++) {
        sigrep_status status = close_groups(cl, &cl->states[j], at, events);
        if (status) return status;
    }
    return SIGREP_OK;
}
