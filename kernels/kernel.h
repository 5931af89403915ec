/*
 * kernel.h - the one interface of all kernels, on the CPU and on GPUs.
 *
 * A kernel sweeps the ADSM recurrence (docs/SEMANTICS.md, "Scores"; Nakano et al.)
 *
 *     D(0,t) = 0      D(i,t) = min(D(i-1,t-1), D(i,t-1), D(i-1,t)) + |x_i - y_t|
 *
 * of all templates over one chunk of frames. It keeps its state where it likes: in registers, in
 * memory or on a device. The search gets no more of D than it needs:
 *
 *     frames       |<---------------- chunk, n frames --------------->|
 *     blocks       |-- 64 ---|-- 64 ---|-- 64 ---|-- 64 ---|-- 64 ---|   KERNEL_BLOCK columns
 *     minima            v         v         v         v         v        min of D(m,t) in each
 *     checkpoints  |                   |                   |             D(.,t) every `spacing`
 *
 * D only grows with the origin of the search. So a block whose minimum exceeds eps holds no
 * candidate, and the search leaves it out. Elsewhere the search traces a few columns with starts
 * from the checkpoint before them (filter/search/trace.h). Kernels know neither starts nor origins.
 *
 * A gap is one frame of +inf: its column leaves every D at +inf, which is a cold start. Kernels
 * never see a NaN. All kernels give the same bits: arithmetic is float32 and keeps denormals, costs
 * of a frame are summed in index order, and an FMA is used only if its product is exact.
 *
 * A kernel is one table of functions (kernel_ops) and one line in registry.c.
 */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct pool pool; /* kernels/pool.h */

/* Columns that share one minimum. Blocks are aligned to the count of frames since reset. */
#define KERNEL_BLOCK 64

typedef struct {
    const float *frames; /* length x dim, finite */
    size_t length;       /* m >= 1 frames */
    float eps;           /* D above eps need only stay above it; +inf: all of D is exact */
    size_t history;      /* frames before the chunk in which checkpoints are still wanted */
} kernel_template;

typedef struct kernel_plan {
    const kernel_template *templates; /* borrowed during create, then copied */
    size_t n_templates;
    size_t dim;       /* floats a frame */
    size_t max_chunk; /* most frames of a chunk */
    bool scores;      /* the caller may ask for scores */
    bool pins;        /* the caller will pin memory before the first chunk */
    int device;       /* number of the GPU; CPU kernels ignore it */
    pool *workers;    /* borrowed, must outlive the kernel; NULL: the calling thread alone */
} kernel_plan;

/* Where a sweep writes; the caller owns all of it. */
typedef struct {
    float *minima;        /* template j, i-th block touched by the chunk: [j * stride + i] */
    size_t minima_stride; /* >= kernel_max_blocks(max_chunk) */
    float *scores;        /* D(m,t) of template j, t-th frame: [j * max_chunk + t]; or NULL */
} kernel_output;

/* Optional: for a device that fetches frames from page-locked memory, ahead of their sweep. */
typedef struct {
    /* Pin memory that outlives the kernel, in whole pages that nothing else shares (pinnable.h):
     * once for the frames of all chunks, and once for minima. The device then reads frames and
     * writes minima by itself. */
    sigrep_status (*pin)(void *kernel, float *memory, size_t floats);

    /* The chunk at `position` will begin with these n frames of pinned memory: the device may copy
     * them already. Position counts frames since reset. Call again with more frames as they arrive.
     * One thread at a time, which may be another than the one that sweeps. The frames must not
     * change until their chunk is swept, or until reset. */
    void (*copy)(void *kernel, uint64_t position, const float *frames, size_t n);
} kernel_prefetch_ops;

/* A usable kernel has all functions up to the optional ones. */
typedef struct kernel_ops {
    const char *name;
    const char *device; /* "cpu", "cuda" */
    bool (*usable)(void);

    /* Frames a chunk above which throughput stops improving, for the plan's templates; ignores
     * max_chunk. A multiple of every spacing. */
    size_t (*best_chunk)(const kernel_plan *plan);

    sigrep_status (*create)(void **kernel, const kernel_plan *plan);
    void (*destroy)(void *kernel);

    /* Sweep a chunk of n <= max_chunk frames (n x dim floats) and write *out. */
    sigrep_status (*sweep)(void *kernel, const float *frames, size_t n, const kernel_output *out);

    /* Go back to position 0 and a cold start. If that fails, the next sweep returns the status. */
    void (*reset)(void *kernel);

    /* Frames between a template's checkpoints: a power of two, at least KERNEL_BLOCK. */
    size_t (*spacing)(const void *kernel, size_t index);

    /* Read D(1..m, position - 1) of a template: m floats. `position` counts frames since reset. It
     * is a positive multiple of the template's spacing, within
     * [start of the last chunk - history - spacing, end of the last chunk].
     * Threads may call at the same time, each for templates of its own. */
    sigrep_status (*checkpoint)(void *kernel, size_t index, uint64_t position, float *d);

    /* ---- optional: NULL if the kernel gains nothing by it ---- */

    const kernel_prefetch_ops *prefetch;

    /* checkpoint() of all templates at once, one after the other. */
    sigrep_status (*checkpoints)(void *kernel, uint64_t position, float *d);

    /* For kernels of the CPU, which take over from a GPU. Go on at `position`, a multiple of every
     * spacing, as if all frames before it were swept. checkpoints: D(1..m, position - 1) of all
     * templates, one after the other. Earlier checkpoints are lost. */
    sigrep_status (*seek)(void *kernel, uint64_t position, const float *checkpoints);
} kernel_ops;

/* The checkpoints of all n templates at `position`, one after the other. */
static inline sigrep_status kernel_checkpoints(const kernel_ops *ops, void *kernel,
                                               const kernel_template *templates, size_t n,
                                               uint64_t position, float *d)
{
    sigrep_status status = SIGREP_OK;
    if (ops->checkpoints) return ops->checkpoints(kernel, position, d);
    for (size_t j = 0; j < n && !status; j++) {
        status = ops->checkpoint(kernel, j, position, d);
        d += templates[j].length;
    }
    return status;
}

/* Most blocks that a chunk of n frames touches. */
static inline size_t kernel_max_blocks(size_t n)
{
    return n / KERNEL_BLOCK + 2;
}

/* Those on the CPU; cuda/host/cuda.h has those on GPUs. */
extern const kernel_ops kernel_scalar;   /* the reference */
extern const kernel_ops kernel_portable; /* 128-bit vectors on any machine */
extern const kernel_ops kernel_avx2;     /* x86-64 alone, like the next one */
extern const kernel_ops kernel_avx512;

/* For searches that compute D themselves (zmatch/zmatch.h): it sweeps nothing. */
extern const kernel_ops kernel_no_sweep;

/* The i-th kernel, best first; NULL after the last. */
const kernel_ops *kernel_at(size_t i);

/* Choose by device ("auto", "cpu", "cuda", "cuda:N", "cuda:all") and name (NULL: the best usable
 * one). NULL, with the reason in *error, if no kernel fits. */
const kernel_ops *kernel_choose(const char *device, const char *name, sigrep_error *error);

/* The number of the GPU: the N of "cuda:N", for "cuda:all" the next one in turn, else 0. */
int kernel_device(const char *device);

#endif
