/*
 * kernel.h - THE interface of the recurrence's kernels, on CPU or elsewhere.
 *
 * A kernel sweeps the ADSM recurrence (docs/SEMANTICS.md, "Scores"; Nakano et al.)
 *
 *     D(0,t) = 0      D(i,t) = min(D(i-1,t-1), D(i,t-1), D(i-1,t)) + |x_i - y_t|
 *
 * of all templates over a window of frames, keeps every D(.,t) it needs to go on wherever
 * it likes (registers, memory, a device), and answers with as little as the search needs:
 *
 *     frames   |<--------------- window, n frames --------------->|
 *     blocks   |-- 64 ---|-- 64 ---|-- 64 ---|-- 64 ---|-- 64 ---|      of KERNEL_BLOCK
 *     minima       v          v         v         v         v           min of D(m,t) in each
 *     columns            |                   |                   |      D(.,t) kept at multiples
 *                                                                       of the spacing
 *
 * A block whose minimum exceeds eps holds no candidate, whatever the origin of the search
 * (D only grows with the origin), so most of a stream is never looked at again. Where one
 * may be, the search runs a few columns again from a kept exact column, this time with
 * starts (filter/search/trace.h). So kernels compute no starts, and know no origin.
 *
 * A gap is a frame of +inf: one column of it leaves every D at +inf, which is a cold
 * start. Kernels never see a NaN. All arithmetic is float32, denormals kept, no FMA but where its
 * product is exact, and frame costs are summed in index order: all kernels give the same bits.
 */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct pool pool; /* pool.h */

/* Columns that share one minimum. Blocks are aligned to the count of frames since reset. */
#define KERNEL_BLOCK 64

typedef struct {
    const float *frames; /* length x dim, finite */
    size_t length;       /* m >= 1 frames */
    float eps;           /* D above it need only stay above it; +inf: all is exact */
    size_t history;      /* columns before the window from which a run may start again */
} kernel_template;

typedef struct {
    const kernel_template *templates; /* borrowed during create, then copied */
    size_t n_templates;
    size_t dim;                    /* floats a frame */
    size_t max_step;               /* most frames given at once */
    bool scores;                   /* steps may ask for scores */
    bool pins;                     /* `pin` will be called before the first step */
    int device;                    /* which of several GPUs; CPU kernels do not look */
    const struct kernel_ops *each; /* group.h: what runs on each of ... */
    int devices;                   /* ... so many GPUs, from 0 on; other kernels do not look */
    pool *workers; /* borrowed, must outlive the kernel; NULL: the calling thread alone */
} kernel_plan;

/* Where step writes; the caller owns all of it. */
typedef struct {
    float *minima;        /* template j, i-th block touched by the step: [j * stride + i] */
    size_t minima_stride; /* >= kernel_max_blocks(max_step) */
    size_t skip;   /* blocks at the head whose minima are not wanted, so that minima begin behind
                    * them. 0, but from a group to kernels with `pin` */
    float *scores; /* D(m,t) of template j, t-th frame: [j * max_step + t]; or NULL */
} kernel_output;

typedef struct kernel_ops {
    const char *name;
    const char *device; /* "cpu", "cuda" */
    bool (*usable)(void);

    /* Frames a step from which on more of them would hardly make it faster: for the plan's
     * templates, whatever its max_step. A multiple of every spacing. */
    size_t (*chunk)(const kernel_plan *plan);

    sigrep_status (*create)(void **kernel, const kernel_plan *plan);
    void (*destroy)(void *kernel);

    /* All frames of steps will lie in such memory, which outlives the kernel: a device may then
     * fetch them by itself. Where minima lie in it too, it writes them by itself. Once for each of
     * both, whole pages that share none with anything else (pinnable.h). A kernel that has this
     * heeds `skip`. NULL: the kernel has no use for it. */
    sigrep_status (*pin)(void *kernel, float *memory, size_t floats);

    /* The step at `position`, which counts frames since reset, will begin with these n frames, in
     * pinned memory: a device may fetch them ahead. By one thread at a time, which need not be that
     * of step, also while the step before is at work or has yet to begin; and again with more
     * frames, as they come. They stay as they are until that step has had them, or until reset;
     * elsewhere they may be copied to. NULL: the kernel has no use for it. */
    void (*prefetch)(void *kernel, uint64_t position, const float *frames, size_t n);

    /* Sweep n <= max_step frames (n x dim floats) and write *out. */
    sigrep_status (*step)(void *kernel, const float *frames, size_t n, const kernel_output *out);

    /* Back to position 0 and a cold start. Where that fails, the next step says so. */
    void (*reset)(void *kernel);

    /* Go on at `position`, a multiple of every spacing, as if all before it had been swept here:
     * columns are D(1..m, position - 1) of all templates, one behind the other; NULL: a cold
     * start. No column before `position` may be asked for after it, nor that of a cold start. */
    sigrep_status (*seek)(void *kernel, uint64_t position, const float *columns);

    /* Frames between the columns of a template that are kept: a power of two, at least
     * KERNEL_BLOCK. */
    size_t (*spacing)(const void *kernel, size_t index);

    /* `column` of all templates, one behind the other. NULL: no faster than one by one. */
    sigrep_status (*columns)(void *kernel, uint64_t position, float *d);

    /* D(1..m, position - 1) of a template, m floats, where `position` counts frames since
     * reset, is a positive multiple of its spacing and lies within
     * [start of the last step - history - spacing, end of the last step]. Threads may ask at the
     * same time, each for templates of its own. */
    sigrep_status (*column)(void *kernel, size_t index, uint64_t position, float *d);
} kernel_ops;

/* The columns of all templates, however the kernel gives them. */
static inline sigrep_status kernel_columns(const kernel_ops *ops, void *kernel,
                                           const kernel_template *templates, size_t n,
                                           uint64_t position, float *d)
{
    sigrep_status status = SIGREP_OK;
    if (ops->columns) return ops->columns(kernel, position, d);
    for (size_t j = 0; j < n && !status; j++) {
        status = ops->column(kernel, j, position, d);
        d += templates[j].length;
    }
    return status;
}

/* Blocks that a step of n frames may touch. */
static inline size_t kernel_max_blocks(size_t n)
{
    return n / KERNEL_BLOCK + 2;
}

/* The i-th kernel, best first; NULL after the last. */
const kernel_ops *kernel_at(size_t i);

/* Choose by device ("auto", "cpu", "cuda", "cuda:N", "cuda:all") and name (NULL: the best usable
 * one). NULL, and words in *error, if there is none. */
const kernel_ops *kernel_choose(const char *device, const char *name, sigrep_error *error);

/* The N of "cuda:N", else 0. */
int kernel_device(const char *device);

/* The GPUs there are for "cuda:all", else 1. */
int kernel_devices(const char *device);

#endif
