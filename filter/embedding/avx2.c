/* avx2.c - the convolution in 256 bits, for x86-64. */
#include "filter/embedding/convolution.h"

#if defined(__x86_64__)

#define LANES 8
#include "filter/embedding/body.h"

const convolver convolver_avx2 = {"avx2", usable_avx2, convolve};

#endif
