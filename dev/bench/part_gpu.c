/* part_gpu.c - the CUDA kernels beside the GPU's ceiling: samples, frames, chunks of a stream. */
#include <math.h>
#include <stdlib.h>

#include "dev/bench/gpu_case.h"
#include "dev/bench/gpu_limits.h"
#include "dev/bench/parts.h"
#include "dev/bench/signals.h"

enum { LONG = 1 << 26, SHORT = 1 << 22 };

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

bool gpu_machine(const bench_options *o, bench_report *out)
{
    const int number = kernel_device(o->device);
    gpu_description one;
    if (!gpu_describe(number, &one)) return bench_fail("GPU %d: cannot be asked", number);
    report_part(out, "gpus", "The GPU. Cells in registers alone, and copies from pinned memory:");
    report_text(out, "gpu", "GPU", one.name);
    report_whole(out, "index", "index", (size_t)number);
    report_whole(out, "multiprocessors", "SMs", (size_t)one.multiprocessors);
    report_whole(out, "capability", "sm", (size_t)one.capability);
    report_real(out, "clock_ghz", "GHz", one.clock_ghz);
    report_real(out, "memory_gib", "GiB", ldexp((double)one.memory, -30));
    report_whole(out, "driver", "driver's CUDA", (size_t)one.driver);
    report_whole(out, "runtime", "runtime", (size_t)one.runtime);
    report_real(out, "ceiling_tcups", "ceiling, TCUPS", 1e-12 * gpu_ceiling(number));
    report_real(out, "copy_gb_s", "copies, GB/s", 1e-9 * gpu_copy_rate(number));
    report_row_end(out);
    return true;
}

/* The streams of a table. The caller frees x and y. */
typedef struct {
    const bench_options *o;
    bench_report *out;
    double ceiling; /* cells a second */
    float *x[2];    /* noise, and a walk */
    float *y[2];
    size_t values_x, values_y; /* floats of each */
} gpu_table;

static const char *const stream_names[] = {"noise", "walk"};

static void free_table(gpu_table *t)
{
    for (int i = 0; i < 2; i++) {
        free(t->x[i]);
        free(t->y[i]);
    }
}

static bool create_table(gpu_table *t, const bench_options *o, bench_report *out, size_t values_x,
                         size_t values_y)
{
    *t = (gpu_table){.o = o,
                     .out = out,
                     .ceiling = gpu_ceiling(kernel_device(o->device)),
                     .x = {signal_noise(values_x, 1), signal_walk(values_x, 1, 1)},
                     .y = {signal_noise(values_y, 2), signal_walk(values_y, 1, 2)}};
    return (t->x[0] && t->x[1] && t->y[0] && t->y[1]) || bench_fail("out of memory");
}

static gpu_case case_of(const gpu_table *t, const kernel_ops *ops, int stream)
{
    return (gpu_case){.ops = ops,
                      .device = kernel_device(t->o->device),
                      .x = t->x[stream],
                      .y = t->y[stream],
                      .dim = 1,
                      .templates = 1,
                      .rounds = t->o->repeat,
                      .lap_s = t->o->lap_s};
}

static void add_case(bench_report *out, const gpu_case *c, int stream)
{
    report_text(out, "kernel", "kernel", c->ops->name);
    report_text(out, "stream", "stream", stream_names[stream]);
    report_whole(out, "m", "m", c->m);
    report_whole(out, "dim", "K", c->dim);
    report_whole(out, "templates", "templates", c->templates);
    report_whole(out, "step", "n", c->step);
}

/* frames: report operations too, even for K = 1: all rows have the same columns. */
static bool run_kernel(const gpu_table *t, const gpu_case *c, int stream, bool frames)
{
    gpu_result r;
    bench_report *out = t->out;
    if (!gpu_case_run(c, &r)) return false;
    add_case(out, c, stream);
    report_whole(out, "segments", "segments", (size_t)r.last.segments);
    report_real(out, "device_ms", "device, ms", 1e3 * r.device_s);
    report_real(out, "wall_ms", "host, ms", 1e3 * r.wall_s);
    report_real(out, "tcups", "TCUPS", 1e-12 * gpu_rate(&r));
    report_percent(out, "ceiling_share", "share", share_of(gpu_rate(&r), t->ceiling));
    if (frames) report_real(out, "tflop_s", "Tflop/s", 2e-12 * (double)c->dim * gpu_rate(&r));
    report_whole(out, "bad_seams", "bad seams", r.bad_seams);
    report_row_end(out);
    return true;
}

