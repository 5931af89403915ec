#include "filter/search/label_groups.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "filter/search/detector.h"
#include "filter/search/match_list.h"
#include "filter/search/pending_times.h"
#include "filter/state/state.h"

typedef struct {
    size_t length;
    double threshold;
    size_t first; /* index of the first member with this label */
    size_t next;  /* index of the next member with this label; n: there is none */
    /* Matches that may still matter, in order. Those before n_grouped are in a group. Those before
     * `oldest` overlap no match that is still to be decided. */
    match_list matches;
    size_t n_grouped, oldest;
} member;

/* A match of the group that is being decided. */
typedef struct {
    double ratio; /* score/threshold */
    uint64_t end;
    size_t index;    /* of the template */
    size_t position; /* in the group */
} candidate;

/* Stored at the index of its first member; the others stay empty. */
typedef struct {
    size_t n_members;
    size_t min_matches;
    bool is_required;    /* a member asked for this min_matches */
    uint64_t length_max; /* the largest of its members */
    match_list group;    /* the first group that is not decided, in order of start */
    uint64_t group_end;
    uint64_t kept_end; /* of the groups that are decided: the last end of a kept match */
    uint64_t last_close;
    pending_times pending; /* when a match of the label is pending */
} label_group;

typedef enum { UNDECIDED, KEPT, DROPPED } fate;

struct label_groups {
    size_t n;
    member *members;
    label_group *labels;
    candidate *candidates; /* scratch for a group, best first */
    fate *fates;           /* scratch: of each match of the group */
    size_t capacity;       /* of both */
};

sigrep_status label_groups_create(label_groups **out, const template *templates, size_t n,
                                  size_t min_matches)
{
    label_groups *groups = calloc(1, sizeof *groups);
    *out = groups;
    if (!groups) return SIGREP_NO_MEMORY;
    *groups = (label_groups){.n = n};
    groups->members = calloc(n, sizeof *groups->members);
    groups->labels = calloc(n, sizeof *groups->labels);
    if (!groups->members || !groups->labels) {
        label_groups_destroy(groups);
        *out = NULL;
        return SIGREP_NO_MEMORY;
    }
    for (size_t j = 0; j < n; j++) {
        size_t first = 0, last = n;
        while (strcmp(templates[first].label, templates[j].label) != 0) first++;
        for (size_t i = first; i < j; i = groups->members[i].next) last = i;
        if (last < n) groups->members[last].next = j;
        groups->members[j] = (member){.length = templates[j].length,
                                      .threshold = templates[j].threshold,
                                      .first = first,
                                      .next = n};
        label_group *label = &groups->labels[first];
        label->n_members++;
        label->min_matches = min_matches;
        if (templates[j].gate.length_max > label->length_max)
            label->length_max = templates[j].gate.length_max;
    }
    return SIGREP_OK;
}

void label_groups_destroy(label_groups *groups)
{
    if (!groups) return;
    for (size_t j = 0; groups->members && j < groups->n; j++)
        match_list_free(&groups->members[j].matches);
    for (size_t j = 0; groups->labels && j < groups->n; j++) {
        match_list_free(&groups->labels[j].group);
        pending_times_free(&groups->labels[j].pending);
    }
    free(groups->members);
    free(groups->labels);
    free(groups->candidates);
    free(groups->fates);
    free(groups);
}

void label_groups_reset(label_groups *groups)
{
    for (size_t j = 0; j < groups->n; j++) {
        member *x = &groups->members[j];
        x->matches.n = x->n_grouped = x->oldest = 0;
        label_group *label = &groups->labels[j];
        label->group.n = 0;
        label->kept_end = label->last_close = 0;
        pending_times_reset(&label->pending);
    }
}

void label_groups_require(label_groups *groups, size_t index, size_t min_matches)
{
    label_group *label = &groups->labels[groups->members[index].first];
    if (min_matches == 0 || (label->is_required && min_matches <= label->min_matches)) return;
    label->min_matches = min_matches;
    label->is_required = true;
}

