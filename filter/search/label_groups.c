#include "filter/search/label_groups.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "filter/search/match_list.h"

typedef struct {
    size_t length;
    double threshold;
    size_t first; /* index of the first member with this label */
} member;

/* Stored at the index of its first member; the others stay empty. */
typedef struct {
    size_t n_members;
    size_t min_matches;
    bool is_own;         /* a member asked for this min_matches */
    uint64_t length_max; /* the largest of its members */
    match_list waiting;  /* matches of groups that are not closed */
    match_list past;     /* matches of closed groups that a later match may still overlap */
    match_list kept;     /* matches kept of the last closed group */
    match_list next;     /* matches kept of the group that is being closed */
    uint64_t last_close;
} label_group;

struct label_groups {
    size_t n;
    member *members;
    label_group *labels;
    bool *agrees; /* n, scratch: does a match of this template overlap? */
};

sigrep_status label_groups_create(label_groups **out, const label_group_member *members, size_t n,
                                  size_t min_matches)
{
    label_groups *groups = calloc(1, sizeof *groups);
    *out = groups;
    if (!groups) return SIGREP_NO_MEMORY;
    *groups = (label_groups){.n = n};
    groups->members = calloc(n, sizeof *groups->members);
    groups->labels = calloc(n, sizeof *groups->labels);
    groups->agrees = calloc(n, sizeof *groups->agrees);
    if (!groups->members || !groups->labels || !groups->agrees) {
        label_groups_destroy(groups);
        *out = NULL;
        return SIGREP_NO_MEMORY;
    }
    for (size_t j = 0; j < n; j++) {
        size_t first = 0;
        while (strcmp(members[first].label, members[j].label) != 0) first++;
        groups->members[j] = (member){members[j].length, members[j].threshold, first};
        label_group *label = &groups->labels[first];
        label->n_members++;
        label->min_matches = min_matches;
        if (members[j].length_max > label->length_max) label->length_max = members[j].length_max;
    }
    return SIGREP_OK;
}

void label_groups_destroy(label_groups *groups)
{
    if (!groups) return;
    for (size_t j = 0; groups->labels && j < groups->n; j++) {
        match_list_free(&groups->labels[j].waiting);
        match_list_free(&groups->labels[j].past);
        match_list_free(&groups->labels[j].kept);
        match_list_free(&groups->labels[j].next);
    }
    free(groups->members);
    free(groups->labels);
    free(groups->agrees);
    free(groups);
}

void label_groups_reset(label_groups *groups)
{
    for (size_t j = 0; j < groups->n; j++) {
        label_group *label = &groups->labels[j];
        label->waiting.n = label->past.n = label->kept.n = 0;
        label->last_close = 0;
    }
}

void label_groups_require(label_groups *groups, size_t index, size_t min_matches)
{
    label_group *label = &groups->labels[groups->members[index].first];
    if (min_matches == 0 || (label->is_own && min_matches <= label->min_matches)) return;
    label->min_matches = min_matches;
    label->is_own = true;
}

size_t label_groups_of(const label_groups *groups, size_t index)
{
    return groups->members[index].first;
}

static bool overlaps_any(const frame_match *match, const match_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (frame_matches_overlap(match, &list->items[i])) return true;
    return false;
}

static double score_ratio(const label_groups *groups, const frame_match *match)
{
    const member *x = &groups->members[match->index];
    return x->threshold > 0 ? (double)match->d / (double)x->length / x->threshold : 0;
}

/* Is a the better match? */
static bool better(const label_groups *groups, const frame_match *a, const frame_match *b)
{
    double ratio_a = score_ratio(groups, a), ratio_b = score_ratio(groups, b);
    if (ratio_a != ratio_b) return ratio_a < ratio_b;
    if (a->end != b->end) return a->end < b->end;
    return a->index < b->index;
}

static void mark_agreeing(const label_groups *groups, const frame_match *match,
                          const match_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (frame_matches_overlap(match, &list->items[i]))
            groups->agrees[list->items[i].index] = true;
}

/* Do enough templates of the label have a match that overlaps this one? */
static bool is_supported(const label_groups *groups, const label_group *label,
                         const frame_match *match)
{
    if (label->min_matches <= 1) return true;
    memset(groups->agrees, 0, groups->n * sizeof *groups->agrees);
    mark_agreeing(groups, match, &label->past);
    mark_agreeing(groups, match, &label->waiting);
    size_t n = 0;
    for (size_t j = 0; j < groups->n; j++) n += groups->agrees[j];
    return n >= label->min_matches;
}

