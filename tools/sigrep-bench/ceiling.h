/*
 * ceiling.h - how fast could a kernel be? The operations of the recurrence in registers, none
 * waiting for another, nothing loaded or stored: what the instruction set of a kernel allows.
 *
 *     samples         sub, abs, min, min, add                      5 operations a cell
 *     frames of K     K x (sub, abs), K-1 x add, min, min, add     3 K + 2
 *
 * AArch64 has sub and abs in one. Minima of floats or of their bit patterns as integers (costs
 * are >= 0, where both agree) go to different units; so do a difference by sub and one by a
 * fused multiply with 1, which is as exact. All are measured, the best is the ceiling.
 */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include <stdbool.h>
#include <stddef.h>

enum { CEILING_MIXES = 3, CEILING_VECTORS = 4 };

typedef struct {
    const char *name; /* "float", "integer", "fused" */
    /* CEILING_VECTORS vectors of cells, `iterations` times. */
    void (*run)(size_t iterations, size_t dim);
} ceiling_mix;

typedef struct {
    const char *name; /* of the instruction set */
    size_t lanes;
    bool (*usable)(void);
    ceiling_mix mixes[CEILING_MIXES]; /* the unused ones have no name */
} ceiling;

/* The i-th instruction set that this program knows, widest first; NULL after the last. */
const ceiling *ceiling_at(size_t i);

/* The one that a kernel is written for, by the kernel's name, else the widest usable one
 * of 128 bits. NULL: not known here. */
const ceiling *ceiling_of(const char *kernel);

/* Cells in one iteration of a mix. */
double ceiling_cells(const ceiling *c);

#endif