/* If a walk would take long, there is noise only. */
static bool run_streams(const gpu_table *t, const kernel_ops *ops, size_t m, size_t templates,
                        size_t n)
{
    for (int stream = 0; stream < (n <= SHORT ? 2 : 1); stream++) {
        gpu_case c = case_of(t, ops, stream);
        c.m = m;
        c.templates = templates;
        c.n = n;
        c.step = t->o->chunk && t->o->chunk < n ? t->o->chunk : n;
        if (!run_kernel(t, &c, stream, false)) return false;
    }
    return true;
}

bool gpu_part_kernels(const bench_options *o, bench_report *out)
{
    static const size_list usual = {{32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}, 9};
    const size_list *lengths = o->lengths.n ? &o->lengths : &usual;
    const size_list sizes = o->frames ? (size_list){{o->frames}, 1} : (size_list){{LONG, SHORT}, 2};
    gpu_table t;
    report_part(out, "kernels",
                "Kernels, minima asked for; sweeps, certificates and mending on the device, and a\n"
                "whole step from host to host; share: of the ceiling:");
    bool good = create_table(&t, o, out, size_list_most(lengths) * size_list_most(&o->templates),
                             size_list_most(&sizes));
    for (size_t s = 0; s < sizes.n; s++)
        for (size_t i = 0; i < lengths->n; i++)
            for (size_t j = 0; j < o->templates.n; j++)
                for (size_t k = 0; good && k < o->n_shown; k++)
                    good = run_streams(&t, o->kernels[k], lengths->values[i],
                                       o->templates.values[j], sizes.values[s]);
    free_table(&t);
    return good;
}

/* Noise of frames, swept at once. */
static bool run_frames(const gpu_table *t, size_t dim, size_t m, size_t templates, size_t n)
{
    gpu_case c = case_of(t, t->o->kernels[0], 0);
    c.dim = dim;
    c.m = m;
    c.templates = templates;
    c.n = c.step = n;
    return run_kernel(t, &c, 0, true);
}

bool gpu_part_frames(const bench_options *o, bench_report *out)
{
    static const size_list gpu_dims = {{13, 40}, 2};
    const size_list *dims = o->dims.n ? &o->dims : &gpu_dims;
    const size_t alone_n = o->frames ? o->frames : 1 << 20,
                 many_n = o->frames ? o->frames : 1 << 18;
    const size_t length = o->lengths.n ? size_list_most(&o->lengths) : 100;
    gpu_table t;
    report_part(out, "frames", "Frames of K values, 2 K operations a cell:");
    bool good = create_table(&t, o, out, size_list_most(dims) * (length < 64 ? 64 : length) * 64,
                             size_list_most(dims) * alone_n);
    for (size_t d = 0; d < dims->n; d++) {
        const size_t dim = dims->values[d];
        for (size_t i = 0; good && i < o->lengths.n; i++)
            good = run_frames(&t, dim, o->lengths.values[i], 1, alone_n);
        if (good && !o->lengths.n)
            good = run_frames(&t, dim, 64, 64, many_n) && run_frames(&t, dim, 100, 1, alone_n);
    }
    free_table(&t);
    return good;
}

static bool run_chunks(const gpu_table *t, const gpu_case *c, int stream)
{
    gpu_result r;
    if (!gpu_case_run(c, &r)) return false;
    add_case(t->out, c, stream);
    report_whole(t->out, "chunks", "chunks", c->n / c->step);
    report_real(t->out, "median_us", "p50, us", 1e6 * r.wall_s);
    report_real(t->out, "late_us", "p99, us", 1e6 * r.late_s);
    report_real(t->out, "longest_us", "most, us", 1e6 * r.longest_s);
    report_whole(t->out, "bad_seams", "bad seams", r.bad_seams);
    report_row_end(t->out);
    return true;
}

bool gpu_part_live(const bench_options *o, bench_report *out)
{
    enum { CHUNKS = 400, LEAST_CHUNK = 256, MOST_CHUNK = 65536 };
    const size_t m = o->lengths.n ? o->lengths.values[0] : 1024;
    const size_t longest = o->chunk ? o->chunk : MOST_CHUNK;
    const size_t all = o->frames ? o->frames : CHUNKS * longest;
    const size_t least = o->chunk ? o->chunk : LEAST_CHUNK;
    gpu_table t;
    report_part(out, "live", "Chunks of a stream, from the host's memory to its minima there:");
    bool good = create_table(&t, o, out, m, all);
    for (size_t chunk = least < all ? least : all; chunk <= longest && chunk <= all; chunk *= 4)
        for (int stream = 0; stream < 2 && good; stream++) {
            gpu_case c = case_of(&t, o->kernels[0], stream);
            c.m = m;
            c.step = chunk;
            c.n = all / chunk < CHUNKS ? all : CHUNKS * chunk;
            c.rounds = 1;
            c.lap_s = 0;
            good = run_chunks(&t, &c, stream);
        }
    free_table(&t);
    return good;
}
