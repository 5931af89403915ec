/*
 * cuda_kernel.h - the inside of the CUDA kernels' C side. cuda_create.c makes and ends one,
 * cuda_step.c runs frames through it, cuda_plan.c cuts sweeps into segments, cuda_device.c
 * knows the machine, cuda.c is what registry.c sees.
 *
 * The carried state of every template stands at `carried`, a multiple of KERNEL_BLOCK frames
 * at most KERNEL_BLOCK - 1 behind the position; a step evaluates the frames between again
 * (they stay in `staging`), so that all that kernels see is aligned.
 */
#ifndef KERNELS_CUDA_KERNEL_H
#define KERNELS_CUDA_KERNEL_H

#include "kernels/cuda/launch.h"
#include "kernels/kernel.h"

/* Which of the CUDA kernels are used. */
typedef enum { CUDA_ANY, CUDA_HANDOVER } cuda_family;

/* Rows of a template that are swept at once. */
typedef struct {
    size_t row, rows; /* the first of them; how many */
    size_t at;        /* where they begin in a state, a multiple of 4 */
    size_t x_at;      /* and in x */
} cuda_band;

/* All pointers but bands are the device's. */
typedef struct {
    size_t length;     /* m */
    size_t state_rows; /* floats of a state: the bands' rows, each rounded up to 4 */
    cuda_band *bands;
    size_t n_bands;
    int spacing_shift;
    size_t slots;
    float *x, *carry[2], *kept, *before, *after;
    float *between[2]; /* several bands: the row between two, column 0 */
    float *minima, *scores;
    size_t most_segments;
    int warm;       /* columns of warm-up for the longest band */
    int calm;       /* steps since a seam did not hold */
    cuda_sweep cut; /* one band: that of this step, and its rows a thread */
    int held;
} cuda_template;

/* Sweeps that are launched together: items [first, first + n). */
typedef struct {
    int first, n;
    int held;               /* rows a thread; 0: frames */
    size_t segments_before; /* of the jobs before it: its place in bad and marks */
    size_t segments;
} cuda_job;

enum { CUDA_MOST_JOBS = 16 };

typedef struct {
    cuda_family family;
    int device, multiprocessors;
    size_t dim, max_step, max_columns, n_templates;
    uint64_t position, carried;
    int turn; /* which of carry[] holds the state */
    cudaStream_t stream;

    void *memory;  /* the device's, all of it */
    float *frames; /* max_columns x dim */
    float *turned; /* dim > 1: transposed */
    size_t y_stride;
    cuda_sweep *items;
    cuda_seam *bad;
    int *n_bad, *marks;   /* one counter a job; marks follow it */
    size_t most_segments; /* of all templates */

    void *pinned;   /* host memory, all of it */
    float *staging; /* max_columns x dim; begins at `carried` */
    cuda_sweep *host_items;
    int *host_n_bad;
    float *host_minima;
    size_t minima_stride;
    float *device_minima;

    bool timed;       /* for benches: the last step's sweeps, certificate and mending, ... */
    double device_s;  /* ... in seconds of the device */
    size_t bad_seams; /* of the last step, before they were mended */
    cudaEvent_t begun, ended;

    cuda_job jobs[CUDA_MOST_JOBS];
    size_t n_jobs;
    cuda_template templates[];
} cuda_kernel;

sigrep_status cuda_kernel_create(void **kernel, const kernel_plan *plan, cuda_family family);
void cuda_kernel_destroy(void *kernel);
sigrep_status cuda_kernel_step(void *kernel, const float *frames, size_t n,
                               const kernel_output *out);
void cuda_kernel_reset(void *kernel);
size_t cuda_kernel_chunk(const kernel_plan *plan);
size_t cuda_kernel_spacing(const void *kernel, size_t index);
sigrep_status cuda_kernel_column(void *kernel, size_t index, uint64_t position, float *d);

/* SIGREP_OK, SIGREP_DEVICE_MEMORY or SIGREP_DEVICE_FAILED. */
sigrep_status cuda_status(cudaError_t error);

/* The most rows that one sweep takes, for samples (dim 1) or frames. */
size_t cuda_plan_most_rows(size_t dim);

/* The cut of a band's columns [0, item->n) into segments: held (returned), lanes, groups,
 * length, warm and segments of *item. `together` sweeps run at the same time. */
int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item);

/* A step has ended in which so many seams of the template did not hold. */
void cuda_plan_learn(cuda_template *own, size_t bad);

#endif
