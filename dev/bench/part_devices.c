/* part_devices.c - the same work on one GPU and on all of them, from host to host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/bench/parts.h"
#include "dev/bench/race.h"
#include "dev/bench/signals.h"
#include "kernels/cuda/host/cuda.h"
#include "kernels/float_env.h"
#include "kernels/multi_device.h"
#include "kernels/pinnable.h"

typedef struct {
    size_t templates, m, n;
} work;

typedef struct {
    const kernel_ops *ops;
    void *kernel;
    kernel_plan plan;
    kernel_output out;
} machine_of;

/* A checksum of the minima's bits. It is the same for all chunks of whole blocks. */
static uint64_t sum_of(const kernel_output *out, size_t templates, size_t at, size_t n)
{
    uint64_t sum = 0;
    for (size_t j = 0; j < templates; j++)
        for (size_t i = 0; i < n / KERNEL_BLOCK; i++) {
            uint32_t bits;
            memcpy(&bits, &out->minima[j * out->minima_stride + i], sizeof bits);
            sum += bits * (uint64_t)(2 * (at / KERNEL_BLOCK + i) + 1) * (2 * j + 1);
        }
    return sum;
}

static sigrep_status create(machine_of *to, const bench_options *o, const work *w,
                            kernel_template *templates, int devices)
{
    *to = (machine_of){.ops = devices > 1 ? &kernel_multi_device : &kernel_cuda,
                       .plan = {.templates = templates,
                                .n_templates = w->templates,
                                .dim = 1,
                                .pins = true,
                                .each = &kernel_cuda,
                                .device = kernel_device(o->device),
                                .devices = devices}};
    to->plan.max_chunk = o->chunk ? o->chunk : to->ops->best_chunk(&to->plan);
    to->out.minima_stride = kernel_max_blocks(to->plan.max_chunk);
    to->out.minima = pinnable_allocate(w->templates * to->out.minima_stride);
    return to->out.minima ? to->ops->create(&to->kernel, &to->plan) : SIGREP_NO_MEMORY;
}

static size_t step_at(const machine_of *by, const work *w, size_t at)
{
    return w->n - at < by->plan.max_chunk ? w->n - at : by->plan.max_chunk;
}

/* Sweeps the stream once. *sum: the checksum of its minima; NULL: none. ahead: prefetch the next
 * chunk before each sweep. */
static sigrep_status sweep(const machine_of *by, const work *w, bool ahead, const float *y,
                           double *took_s, uint64_t *sum)
{
    sigrep_status status = SIGREP_OK;
    const stopwatch begun = stopwatch_start();
    by->ops->reset(by->kernel);
    if (sum) *sum = 0;
    for (size_t at = 0; at < w->n && !status; at += by->plan.max_chunk) {
        const size_t n = step_at(by, w, at);
        if (ahead && at + n < w->n)
            by->ops->prefetch->copy(by->kernel, at + n, y + at + n, step_at(by, w, at + n));
        status = by->ops->sweep(by->kernel, y + at, n, &by->out);
        if (sum && !status) *sum += sum_of(&by->out, w->templates, at, n);
    }
    *took_s = stopwatch_read(&begun).wall_s;
    return status;
}

/* The time and the result of one way. */
typedef struct {
    double best_s;
    uint64_t sum;
    size_t step, repairs;
} outcome;

/* The first round computes the checksum. The time is the best of the others. */
static sigrep_status run(const bench_options *o, const work *w, int devices, bool ahead,
                         kernel_template *templates, float *y, outcome *to)
{
    machine_of by;
    sigrep_status status = create(&by, o, w, templates, devices);
    *to = (outcome){.best_s = INFINITY, .step = by.plan.max_chunk};
    if (!status) status = by.ops->prefetch->pin(by.kernel, y, w->n);
    if (!status)
        status =
            by.ops->prefetch->pin(by.kernel, by.out.minima, w->templates * by.out.minima_stride);
    for (size_t round = 0; round <= o->repeat && !status; round++) {
        double took_s;
        status = sweep(&by, w, ahead, y, &took_s, round ? NULL : &to->sum);
        if (round && took_s < to->best_s) to->best_s = took_s;
    }
    if (!status && devices > 1) to->repairs = (size_t)multi_device_repairs(by.kernel);
    if (by.kernel) by.ops->destroy(by.kernel);
    free(by.out.minima);
    return status;
}

static void add_row(const work *w, int devices, bool ahead, const outcome *r, double one_s,
                    bench_report *out)
{
    const double cells = (double)(w->templates * w->m) * (double)w->n;
    report_whole(out, "templates", "templates", w->templates);
    report_whole(out, "m", "m", w->m);
    report_whole(out, "n", "n", w->n);
    report_whole(out, "step", "step", r->step);
    report_whole(out, "devices", "GPUs", (size_t)devices);
    report_text(out, "ahead", "copies", ahead ? "ahead" : "first");
    report_real(out, "seconds", "seconds", r->best_s);
    report_real(out, "tcups", "TCUPS", 1e-12 * cells / r->best_s);
    report_real(out, "times_one", "x one", one_s / r->best_s);
    report_whole(out, "repairs", "repairs", r->repairs);
    report_row_end(out);
}

/* On one GPU and on all, each without and with prefetch. */
static bool compare(const bench_options *o, bench_report *out, const work *w, float *x, float *y)
{
    const int all = kernel_devices(o->device);
    outcome results[4];
    bool same = true;
    kernel_template *templates = calloc(w->templates, sizeof *templates);
    if (!templates) return bench_fail("out of memory");
    for (size_t j = 0; j < w->templates; j++)
        templates[j] = (kernel_template){x + j * w->m, w->m, INFINITY, 2 * w->m};
    sigrep_status status = SIGREP_OK;
    for (int i = 0; i < (all > 1 ? 4 : 2) && !status; i++) {
        const bool ahead = i % 2;
        status = run(o, w, i < 2 ? 1 : all, ahead, templates, y, &results[i]);
        if (!status) add_row(w, i < 2 ? 1 : all, ahead, &results[i], results[ahead].best_s, out);
        same = same && results[i].sum == results[0].sum;
    }
    free(templates);
    if (status) return bench_fail("m = %zu: %s", w->m, sigrep_status_text(status));
    return same || bench_fail("m = %zu: GPUs, or copies ahead, make a difference", w->m);
}

bool gpu_part_devices(const bench_options *o, bench_report *out)
{
    work works[BENCH_LIST] = {{1, 1024, 1 << 28}, {1, 8192, 1 << 27}, {64, 1024, 1 << 24}};
    size_t n = o->lengths.n ? o->lengths.n : 3, longest_x = 0, longest_y = 0;
    for (size_t i = 0; i < n; i++) {
        if (o->lengths.n) works[i] = (work){o->templates.values[0], o->lengths.values[i], 1 << 26};
        if (o->frames) works[i].n = o->frames;
        if (works[i].templates * works[i].m > longest_x)
            longest_x = works[i].templates * works[i].m;
        if (works[i].n > longest_y) longest_y = works[i].n;
    }
    float *x = signal_noise(longest_x, 1), *y = signal_noise(longest_y, 2);
    const float_env before = float_env_enter();
    bool good = (x && y) || bench_fail("out of memory");
    report_part(out, "devices", "From the host's memory to minima there, on one GPU and on all:");
    for (size_t i = 0; i < n && good; i++) good = compare(o, out, &works[i], x, y);
    float_env_leave(before);
    free(x);
    free(y);
    return good;
}
