/* label_groups_help.h - label groups under test: matches in, decided matches out. Unless a test
 * makes another one, the label has three templates of 10 frames with threshold 1 and matches up to
 * 20 frames. So a group closes 19 frames after its end, and d is ten times the score. */
#ifndef TESTS_FILTER_SEARCH_LABEL_GROUPS_HELP_H
#define TESTS_FILTER_SEARCH_LABEL_GROUPS_HELP_H

#include <stdbool.h>

#include "filter/search/detector.h"
#include "filter/search/label_groups.h"
#include "filter/search/match_list.h"
#include "tests/check.h"

enum { A, B, C, MOST = 4 };

typedef struct {
    label_groups *groups;
    match_list decided;
    uint64_t pending_since[MOST];
    uint64_t gaps[MOST];
    size_t n_gaps;
} fixture;

static inline fixture fixture_of(const template *members, size_t n, size_t min_matches)
{
    fixture f = {.groups = NULL};
    CHECK(label_groups_create(&f.groups, members, n, min_matches) == SIGREP_OK);
    for (size_t j = 0; j < MOST; j++) f.pending_since[j] = UINT64_MAX;
    return f;
}

static inline fixture fixture_of_one_label(size_t min_matches)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1}};
    return fixture_of(members, 3, min_matches);
}

static inline void fixture_free(fixture *f)
{
    label_groups_destroy(f->groups);
    match_list_free(&f->decided);
}

/* The stream has come to `now` frames; n matches are new. */
static inline void update(fixture *f, uint64_t now, const frame_match *matches, size_t n)
{
    match_list list = {0};
    for (size_t i = 0; i < n; i++) match_list_add(&list, &matches[i]);
    label_groups_progress at = {
        .now = now, .gaps = f->gaps, .n_gaps = f->n_gaps, .pending_since = f->pending_since};
    CHECK(label_groups_update(f->groups, &list, &at, &f->decided) == SIGREP_OK);
    match_list_free(&list);
}

/* The stream has ended after `end` frames. */
static inline void end(fixture *f, uint64_t end_of_stream)
{
    label_groups_progress at = {
        .now = UINT64_MAX, .end = end_of_stream, .pending_since = f->pending_since};
    CHECK(label_groups_update(f->groups, &(match_list){0}, &at, &f->decided) == SIGREP_OK);
}

/* A match that was final as soon as it was found. */
static inline frame_match match(size_t index, uint64_t start, uint64_t stop, float d)
{
    return (frame_match){
        .index = index, .start = start, .end = stop, .first = stop, .final = stop, .d = d};
}

static inline bool decided_is(const fixture *f, size_t i, size_t index, uint64_t start,
                              uint64_t final)
{
    if (i >= f->decided.n) return false;
    const frame_match *match = &f->decided.items[i];
    return match->index == index && match->start == start && match->final == final;
}

/* A long chain: A and B in turn, 20 frames each, that overlap by one frame: starts 0, 19, ... 152.
 */
static inline size_t make_chain(frame_match *chain, float d, float last_d)
{
    for (uint64_t k = 0; k < 9; k++) chain[k] = match(k % 2 ? B : A, 19 * k, 19 * k + 20, d);
    chain[8].d = last_d;
    return 9;
}

#endif
