#include "kernels/columns.h"

#include <stdlib.h>

sigrep_status columns_create(columns *kept, const kernel_template *x, size_t max_step)
{
    size_t spacing = kernel_spacing(x->history);
    size_t slots = (max_step + x->history) / spacing + 3;
    if (x->length > SIZE_MAX / sizeof(float) / slots) return SIGREP_NO_MEMORY;
    float *d = calloc(slots * x->length, sizeof *d);
    if (!d) return SIGREP_NO_MEMORY;
    *kept = (columns){.length = x->length, .spacing = spacing, .slots = slots, .d = d};
    return SIGREP_OK;
}

void columns_free(columns *kept)
{
    free(kept->d);
    kept->d = NULL;
}

float *columns_at(const columns *kept, uint64_t position)
{
    return kept->d + (size_t)(position / kept->spacing % kept->slots) * kept->length;
}
