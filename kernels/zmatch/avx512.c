/* avx512.c - windows, 16 at once. */
#include "kernels/zmatch/zmatch.h"

#if defined(__x86_64__)

#define LANES 16
#include "kernels/zmatch/body.h"

const zmatch_ops zmatch_avx512 = ZMATCH_OPS("avx512", usable_avx512);

#endif
