/*
 * ceiling.h - how fast could a kernel be? The ceiling runs the recurrence's operations in
 * registers. None waits for another, and none loads or stores.
 *
 *     samples         sub, abs, min, min, add                      5 operations a cell
 *     frames of K     K x (sub, abs), K-1 x add, min, min, add     3 K + 2
 *
 * AArch64 has sub and abs in one. A mix is one way to spread them over the processor's units:
 * minima of floats or of their bit patterns as integers, which agree for costs >= 0; differences by
 * sub or by a fused multiply with 1, which is as exact. The best mix is the ceiling.
 */
#ifndef DEV_BENCH_CEILING_H
#define DEV_BENCH_CEILING_H

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

/* The instruction set of a kernel, by its name, else the widest usable one of 128 bits. NULL: not
 * known. */
const ceiling *ceiling_of(const char *kernel);

/* Cells in one iteration of a mix. */
double ceiling_cells(const ceiling *c);

#endif
