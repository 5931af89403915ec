#include "kernels/cpu/checkpoints.h"

#include <stdlib.h>

size_t columns_spacing(size_t history)
{
    size_t spacing = KERNEL_BLOCK;
    while (spacing < (history + 7) / 8) spacing *= 2;
    return spacing;
}

enum { LEAST_CHUNK = 1 << 16, MOST_CHUNK = 1 << 20, CHUNK_BYTES = 1 << 26, MANY_SPACINGS = 32 };

size_t columns_chunk(const kernel_plan *plan, size_t lengths, size_t segments)
{
    size_t longest = 0, widest = KERNEL_BLOCK;
    double bytes_a_frame = 2.0 * (double)plan->dim * sizeof(float); /* the window */
    for (size_t j = 0; j < plan->n_templates; j++) {
        const kernel_template *x = &plan->templates[j];
        size_t spacing = columns_spacing(x->history);
        if (x->length > longest) longest = x->length;
        if (spacing > widest) widest = spacing;
        bytes_a_frame += (double)x->length / (double)spacing * sizeof(float);
    }
    size_t chunk = LEAST_CHUNK;
    while (chunk < MOST_CHUNK && chunk / lengths < longest) chunk *= 2;
    while (chunk > KERNEL_BLOCK && (double)chunk * bytes_a_frame > CHUNK_BYTES) chunk /= 2;
    const size_t spacings = chunk / segments / widest; /* of each */
    if (segments > 1 && spacings >= MANY_SPACINGS)
        return segments * widest * (spacings - (spacings % 2 == 0));
    return chunk > widest ? chunk : widest;
}

enum { LINE = 64 }; /* bytes of a cache line; more is as good */

sigrep_status columns_create(columns *kept, const kernel_template *x, size_t max_step)
{
    size_t spacing = columns_spacing(x->history);
    size_t slots = (max_step + x->history) / spacing + 3;
    const size_t line = LINE / sizeof(float), lines = (x->length + line - 1) / line;
    if (lines > (SIZE_MAX - LINE) / LINE / slots) return SIGREP_NO_MEMORY;
    float *memory = calloc((slots * lines + 1) * line, sizeof *memory);
    if (!memory) return SIGREP_NO_MEMORY;
    float *d = memory + (LINE - (uintptr_t)memory % LINE) / sizeof *d;
    *kept = (columns){
        .stride = lines * line, .spacing = spacing, .slots = slots, .d = d, .memory = memory};
    return SIGREP_OK;
}

void columns_free(columns *kept)
{
    free(kept->memory);
    kept->memory = kept->d = NULL;
}

float *columns_at(const columns *kept, uint64_t position)
{
    return kept->d + columns_slot(kept, position) * kept->stride;
}

void columns_series(const columns *kept, uint64_t position, size_t step, size_t n, float **d)
{
    size_t slot = columns_slot(kept, position);
    for (size_t i = 0; i < n; i++) {
        d[i] = kept->d + slot * kept->stride;
        slot += step / kept->spacing;
        if (slot >= kept->slots) slot -= kept->slots;
    }
}
