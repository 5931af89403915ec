/*
 * cuda.h - the CUDA kernels, for registry.c and benchmarks.
 *
 *     built with CUDA      cuda.c and its neighbours  --> launch.h --> device/
 *     built without        none.c: the same names, never usable
 */
#ifndef KERNELS_CUDA_HOST_CUDA_H
#define KERNELS_CUDA_HOST_CUDA_H

#include "kernels/kernel.h"

extern const kernel_ops kernel_cuda;     /* the best of them for each template and chunk */
extern const kernel_ops kernel_handover; /* any length, frames too */
extern const kernel_ops kernel_band;     /* long streams; frames by the hand-over kernel */

/* Can the index-th NVIDIA GPU be used? If not, the reason in *error (may be NULL). */
bool cuda_usable(int index, sigrep_error *error);

/* Number of NVIDIA GPUs, usable or not. */
int cuda_count(void);

/* ---- for benchmarks (timing.c); a kernel is one of those above, for one GPU ---- */

/* The last chunk. */
typedef struct {
    double device_s;      /* its sweeps, verification and repair, once */
    size_t bad_seams;     /* that failed at first */
    size_t prefetched;    /* frames that were on the device before the chunk began */
    int segments, length; /* of the first template, and their columns; 0: it was swept in bands */
} cuda_timing;

/* Repeat and time the sweeps of each chunk `times` times from here on; 0: sweep once, do not time.
 */
void cuda_time(void *kernel, int times);
cuda_timing cuda_timed(const void *kernel);

typedef struct {
    char name[256];
    int multiprocessors, capability; /* 90: 9.0 */
    int driver, runtime; /* CUDA versions of the driver and of this build; 13020: 13.2 */
    double clock_ghz;    /* the highest */
    size_t memory;       /* bytes */
} cuda_machine;

/* False: the driver gives no answer. */
bool cuda_describe(int index, cuda_machine *machine);

#endif
