/* cuda.h - the kernel for strings on an NVIDIA GPU. Never the choice of string_kernel_find(NULL):
 * to wake a GPU takes half a second. */
#ifndef KERNELS_STRINGS_CUDA_CUDA_H
#define KERNELS_STRINGS_CUDA_CUDA_H

#include "kernels/strings/strings.h"

/* A pattern needs a byte that matches none of its letters; else create gives NULL. */
extern const string_ops string_cuda;

/* Seconds on the device of the last sweep: of the kernel alone, without copies. */
double string_cuda_device_s(const string_sweep *s);

#endif
