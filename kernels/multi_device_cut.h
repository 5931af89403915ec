/*
 * group_pieces.h - how a group (group.h) cuts its steps in time: one piece for each member, of
 * about the same length, with borders at multiples of a spacing at which every member keeps its
 * columns.
 */
#ifndef KERNELS_MULTI_DEVICE_CUT_H
#define KERNELS_MULTI_DEVICE_CUT_H

#include "kernels/kernel.h"

/* Frames [from, to) of a step on one device, positions counted since reset. */
typedef struct {
    size_t device;
    uint64_t from, to;
    uint64_t begin; /* warm-up included */
    bool cold;      /* begins with a cold start */
    sigrep_status status;
} group_piece;

typedef struct {
    size_t members;
    size_t spacing; /* frames, a multiple of every template's */
    size_t warm;    /* frames of a warm-up, and ... */
    size_t least;   /* ... of the shortest piece worth cutting, multiples of the spacing */
} group_rule;

/* For plan->devices members. */
group_rule group_rule_of(const kernel_plan *plan);

/* Most frames of a piece, warm-up included, of steps of max_chunk. */
size_t group_longest(const group_rule *rule, size_t max_chunk);

/* How many pieces a step of n frames has. */
size_t group_count(const group_rule *rule, size_t n);

/* The step [from, from + n) into pieces, the first for the device `first`. Returns how many. */
size_t group_cut(const group_rule *rule, group_piece *pieces, uint64_t from, size_t n,
                 size_t first);

#endif
