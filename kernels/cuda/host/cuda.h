/*
 * cuda.h - the CUDA kernels, for registry.c. Where the library is built without CUDA
 * (cuda_none.c), they are there and not usable.
 */
#ifndef KERNELS_CUDA_HOST_CUDA_H
#define KERNELS_CUDA_HOST_CUDA_H

#include "kernels/kernel.h"

extern const kernel_ops kernel_cuda;      /* the best of them for each template and step */
extern const kernel_ops kernel_handover;  /* any length, frames too */
extern const kernel_ops kernel_band;      /* long streams; frames by the hand-over kernel */
extern const kernel_ops kernel_wavefront; /* the papers' own, as a baseline */

/* Can the index-th NVIDIA GPU be used? If not, words in *error (may be NULL). */
bool cuda_usable(int index, sigrep_error *error);

/* NVIDIA GPUs that there are, usable or not. */
int cuda_count(void);

/* ---- for benches (cuda_bench.c); kernels are those above, made for one GPU ---- */

/* The last step. */
typedef struct {
    double device_s;      /* its sweeps, certificates and mending, once */
    size_t bad_seams;     /* that did not hold at first */
    size_t prefetched;    /* frames of it that were on the device before it began */
    int segments, length; /* that the first template was cut into, and their columns; 0: it was
                             swept in bands, by itself */
} cuda_timing;

/* From now on the sweeps of each step are done `times` times, and timed; 0: once, and not timed.
 * `segments`: into so many the wavefront kernel cuts a step, or fewer where there is no room for
 * them; 0: it chooses. The other kernels always choose. */
void cuda_time(void *kernel, int times, int segments);
cuda_timing cuda_timed(const void *kernel);

typedef struct {
    char name[256];
    int multiprocessors, capability; /* 90: 9.0 */
    int driver, runtime;             /* the CUDA that the driver knows, and ours; 13020: 13.2 */
    double clock_ghz;                /* the highest */
    size_t memory;                   /* bytes */
} cuda_machine;

/* False: it cannot be asked. */
bool cuda_describe(int index, cuda_machine *machine);

#endif
