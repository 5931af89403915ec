/*
 * gpu-bench.c - the CUDA kernels' speed, on device and end to end, as Markdown tables. A
 * cell is one template sample against one stream sample; only cells that are asked for count,
 * not those of warm-ups. Every timed result is first compared with the scalar kernel's, over a
 * prefix and as block minima. The ceiling is measured in the same run (gpu-ceiling.cu).
 *
 *     gpu-bench           all
 *     gpu-bench --few     small sizes, for compute-sanitizer
 *     gpu-bench --quick   a few, to compare builds by
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_kernel.h"

double gpu_ceiling(void); /* cells a second; gpu-ceiling.cu */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Uniform in [0, 1), or a walk of such steps. */
static float *make_signal(size_t n, uint64_t seed, bool walk)
{
    float *v = malloc(n * sizeof *v), at = 0;
    if (!v) abort();
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's LCG */
        float unit = (float)(seed >> 40) * 0x1p-24f;
        v[i] = walk ? at += unit - 0.5f : unit;
    }
    return v;
}

typedef struct {
    const kernel_ops *ops;
    size_t m, n, dim, templates, step;
    int repeats, times; /* steps are timed; sweeps of each */
    bool walk;
    int segments; /* forced (wavefront), where not 0 */
} job;

typedef struct {
    sigrep_status status;
    double device_s, wall_s, tail_s; /* of a step; medians, and the wall's 99 % */
    size_t bad;                      /* seams, in all steps */
    bool exact;
    cuda_template first; /* as it was cut at last */
} result;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first `n` frames of template 0 by the scalar kernel: are its minima these? */
static bool right(const kernel_plan *plan, const float *y, size_t n, const float *minima)
{
    const kernel_ops *scalar = kernel_choose("cpu", "scalar", NULL);
    kernel_plan one = *plan;
    one.n_templates = 1;
    one.scores = false;
    void *kernel = NULL;
    if (n > plan->max_step) n = plan->max_step;
    one.max_step = n;
    size_t blocks = kernel_max_blocks(n);
    float *own = malloc(blocks * sizeof *own);
    if (!own || scalar->create(&kernel, &one)) abort();
    scalar->step(kernel, y, n, &(kernel_output){own, blocks, NULL});
    scalar->destroy(kernel);
    bool same = memcmp(own, minima, n / KERNEL_BLOCK * sizeof *own) == 0;
    free(own);
    return same;
}

/* What a job needs, and what it times. */
typedef struct {
    const job *b;
    float *x, *y, *minima;
    kernel_template *templates;
    kernel_plan plan;
    size_t stride, steps, count;
    double *wall, *device;
} workbench;

static void set_up(workbench *w, const job *b)
{
    *w = (workbench){.b = b, .stride = kernel_max_blocks(b->step), .steps = b->n / b->step};
    w->x = make_signal(b->templates * b->m * b->dim, 1, b->walk);
    w->y = make_signal(b->n * b->dim, 2, b->walk);
    w->templates = calloc(b->templates, sizeof *w->templates);
    w->minima = malloc(b->templates * w->stride * sizeof *w->minima);
    w->wall = calloc(w->steps * (size_t)b->repeats, sizeof *w->wall);
    w->device = calloc(w->steps * (size_t)b->repeats, sizeof *w->device);
    if (!w->templates || !w->minima || !w->wall || !w->device) abort();
    for (size_t j = 0; j < b->templates; j++)
        w->templates[j] = (kernel_template){w->x + j * b->m * b->dim, b->m, INFINITY, 2 * b->m};
    w->plan = (kernel_plan){
        .templates = w->templates, .n_templates = b->templates, .dim = b->dim, .max_step = b->step};
}

static void clear_up(workbench *w)
{
    free(w->x);
    free(w->y);
    free(w->templates);
    free(w->minima);
    free(w->wall);
    free(w->device);
}

