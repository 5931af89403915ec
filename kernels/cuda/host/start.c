/*
 * start.c - the CUDA runtime begins only if CUDA is wanted.
 *
 * nvcc lets each file of device/ register its kernels before main. That allocates, and the runtime
 * crashes if it gets no memory. So the Makefile takes these functions off the list of those that
 * run before main, and gives them names.
 */
#include <pthread.h>
#include <stdlib.h>

#pragma GCC visibility push(hidden) /* else libsigrep.a would show these names */
#include "kernels/cuda/host/cuda_kernel.h"
#pragma GCC visibility pop

/* Bytes that must be free: more than the runtime allocates before it has found a driver. */
static const size_t LEAST_MEMORY = (size_t)4 << 20;

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_started;

static bool has_memory(void)
{
    void *volatile probe = malloc(LEAST_MEMORY); /* volatile: else the compiler leaves it out */
    const bool has = probe != NULL;
    free(probe);
    return has;
}

static void register_kernels(void)
{
    cuda_register_band();
    cuda_register_frames();
    cuda_register_handover();
    cuda_register_publish();
    cuda_register_transpose();
}

bool cuda_start(void)
{
    pthread_mutex_lock(&start_lock);
    if (!is_started && has_memory()) {
        register_kernels();
        is_started = true;
    }
    const bool started = is_started;
    pthread_mutex_unlock(&start_lock);
    return started;
}
