/* trace_kernel.c - the table of trace kernels, best first, and the memory of their cells. */
#include "kernels/trace_kernel.h"

#include <stdlib.h>

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

static bool allocate(trace_cells *cells)
{
    size_t rows = cells->rows, dim = cells->dim, scratch = TRACE_BATCH + 2 * TRACE_MARGIN;
    if (rows > SIZE_MAX / (4 * ALIGNMENT) / dim) return false;
    cells->x = calloc(rows * dim, sizeof *cells->x);
    cells->d = calloc(rows, sizeof *cells->d);
    cells->s = calloc(rows, sizeof *cells->s);
    cells->y = calloc(scratch * dim, sizeof *cells->y);
    cells->end_d = calloc(scratch, sizeof *cells->end_d);
    cells->end_s = calloc(scratch, sizeof *cells->end_s);
    return cells->x && cells->d && cells->s && cells->y && cells->end_d && cells->end_s;
}

sigrep_status trace_cells_create(trace_cells *cells, const trace_kernel *ops, const float *x,
                                 size_t length, size_t dim)
{
    size_t pad = (ops->tile_rows - length % ops->tile_rows) % ops->tile_rows;
    *cells = (trace_cells){.length = length, .dim = dim, .pad = pad, .rows = pad + length};
    if (!allocate(cells)) return SIGREP_NO_MEMORY;
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
    *cells = (trace_cells){0};
}
