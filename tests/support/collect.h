/*
 * collect.h - callbacks of a search that collect its matches and scores, and a store in memory.
 */
#ifndef TESTS_SUPPORT_COLLECT_H
#define TESTS_SUPPORT_COLLECT_H

#include <stdbool.h>

#include "sigrep.h"

typedef struct {
    sigrep_match *matches;
    size_t n, capacity;
    float *scores; /* n_scores values, in the order of the callback */
    size_t n_scores, scores_capacity, n_templates;
    sigrep *search;     /* NULL, or: its paths are collected, too */
    sigrep_pair *pairs; /* of all matches, one path after the other */
    size_t n_pairs, pairs_capacity;
    size_t stop_after; /* 0, or: the callback stops the search at this match */
} collection;

/* The callbacks; user is a collection. */
sigrep_match_fn collect_match;
sigrep_scores_fn collect_scores;
/* An empty collection; n_templates values a frame come to collect_scores. */
void collect_begin(collection *c, size_t n_templates);
void collect_free(collection *c);

/* The same matches, bit for bit, and the same paths if both have any? Labels are not compared. */
bool collect_equal(const collection *a, const collection *b);

/* A store in memory. */
typedef struct {
    float *frames;
    size_t n, capacity; /* values */
} memory_store;
sigrep_store memory_store_ops(memory_store *store);
void memory_store_free(memory_store *store);

#endif
