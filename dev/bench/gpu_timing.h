/* gpu_timing.h - sweeps of a CUDA kernel by the device's clock, and the device's description. */
#ifndef DEV_BENCH_GPU_TIMING_H
#define DEV_BENCH_GPU_TIMING_H

#include <stdbool.h>
#include <stddef.h>

/* Repeat the sweeps, verification and repair of the kernel's last chunk, of n frames, `times`
 * times. The kernel's state is then as before. Returns the seconds of one on the device; < 0: a
 * call fails. */
double gpu_sweeps_s(void *kernel, size_t n, int times);

/* The last chunk. */
typedef struct {
    size_t bad_seams;     /* that failed at first */
    int segments, length; /* of the first template, and their columns; 0: it was swept in bands */
} gpu_chunk;

gpu_chunk gpu_last_chunk(const void *kernel);

typedef struct {
    char name[256];
    int multiprocessors, capability; /* 90: 9.0 */
    int driver, runtime; /* CUDA versions of the driver and of this build; 13020: 13.2 */
    double clock_ghz;    /* the highest */
    size_t memory;       /* bytes */
} gpu_description;

/* False: the driver gives no answer. */
bool gpu_describe(int index, gpu_description *to);

#endif
