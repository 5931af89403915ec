/* fake_cuda_inside.h - what fake_cuda.c and fake_kernels.c share. */
#ifndef TESTS_FAKE_CUDA_INSIDE_H
#define TESTS_FAKE_CUDA_INSIDE_H

#include "kernels/cuda/launch.h"
#include "tests/support/fake_cuda.h"

/* A call of this name for a stream's device: does it fail? */
cudaError_t fake_cuda_enter(const char *name, cudaStream_t stream);

/* Nothing, but whoever calls it is linked with these kernels instead of the real ones. */
void fake_kernels_are_linked(void);

#endif
