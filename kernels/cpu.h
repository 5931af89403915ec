/* The CPU's kernels, for registry.c. */
#ifndef KERNELS_CPU_H
#define KERNELS_CPU_H

#include "kernels/kernel.h"

extern const kernel_ops kernel_scalar;   /* the reference */
extern const kernel_ops kernel_portable; /* 128-bit vectors on any machine */

#endif
