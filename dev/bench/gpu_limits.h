/* gpu_limits.h - the limits of a GPU, measured. 0: not measurable. */
#ifndef DEV_BENCH_GPU_LIMITS_H
#define DEV_BENCH_GPU_LIMITS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Cells a second in registers alone. */
double gpu_ceiling(int device);

/* Bytes a second from pinned memory to the device. */
double gpu_copy_rate(int device);

#ifdef __cplusplus
}
#endif
#endif
