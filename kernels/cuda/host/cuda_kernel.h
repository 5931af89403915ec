/*
 * cuda_kernel.h - the inside of the CUDA kernels' C side. cuda_create.c makes and ends one,
 * cuda_step.c and cuda_evaluate.c run frames through it, cuda_state.c sets and reads states,
 * cuda_prefetch.c copies frames ahead of their step, cuda_plan.c cuts sweeps into segments,
 * cuda_bench.c tells what a step took, cuda.c knows the machine and is what registry.c sees.
 *
 * The carried state of every template stands at `carried`, a multiple of KERNEL_BLOCK frames
 * at most KERNEL_BLOCK - 1 behind the position; a step evaluates the frames between again
 * (they stay in `staging`), so that all that kernels see is aligned.
 */
#ifndef KERNELS_CUDA_HOST_CUDA_KERNEL_H
#define KERNELS_CUDA_HOST_CUDA_KERNEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/cuda/launch.h"
#include "kernels/kernel.h"

/* Which of the CUDA kernels are used. */
typedef enum { CUDA_ANY, CUDA_HANDOVER, CUDA_BAND, CUDA_WAVEFRONT } cuda_family;

/* Instead of the rows that a thread holds: which other kernel sweeps. */
enum { CUDA_BY_BANDS = -1, CUDA_BY_WAVEFRONT = -2 };

/* Rows [row, row + rows) of a template, swept at once; where they begin in x. */
typedef struct {
    size_t row, rows, x_at;
} cuda_band_rows;

/* Pointers are the device's, but that of x_here. */
typedef struct {
    size_t length;     /* m */
    size_t state_rows; /* floats of a state: m, rounded up to CUDA_UNIT */
    int spacing_shift;
    size_t slots;
    float *x, *carry[2], *kept, *minima, *scores;
    float *x_here;  /* what x has, here */
    int least;      /* columns of a segment */
    int warm;       /* how long warm-ups are, CUDA_WARM being as long as noise needs */
    int calm;       /* steps since a seam did not hold, or warm-ups became shorter */
    int careful;    /* steps in which every band is certified before the next one is swept */
    bool alone;     /* not together with others: one launch, or several, of its own */
    cuda_family by; /* that sweeps it */
    cuda_sweep cut; /* the sweep of this step, if it is one; rows a thread */
    int held;
} cuda_template;

enum { CUDA_WARM = 64, CUDA_CALM = 8 };

/* Sweeps that are launched together: items [first, first + n). */
typedef struct {
    int first, n;
    int held;               /* rows a thread, or CUDA_BY_BANDS */
    const float *x;         /* by bands: the rows, here; else NULL */
    size_t segments_before; /* of the jobs before it: its place in the lists of seams, and marks */
    size_t segments;
} cuda_job;

/* Where the frames of a step lie on the device: of the one at work, and of the one to come. */
typedef struct {
    float *frames;     /* max_columns x dim */
    uint64_t position; /* where there is an prefetch: of its first frame ... */
    size_t n;          /* ... and how many are copied, or on the way; 0: no prefetch */
    bool copied;       /* something was, ahead, for which no step has waited ... */
    cudaEvent_t ahead; /* ... nor for this, which is behind it */
    bool at_work;      /* a step is */
} cuda_place;

/* Memory that is pinned, and pinned. */
typedef struct {
    float *memory;
    size_t floats;
    float *there; /* where the device has it; NULL: it cannot write there by itself */
    bool own;     /* it was pinned here, not by another member of a group */
} cuda_pinned;

/* Where the minima of the step at work go. */
typedef struct {
    float *to;       /* pinned: of the first block that is wanted ... */
    float *there;    /* ... by the device's address of it ... */
    size_t stride;   /* ... floats between those of two templates */
    size_t first, n; /* the blocks, counted from `carried` */
    bool copied;     /* they are there */
} cuda_answer;

/* One for each number of rows a thread, full or not. */
enum {
    CUDA_MAX_JOBS = 16,
    CUDA_COUNTERS = 2 * CUDA_MAX_JOBS,
    CUDA_PLACES = 2,
    CUDA_MAX_PINNED = 2
};