size_t label_groups_of(const label_groups *groups, size_t index)
{
    return groups->members[index].first;
}

size_t label_groups_min_matches(const label_groups *groups, size_t index)
{
    return groups->labels[groups->members[index].first].min_matches;
}

/* ---- which matches are known ---- */

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* All matches that start before this frame are final: label_groups.h has the proof. */
static uint64_t known_starts(const label_group *label, const label_groups_progress *at)
{
    if (at->now == UINT64_MAX) return UINT64_MAX;
    uint64_t known = minus(at->now + 1, 2 * label->length_max);
    uint64_t quiet =
        minus(pending_times_last_quiet(&label->pending, at->now) + 1, label->length_max);
    if (quiet > known) known = quiet;
    if (at->n_gaps && at->gaps[at->n_gaps - 1] > known) known = at->gaps[at->n_gaps - 1];
    return known;
}

static bool starts_earlier(const frame_match *a, const frame_match *b)
{
    if (a->start != b->start) return a->start < b->start;
    if (a->end != b->end) return a->end < b->end;
    return a->index < b->index;
}

/* The member whose next match starts first. NULL: none starts before `known`. */
static member *earliest(label_groups *groups, size_t first, uint64_t known)
{
    member *found = NULL;
    for (size_t j = first; j < groups->n; j = groups->members[j].next) {
        member *x = &groups->members[j];
        if (x->n_grouped == x->matches.n) continue;
        const frame_match *match = &x->matches.items[x->n_grouped];
        if (match->start >= known) continue;
        if (!found || starts_earlier(match, &found->matches.items[found->n_grouped])) found = x;
    }
    return found;
}

/* ---- which matches of a group are kept ---- */

/* With threshold 0 the score is 0, too. No match is better. */
static double score_ratio(const member *x, const frame_match *match)
{
    return x->threshold > 0 ? (double)match->d / (double)x->length / x->threshold : 0;
}

/* Do enough templates of the label have a match that overlaps this one? Matches are asked for in
 * order of start, so those that end before this one can be forgotten. */
static bool is_supported(label_groups *groups, const label_group *label, const frame_match *match)
{
    size_t agreeing = 0;
    for (size_t j = groups->members[match->index].first; j < groups->n;
         j = groups->members[j].next) {
        member *x = &groups->members[j];
        const frame_match *items = x->matches.items;
        while (x->oldest < x->matches.n && items[x->oldest].end <= match->start) x->oldest++;
        agreeing += x->oldest < x->matches.n && items[x->oldest].start < match->end;
    }
    return agreeing >= label->min_matches;
}

