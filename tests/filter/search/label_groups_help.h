/* label_groups_help.h - a bench for label_groups.c: matches in, events out. Unless a test says
 * otherwise the class is of three templates of 10 frames with threshold 1 and lengths up to 20, so
 * a group closes 19 frames after its end, and d is ten times the score. */
#ifndef TESTS_FILTER_SEARCH_LABEL_GROUPS_HELP_H
#define TESTS_FILTER_SEARCH_LABEL_GROUPS_HELP_H

#include <stdbool.h>

#include "filter/search/label_groups.h"
#include "filter/search/match_list.h"
#include "tests/check.h"

enum { A, B, C, MOST = 4 };

typedef struct {
    label_groups *cl;
    match_list events;
    uint64_t pending_since[MOST];
    uint64_t gaps[MOST];
    size_t n_gaps;
} bench;

static inline bench bench_of(const label_group_member *members, size_t n, size_t min_matches)
{
    bench b = {.cl = NULL};
    CHECK(label_groups_create(&b.cl, members, n, min_matches) == SIGREP_OK);
    for (size_t j = 0; j < MOST; j++) b.pending_since[j] = UINT64_MAX;
    return b;
}

static inline bench bench_of_one_class(size_t min_matches)
{
    static const label_group_member members[] = {
        {"a", 10, 20, 1}, {"a", 10, 20, 1}, {"a", 10, 20, 1}};
    return bench_of(members, 3, min_matches);
}

static inline void bench_free(bench *b)
{
    label_groups_destroy(b->cl);
    match_list_free(&b->events);
}

/* The stream has come to `now` frames; n matches are new. */
static inline void step(bench *b, uint64_t now, const frame_match *matches, size_t n)
{
    match_list list = {0};
    for (size_t i = 0; i < n; i++) match_list_add(&list, &matches[i]);
    label_groups_progress at = {
        .now = now, .gaps = b->gaps, .n_gaps = b->n_gaps, .pending_since = b->pending_since};
    CHECK(label_groups_update(b->cl, &list, &at, &b->events) == SIGREP_OK);
    match_list_free(&list);
}

/* The stream has ended after `end` frames. */
static inline void end(bench *b, uint64_t end_of_stream)
{
    label_groups_progress at = {
        .now = UINT64_MAX, .end = end_of_stream, .pending_since = b->pending_since};
    CHECK(label_groups_update(b->cl, &(match_list){0}, &at, &b->events) == SIGREP_OK);
}

/* A match that was final as soon as it was found. */
static inline frame_match match(size_t index, uint64_t start, uint64_t stop, float d)
{
    return (frame_match){
        .index = index, .start = start, .end = stop, .first = stop, .final = stop, .d = d};
}

static inline bool event_is(const bench *b, size_t i, size_t index, uint64_t start, uint64_t final)
{
    if (i >= b->events.n) return false;
    const frame_match *event = &b->events.items[i];
    return event->index == index && event->start == start && event->final == final;
}

/* A long chain: A and B in turn, 20 frames each, that overlap by one frame: starts 0, 19, ... 152.
 */
static size_t make_chain(frame_match *chain, float d, float last_d)
{
    for (uint64_t k = 0; k < 9; k++) chain[k] = match(k % 2 ? B : A, 19 * k, 19 * k + 20, d);
    chain[8].d = last_d;
    return 9;
}

#endif
