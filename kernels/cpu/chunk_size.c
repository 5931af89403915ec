#include "kernels/cpu/chunk_size.h"

#include "kernels/cpu/checkpoints.h"

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
