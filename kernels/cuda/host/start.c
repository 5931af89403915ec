/*
 * start.c - the CUDA runtime: its begin, which waits until CUDA is wanted, and its errors.
 *
 * nvcc lets each file of device/ register its kernels before main. That allocates, and the runtime
 * crashes if it gets no memory. So cuda.mk takes these functions off the list of those that run
 * before main, and gives them names.
 */
#include <pthread.h>
#include <stdlib.h>

#pragma GCC visibility push(hidden) /* else libsigrep.a would show the names of these functions */
#include "kernels/cuda/host/cuda_kernel.h"
#pragma GCC visibility pop

enum {
    LEAST_MEMORY = 4 << 20 /* bytes: more than the runtime allocates before it finds a driver */
};

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_started;

static bool has_memory(void)
{
    void *volatile probe = malloc(LEAST_MEMORY); /* volatile: else the compiler leaves it out */
    const bool has = probe != NULL;
    free(probe);
    return has;
}

bool cuda_start(void)
{
    pthread_mutex_lock(&start_lock);
    if (!is_started && has_memory()) {
        cuda_register_frames();
        cuda_register_publish();
        cuda_register_samples();
        cuda_register_strings();
        is_started = true;
    }
    const bool started = is_started;
    pthread_mutex_unlock(&start_lock);
    return started;
}

sigrep_status cuda_status(cudaError_t error)
{
    if (!error) return SIGREP_OK;
    cudaGetLastError(); /* clears the error, or a later launch would return it again */
    return error == cudaErrorMemoryAllocation ? SIGREP_DEVICE_MEMORY : SIGREP_DEVICE_FAILED;
}