/* The first group of the waiting matches, which are sorted by start. Returns its size; *end is the
 * end of its last match. */
static size_t first_group(const label_group *label, uint64_t *end)
{
    const frame_match *items = label->waiting.items;
    uint64_t last_start = items[0].start + 8 * label->length_max;
    size_t n = 1;
    *end = items[0].end;
    for (; n < label->waiting.n && items[n].start < *end && items[n].start <= last_start; n++)
        if (items[n].end > *end) *end = items[n].end;
    return n;
}

/* The end of the span that holds frame `end` - 1; UINT64_MAX: not known yet. */
static uint64_t span_end(const label_groups_progress *at, uint64_t end)
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

/* The frame at which a group that ends at `end` is complete; UINT64_MAX: not known yet. */
static uint64_t close_time(const label_groups *groups, const label_group *label, uint64_t end,
                           const label_groups_progress *at)
{
    uint64_t close = end + label->length_max - 1;
    uint64_t last = span_end(at, end);
    if (close > last) close = last + 1;
    if (close < label->last_close) close = label->last_close;
    close = after_pending(&label->waiting, close);
    const size_t first = label_groups_of(groups, label->waiting.items[0].index);
    for (size_t j = first; j < groups->n; j++)
        if (groups->members[j].first == first && at->pending_since[j] <= close) return UINT64_MAX;
    return close;
}

/* The best of the first n waiting matches that may be kept. NULL: none may. */
static const frame_match *best_of(const label_groups *groups, const label_group *label, size_t n)
{
    const frame_match *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const frame_match *match = &label->waiting.items[i];
        if (best && !better(groups, match, best)) continue;
        if (overlaps_any(match, &label->next) || overlaps_any(match, &label->kept)) continue;
        if (is_supported(groups, label, match)) best = match;
    }
    return best;
}

/* Move the first n waiting matches to the past ones. Later matches begin no earlier than the last
 * of them, so past matches that end before that are dropped. */
static sigrep_status move_to_past(label_group *label, size_t n)
{
    frame_match *items = label->waiting.items;
    match_list *past = &label->past;
    uint64_t last_start = items[n - 1].start;
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < n && !status; i++) status = match_list_add(past, &items[i]);
    size_t left = 0;
    for (size_t i = 0; i < past->n; i++)
        if (past->items[i].end > last_start) past->items[left++] = past->items[i];
    past->n = left;
    memmove(items, items + n, (label->waiting.n - n) * sizeof *items);
    label->waiting.n -= n;
    return status;
}

/* Decide the first n waiting matches, which are a group. */
static sigrep_status close_group(label_groups *groups, label_group *label, size_t n, uint64_t close,
                                 match_list *decided)
{
    sigrep_status status = SIGREP_OK;
    const frame_match *best;
    label->next.n = 0;
    while (!status && (best = best_of(groups, label, n))) {
        frame_match match = *best;
        match.final = close;
        status = match_list_add(&label->next, best);
        if (!status) status = match_list_add(decided, &match);
    }
    const match_list kept = label->next;
    label->next = label->kept;
    label->kept = kept;
    if (!status) status = move_to_past(label, n);
    label->last_close = close;
    return status;
}

static sigrep_status close_groups(label_groups *groups, label_group *label,
                                  const label_groups_progress *at, match_list *decided)
{
    match_list_sort_by_start(&label->waiting);
    while (label->waiting.n) {
        uint64_t end;
        size_t n = first_group(label, &end);
        uint64_t close = close_time(groups, label, end, at);
        if (close == UINT64_MAX || close > at->now) break;
        sigrep_status status = close_group(groups, label, n, close, decided);
        if (status) return status;
    }
    return SIGREP_OK;
}

sigrep_status label_groups_update(label_groups *groups, const match_list *matches,
                                  const label_groups_progress *at, match_list *decided)
{
    for (size_t i = 0; i < matches->n; i++) {
        const frame_match *match = &matches->items[i];
        label_group *label = &groups->labels[groups->members[match->index].first];
        bool alone = label->n_members == 1;
        if (alone && label->min_matches > 1) continue;
        sigrep_status status = match_list_add(alone ? decided : &label->waiting, match);
        if (status) return status;
    }
    for (size_t j = 0; j < groups->n; j++) {
        sigrep_status status = close_groups(groups, &groups->labels[j], at, decided);
        if (status) return status;
    }
    return SIGREP_OK;
}
