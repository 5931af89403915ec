/* avx2.c - windows, 8 at once. */
#include "kernels/zmatch/zmatch.h"

#if defined(__x86_64__)

#define LANES 8
#include "kernels/zmatch/body.h"

const zmatch_ops zmatch_avx2 = ZMATCH_OPS("avx2", usable_avx2);

#endif
