/*
 * cuda_kernel.h - the inside of the CUDA kernels' host side; only files of this folder include it,
 * and kernels/strings/cuda for cuda_start.
 * A chunk's way, with the file that does it:
 *
 *     frames --> sweep.c -------> places on the device, by way of staging
 *                   |                 ^--- ahead of the chunk: prefetch.c
 *                   v
 *     plan.c --> evaluate.c ----> launches of sweeps; verify seams, repair (launch.h)
 *     (cuts)        |
 *     minima <------+                 by publish.cu, or a copy
 *
 *     checkpoints <-- state.c
 *
 * Every template has a carried state: D before the column at `carried`, the last multiple of
 * KERNEL_BLOCK up to the position. A chunk sweeps the frames between the two once more, which wait
 * in `staging`. So device code sees aligned blocks only:
 *
 *     carried        position                      position + n
 *        |  swept again  |            chunk             |
 */
#ifndef KERNELS_CUDA_HOST_CUDA_KERNEL_H
#define KERNELS_CUDA_HOST_CUDA_KERNEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/cuda/launch.h"
#include "kernels/kernel.h"

/* A band: rows [row, row + rows) of a template, which begin at x[x_at]. */
typedef struct {
    size_t row, rows, x_at;
} cuda_band_rows;

/* All pointers are the device's. */
typedef struct {
    size_t length;     /* m */
    size_t state_rows; /* floats of a state: m, rounded up to CUDA_UNIT */
    int spacing_shift;
    size_t slots;
    float *x, *carry[2], *checkpoints, *minima, *scores;
    size_t bands;   /* above 1: swept by launches of its own, band after band */
    int least;      /* columns of a segment */
    int warm;       /* length of warm-ups, in CUDA_WARM-ths of what noise needs */
    int steady;     /* chunks since a seam failed or warm-ups became shorter */
    cuda_sweep cut; /* this chunk's sweep of a single band */
    int held;       /* rows a thread in that sweep */
} cuda_template;

enum { CUDA_WARM = 64 };

/* Sweeps that are launched together: items [first, first + n). */
typedef struct {
    int first, n;
    int held;               /* rows a thread */
    size_t segments_before; /* the segments of the jobs before: its seams and marks begin there */
    size_t segments;
} cuda_job;

/* Memory for a chunk's frames on the device: the chunk at work, or the one to come. */
typedef struct {
    float *frames;     /* max_columns x dim */
    uint64_t position; /* of the prefetch's first frame ... */
    size_t n;          /* ... and its frames, copied or on the way; 0: no prefetch */
    bool copied;       /* some were copied ahead, and no chunk has waited for them ... */
    cudaEvent_t ahead; /* ... nor for this event, which follows them */
    bool at_work;      /* the chunk that is being swept has its frames here */
} cuda_place;

/* Memory of the caller that is pinned. */
typedef struct {
    float *memory;
    size_t floats;
    float *there; /* the device's address of it; NULL: the device cannot write there */
} cuda_pinned;

/* Where the minima of the chunk at work go. */
typedef struct {
    float *to;     /* pinned: the first block ... */
    float *there;  /* ... by the device's address */
    size_t stride; /* floats between two templates */
    size_t n;      /* the blocks, counted from `carried` */
    bool copied;   /* they have arrived */
} cuda_answer;

/* A job for each number of rows a thread, full or not. */
enum {
    CUDA_MAX_JOBS = 16,
    CUDA_COUNTERS = 2 * CUDA_MAX_JOBS,
    CUDA_PLACES = 2,
    CUDA_MAX_PINNED = 2
};

typedef struct {
    int device, multiprocessors;
    size_t dim, max_chunk, max_columns, n_templates;
    uint64_t position, carried;
    int turn;            /* which of carry[] holds the state */
    sigrep_status unset; /* the last reset's failure: no state is set */
    cudaStream_t stream;

    pthread_mutex_t prefetches; /* lock of `places`, but for their frames ... */
    cuda_place places[CUDA_PLACES];
    cudaStream_t copies; /* ... and of work on this stream */
    size_t prefetched;   /* frames of the last chunk that were on the device already */

    void *memory;      /* all memory of the device */
    float *frames;     /* the chunk's: of one of the places */
    float *turned;     /* dim > 1: as cuda_transpose leaves them */
    float *between[2]; /* the row between two bands, column 0 */
    float *before, *after;
    int *tickets;
    size_t states;       /* floats of each */
    size_t first_states; /* floats of all carry[0], one after the other */
    cuda_sweep *items;
    bool several;      /* some template is cut into bands */
    cuda_seam *bad[2]; /* seams that failed, and those of the next round */
    int *n_bad;        /* two counters a job, for bad[0] and bad[1]; 0 at launch */
    unsigned long long *marks, launches;
    size_t most_segments; /* of all sweeps that run together */
    float *device_minima; /* +inf when the sweeps of a chunk begin */
    size_t minima_stride;
    bool dirty;        /* minima or counters must be prepared first */
    unsigned *arrived; /* for cuda_publish */

    void *pinned;   /* all pinned memory of our own */
    float *staging; /* staged x dim; begins at `carried` */
    size_t staged;  /* frames: max_columns, or few if the caller pins memory */
    cuda_pinned areas[CUDA_MAX_PINNED];
    const float *next; /* the frames that the next chunk sweeps again; NULL: in staging */
    cuda_answer answer;
    cuda_sweep *host_items;
    int *host_n_bad;
    float *host_minima, *host_checkpoints;
    atomic_ullong *published;        /* the last publication that has arrived ... */
    unsigned long long publications; /* ... and the last one launched */

    size_t bad_seams; /* of the last chunk, before repair; for benchmarks */

    cuda_job jobs[CUDA_MAX_JOBS];
    size_t n_jobs;
    cuda_template templates[];
} cuda_kernel;

