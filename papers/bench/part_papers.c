/* part_papers.c - the task of D. Man, K. Nakano, Y. Ito, "The Approximate String Matching on the
 * Hierarchical Memory Machine, with Performance Evaluation" (MCSoC 2013): a pattern of m in 4 Mi
 * letters, by D blocks of threads. Ours are strings as well, and signals, which are more work. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/bench/gpu_case.h"
#include "dev/bench/gpu_limits.h"
#include "dev/bench/parts.h"
#include "dev/bench/signals.h"
#include "papers/bench/part_papers_algorithms.h"

enum { N_BLOCKS = PAPERS_BLOCKS_MEASURED, PAPERS_FRAMES = 1 << 22 };

/* Their table I, in milliseconds: GeForce GTX 580, and one core of a Xeon X7460. */
static const struct {
    size_t m;
    double gpu_ms[N_BLOCKS], cpu_ms;
} theirs[] = {
    {32, {178.2, 89.23, 44.92, 23.46, 23.53, 23.64, 23.90, 24.38}, 701.8},
    {64, {178.6, 89.71, 46.74, 29.13, 29.13, 29.18, 29.39, 30.01}, 1364},
    {128, {181.1, 92.66, 55.81, 48.40, 48.51, 48.92, 50.16, 53.36}, 2683},
    {256, {187.0, 112.2, 95.77, 93.16, 91.83, 93.83, 100.1, 113.3}, 5295},
    {512, {236.5, 191.0, 184.6, 181.3, 185.0, 197.9, 224.1, 277.9}, 10560},
    {1024, {419.6, 423.8, 432.3, 449.4, 483.4, 551.5, 687.7, 960.0}, 27720},
};

static const size_list usual = {{32, 64, 128, 256, 512, 1024}, 6};

/* One length: what it took, in milliseconds. */
typedef struct {
    size_t m, n;
    double cuda_ms, wavefront_ms[N_BLOCKS];
    papers_timings strings, signals;
    double gpu_ms[N_BLOCKS], cpu_ms; /* theirs; NAN: they did not measure that */
} row;

/* Templates as long as the longest. */
typedef struct {
    float *x, *y;
    uint8_t *x_letters, *y_letters;
} material;

static double least(const double *values)
{
    double value = INFINITY;
    for (int i = 0; i < N_BLOCKS; i++)
        if (values[i] < value) value = values[i];
    return isfinite(value) ? value : NAN;
}

static void find_theirs(row *to)
{
    to->cpu_ms = NAN;
    for (int i = 0; i < N_BLOCKS; i++) to->gpu_ms[i] = NAN;
    for (size_t j = 0; j < sizeof theirs / sizeof *theirs; j++) {
        if (theirs[j].m != to->m || to->n != PAPERS_FRAMES) continue;
        to->cpu_ms = theirs[j].cpu_ms;
        for (int i = 0; i < N_BLOCKS; i++) to->gpu_ms[i] = theirs[j].gpu_ms[i];
    }
}

static bool time_ms(const gpu_case *c, double *ms)
{
    gpu_result r;
    if (!gpu_case_run(c, &r)) return false;
    *ms = 1e3 * r.device_s;
    return true;
}

static bool measure_algorithms(const bench_options *o, const material *of, row *to)
{
    gpu_papers_case text = {.device = kernel_device(o->device),
                            .m = to->m < to->n ? to->m : to->n,
                            .n = to->n,
                            .x = of->x_letters,
                            .y = of->y_letters};
    if (!papers_algorithms_measure(o, &text, &to->strings)) return false;
    text.signals = true;
    text.x = of->x;
    text.y = of->y;
    return papers_algorithms_measure(o, &text, &to->signals);
}

static bool measure(const bench_options *o, const material *of, row *to)
{
    gpu_case c = {.ops = &kernel_cuda,
                  .device = kernel_device(o->device),
                  .x = of->x,
                  .y = of->y,
                  .m = to->m,
                  .n = to->n,
                  .dim = 1,
                  .templates = 1,
                  .step = to->n,
                  .rounds = o->repeat,
                  .lap_s = o->lap_s};
    const bool good = time_ms(&c, &to->cuda_ms);
    for (int i = 0; i < N_BLOCKS; i++) to->wavefront_ms[i] = NAN; /* wavefront.cu is not driven */
    find_theirs(to);
    return good && measure_algorithms(o, of, to);
}

