/* fake_cuda_inside.h - declarations for fake_cuda.c, fake_kernels.c and fake_streams.c. */
#ifndef TESTS_SUPPORT_FAKE_CUDA_INSIDE_H
#define TESTS_SUPPORT_FAKE_CUDA_INSIDE_H

#include "kernels/cuda/launch.h"
#include "tests/support/fake_cuda.h"

/* Count a call of this function, on a stream's device; its error, if it is to fail. */
cudaError_t fake_cuda_call(const char *name);
cudaError_t fake_cuda_enter(const char *name, cudaStream_t stream);

/* Count the launch of a kernel. As with a real one, an earlier error that nobody has read fails it.
 */
cudaError_t fake_cuda_launch(cudaStream_t stream);

/* Return cudaErrorNotReady, which becomes the last error as in the real runtime. */
cudaError_t fake_cuda_not_ready(void);

int fake_cuda_device(void); /* the current one */

/* Allocate memory full of NaNs, and count it. */
cudaError_t fake_cuda_allocate(void **to, size_t bytes, const char *name);
cudaError_t fake_cuda_release(void *p);

/* ---- fake_streams.c ---- */

/* Do run(what) as the next work of a stream: at once, or, if the machine is late, when somebody
 * waits for it. *what is copied. */
void fake_stream_do(cudaStream_t stream, void (*run)(void *what), const void *what, size_t bytes);

/* The device that a stream was made for. */
int fake_stream_device(cudaStream_t stream);

/* Do all work of the streams of the current device, as freeing memory does. */
void fake_streams_finish(void);

/* Pin or unpin memory. False: it was pinned, or was not. */
bool fake_memory_pin(void *memory, size_t bytes);
bool fake_memory_unpin(const void *memory);

/* Is it pinned? If not, no kernel can write there. */
bool fake_memory_is_pinned(const void *memory);

/* Does nothing. A program that calls it is linked with these kernels instead of the real ones. */
void fake_kernels_are_linked(void);

#endif
