/* chunk_size.h - how many frames a CPU kernel wants in one chunk: kernel_ops.best_chunk. */
#ifndef KERNELS_CPU_CHUNK_SIZE_H
#define KERNELS_CPU_CHUNK_SIZE_H

#include <stddef.h>

#include "kernels/kernel.h"

/* Frames: at least `lengths` times the longest template, cut into `segments` side by side; 2^16 to
 * 2^20, less if checkpoints and frames would take more than 64 MiB. A multiple of every spacing.
 *
 * A segment of 32 spacings or more has an odd number of them. A power of two apart, segments would
 * share a few sets of each cache, and so would their checkpoints. */
size_t chunk_size(const kernel_plan *plan, size_t lengths, size_t segments);

#endif
