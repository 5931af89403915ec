#include "filter/embedding/convolution.h"

extern const convolver convolver_portable;
#if defined(__x86_64__)
extern const convolver convolver_avx2, convolver_avx512;
#endif

static const convolver *const table[] = {
#if defined(__x86_64__)
    &convolver_avx512,
    &convolver_avx2,
#endif
    &convolver_portable,
};

const convolver *convolver_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const convolver *convolver_best(void)
{
    size_t i = 0;
    while (!table[i]->usable()) i++; /* the last one always is */
    return table[i];
}
