/* The table of trace kernels, best first, and the memory that they work in. */
#include "kernels/trace_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/trace_cpu.h"

static const trace_kernel *const table[] = {
#if defined(__x86_64__)
    &trace_avx512, &trace_avx2,
#endif
    &trace_portable, &trace_scalar};

const trace_kernel *trace_kernel_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const trace_kernel *trace_kernel_best(void)
{
    size_t i = 0;
    while (!table[i]->usable()) i++;
    return table[i];
}

enum { ALIGNMENT = 64 };

/* Scratch of whole vectors, which nothing is read from before it is written. */
static void *room_of(const trace_cells *cells, const trace_kernel *ops)
{
    const size_t vectors = ops->room(cells->length, cells->dim);
    const size_t bytes = vectors * ops->width * sizeof(float);
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static bool allocate(trace_cells *cells, const trace_kernel *ops)
{
    size_t rows = cells->rows, dim = cells->dim, scratch = TRACE_BATCH + 2 * TRACE_MARGIN;
    if (rows > SIZE_MAX / (4 * ALIGNMENT) / dim) return false;
    cells->x = calloc(rows * dim, sizeof *cells->x);
    cells->d = calloc(rows, sizeof *cells->d);
    cells->s = calloc(rows, sizeof *cells->s);
    cells->y = calloc(scratch * dim, sizeof *cells->y);
    cells->end_d = calloc(scratch, sizeof *cells->end_d);
    cells->end_s = calloc(scratch, sizeof *cells->end_s);
    cells->frames = calloc(cells->length * dim, sizeof *cells->frames);
    cells->room = room_of(cells, ops);
    return cells->x && cells->d && cells->s && cells->y && cells->end_d && cells->end_s &&
           cells->frames && cells->room;
}

sigrep_status trace_cells_create(trace_cells *cells, const trace_kernel *ops, const float *x,
                                 size_t length, size_t dim)
{
    size_t pad = (ops->strip - length % ops->strip) % ops->strip;
    *cells = (trace_cells){.length = length, .dim = dim, .pad = pad, .rows = pad + length};
    if (!allocate(cells, ops)) return SIGREP_NO_MEMORY;
    memcpy(cells->frames, x, length * dim * sizeof *x);
    for (size_t i = 0; i < length; i++)
        for (size_t k = 0; k < dim; k++) cells->x[k * cells->rows + pad + i] = x[i * dim + k];
    return SIGREP_OK;
}

void trace_cells_free(trace_cells *cells)
{
    free(cells->x);
    free(cells->d);
    free(cells->s);
    free(cells->y);
    free(cells->end_d);
    free(cells->end_s);
    free(cells->frames);
    free(cells->room);
    *cells = (trace_cells){0};
}