static int best_first(const void *pa, const void *pb)
{
    const candidate *a = pa, *b = pb;
    if (a->ratio != b->ratio) return a->ratio < b->ratio ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static sigrep_status reserve_scratch(label_groups *groups, size_t n)
{
    if (n <= groups->capacity) return SIGREP_OK;
    const size_t capacity = 2 * n;
    candidate *candidates = realloc(groups->candidates, capacity * sizeof *candidates);
    if (candidates) groups->candidates = candidates;
    fate *fates = realloc(groups->fates, capacity * sizeof *fates);
    if (fates) groups->fates = fates;
    if (!candidates || !fates) return SIGREP_NO_MEMORY;
    groups->capacity = capacity;
    return SIGREP_OK;
}

/* The matches of the group that may be kept, best first. Returns their number. */
static size_t sort_candidates(label_groups *groups, const label_group *label)
{
    size_t n = 0;
    for (size_t i = 0; i < label->group.n; i++) {
        const frame_match *match = &label->group.items[i];
        const bool supported = is_supported(groups, label, match);
        groups->fates[i] = UNDECIDED;
        if (!supported || match->start < label->kept_end) continue;
        groups->candidates[n++] = (candidate){score_ratio(&groups->members[match->index], match),
                                              match->end, match->index, i};
    }
    if (n) qsort(groups->candidates, n, sizeof *groups->candidates, best_first);
    return n;
}

/* Of two matches that overlap, one starts within the other. So it is enough to look at the matches
 * that start within this one: those of one template are disjoint, so each match is looked at a few
 * times at most, once for each template. */
static bool may_be_kept(const label_groups *groups, const match_list *group, size_t position)
{
    const uint64_t end = group->items[position].end;
    if (groups->fates[position] == DROPPED) return false;
    for (size_t i = position; i < group->n && group->items[i].start < end; i++)
        if (groups->fates[i] == KEPT) return false;
    return true;
}

/* Keep this match, and drop those that start within it. */
static void keep(label_groups *groups, const match_list *group, size_t position)
{
    const uint64_t end = group->items[position].end;
    groups->fates[position] = KEPT;
    for (size_t i = position + 1; i < group->n && group->items[i].start < end; i++)
        groups->fates[i] = DROPPED;
}

/* Decide the group, which is complete. */
static sigrep_status decide_group(label_groups *groups, label_group *label, uint64_t close,
                                  match_list *decided)
{
    sigrep_status status = reserve_scratch(groups, label->group.n);
    const size_t n = status ? 0 : sort_candidates(groups, label);
    uint64_t kept_end = label->kept_end;
    for (size_t k = 0; k < n && !status; k++) {
        const size_t position = groups->candidates[k].position;
        if (!may_be_kept(groups, &label->group, position)) continue;
        keep(groups, &label->group, position);
        frame_match match = label->group.items[position];
        match.final = close;
        if (match.end > kept_end) kept_end = match.end;
        status = match_list_add(decided, &match);
    }
    label->kept_end = kept_end;
    label->last_close = close;
    label->group.n = 0;
    return status;
}

/* ---- when a group is decided ---- */

/* The end of the span that holds frame `end` - 1; UINT64_MAX: not known yet. Passes over the gaps
 * before it, since no later group ends there. */
static uint64_t span_end(label_groups_progress *at, uint64_t end)
{
    while (at->n_gaps && at->gaps[0] < end) at->gaps++, at->n_gaps--;
    if (at->n_gaps) return at->gaps[0];
    return at->now == UINT64_MAX ? at->end : UINT64_MAX;
}

/* The time at which the group, which is complete, is decided. */
static uint64_t close_time(label_group *label, label_groups_progress *at)
{
    uint64_t close = label->group_end + label->length_max - 1;
    uint64_t latest = close + label->length_max;
    const uint64_t last = span_end(at, label->group_end);
    if (close > last) close = last + 1;
    if (close < label->last_close) close = label->last_close;
    if (latest < close) latest = close;
    close = pending_times_first_quiet(&label->pending, close);
    return close < latest ? close : latest;
}

static bool belongs_to_group(const label_group *label, const frame_match *match)
{
    return match->start < label->group_end &&
           match->start <= label->group.items[0].start + 8 * label->length_max;
}

static sigrep_status add_to_group(label_group *label, member *x)
{
    const frame_match *match = &x->matches.items[x->n_grouped++];
    if (label->group.n == 0 || match->end > label->group_end) label->group_end = match->end;
    return match_list_add(&label->group, match);
}

/* Decide all groups that are complete at this time. */
static sigrep_status decide_groups(label_groups *groups, size_t first, label_groups_progress at,
                                   match_list *decided)
{
    label_group *label = &groups->labels[first];
    const uint64_t known = known_starts(label, &at);
    sigrep_status status = SIGREP_OK;
    while (!status) {
        member *x = earliest(groups, first, known);
        if (x && (label->group.n == 0 || belongs_to_group(label, &x->matches.items[x->n_grouped])))
            status = add_to_group(label, x);
        else if (label->group.n && label->group_end <= known)
            status = decide_group(groups, label, close_time(label, &at), decided);
        else
            break;
    }
    return status;
}

/* ---- memory ---- */

/* Move the matches that are left to the front if half is over. So one moves once on average. */
static void forget(label_groups *groups, size_t first)
{
    for (size_t j = first; j < groups->n; j = groups->members[j].next) {
        member *x = &groups->members[j];
        const size_t over = x->oldest;
        if (over == 0 || 2 * over < x->matches.n) continue;
        x->matches.n -= over;
        x->n_grouped -= over;
        x->oldest = 0;
        memmove(x->matches.items, x->matches.items + over, x->matches.n * sizeof(frame_match));
    }
}

size_t label_groups_stored(const label_groups *groups)
{
    size_t n = 0;
    for (size_t j = 0; j < groups->n; j++)
        n += groups->members[j].matches.n + groups->labels[j].group.n + groups->labels[j].pending.n;
    return n;
}

static uint64_t oldest_of(const match_list *list, size_t from, uint64_t at)
{
    for (size_t i = from; i < list->n; i++)
        if (list->items[i].start < at) at = list->items[i].start;
    return at;
}

uint64_t label_groups_oldest(const label_groups *groups, uint64_t at)
{
    for (size_t j = 0; j < groups->n; j++) {
        at = oldest_of(&groups->members[j].matches, groups->members[j].n_grouped, at);
        at = oldest_of(&groups->labels[j].group, 0, at);
    }
    return at;
}

/* ---- do two agree? ----
 *
 *                        horizon               now
 *     decided    |---|   |   |------|           |
 *     undecided              |------| |---|     |
 *     pending                             |-----|---
 *
 * The decided matter if they end after the horizon: for the support and the overlap of those that
 * are undecided, or come.
 *
 * No match that is undecided, or comes, starts before the horizon: the first undecided start, at
 * most now + 1 - 2L. When was a match pending? Since a group is undecided, or comes, all times from
 * its e + L - 1 to now were so, in both searches: else it would be known. So the times before now
 * do not matter, nor does the close of the group before, and both have the same matches pending
 * now. Searches may number frames differently, so all is counted back from now.
 */

/* Of a label at a time. */
typedef struct {
    const label_groups *groups;
    const label_group *label;
    uint64_t now, horizon; /* horizon: so many frames ago */
} label_view;

static label_view view_of(const label_groups *groups, size_t first, uint64_t now)
{
    const label_group *label = &groups->labels[first];
    uint64_t start = oldest_of(&label->group, 0, now);
    for (size_t j = first; j < groups->n; j = groups->members[j].next)
        start = oldest_of(&groups->members[j].matches, groups->members[j].n_grouped, start);
    const uint64_t least = 2 * label->length_max, ago = now - start;
    return (label_view){groups, label, now, ago > least ? ago : least};
}

/* The same matches in two lists, from these numbers on. */
static bool same_matches(const match_list *list, size_t i, uint64_t now, const match_list *other,
                         size_t k, uint64_t other_now)
{
    if (list->n - i != other->n - k) return false;
    for (; i < list->n; i++, k++) {
        const frame_match *a = &list->items[i], *b = &other->items[k];
        if (a->index != b->index || a->d != b->d || now - a->start != other_now - b->start ||
            now - a->end != other_now - b->end)
            return false;
    }
    return true;
}

/* The first match of a member that may still matter. */
static size_t first_that_matters(const label_view *v, const member *x)
{
    size_t i = x->oldest;
    while (i < x->matches.n && v->now - x->matches.items[i].end >= v->horizon) i++;
    return i;
}

static bool member_agrees(const label_view *v, const label_view *w, size_t j)
{
    const member *x = &v->groups->members[j], *y = &w->groups->members[j];
    return x->matches.n - x->n_grouped == y->matches.n - y->n_grouped &&
           same_matches(&x->matches, first_that_matters(v, x), v->now, &y->matches,
                        first_that_matters(w, y), w->now);
}

/* How long ago the last kept match ended; the horizon, if that does not matter. */
static uint64_t age_of_kept(const label_view *v)
{
    const uint64_t ago = v->now - v->label->kept_end;
    return v->label->kept_end && ago < v->horizon ? ago : v->horizon;
}

static bool label_agrees(const label_view *v, const label_view *w, size_t first)
{
    if (v->horizon != w->horizon || age_of_kept(v) != age_of_kept(w)) return false;
    if (!same_matches(&v->label->group, 0, v->now, &w->label->group, 0, w->now)) return false;
    for (size_t j = first; j < v->groups->n; j = v->groups->members[j].next)
        if (!member_agrees(v, w, j)) return false;
    return true;
}

bool label_groups_agree(const label_groups *groups, uint64_t now, const label_groups *other,
                        uint64_t other_now)
{
    for (size_t j = 0; j < groups->n; j++) {
        if (groups->labels[j].n_members < 2) continue;
        const label_view v = view_of(groups, j, now), w = view_of(other, j, other_now);
        if (!label_agrees(&v, &w, j)) return false;
    }
    return true;
}

/* ---- state ---- */

static sigrep_status pass_member(label_groups *groups, size_t j, state_bytes *st, uint64_t now)
{
    member *x = &groups->members[j];
    const sigrep_status status = match_list_pass_state(&x->matches, st, groups->n, now);
    state_size(st, &x->n_grouped);
    state_size(st, &x->oldest);
    state_must(st, x->n_grouped <= x->matches.n && x->oldest <= x->n_grouped);
    for (size_t i = 0; i < x->matches.n; i++) state_must(st, x->matches.items[i].index == j);
    return status;
}

static sigrep_status pass_label(label_groups *groups, size_t j, state_bytes *st, uint64_t now)
{
    label_group *label = &groups->labels[j];
    const sigrep_status status = match_list_pass_state(&label->group, st, groups->n, now);
    for (size_t i = 0; i < label->group.n; i++)
        state_must(st, groups->members[label->group.items[i].index].first == j);
    state_u64(st, &label->group_end);
    state_u64(st, &label->kept_end);
    state_u64(st, &label->last_close);
    return status ? status : pending_times_pass_state(&label->pending, st, now);
}

sigrep_status label_groups_pass_state(label_groups *groups, state_bytes *st, uint64_t now)
{
    sigrep_status status = SIGREP_OK;
    for (size_t j = 0; j < groups->n && !status; j++) {
        if (groups->labels[groups->members[j].first].n_members < 2) continue; /* nothing waits */
        status = pass_member(groups, j, st, now);
        if (!status && groups->members[j].first == j) status = pass_label(groups, j, st, now);
    }
    return status;
}

/* ---- update ---- */

/* A label of one template need not wait. */
static sigrep_status take_match(label_groups *groups, const frame_match *match, match_list *decided)
{
    member *x = &groups->members[match->index];
    label_group *label = &groups->labels[x->first];
    if (label->n_members == 1)
        return label->min_matches > 1 ? SIGREP_OK : match_list_add(decided, match);
    sigrep_status status = pending_times_add(&label->pending, match->first, match->final);
    return status ? status : match_list_add(&x->matches, match);
}

/* The matches that are pending at the end of this update. */
static sigrep_status take_pending(label_groups *groups, size_t first,
                                  const label_groups_progress *at)
{
    sigrep_status status = SIGREP_OK;
    if (at->now == UINT64_MAX) return SIGREP_OK;
    for (size_t j = first; j < groups->n && !status; j = groups->members[j].next)
        if (at->pending_since[j] <= at->now)
            status = pending_times_add(&groups->labels[first].pending, at->pending_since[j],
                                       at->now + 1);
    return status;
}

sigrep_status label_groups_update(label_groups *groups, const match_list *matches,
                                  const label_groups_progress *at, match_list *decided)
{
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < matches->n && !status; i++)
        status = take_match(groups, &matches->items[i], decided);
    for (size_t j = 0; j < groups->n && !status; j++) {
        label_group *label = &groups->labels[j];
        if (label->n_members < 2) continue;
        status = take_pending(groups, j, at);
        if (status) break;
        pending_times_join(&label->pending, at->now);
        status = decide_groups(groups, j, *at, decided);
        forget(groups, j);
        pending_times_forget(&label->pending);
    }
    return status;
}
