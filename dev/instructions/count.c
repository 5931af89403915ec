/*
 * count.c - one sweep of one kernel, which dev/instructions/check counts under valgrind. Stream,
 * template and chunks are always the same.
 *
 *     count KERNEL M K N STEP
 *
 * Exit status: 0; 77 if this machine, or valgrind, cannot run the kernel; 2 for an error.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/float_env.h"
#include "kernels/kernel.h"

enum { FAILED = 2, CANNOT = 77 };

typedef struct {
    size_t m, dim, n, step;
} shape;

/* n frames of dim values, each a random walk. */
static float *make_walk(size_t n, size_t dim, uint64_t state)
{
    float *y = calloc(n * dim, sizeof *y);
    for (size_t i = 0; y && i < n * dim; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's LCG */
        y[i] = (i < dim ? 0 : y[i - dim]) + (float)(int32_t)(state >> 32) / 2147483648.0f;
    }
    return y;
}

/* valgrind counts this function; the script has its name. */
__attribute__((noinline)) static sigrep_status sweep_counted(const kernel_ops *ops, void *kernel,
                                                             const shape *s, const float *frames,
                                                             const kernel_output *out)
{
    sigrep_status status = SIGREP_OK;
    for (size_t at = 0; at < s->n && !status; at += s->step)
        status = ops->sweep(kernel, frames + at * s->dim, s->step, out);
    return status;
}

static sigrep_status sweep(const kernel_ops *ops, const shape *s, const float *x,
                           const float *frames, float *minima)
{
    const kernel_template t = {.frames = x, .length = s->m, .eps = INFINITY, .history = 2 * s->m};
    const kernel_plan plan = {
        .templates = &t, .n_templates = 1, .dim = s->dim, .max_chunk = s->step};
    const kernel_output out = {.minima = minima, .minima_stride = kernel_max_blocks(s->step)};
    void *kernel = NULL;
    sigrep_status status = ops->create(&kernel, &plan);
    if (status) return status;
    const float_env before = float_env_enter();
    status = sweep_counted(ops, kernel, s, frames, &out);
    float_env_leave(before);
    ops->destroy(kernel);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 6) return FAILED;
    const shape s = {strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                     strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10)};
    sigrep_error error = {0};
    const kernel_ops *ops = kernel_choose("cpu", argv[1], &error);
    if (!ops) return CANNOT;
    if (!s.m || !s.dim || !s.step || s.n % s.step) return FAILED;
    float *x = make_walk(s.m, s.dim, 1), *frames = make_walk(s.n, s.dim, 2);
    float *minima = calloc(kernel_max_blocks(s.step), sizeof *minima);
    const bool good = x && frames && minima && sweep(ops, &s, x, frames, minima) == SIGREP_OK;
    free(x);
    free(frames);
    free(minima);
    return good ? 0 : FAILED;
}