/* All steps, `repeats` times after a first time that is not timed but compared. */
static void run_steps(workbench *w, void *kernel, result *to)
{
    const job *b = w->b;
    const cuda_kernel *inside = kernel;
    for (int r = 0; r <= b->repeats; r++) {
        b->ops->reset(kernel);
        for (size_t s = 0; s < w->steps; s++) {
            double begun = now_s();
            to->status = b->ops->step(kernel, w->y + s * b->step * b->dim, b->step,
                                      &(kernel_output){w->minima, w->stride, NULL});
            if (to->status) return;
            if (r) {
                w->wall[w->count] = now_s() - begun;
                w->device[w->count++] = inside->device_s;
                to->bad += inside->bad_seams;
            } else if (s == 0) {
                size_t check = 4000000 / b->m / b->dim < 640 ? 640 : 4000000 / b->m / b->dim;
                to->exact = right(&w->plan, w->y, check, w->minima);
            }
        }
    }
}

static result measure(const job *b)
{
    result to = {.exact = false};
    workbench w;
    set_up(&w, b);
    void *kernel = NULL;
    to.status = b->ops->create(&kernel, &w.plan);
    if (!to.status) {
        cuda_kernel *inside = kernel;
        inside->times = b->times;
        inside->only_segments = b->segments;
        run_steps(&w, kernel, &to);
        to.first = inside->templates[0];
        b->ops->destroy(kernel);
    }
    if (w.count) {
        qsort(w.wall, w.count, sizeof *w.wall, by_value);
        qsort(w.device, w.count, sizeof *w.device, by_value);
        to.device_s = w.device[w.count / 2];
        to.wall_s = w.wall[w.count / 2];
        to.tail_s = w.wall[w.count * 99 / 100];
    }
    clear_up(&w);
    return to;
}

static double ceiling; /* cells a second */

static void run(const job *b)
{
    result r = measure(b);
    if (r.status) {
        printf("| %s | %zu | failed: %s |\n", b->ops->name, b->m, sigrep_status_text(r.status));
        return;
    }
    double cells = (double)b->m * (double)b->step * (double)b->templates;
    double rate = r.device_s > 0 ? cells / r.device_s : cells / r.wall_s;
    printf("| %s | %zu | %zu | %zu | %zu | %d x %d | %.3f | %.2f | %.0f %% | %.1f | %.1f | %.1f | "
           "%zu | %s |\n",
           b->ops->name, b->m, b->dim, b->templates, b->step, r.first.cut.segments,
           r.first.cut.length, r.device_s * 1e3, rate * 1e-12, 100 * rate / ceiling, r.wall_s * 1e6,
           r.tail_s * 1e6, 2.0 * (double)b->dim * rate * 1e-12, r.bad, r.exact ? "exact" : "WRONG");
    fflush(stdout);
}

