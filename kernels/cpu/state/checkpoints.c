#include "kernels/cpu/state/checkpoints.h"

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

enum {
    MIN_CHUNK = 1 << 16,
    MAX_CHUNK = 1 << 20,
    MAX_BYTES = 1 << 26, /* of checkpoints and frames */
    MANY_SPACINGS = 32
};

size_t chunk_size(const kernel_plan *plan, size_t lengths, size_t segments)
{
    size_t longest = 0, widest = KERNEL_BLOCK;
    double bytes_a_frame = 2.0 * (double)plan->dim * sizeof(float); /* the caller's window */
    for (size_t j = 0; j < plan->n_templates; j++) {
        const kernel_template *x = &plan->templates[j];
        const size_t spacing = checkpoint_spacing(x->history);
        if (x->length > longest) longest = x->length;
        if (spacing > widest) widest = spacing;
        bytes_a_frame += (double)x->length / (double)spacing * sizeof(float);
    }
    size_t chunk = MIN_CHUNK;
    while (chunk < MAX_CHUNK && chunk / lengths < longest) chunk *= 2;
    while (chunk > KERNEL_BLOCK && (double)chunk * bytes_a_frame > MAX_BYTES) chunk /= 2;
    const size_t spacings = chunk / segments / widest; /* of each segment */
    if (segments > 1 && spacings >= MANY_SPACINGS)
        return segments * widest * (spacings - (spacings % 2 == 0));
    return chunk > widest ? chunk : widest;
}
