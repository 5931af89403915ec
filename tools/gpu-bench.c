/*
 * gpu-bench.c - the CUDA kernels' speed, on device and end to end, as a Markdown table. A
 * cell is one template sample against one stream sample; only cells that are asked for count,
 * not those of warm-ups. Every timed result is first compared with the scalar kernel's, over a
 * prefix and as block minima.
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
    int held, warps; /* forced, where not 0 */
} job;

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

static void run(const job *b)
{
    float *x = make_signal(b->templates * b->m * b->dim, 1, b->walk);
    float *y = make_signal(b->n * b->dim, 2, b->walk);
    kernel_template *templates = calloc(b->templates, sizeof *templates);
    if (!templates) abort();
    for (size_t j = 0; j < b->templates; j++)
        templates[j] = (kernel_template){x + j * b->m * b->dim, b->m, INFINITY, 2 * b->m};
    kernel_plan plan = {
        .templates = templates, .n_templates = b->templates, .dim = b->dim, .max_step = b->step};
    size_t stride = kernel_max_blocks(b->step);
    float *minima = malloc(b->templates * stride * sizeof *minima);
    size_t steps = b->n / b->step;
    double *wall = calloc(steps * (size_t)b->repeats, sizeof *wall);
    double *device = calloc(steps * (size_t)b->repeats, sizeof *device);
    void *kernel = NULL;
    sigrep_status status = b->ops->create(&kernel, &plan);
    if (status || !minima || !wall || !device) {
        printf("| %s | %zu | %zu | %zu | %zu | %s |\n", b->ops->name, b->m, b->dim, b->templates,
               b->step, sigrep_status_text(status));
        goto end;
    }
    cuda_kernel *inside = kernel;
    inside->times = b->times;
    inside->only_held = b->held;
    inside->only_warps = b->warps;
    bool good = true;
    size_t count = 0, bad = 0;
    for (int r = 0; r <= b->repeats && !status; r++) { /* the first is not timed */
        b->ops->reset(kernel);
        for (size_t s = 0; s < steps && !status; s++) {
            double begun = now_s();
            status = b->ops->step(kernel, y + s * b->step * b->dim, b->step,
                                  &(kernel_output){minima, stride, NULL});
            if (r) {
                wall[count] = now_s() - begun;
                device[count++] = inside->device_s;
                bad += inside->bad_seams;
            }
            if (r || s) continue;
            size_t check = b->step < 4000000 / b->m / b->dim ? b->step : 4000000 / b->m / b->dim;
            good = right(&plan, y, check < 640 ? 640 : check, minima);
        }
    }
    if (status) {
        printf("| %s | %zu | failed: %s |\n", b->ops->name, b->m, sigrep_status_text(status));
        goto end;
    }
    qsort(wall, count, sizeof *wall, by_value);
    qsort(device, count, sizeof *device, by_value);
    double cells = (double)b->m * (double)b->step * (double)b->templates;
    double d = device[count / 2], w = wall[count / 2], tail = wall[count * 99 / 100];
    printf("| %s | %zu | %zu | %zu | %zu | %d x %d, %d | %.3f | %.3f | %.1f | %.1f | %.2f | %zu | "
           "%s |\n",
           b->ops->name, b->m, b->dim, b->templates, b->step, inside->templates[0].cut.segments,
           inside->templates[0].cut.length, inside->templates[0].held, d * 1e3, cells / d * 1e-12,
           w * 1e6, tail * 1e6, 2.0 * (double)b->dim * cells / d * 1e-12, bad,
           good ? "exact" : "WRONG");
    fflush(stdout);
end:
    if (kernel) b->ops->destroy(kernel);
    free(x);
    free(y);
    free(templates);
    free(minima);
    free(wall);
    free(device);
}

static void head(void)
{
    printf(
        "| kernel | m | K | templates | step | segments | device ms | TCUPS | wall us p50 | "
        "p99 | Tflop/s | bad seams | |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void few(void)
{
    static const size_t lengths[] = {1, 7, 32, 33, 100, 256, 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int walk = 0; walk < 2; walk++) {
            run(&(job){&kernel_cuda, lengths[i], 3 * 2048, 1, 2, 2048, 1, 1, walk, 0, 0});
            run(&(job){&kernel_band, lengths[i], 3 * 2048, 1, 1, 2048, 1, 1, walk, 0, 0});
            run(&(job){&kernel_cuda, lengths[i], 3 * 512, 3, 1, 512, 1, 1, walk, 0, 0});
        }
}

static void sweeps_of_samples(void)
{
    const size_t long_n = (size_t)1 << 26, n = (size_t)1 << 22;
    for (size_t m = 32; m <= 8192; m *= 2)
        run(&(job){&kernel_cuda, m, long_n, 1, 1, long_n, 1, m < 1024 ? 20 : 3, false, 0, 0});
    run(&(job){&kernel_handover, 1024, long_n, 1, 1, long_n, 1, 3, false, 0, 0});
    run(&(job){&kernel_cuda, 1000, long_n, 1, 1, long_n, 1, 3, true, 0, 0});
    for (size_t m = 32; m <= 8192; m *= 2)
        run(&(job){&kernel_cuda, m, n, 1, 1, n, 3, 50, false, 0, 0});
    for (int held = 32; held >= 8; held /= 2)
        for (int warps = 1; warps <= 4; warps++)
            run(&(job){&kernel_handover, 1024, n, 1, 1, n, 2, 30, false, held, warps});
    run(&(job){&kernel_cuda, 1000, n, 1, 1, n, 3, 30, false, 0, 0});
    run(&(job){&kernel_cuda, 1000, n, 1, 1, n, 3, 30, true, 0, 0});
    run(&(job){&kernel_cuda, 65536, n, 1, 1, n, 1, 1, false, 0, 0});
}

static void live_chunks(void)
{
    for (size_t step = 256; step <= 65536; step *= 4)
        run(&(job){&kernel_cuda, 1024, 100 * step, 1, 1, step, 2, 0, false, 0, 0});
    run(&(job){&kernel_cuda, 1024, 100 * 4096, 1, 1, 4096, 2, 0, true, 0, 0});
}

static void frames(void)
{
    const size_t n = (size_t)1 << 20;
    run(&(job){&kernel_cuda, 64, n, 13, 64, n / 4, 1, 10, false, 0, 0});
    run(&(job){&kernel_cuda, 64, n, 40, 64, n / 4, 1, 5, false, 0, 0});
    run(&(job){&kernel_cuda, 100, n, 13, 1, n, 1, 10, false, 0, 0});
    run(&(job){&kernel_cuda, 100, n, 39, 1, n, 1, 10, false, 0, 0});
}

static void quick(void)
{
    const size_t long_n = (size_t)1 << 26, n = (size_t)1 << 22;
    run(&(job){&kernel_cuda, 64, long_n, 1, 1, long_n, 1, 30, false, 0, 0});
    run(&(job){&kernel_cuda, 1024, long_n, 1, 1, long_n, 1, 4, false, 0, 0});
    run(&(job){&kernel_handover, 1024, long_n, 1, 1, long_n, 1, 4, false, 0, 0});
    run(&(job){&kernel_handover, 1024, n, 1, 1, n, 2, 50, false, 32, 2});
    run(&(job){&kernel_handover, 1024, n, 1, 1, n, 2, 50, false, 16, 3});
    run(&(job){&kernel_cuda, 64, n / 16, 13, 64, n / 16, 1, 10, false, 0, 0});
    run(&(job){&kernel_cuda, 64, n / 16, 40, 64, n / 16, 1, 5, false, 0, 0});
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
    return 0;
}