static void head(void)
{
    ceiling = gpu_ceiling();
    printf("cells in registers alone (the ceiling): %.2f T a second\n\n", ceiling * 1e-12);
    printf("| kernel | m | K | templates | step | segments | device ms | TCUPS | of the ceiling | "
           "wall us p50 | p99 | Tflop/s | bad seams | |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void few(void)
{
    static const size_t lengths[] = {1, 7, 32, 33, 100, 256, 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int walk = 0; walk < 2; walk++) {
            run(&(job){&kernel_cuda, lengths[i], 3 * 2048, 1, 2, 2048, 1, 1, walk, 0});
            run(&(job){&kernel_band, lengths[i], 3 * 2048, 1, 1, 2048, 1, 1, walk, 0});
            run(&(job){&kernel_wavefront, lengths[i], 2 * 2048, 1, 1, 2048, 1, 1, walk, 0});
            run(&(job){&kernel_cuda, lengths[i], 3 * 512, 3, 1, 512, 1, 1, walk, 0});
        }
}

static void sweeps_of_samples(void)
{
    const size_t long_n = (size_t)1 << 26, n = (size_t)1 << 22;
    for (size_t m = 32; m <= 8192; m *= 2)
        run(&(job){&kernel_cuda, m, long_n, 1, 1, long_n, 1, m < 1024 ? 20 : 3, false, 0});
    run(&(job){&kernel_handover, 1024, long_n, 1, 1, long_n, 1, 3, false, 0});
    run(&(job){&kernel_cuda, 1000, long_n, 1, 1, long_n, 1, 3, true, 0});
    for (size_t m = 32; m <= 8192; m *= 2)
        run(&(job){&kernel_cuda, m, n, 1, 1, n, 3, 50, false, 0});
    run(&(job){&kernel_cuda, 1000, n, 1, 1, n, 3, 30, false, 0});
    run(&(job){&kernel_cuda, 1000, n, 1, 1, n, 3, 30, true, 0});
    run(&(job){&kernel_cuda, 65536, n, 1, 1, n, 1, 1, false, 0});
}

/* The papers' task, 1024 samples in 4 Mi, and their grid of sizes: by their kernel, in D
 * segments, a block of threads each. */
static void papers(void)
{
    static const size_t n = (size_t)1 << 22;
    printf(
        "\n1024 in 4 Mi samples: 419.6 ms (GTX 580) and 27 720 ms (one core) in the papers; here "
        "%.3f ms by `cuda`\n\n| m | D = 16 | 64 | 256 | 1024 | 2048 |\n|---|---|---|---|---|---|\n",
        1e3 * measure(&(job){&kernel_cuda, 1024, n, 1, 1, n, 3, 20, false, 0}).device_s);
    for (size_t m = 32; m <= 1024; m *= 2) {
        printf("| %zu", m);
        for (int d = 16; d <= 2048; d *= d == 1024 ? 2 : 4) {
            result r = measure(&(job){&kernel_wavefront, m, n, 1, 1, n, 1, 1, false, d});
            printf(" | %.2f ms%s", 1e3 * r.device_s, r.exact ? "" : " WRONG");
            fflush(stdout);
        }
        printf(" |\n");
    }
}

static void live_chunks(void)
{
    for (size_t step = 256; step <= 65536; step *= 4)
        run(&(job){&kernel_cuda, 1024, 100 * step, 1, 1, step, 2, 0, false, 0});
    run(&(job){&kernel_cuda, 1024, 100 * 4096, 1, 1, 4096, 2, 0, true, 0});
}

static void frames(void)
{
    const size_t n = (size_t)1 << 20;
    run(&(job){&kernel_cuda, 64, n, 13, 64, n / 4, 1, 10, false, 0});
    run(&(job){&kernel_cuda, 64, n, 40, 64, n / 4, 1, 5, false, 0});
    run(&(job){&kernel_cuda, 100, n, 13, 1, n, 1, 10, false, 0});
    run(&(job){&kernel_cuda, 100, n, 39, 1, n, 1, 10, false, 0});
}

static void quick(void)
{
    const size_t long_n = (size_t)1 << 26, n = (size_t)1 << 22;
    run(&(job){&kernel_cuda, 64, long_n, 1, 1, long_n, 1, 30, false, 0});
    run(&(job){&kernel_cuda, 1024, long_n, 1, 1, long_n, 1, 4, false, 0});
    run(&(job){&kernel_handover, 1024, long_n, 1, 1, long_n, 1, 4, false, 0});
    run(&(job){&kernel_handover, 1024, n, 1, 1, n, 2, 50, false, 0});
    run(&(job){&kernel_wavefront, 1024, n, 1, 1, n, 2, 2, false, 0});
    run(&(job){&kernel_cuda, 64, n / 16, 13, 64, n / 16, 1, 10, false, 0});
    run(&(job){&kernel_cuda, 64, n / 16, 40, 64, n / 16, 1, 5, false, 0});
}

int main(int argc, char **argv)
{
    sigrep_error error = {.text = ""};
    if (!cuda_usable(0, &error)) {
        printf("SKIP gpu-bench: %s\n", error.text);
        return 0;
    }
    head();
    if (argc > 1 && strcmp(argv[1], "--few") == 0) {
        few();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        quick();
        return 0;
    }
    sweeps_of_samples();
    live_chunks();
    frames();
    papers();
    return 0;
}
