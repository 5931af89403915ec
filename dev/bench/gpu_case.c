#include "dev/bench/gpu_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/bench/bench_fail.h"
#include "dev/bench/race.h"
#include "filter/ascending.h"
#include "kernels/float_env.h"

enum { MOST_TIMES = 1000 }; /* sweeps of a chunk */

/* Working memory of a case. */
typedef struct {
    const gpu_case *c;
    void *kernel;
    kernel_template *templates;
    kernel_plan plan;
    kernel_output out;
    double *wall, *device; /* seconds a chunk: host to host, and on the device ... */
    size_t n_wall, n_device;
} scratch;

static void free_scratch(scratch *w)
{
    if (w->kernel) w->c->ops->destroy(w->kernel);
    free(w->templates);
    free(w->out.minima);
    free(w->wall);
    free(w->device);
}

static sigrep_status create_scratch(scratch *w, const gpu_case *c)
{
    const size_t steps = c->n / c->step * c->rounds;
    *w = (scratch){.c = c, .out = {.minima_stride = kernel_max_blocks(c->step)}};
    w->templates = calloc(c->templates, sizeof *w->templates);
    w->out.minima = calloc(c->templates, w->out.minima_stride * sizeof *w->out.minima);
    w->wall = calloc(steps, sizeof *w->wall);
    w->device = calloc(steps, sizeof *w->device);
    if (!w->templates || !w->out.minima || !w->wall || !w->device) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < c->templates; j++)
        w->templates[j] = (kernel_template){c->x + j * c->m * c->dim, c->m, INFINITY, 2 * c->m};
    w->plan = (kernel_plan){.templates = w->templates,
                            .n_templates = c->templates,
                            .dim = c->dim,
                            .max_chunk = c->step,
                            .device = c->device};
    return c->ops->create(&w->kernel, &w->plan);
}

/* Sweeps the first frames with template 0 by the scalar kernel. Are the minima the same? */
static sigrep_status compare(const scratch *w, bool *same)
{
    const kernel_ops *scalar = kernel_choose("cpu", "scalar", NULL);
    const size_t few = 4000000 / w->c->m / w->c->dim, least = 640,
                 wanted = few < least ? least : few;
    const size_t n = wanted < w->c->step ? wanted : w->c->step;
    kernel_plan plan = w->plan;
    plan.n_templates = 1;
    plan.max_chunk = n;
    kernel_output out = {.minima_stride = kernel_max_blocks(n)};
    void *kernel = NULL;
    out.minima = calloc(out.minima_stride, sizeof *out.minima);
    sigrep_status status = out.minima ? scalar->create(&kernel, &plan) : SIGREP_NO_MEMORY;
    if (!status) status = scalar->sweep(kernel, w->c->y, n, &out);
    const size_t whole = n < w->c->step ? n / KERNEL_BLOCK : (n + KERNEL_BLOCK - 1) / KERNEL_BLOCK;
    *same = !status && memcmp(out.minima, w->out.minima, whole * sizeof *out.minima) == 0;
    if (kernel) scalar->destroy(kernel);
    free(out.minima);
    return status;
}

/* Sweeps the first n frames. `times` repeats each chunk's sweep by the device's clock; 0: once, by
 * the wall's. */
static sigrep_status sweep(scratch *w, size_t n, int times, size_t *bad_seams)
{
    const gpu_case *c = w->c;
    sigrep_status status = SIGREP_OK;
    *bad_seams = 0;
    c->ops->reset(w->kernel);
    for (size_t at = 0; at + c->step <= n && !status; at += c->step) {
        const stopwatch begun = stopwatch_start();
        status = c->ops->sweep(w->kernel, c->y + at * c->dim, c->step, &w->out);
        const double wall_s = stopwatch_read(&begun).wall_s;
        *bad_seams += gpu_last_chunk(w->kernel).bad_seams;
        if (!times) {
            w->wall[w->n_wall++] = wall_s;
            continue;
        }
        const double device_s = status ? -1 : gpu_sweeps_s(w->kernel, c->step, times);
        if (device_s < 0) return status ? status : SIGREP_DEVICE_FAILED;
        w->device[w->n_device++] = device_s;
    }
    return status;
}

static gpu_result result_of(scratch *w, size_t bad_seams)
{
    qsort(w->wall, w->n_wall, sizeof *w->wall, ascending);
    qsort(w->device, w->n_device, sizeof *w->device, ascending);
    return (gpu_result){.device_s = w->n_device ? w->device[w->n_device / 2] : 0,
                        .wall_s = w->wall[w->n_wall / 2],
                        .late_s = w->wall[w->n_wall * 99 / 100],
                        .longest_s = w->wall[w->n_wall - 1],
                        .cells = (double)(w->c->m * w->c->templates) * (double)w->c->step,
                        .bad_seams = bad_seams,
                        .last = gpu_last_chunk(w->kernel)};
}

/* Repetitions of a chunk's sweep that take lap_s; the first took `first_s`. */
static int times_of(double first_s, double lap_s)
{
    return first_s > 0 && lap_s / first_s < MOST_TIMES ? (int)(lap_s / first_s) + 1 : MOST_TIMES;
}

/* The first chunk warms up and is compared. Then the rounds are timed. */
static sigrep_status measure(scratch *w, gpu_result *r, bool *same)
{
    const bool on_device = w->c->lap_s > 0;
    size_t bad_seams;
    sigrep_status status = sweep(w, w->c->step, on_device, &bad_seams);
    if (!status) status = compare(w, same);
    const int times = on_device ? times_of(w->device[0], w->c->lap_s) : 0;
    w->n_wall = w->n_device = 0;
    for (size_t i = 0; i < w->c->rounds && !status && *same; i++) {
        if (times) status = sweep(w, w->c->n, times, &bad_seams);
        if (!status) status = sweep(w, w->c->n, 0, &bad_seams);
    }
    if (!status && *same) *r = result_of(w, bad_seams);
    return status;
}

bool gpu_case_run(const gpu_case *c, gpu_result *r)
{
    scratch w;
    bool same = true;
    const float_env before = float_env_enter();
    sigrep_status status = create_scratch(&w, c);
    if (!status) status = measure(&w, r, &same);
    free_scratch(&w);
    float_env_leave(before);
    if (status)
        return bench_fail("%s: m = %zu, K = %zu, %zu templates, %zu frames a step: %s",
                          c->ops->name, c->m, c->dim, c->templates, c->step,
                          sigrep_status_text(status));
    return same || bench_fail("%s differs from scalar: m = %zu, K = %zu, %zu frames a step",
                              c->ops->name, c->m, c->dim, c->step);
}

double gpu_rate(const gpu_result *r)
{
    return r->cells / (r->device_s > 0 ? r->device_s : r->wall_s);
}
