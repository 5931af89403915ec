/*
 * checkpoints.h - the columns of D that a CPU kernel stores for one template, to go on from.
 *
 *     frames       |----------|----------|----------|----------|     a spacing apart
 *     checkpoints  s          0          1         ...               a ring of slots
 *
 * Gives: the memory and its addresses, and how many frames a kernel wants in one chunk. The kernel
 * knows which checkpoints are exact by now.
 */
#ifndef KERNELS_CPU_STATE_CHECKPOINTS_H
#define KERNELS_CPU_STATE_CHECKPOINTS_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

struct kernel_plan; /* kernels/kernel.h */

typedef struct {
    size_t stride;  /* m rounded up to a whole cache line: floats from one column to the next */
    size_t spacing; /* frames between checkpoints */
    size_t slots;
    float *d;      /* slots x stride, from the beginning of a cache line on */
    float *memory; /* the allocation that d lies in */
} checkpoints;

/* Frames between checkpoints: a power of two of blocks, at least an eighth of the history. Going on
 * from a checkpoint then costs little more than the history itself. */
size_t checkpoint_spacing(size_t history);

/* Room for every position that kernel_ops.checkpoint may ask for, if a chunk has at most max_chunk
 * frames. The caller frees it. SIGREP_NO_MEMORY. */
sigrep_status checkpoints_create(checkpoints *out, size_t length, size_t history, size_t max_chunk);
void checkpoints_free(checkpoints *ring);

/* The slot for `position`, a multiple of the spacing. */
static inline size_t checkpoint_slot(const checkpoints *ring, uint64_t position)
{
    return (size_t)(position / ring->spacing % ring->slots);
}

/* Its column, to write or to read: m floats. */
static inline float *checkpoint_at(const checkpoints *ring, uint64_t position)
{
    return ring->d + checkpoint_slot(ring, position) * ring->stride;
}

/* The checkpoint one spacing after the one at d. */
static inline float *checkpoint_next(const checkpoints *ring, float *d)
{
    d += ring->stride;
    return d < ring->d + ring->slots * ring->stride ? d : ring->d;
}

/* d[i] = checkpoint_at(ring, position + i * apart) for i < n, without a division each. `apart` is a
 * multiple of the spacing, and at most the whole ring. */
void checkpoints_apart(const checkpoints *ring, uint64_t position, size_t apart, size_t n,
                       float **d);

/* kernel_ops.best_chunk, in frames: at least `lengths` times the longest template, cut into
 * `segments` side by side; 2^16 to 2^20, less if checkpoints and frames would take more than 64
 * MiB. A multiple of every spacing.
 *
 * A segment of 32 spacings or more has an odd number of them. A power of two apart, segments would
 * share a few sets of each cache, and so would their checkpoints. */
size_t chunk_size(const struct kernel_plan *plan, size_t lengths, size_t segments);

#endif
