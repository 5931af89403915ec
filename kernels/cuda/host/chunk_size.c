/* chunk_size.c - how many frames a CUDA kernel wants in one chunk, and how far apart its
 * checkpoints are. */
#include "kernels/cuda/host/cuda_kernel.h"

/* A spacing near half the history: going on from a checkpoint then costs little more than the
 * history itself, and storing checkpoints costs little beside the sweep. */
int cuda_plan_spacing_shift(size_t history)
{
    enum { LEAST = 9, MOST = 16 }; /* log2 of frames */
    int shift = LEAST;
    while (shift < MOST && ((size_t)2 << shift) <= history / 3 * 2) shift++;
    return shift;
}

size_t cuda_kernel_spacing(const void *kernel, size_t index)
{
    return (size_t)1 << ((const cuda_kernel *)kernel)->templates[index].spacing_shift;
}

/* Long enough that warm-ups cost little, and so does the work between two chunks, which counts if
 * templates are short. Bounded by the memory of frames and checkpoints. */
size_t cuda_kernel_best_chunk(const kernel_plan *plan)
{
    enum { LEAST = 1 << 16, MOST = 1 << 23 };                /* frames */
    const size_t frames_a_row = plan->dim > 1 ? 4096 : 8192; /* of the longest template */
    const size_t most_bytes = (size_t)1 << 30;
    size_t longest = 0, bytes_a_frame = 3 * plan->dim * sizeof(float);
    for (size_t j = 0; j < plan->n_templates; j++) {
        const kernel_template *x = &plan->templates[j];
        if (x->length > longest) longest = x->length;
        bytes_a_frame += 1 + (x->length * sizeof(float) >> cuda_plan_spacing_shift(x->history));
    }
    size_t chunk = LEAST;
    while (chunk < MOST && chunk / frames_a_row < longest) chunk *= 2;
    while (chunk > LEAST && chunk * bytes_a_frame > most_bytes) chunk /= 2;
    return chunk;
}
