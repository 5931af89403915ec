/*
 * fake_cuda.h - a made-up machine with GPUs, for tests without any. The CPU does what the C side of
 * the CUDA kernels demands of the CUDA runtime and of launch.h: the same bits, in the same order.
 *
 *     kernels/cuda/host --> CUDA runtime   fake_cuda.c, fake_streams.c   streams may be late, calls
 *                      \-> launch.h        fake_kernels.c                may fail
 *
 * A test program that names fake_cuda is linked with these functions instead of the real ones. The
 * variable FAKE_CUDA sets the machine for a whole program, sigrep-fake-gpu (fake_cuda.c). If the
 * library is built without CUDA, there are no such functions.
 */
#ifndef TESTS_SUPPORT_FAKE_CUDA_H
#define TESTS_SUPPORT_FAKE_CUDA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int devices;       /* 0: no GPU ... */
    bool no_driver;    /* ... or not even a driver */
    size_t free_bytes; /* of every device */

    /* `times` calls of the function `fails` fail, after the first `after` calls of it: a function
     * of the runtime; "launch"; NULL: any function that may fail. If the device is lost, all later
     * calls fail, too. */
    const char *fails;
    int after, times;
    int error; /* a cudaError_t */
    bool lost;

    bool mute; /* publications are launched, but write nothing */

    /* Sweeps and copies to the device do nothing, and every cell is +inf: to measure the time of
     * all other work. */
    bool instant;

    /* Above 0: streams do copies and launches only when somebody waits for them. So tests notice
     * what a missing wait would read or overwrite. 1: as late as possible; more: the seed of
     * chance, by which streams do some of their work earlier. Set it only while nothing is queued.
     */
    unsigned late;

    /* Counts of calls. */
    atomic_int published; /* publications launched */
    atomic_int waits;     /* for a stream, or for an event */
    atomic_int fetched;   /* copies from the device launched */

    atomic_int calls;       /* calls that may fail */
    atomic_int failed;      /* calls that failed */
    atomic_int named;       /* calls of the function `fails` */
    atomic_int allocated;   /* allocations, streams and events that are not yet freed */
    atomic_int misplaced;   /* calls made for another device than the current one */
    atomic_int hasty;       /* copies that were still queued when their memory was unpinned */
    atomic_int stale;       /* sweeps that began with a counter that was not 0 */
    atomic_size_t repaired; /* segments swept again */
    atomic_size_t largest;  /* bytes of one cudaMalloc */
} fake_cuda_machine;

extern fake_cuda_machine fake_cuda;

/* The value of `late` after fake_cuda_begin; at first 0. */
extern unsigned fake_cuda_usually_late;

/* Files of device/ whose kernels are registered, since the program began. */
extern atomic_int fake_cuda_registered;

/* Begin with one GPU of 1 GiB, on which nothing fails. */
void fake_cuda_begin(void);

/* Begin with `devices` such GPUs, and set `late`. */
void fake_cuda_begin_as(unsigned late, int devices);

#endif
