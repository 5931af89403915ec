/* classes_help.h - a bench for classes.c: matches in, events out. Unless a test says otherwise the
 * class is of three templates of 10 frames with threshold 1 and lengths up to 20, so a group closes
 * 19 frames after its end, and d is ten times the score. */
#ifndef TESTS_UNIT_CLASSES_HELP_H
#define TESTS_UNIT_CLASSES_HELP_H

#include <stdbool.h>

#include "filter/classes.h"
#include "tests/check.h"

enum { A, B, C, MOST = 4 };

typedef struct {
    classes *cl;
    found_list events;
    uint64_t pending_since[MOST];
    uint64_t breaks[MOST];
    size_t n_breaks;
} bench;

static inline bench bench_of(const class_member *members, size_t n, size_t min_matches)
{
    bench b = {.cl = NULL};
    CHECK(classes_create(&b.cl, members, n, min_matches) == SIGREP_OK);
    for (size_t j = 0; j < MOST; j++) b.pending_since[j] = UINT64_MAX;
    return b;
}

static inline bench bench_of_one_class(size_t min_matches)
{
    static const class_member members[] = {{"a", 10, 20, 1}, {"a", 10, 20, 1}, {"a", 10, 20, 1}};
    return bench_of(members, 3, min_matches);
}

static inline void bench_free(bench *b)
{
    classes_destroy(b->cl);
    found_free(&b->events);
}

/* The stream has come to `now` frames; n matches are new. */
static inline void step(bench *b, uint64_t now, const found *matches, size_t n)
{
    found_list list = {0};
    for (size_t i = 0; i < n; i++) found_add(&list, &matches[i]);
    classes_progress at = {.now = now,
                           .breaks = b->breaks,
                           .n_breaks = b->n_breaks,
                           .pending_since = b->pending_since};
    CHECK(classes_step(b->cl, &list, &at, &b->events) == SIGREP_OK);
    found_free(&list);
}

/* The stream has ended after `end` frames. */
static inline void end(bench *b, uint64_t end_of_stream)
{
    classes_progress at = {
        .now = UINT64_MAX, .end = end_of_stream, .pending_since = b->pending_since};
    CHECK(classes_step(b->cl, &(found_list){0}, &at, &b->events) == SIGREP_OK);
}

/* A match that was final as soon as it was found. */
static inline found match(size_t index, uint64_t start, uint64_t stop, float d)
{
    return (found){
        .index = index, .start = start, .end = stop, .first = stop, .final = stop, .d = d};
}

static inline bool event_is(const bench *b, size_t i, size_t index, uint64_t start, uint64_t final)
{
    if (i >= b->events.n) return false;
    const found *event = &b->events.items[i];
    return event->index == index && event->start == start && event->final == final;
}

/* A long chain: A and B in turn, 20 frames each, that overlap by one frame: starts 0, 19, ... 152.
 */
static size_t make_chain(found *chain, float d, float last_d)
{
    for (uint64_t k = 0; k < 9; k++) chain[k] = match(k % 2 ? B : A, 19 * k, 19 * k + 20, d);
    chain[8].d = last_d;
    return 9;
}

#endif
