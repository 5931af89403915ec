/* gpu_case.h - times a CUDA kernel chunk by chunk: on the device, and from host to host. */
#ifndef DEV_BENCH_GPU_CASE_H
#define DEV_BENCH_GPU_CASE_H

#include "dev/bench/gpu_timing.h"
#include "kernels/cuda/host/cuda.h"

/* A problem. The arrays are borrowed. */
typedef struct {
    const kernel_ops *ops; /* one of cuda.h */
    int device;
    const float *x; /* templates x m x dim */
    const float *y; /* n x dim */
    size_t m, n, dim, templates;
    size_t step;   /* frames a chunk; the rest of n is not swept */
    size_t rounds; /* sweeps of the stream after the first, which is compared */
    double lap_s;  /* a step's sweeps are repeated until they take so long; 0: not timed by the
                      device */
} gpu_case;

typedef struct {
    double device_s;                  /* of a step's sweeps, the median; 0: not timed */
    double wall_s, late_s, longest_s; /* host to host: the median, 99 %, the most */
    double cells;                     /* of a step */
    size_t bad_seams;                 /* of the stream, that did not hold at first */
    gpu_chunk last;
} gpu_result;

/* False, and reported: it failed, or differs from the scalar kernel. */
bool gpu_case_run(const gpu_case *c, gpu_result *r);

/* Cells a second on the device, or by the wall if the device was not timed. */
double gpu_rate(const gpu_result *r);

#endif