typedef struct {
    cuda_family family;
    int device, multiprocessors;
    size_t dim, max_chunk, max_columns, n_templates;
    uint64_t position, carried;
    int turn;            /* which of carry[] holds the state */
    sigrep_status unset; /* why it holds none: the last seek failed */
    cudaStream_t stream;

    pthread_mutex_t prefetches; /* the lock of `places`, but for their frames ... */
    cuda_place places[CUDA_PLACES];
    cudaStream_t copies; /* ... and of what is done on this stream */
    size_t prefetched;   /* frames of the last step that were on the device by then */

    void *memory;      /* the device's, all of it */
    float *frames;     /* the step's: of one of the places */
    float *turned;     /* dim > 1: as cuda_transpose leaves them */
    float *between[2]; /* the row between two bands, column 0 */
    float *before, *after;
    int *tickets;
    size_t states;       /* floats of each */
    size_t first_states; /* floats of all carry[0], which lie behind each other */
    cuda_sweep *items;
    size_t most_items;
    bool several;      /* some template may be cut into bands */
    cuda_seam *bad[2]; /* the seams that did not hold, and those of the next round */
    int *n_bad;        /* counters: two a job, for bad[0] and bad[1]; 0 when jobs are launched */
    unsigned long long *marks, launches;
    size_t most_segments; /* of all sweeps that run together */
    float *device_minima; /* +inf when the sweeps of a step begin */
    size_t minima_stride;
    bool dirty;        /* these, or the counters, are not what they have to be then */
    unsigned *arrived; /* for cuda_publish */

    void *pinned;   /* host memory, all of it */
    float *staging; /* staged x dim; begins at `carried` */
    size_t staged;  /* frames: all that a step may have, or few if memory is pinned */
    cuda_pinned areas[CUDA_MAX_PINNED];
    const float *next; /* in a step: the frames that the next one sees again; NULL: staged */
    cuda_answer answer;
    cuda_sweep *host_items;
    int *host_n_bad;
    float *host_minima, *host_columns;
    atomic_ullong *published;        /* the last publication that is there ... */
    unsigned long long publications; /* ... and that was launched */

    int only_segments; /* for benches, by the wavefront kernel: not to be chosen, where not 0 */
    int times;         /* for benches: each step's sweeps are done so often; 0: not timed */
    bool again;        /* when timed: the same sweeps follow */
    double device_s;   /* the last step's sweeps, certificate and mending, once */
    size_t bad_seams;  /* of the last step, before they were mended */
    cudaEvent_t begun, ended;

    cuda_job jobs[CUDA_MAX_JOBS];
    size_t n_jobs;
    cuda_template templates[];
} cuda_kernel;

sigrep_status cuda_kernel_create(void **kernel, const kernel_plan *plan, cuda_family family);
void cuda_kernel_destroy(void *kernel);
sigrep_status cuda_kernel_pin(void *kernel, float *memory, size_t floats);
void cuda_kernel_prefetch(void *kernel, uint64_t position, const float *frames, size_t n);
sigrep_status cuda_kernel_sweep(void *kernel, const float *frames, size_t n,
                                const kernel_output *out);
void cuda_kernel_reset(void *kernel);
sigrep_status cuda_kernel_seek(void *kernel, uint64_t position, const float *columns);
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

/* Columns of a step, counted from `carried`: [0, n) are evaluated, [first, end) are new; the state
 * before carry_column is the next step's. */
typedef struct {
    int first, end, n, carry_column;
} cuda_extent;

/* A place for the frames of the step at self->position, which becomes self->frames: the first *n of
 * them are there when what is on self->stream by now is done. Until cuda_prefetch_done it is the
 * step's. */
cudaError_t cuda_prefetch_take(cuda_kernel *self, size_t *n);
void cuda_prefetch_done(cuda_kernel *self);

/* Another stream begins. */
void cuda_prefetch_forget(cuda_kernel *self);

/* The pinned, pinned memory in which these floats lie, or NULL. */
const cuda_pinned *cuda_pinned_with(const cuda_kernel *self, const float *floats);

/* Minima, scores, states, kept columns of these, for all templates, exact when it returns. The
 * minima may be copied already. */
cudaError_t cuda_evaluate(cuda_kernel *self, cuda_extent e, bool scores);

/* Launch the copy of the step's minima, where they did not come with the last publication. */
cudaError_t cuda_copy_minima(cuda_kernel *self);

/* Into how many bands of rows a template of so many rows is cut, and the b-th of them, where
 * samples are swept by that family (CUDA_ANY: the hand-over kernel). */
size_t cuda_plan_bands(size_t length, size_t dim, cuda_family by);
cuda_band_rows cuda_plan_band(size_t length, size_t dim, cuda_family by, size_t b);

/* Rows a thread of the frames' kernel, for a band of so many: by these alone, since x is laid out
 * by it. */
int cuda_plan_frames_held(int rows);

/* Floats, in self->before and after, and tickets, for each of so many sweeps that run together. */
size_t cuda_plan_share(const cuda_kernel *self, size_t together);

/* Choose for n columns of a template: alone or together with `together` others, the kernel,
 * and, where it is one sweep, its cut. *item is one that tells n and dim. */
void cuda_plan_choose(const cuda_kernel *self, cuda_template *own, size_t together,
                      const cuda_sweep *item);

/* The cut of one band's columns [0, item->n) into segments: lanes, groups, length, warm and
 * segments of *item. Returns the rows a thread, or CUDA_BY_BANDS. */
int cuda_plan_cut(const cuda_kernel *self, const cuda_template *own, size_t together,
                  cuda_sweep *item);

/* A step has ended in which so many seams of the template did not hold: warm-ups grow, and
 * shrink again after a while in which all did. hopeless: the columns of segments so short that
 * mending was given up; or 0. */
void cuda_plan_learn(cuda_template *own, size_t bad, int hopeless);

#endif
