/* avx512.c - the convolution in 512 bits, for x86-64. */
#include "filter/embedding/convolution.h"

#if defined(__x86_64__)

#define LANES 16
#include "filter/embedding/body.h"

const convolver convolver_avx512 = {"avx512", usable_avx512, convolve};

#endif
