/* portable.c - the convolution in 128 bits, which x86-64 and AArch64 always have. */
#define LANES 4
#include "filter/embedding/body.h"

const convolver convolver_portable = {"portable", usable_anywhere, convolve};
