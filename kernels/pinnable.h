/* pinnable.h - memory that a device may pin (kernel_prefetch_ops.pin): whole pages of its own. */
#ifndef KERNELS_PINNABLE_H
#define KERNELS_PINNABLE_H

#include <stddef.h>

/* NULL: no memory. The caller frees it with free(). */
float *pinnable_allocate(size_t floats);

#endif
