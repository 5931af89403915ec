/*
 * launch.h - what the C side asks of the CUDA kernels (*.cu): plain structures and functions
 * with C linkage. All pointers in a cuda_sweep are the device's.
 *
 * One sweep evaluates columns [0, n) of a template, counted from the position at which the
 * carried state stands, in segments that run side by side:
 *
 *     segment 0   |------ length ------|
 *     segment 1           . . warm . . |------ length ------|
 *     segment 2                                . . warm . . |------ length ------|
 *
 * Segment 0 starts from the carried D(.,t), the others `warm` columns early at +inf. Each
 * stores its D before its first own column (`before`). Where the segment before it ends in the
 * same state, bit for bit, at every seam, all is exact by induction (docs/SEMANTICS.md,
 * "Parallel evaluation"). Where it does not, the state in which it ended takes that place, and
 * the segment is listed, to be swept again from there by another launch. The comparison is the
 * sweep's own last act (seams.cuh).
 */
#ifndef KERNELS_CUDA_LAUNCH_H
#define KERNELS_CUDA_LAUNCH_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Columns that a thread takes at a step: segments begin, warm up and end at multiples of it.
 * CUDA_BLOCK is KERNEL_BLOCK. */
enum { CUDA_STEP = 8, CUDA_BLOCK = 64, CUDA_AHEAD = 3 * CUDA_STEP };

/* Bands begin at multiples of so many rows, and so do the rows of a thread that has several: states
 * are stored by 16 bytes. Rows that a thread lacks at the template's end cost +inf. */
enum { CUDA_UNIT = 4 };

/* One template, or a band of its rows, in one sweep. A state is a column of `rows` floats, with
 * room for a multiple of CUDA_UNIT. */
typedef struct {
    const float *x; /* samples: rows; frames: dim x padded rows, see cuda_frames_rows */
    int rows, dim;
    const float *top; /* D of the row above, columns -1 .. n-1; NULL: row 0, all zeros */
    float *bottom;    /* D of the last row, columns -1 .. n-1; NULL: not wanted */
    float *minima;    /* of the last row over blocks of CUDA_BLOCK columns, +inf before; or NULL */
    float *scores;    /* the last row itself, columns 0 .. n-1; NULL: not wanted */

    const float *carry;        /* the state before column 0 */
    float *carry_out;          /* the state before column carry_column, if that is above 0 */
    float *before, *after;     /* segments x state_rows each; after: only of those too early */
    int state_rows;            /* rows, rounded up to CUDA_UNIT */
    int *tickets;              /* segments x lanes, each even between launches */
    unsigned long long *marks; /* segments: the last launch that listed it */
    float *kept;         /* slots of kept_rows floats; here begin this band's rows in slot 0 */
    int kept_rows;       /* a multiple of CUDA_UNIT */
    int kept_shift;      /* the spacing is 1 << kept_shift columns */
    uint64_t kept_first; /* column 0 lies so many spacings ... */
    int kept_phase;      /* ... and so many columns behind position 0 */
    int kept_slots;      /* a power of two */

    int first, end;   /* minima count the columns [first, end) */
    int n;            /* end, rounded up to CUDA_STEP */
    int carry_column; /* a multiple of CUDA_BLOCK, at most `end` */
    int length, warm; /* columns of a segment */
    int segments;
    int lanes;  /* threads a segment */
    int groups; /* segments a block of threads */
} cuda_sweep;

/* A seam that does not hold: segment `segment` > 0 of sweep `item`. */
typedef struct {
    int item, segment;
} cuda_seam;

/* Sweeps over the same frames that share a kernel. */
typedef struct {
    const cuda_sweep *items; /* on the device, if there are several ... */
    const cuda_sweep *host;  /* ... and here */
    int n_items;
    /* Samples: one a column, column 0 first; 16-byte aligned. Frames: as cuda_transpose leaves
     * them; 256-byte aligned. n + CUDA_AHEAD columns may be read, of `top` as well. */
    const float *y;
    const float *x; /* here: the rows of the only item (bands) */

    /* NULL: sweep all segments; else those behind these *n_seams seams, from their `before`.
     * There are at most most_seams of them. */
    const cuda_seam *seams;
    const int *n_seams;
    int most_seams;

    /* Seams that do not hold are appended here, in any order, and counted. Not `seams`. */
    cuda_seam *bad;
    int *n_bad;
    unsigned long long number; /* of the launch, from 1, never twice */
    cudaStream_t stream;
} cuda_launch;

/* Rows that a thread of the hand-over kernel may hold: the i-th number, descending; 0 after
 * the last. */
int cuda_handover_held(int i);

/* Threads a segment for so many rows, `held` of them a thread; 0: that cannot be, because too
 * many rows of the last threads would be idle, or the threads too many. */
int cuda_handover_lanes(int rows, int held);

/* Sweep samples, by threads of so many rows. */
cudaError_t cuda_handover(const cuda_launch *launch, int held);

/* Sweep one item of samples, at most CUDA_BAND_ROWS rows, by the bands' kernel; x is launch->x. */
enum { CUDA_BAND_ROWS = 64, CUDA_BAND_THREADS = 128, CUDA_BAND_BLOCKS = 2 /* a multiprocessor */ };
cudaError_t cuda_band(const cuda_launch *launch);

/* The papers' kernel, for samples, at most CUDA_WAVEFRONT_ROWS rows; threads a segment. */
enum { CUDA_WAVEFRONT_ROWS = 4000 /* three anti-diagonals in 48 KiB */ };
int cuda_wavefront_lanes(int rows);
cudaError_t cuda_wavefront(const cuda_launch *launch);

/* The same for frames. In x each thread has `held` places for each k: how many there are in all,
 * where row i has its value of k = 0, and how far it is from there to the next k. */
int cuda_frames_held(int i);
int cuda_frames_lanes(int rows, int held);
int cuda_frames_rows(int rows, int held);
int cuda_frames_place(int rows, int held, int dim, int i);
int cuda_frames_stride(int held);
cudaError_t cuda_frames(const cuda_launch *launch, int held);

/* n frames of dim floats as threads of cuda_frames want them, blocks of CUDA_BLOCK columns. */
cudaError_t cuda_transpose(float *to, const float *from, int n, int dim, cudaStream_t stream);

/* n floats of +inf: the state of a cold start. And so many counters of 0. */
cudaError_t cuda_prepare(float *to, size_t n, int *counters, int n_counters, cudaStream_t stream);

/* What the host wants to know behind a launch of sweeps. Where a name has "host" in it, and `to`,
 * it is pinned memory of the host, by the address that it has on the device. */
typedef struct {
    const int *counters; /* how many seams did not hold, of each launch; all 0 if they do */
    int *host_counters;
    int n_counters;

    /* Of each template, blocks [0, first + n). If all seams hold, [first, first + n) goes to the
     * host and all of them become +inf, for the next sweeps. NULL: they are left alone. */
    float *minima;
    size_t stride; /* floats between two templates */
    size_t n_templates, first, n;
    float *to; /* that of block `first`; NULL: not wanted */
    size_t to_stride;

    unsigned *arrived; /* on the device: 0 between launches */
    unsigned long long *host_number;
    unsigned long long number; /* goes there when all the rest is there */
    cudaStream_t stream;
} cuda_publication;

/* Launch that. Who acquires the number sees all that was published. */
cudaError_t cuda_publish(const cuda_publication *p);

#ifdef __cplusplus
}
#endif
#endif