static void add_best_row(const row *r, double ceiling, bench_report *out)
{
    const double cells = (double)r->m * (double)r->n;
    report_whole(out, "m", "m", r->m);
    report_whole(out, "n", "n", r->n);
    report_real(out, "cuda_ms", "cuda, ms", r->cuda_ms);
    report_real(out, "tcups", "TCUPS", 1e-9 * cells / r->cuda_ms);
    report_percent(out, "ceiling_share", "share",
                   ceiling > 0 ? 1e3 * cells / r->cuda_ms / ceiling : NAN);
    report_real(out, "wavefront_ms", "wavefront, ms", least(r->wavefront_ms));
    report_real(out, "strings_ms", "strings, ms", r->strings.algorithm_ms[GPU_PAPERS_BLOCKS]);
    report_real(out, "gtx580_ms", "GTX 580, ms", least(r->gpu_ms));
    report_real(out, "cpu_ms", "their CPU, ms", r->cpu_ms);
    report_row_end(out);
}

static void add_block_row(const row *r, const char *by, const double *ms, bench_report *out)
{
    report_whole(out, "m", "m", r->m);
    report_text(out, "by", "by, ms", by);
    for (int i = 0; i < N_BLOCKS; i++) {
        char name[32], head[32];
        snprintf(name, sizeof name, "d%d_ms", papers_blocks[i]);
        snprintf(head, sizeof head, "D = %d", papers_blocks[i]);
        report_real(out, name, head, ms[i]);
    }
    report_row_end(out);
}

static void add_row(const row *rows, size_t n, const bench_options *o, bench_report *out)
{
    const double ceiling = gpu_ceiling(kernel_device(o->device));
    report_part(
        out, "papers",
        "The papers' task; their kernel with the best D, for signals (wavefront) and strings:");
    for (size_t i = 0; i < n; i++) add_best_row(&rows[i], ceiling, out);
    report_part(out, "blocks", "Their kernel by D blocks of threads; the GTX 580 had strings:");
    for (size_t i = 0; i < n; i++) {
        add_block_row(&rows[i], "signals", rows[i].wavefront_ms, out);
        add_block_row(&rows[i], "strings", rows[i].strings.blocks_ms, out);
        add_block_row(&rows[i], "GTX 580", rows[i].gpu_ms, out);
    }
}

static bool material_create(material *of, size_t m, size_t n)
{
    *of = (material){signal_noise(m, 1), signal_noise(n, 2), signal_letters(m, 1),
                     signal_letters(n, 2)};
    return (of->x && of->y && of->x_letters && of->y_letters) || bench_fail("out of memory");
}

static void material_free(material *of)
{
    free(of->x);
    free(of->y);
    free(of->x_letters);
    free(of->y_letters);
}

static bool measure_lengths(const bench_options *o, const size_list *lengths, size_t n, row *rows,
                            bench_report *out)
{
    papers_timings all[2 * BENCH_LIST];
    material of;
    bool good = material_create(&of, size_list_most(lengths), n) && papers_algorithms_check(o);
    for (size_t i = 0; i < lengths->n && good; i++) {
        rows[i] = (row){.m = lengths->values[i], .n = n};
        good = measure(o, &of, &rows[i]);
        all[i] = rows[i].strings;
        all[lengths->n + i] = rows[i].signals;
    }
    if (good) add_row(rows, lengths->n, o, out);
    if (good) papers_algorithms_report(all, 2 * lengths->n, out);
    material_free(&of);
    return good && papers_minima(o, n, out);
}

bool gpu_part_papers(const bench_options *o, bench_report *out)
{
    const size_list *lengths = o->lengths.n ? &o->lengths : &usual;
    const size_t n = o->frames ? o->frames : PAPERS_FRAMES;
    row *rows = calloc(BENCH_LIST, sizeof *rows);
    const bool good =
        rows ? measure_lengths(o, lengths, n, rows, out) : bench_fail("out of memory");
    free(rows);
    return good;
}
