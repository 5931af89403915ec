/*
 * launch.h - the border between host/ and device/: plain structures, and functions with C linkage.
 * All pointers in a cuda_sweep are the device's.
 *
 * One sweep evaluates columns [0, n) of a template, counted from the carried state, in segments
 * that run in parallel:
 *
 *     column      0                                                              n
 *     segment 0   |------ length ------|
 *     segment 1           . . warm . . |------ length ------|
 *     segment 2                                . . warm . . |------ length ------|
 *
 * Segment 0 starts from the carried D(.,t), the others `warm` columns early at +inf. Each stores
 * its D before its first own column (`before`). If at every seam the earlier segment ends in that
 * state, bit for bit, all is exact by induction (docs/SEMANTICS.md, "Parallel evaluation").
 *
 * If a seam fails, the earlier segment's end state replaces `before`, and the seam is listed.
 * Another launch sweeps that segment again from there. The sweep itself compares (seams.cuh).
 */
#ifndef KERNELS_CUDA_LAUNCH_H
#define KERNELS_CUDA_LAUNCH_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUDA_STEP = 8,              /* columns that a thread does at a time. Segments and warm-ups begin
                                 * and end at multiples of it */
    CUDA_BLOCK = 64,            /* KERNEL_BLOCK, in columns */
    CUDA_AHEAD = 3 * CUDA_STEP, /* columns beyond the last one that are read, without use */
    CUDA_MOST_LANES = 256,      /* threads of a segment */
    CUDA_UNIT = 4 /* rows. Bands begin at multiples of it, and so do the rows of a thread that has
                   * several, since states are stored by 16 bytes. Missing rows at the template's
                   * end cost +inf */
};

/* One sweep of a template, or of a band of its rows. A state is a column of `rows` floats, padded
 * to a multiple of CUDA_UNIT. */
typedef struct {
    const float *x; /* samples: rows; frames: dim x padded rows, see cuda_frames_rows */
    int rows, dim;
    const float *top; /* D of the row above, columns -1 .. n-1; NULL: row 0, all zeros */
    float *bottom;    /* D of the last row, columns -1 .. n-1; NULL: not wanted */
    float *minima;    /* of the last row over blocks of CUDA_BLOCK columns, set to +inf; or NULL */
    float *scores;    /* the last row itself, columns 0 .. n-1; NULL: not wanted */

    const float *carry;        /* the state before column 0 */
    float *carry_out;          /* the state before column carry_column, if that is above 0 */
    float *before, *after;     /* segments x state_rows each; after: if a segment ends first */
    int state_rows;            /* rows, rounded up to CUDA_UNIT */
    int *tickets;              /* segments x lanes, each even between launches */
    unsigned long long *marks; /* segments: the last launch that listed it */
    float *checkpoints;        /* slots of checkpoint_rows floats; this band's rows in slot 0 */
    int checkpoint_rows;       /* a multiple of CUDA_UNIT */
    int checkpoint_shift;      /* the spacing is 1 << checkpoint_shift columns */
    uint64_t checkpoint_first; /* from position 0 to column 0: whole spacings ... */
    int checkpoint_phase;      /* ... and the columns that remain */
    int checkpoint_slots;      /* a power of two */

    int first, end;   /* minima count the columns [first, end) */
    int n;            /* end, rounded up to CUDA_STEP */
    int carry_column; /* a multiple of CUDA_BLOCK, at most `end` */
    int length, warm; /* columns of a segment */
    int segments;
    int lanes;  /* threads a segment */
    int groups; /* segments a block of threads */
} cuda_sweep;

/* A failed seam, before segment `segment` > 0 of sweep `item`. */
typedef struct {
    int item, segment;
} cuda_seam;

/* Sweeps over the same frames that share a kernel. */
typedef struct {
    const cuda_sweep *items; /* on the device, if there are several ... */
    const cuda_sweep *host;  /* ... and here */
    int n_items;
    /* Samples: one a column, column 0 first; 16-byte aligned. Frames: the output of cuda_transpose;
     * 256-byte aligned. n + CUDA_AHEAD columns may be read, of `top` as well. */
    const float *y;

    /* NULL: sweep all segments. Else repair: sweep only the segments after these *n_seams <=
     * most_seams seams, from `before`. */
    const cuda_seam *seams;
    const int *n_seams;
    int most_seams;

    /* Failed seams are appended here, in any order, and counted. It is another list than `seams`.
     */
    cuda_seam *bad;
    int *n_bad;
    unsigned long long number; /* of the launch, from 1, never twice */
    cudaStream_t stream;
} cuda_launch;

/* Rows that a thread may hold: the i-th choice, descending; 0 after the last. */
static inline int cuda_held(int dim, int i)
{
    static const int samples[] = {32, 16, 8, 4, 0}, frames[] = {16, 12, 8, 0};
    return dim > 1 ? frames[i] : samples[i];
}

/* Threads a segment for `rows` rows, at most `held` a thread. 0: not possible, since more than a
 * unit of the rows of each would be idle, or the threads are too many. */
static inline int cuda_lanes(int rows, int held)
{
    const int lanes = (rows + held - 1) / held, units = (rows + CUDA_UNIT - 1) / CUDA_UNIT;
    return lanes <= CUDA_MOST_LANES && units / lanes * CUDA_UNIT >= held - CUDA_UNIT ? lanes : 0;
}

/* Sweep samples, or frames, by threads that hold `held` rows. */
cudaError_t cuda_samples(const cuda_launch *launch, int held);
cudaError_t cuda_frames(const cuda_launch *launch, int held);

/* In the x of frames each thread has `held` places for each of dim values.
 * rows: the places of one value. arrange: writes them, but for those without a row. */
int cuda_frames_rows(int rows, int held);
void cuda_frames_arrange(float *to, const float *x, int rows, int held, int dim);

/* Lay out n frames of dim floats for cuda_frames, in blocks of CUDA_BLOCK columns. */
cudaError_t cuda_transpose(float *to, const float *from, int n, int dim, cudaStream_t stream);

/* Set n floats to +inf, the state of a cold start, and n_counters counters to 0. */
cudaError_t cuda_prepare(float *to, size_t n, int *counters, int n_counters, cudaStream_t stream);

/* Results that the host needs after a launch of sweeps. `to`, and names with "host", are the
 * device's addresses of pinned host memory. */
typedef struct {
    const int *counters; /* failed seams of each launch */
    int *host_counters;
    int n_counters;

    /* Minima of the first n blocks of each template. If all seams hold, they go to the host and
     * become +inf for the next sweeps. NULL: leave them alone. */
    float *minima;
    size_t stride; /* floats between two templates */
    size_t n_templates, n;
    float *to; /* NULL: not wanted */
    size_t to_stride;

    unsigned *arrived; /* on the device: 0 between launches */
    unsigned long long *host_number;
    unsigned long long number; /* written last */
    cudaStream_t stream;
} cuda_publication;

/* Launch it. A thread that acquires the number sees all of the publication. */
cudaError_t cuda_publish(const cuda_publication *p);

/* Registers the kernels of device/NAME.cu with the CUDA runtime: nvcc's own function, by the name
 * that the Makefile gives it. */
void cuda_register_strings(void); /* of kernels/strings/cuda */
void cuda_register_frames(void);
void cuda_register_publish(void);
void cuda_register_samples(void);

#ifdef __cplusplus
}
#endif
#endif
