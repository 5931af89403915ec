/*
 * fake_cuda.h - a machine with GPUs for tests that have none: what the C side of the CUDA
 * kernels asks of the CUDA runtime, and of launch.h, done by the CPU, the same bits, in order.
 * The environment may set it (FAKE_CUDA, in fake_cuda.c), so that the program itself can be run so:
 * sigrep-fake-gpu. A program that names fake_cuda is linked with these functions instead of the
 * real ones. Any call can be made to fail. Where the library is built without CUDA there is none of
 * it.
 */
#ifndef TESTS_FAKE_CUDA_H
#define TESTS_FAKE_CUDA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int devices;       /* 0: no GPU ... */
    bool no_driver;    /* ... or not even a driver */
    size_t free_bytes; /* of every device */

    /* From the after-th call on (0: the first) of this name, `times` calls fail: a function of
     * the runtime, "launch", or NULL, any of them that may fail. A lost device fails in all
     * that follows as well. */
    const char *fails;
    int after, times;
    int error; /* a cudaError_t */
    bool lost;

    bool mute; /* publications are launched, and do nothing */

    /* Kernels and copies to the device take no time: they do nothing, and every cell is +inf. To
     * measure what else a search costs. */
    bool instant;

    /* Copies and launches are done when somebody waits for them, and not before, each stream by
     * itself: what a missing wait would read or overwrite is seen. 1: as late as can be; more: the
     * seed of chance, by which streams get on in between. To be set where nothing is queued. */
    unsigned late;

    /* What a step may do once, or never. */
    atomic_int published; /* publications launched */
    atomic_int waits;     /* for a stream, or for an event */
    atomic_int fetched;   /* copies from the device launched */

    atomic_int calls;       /* that could fail, so far */
    atomic_int failed;      /* that did */
    atomic_int named;       /* of the name above */
    atomic_int allocated;   /* pieces of memory, streams and events that are not yet freed */
    atomic_int misplaced;   /* calls made for another device than the current one */
    atomic_int hasty;       /* copies that were yet to be done when their memory was unpinned */
    atomic_int stale;       /* sweeps that began with a counter that was not 0 */
    atomic_size_t repaired; /* segments swept again */
    atomic_size_t largest;  /* bytes of one cudaMalloc */
} fake_cuda_machine;

extern fake_cuda_machine fake_cuda;

/* What fake_cuda_begin sets `late` to: at first 0. */
extern unsigned fake_cuda_usually_late;

/* One GPU with a GiB, and nothing fails. */
void fake_cuda_begin(void);

/* The same with so many GPUs, late in that manner. */
void fake_cuda_begin_as(unsigned late, int devices);

#endif
