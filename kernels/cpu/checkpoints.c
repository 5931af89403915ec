#include "kernels/cpu/checkpoints.h"

#include <stdlib.h>

#include "kernels/kernel.h"

enum { LINE = 64 }; /* bytes of a cache line; a larger one does no harm */

size_t checkpoint_spacing(size_t history)
{
    size_t spacing = KERNEL_BLOCK;
    while (spacing < (history + 7) / 8) spacing *= 2;
    return spacing;
}

sigrep_status checkpoints_create(checkpoints *out, size_t length, size_t history, size_t max_chunk)
{
    const size_t spacing = checkpoint_spacing(history);
    const size_t slots = (max_chunk + history) / spacing + 3;
    const size_t line = LINE / sizeof(float), lines = (length + line - 1) / line;
    if (lines > (SIZE_MAX - LINE) / LINE / slots) return SIGREP_NO_MEMORY;
    float *memory = calloc((slots * lines + 1) * line, sizeof *memory);
    if (!memory) return SIGREP_NO_MEMORY;
    float *d = memory + (LINE - (uintptr_t)memory % LINE) / sizeof *d;
    *out = (checkpoints){
        .stride = lines * line, .spacing = spacing, .slots = slots, .d = d, .memory = memory};
    return SIGREP_OK;
}

void checkpoints_free(checkpoints *ring)
{
    free(ring->memory);
    ring->memory = ring->d = NULL;
}

void checkpoints_apart(const checkpoints *ring, uint64_t position, size_t apart, size_t n,
                       float **d)
{
    size_t slot = checkpoint_slot(ring, position);
    for (size_t i = 0; i < n; i++) {
        d[i] = ring->d + slot * ring->stride;
        slot += apart / ring->spacing;
        if (slot >= ring->slots) slot -= ring->slots;
    }
}
