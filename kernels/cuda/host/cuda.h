/*
 * cuda.h - the CUDA kernel, for registry.c.
 *
 *     built with CUDA      cuda.c and its neighbours  --> launch.h --> device/
 *     built without        none.c: the same names, never usable
 */
#ifndef KERNELS_CUDA_HOST_CUDA_H
#define KERNELS_CUDA_HOST_CUDA_H

#include "kernels/kernel.h"

extern const kernel_ops kernel_cuda;

/* Can the index-th NVIDIA GPU be used? If not, the reason in *error (may be NULL). */
bool cuda_usable(int index, sigrep_error *error);

/* Number of NVIDIA GPUs, usable or not. */
int cuda_count(void);

#endif
