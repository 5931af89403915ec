/* fake_cuda_inside.h - what fake_cuda.c and fake_kernels.c share. */
#ifndef TESTS_FAKE_CUDA_INSIDE_H
#define TESTS_FAKE_CUDA_INSIDE_H

#include "kernels/cuda/launch.h"
#include "tests/support/fake_cuda.h"

/* A call of this name, for a stream's device: does it fail? */
cudaError_t fake_cuda_call(const char *name);
cudaError_t fake_cuda_enter(const char *name, cudaStream_t stream);

/* The launch of a kernel. As with a real one, what failed before and was not asked for fails it. */
cudaError_t fake_cuda_launch(cudaStream_t stream);

/* cudaErrorNotReady, which the runtime keeps as the last error as if it were one. */
cudaError_t fake_cuda_not_ready(void);

int fake_cuda_device(void); /* the current one */

/* A piece of memory that is counted. What nobody wrote is no number. */
cudaError_t fake_cuda_allocate(void **to, size_t bytes, const char *name);
cudaError_t fake_cuda_release(void *p);

/* ---- fake_streams.c ---- */

/* Do run(what) as the next thing on a stream: at once, or, on a machine that is late, once somebody
 * waits for it. *what is copied. */
void fake_stream_do(cudaStream_t stream, void (*run)(void *what), const void *what, size_t bytes);

/* The device that a stream was made for. */
int fake_stream_device(cudaStream_t stream);

/* All that is on the streams of the current device, as memory that is freed waits for it. */
void fake_streams_finish(void);

/* Pinned memory from now on, or no longer. False: it was already, or was not. */
bool fake_memory_pin(void *memory, size_t bytes);
bool fake_memory_unpin(const void *memory);

/* Is it? Else no kernel can write there. */
bool fake_memory_is_pinned(const void *memory);

/* Nothing, but whoever calls it is linked with these kernels instead of the real ones. */
void fake_kernels_are_linked(void);

#endif