sigrep_status cuda_kernel_create(void **kernel, const kernel_plan *plan);
void cuda_kernel_destroy(void *kernel);
sigrep_status cuda_kernel_pin(void *kernel, float *memory, size_t floats);
void cuda_kernel_prefetch(void *kernel, uint64_t position, const float *frames, size_t n);
sigrep_status cuda_kernel_sweep(void *kernel, const float *frames, size_t n,
                                const kernel_output *out);
void cuda_kernel_reset(void *kernel);
size_t cuda_kernel_best_chunk(const kernel_plan *plan);
size_t cuda_kernel_spacing(const void *kernel, size_t index);
sigrep_status cuda_kernel_checkpoints(void *kernel, uint64_t position, float *d);
sigrep_status cuda_kernel_checkpoint(void *kernel, size_t index, uint64_t position, float *d);

/* memory.c: all memory of the kernel, by the sizes that are set, cleared. */
sigrep_status cuda_memory_create(cuda_kernel *self, bool scores);
void cuda_memory_free(cuda_kernel *self);
size_t cuda_x_size(const cuda_kernel *self, const cuda_template *own); /* floats on the device */

void cuda_unpin(cuda_kernel *self);

/* log2 of the frames between checkpoints. */
int cuda_plan_spacing_shift(size_t history);

/* SIGREP_OK, SIGREP_DEVICE_MEMORY or SIGREP_DEVICE_FAILED. */
sigrep_status cuda_status(cudaError_t error);

/* Begin the CUDA runtime, once, before its first call. False: too little memory now. */
bool cuda_start(void);

/* Columns of a chunk, counted from `carried`: [0, n) are swept, [first, end) are new. The next
 * chunk starts from the state before carry_column. */
typedef struct {
    int first, end, n, carry_column;
} cuda_extent;

/* That of the chunk of n frames at self->position. */
cuda_extent cuda_extent_of(const cuda_kernel *self, size_t n);

/* Take a place for the frames of the chunk at self->position, as self->frames. Its first *n frames
 * have arrived once self->stream is done. cuda_prefetch_done gives the place back. */
cudaError_t cuda_prefetch_take(cuda_kernel *self, size_t *n);
void cuda_prefetch_done(cuda_kernel *self);

/* Forget all prefetches: another stream begins. */
void cuda_prefetch_forget(cuda_kernel *self);

/* The pinned memory that holds these floats, or NULL. */
const cuda_pinned *cuda_pinned_with(const cuda_kernel *self, const float *floats);

/* Sweep these columns of all templates: minima, scores, states and checkpoints are exact when it
 * returns. The minima may have been copied already. */
cudaError_t cuda_evaluate(cuda_kernel *self, cuda_extent e, bool scores);

/* The number of bands into which a template of `length` rows is cut, and the b-th of them. */
size_t cuda_plan_bands(size_t length, size_t dim);
cuda_band_rows cuda_plan_band(size_t length, size_t dim, size_t b);

/* Rows a thread of the frames' kernel, for a band of `rows` rows. It depends on nothing else, since
 * x is laid out by it. */
int cuda_plan_frames_held(int rows);

/* Floats in self->before and after, and tickets, of each of `together` sweeps that run at the same
 * time. */
size_t cuda_plan_share(const cuda_kernel *self, size_t together);

/* The cut of one band's columns [0, item->n) into segments: lanes, groups, length, warm and
 * segments of *item. Returns the rows a thread. */
int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item);

/* Learn from a chunk in which `bad` seams of the template failed. Warm-ups grow, and shrink again
 * after enough chunks without a failure. too_short: columns of segments so short that repair was
 * given up; or 0. */
void cuda_plan_learn(cuda_template *own, size_t bad, int too_short);

#endif
