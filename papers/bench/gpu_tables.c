/*
 * gpu_tables.c - the task of D. Man, K. Nakano, Y. Ito, "The Approximate String Matching on the
 * Hierarchical Memory Machine, with Performance Evaluation" (MCSoC 2013): a pattern of m in 4 Mi
 * letters, by D blocks of threads. Ours are strings as well, and signals, which are more work.
 *
 *     each m: sigrep's kernel ──> D blocks, all algorithms ──> three tables
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/bench/bench_fail.h"
#include "dev/bench/gpu_case.h"
#include "dev/bench/gpu_limits.h"
#include "dev/bench/signals.h"
#include "papers/bench/gpu_papers_case.h"
#include "papers/bench/tables.h"

enum {
    N_BLOCKS = 8,
    PAPERS_FRAMES = 1 << 22,
    CHECKED_CASES = 64,
    CHECK_SEED = 1,
    MOST_VALUE = 1024
};

/* D, the numbers of blocks of their table I. */
static const int block_counts[N_BLOCKS] = {16, 32, 64, 128, 256, 512, 1024, 2048};

static const char *const claims[GPU_PAPERS_ALGORITHMS] = {"Lemma 6.1", "Theorem 7.2", "Theorem 8.1",
                                                          "Theorem 8.1", "HMM, Theorem 4"};

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

/* Strings or signals of one length; NAN milliseconds if m is above GPU_PAPERS_MOST_M. */
typedef struct {
    gpu_papers_case text;
    gpu_papers_outcome by[GPU_PAPERS_ALGORITHMS]; /* of blocks: with the best D */
    double blocks_ms[N_BLOCKS];
} timings;

/* One length: what it took, in milliseconds. */
typedef struct {
    size_t m, n;
    double cuda_ms;
    timings strings, signals;
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

/* sigrep's kernel. */
static bool measure_cuda(const bench_options *o, const material *of, row *to)
{
    const gpu_case c = {.ops = &kernel_cuda,
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
    gpu_result r = {0};
    const bool good = gpu_case_run(&c, &r);
    to->cuda_ms = 1e3 * r.device_s;
    return good;
}

static bool measure_blocks(timings *to)
{
    gpu_papers_outcome o, *best = &to->by[GPU_PAPERS_BLOCKS];
    for (int i = 0; i < N_BLOCKS; i++) {
        if (!gpu_papers_run(&to->text, GPU_PAPERS_BLOCKS, (size_t)block_counts[i], &o))
            return false;
        to->blocks_ms[i] = o.ms;
        if (!(best->ms <= o.ms)) *best = o; /* the first one, too: NAN */
    }
    return true;
}

static bool measure_algorithms(const bench_options *o, const gpu_papers_case *text, timings *to)
{
    *to = (timings){.text = *text};
    to->text.laps = (gpu_papers_laps){o->repeat, o->lap_s};
    for (int i = 0; i < N_BLOCKS; i++) to->blocks_ms[i] = NAN;
    for (int a = 0; a < GPU_PAPERS_ALGORITHMS; a++) to->by[a].ms = NAN;
    if (text->m > GPU_PAPERS_MOST_M) return true;
    bool good = gpu_papers_expect(&to->text);
    for (int a = 0; a < GPU_PAPERS_BLOCKS && good; a++)
        good = gpu_papers_run(&to->text, (gpu_papers_algorithm)a, 0, &to->by[a]);
    return good && measure_blocks(to);
}

static bool measure(const bench_options *o, const material *of, row *to)
{
    gpu_papers_case text = {.device = kernel_device(o->device),
                            .m = to->m < to->n ? to->m : to->n,
                            .n = to->n,
                            .x = of->x_letters,
                            .y = of->y_letters};
    find_theirs(to);
    if (!measure_cuda(o, of, to) || !measure_algorithms(o, &text, &to->strings)) return false;
    text.signals = true;
    text.x = of->x;
    text.y = of->y;
    return measure_algorithms(o, &text, &to->signals);
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
    report_real(out, "signals_ms", "signals, ms", r->signals.by[GPU_PAPERS_BLOCKS].ms);
    report_real(out, "strings_ms", "strings, ms", r->strings.by[GPU_PAPERS_BLOCKS].ms);
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
        snprintf(name, sizeof name, "d%d_ms", block_counts[i]);
        snprintf(head, sizeof head, "D = %d", block_counts[i]);
        report_real(out, name, head, ms[i]);
    }
    report_row_end(out);
}

static void add_rows(const row *rows, size_t n, const bench_options *o, bench_report *out)
{
    const double ceiling = gpu_ceiling(kernel_device(o->device));
    report_part(out, "papers",
                "The papers' task; their kernel with the best D, for signals and strings:");
    for (size_t i = 0; i < n; i++) add_best_row(&rows[i], ceiling, out);
    report_part(out, "blocks", "Their kernel by D blocks of threads; the GTX 580 had strings:");
    for (size_t i = 0; i < n; i++) {
        add_block_row(&rows[i], "signals", rows[i].signals.blocks_ms, out);
        add_block_row(&rows[i], "strings", rows[i].strings.blocks_ms, out);
        add_block_row(&rows[i], "GTX 580", rows[i].gpu_ms, out);
    }
}

static void add_algorithm(const timings *s, int a, bench_report *out)
{
    const double cells = (double)s->text.m * (double)s->text.n;
    report_text(out, "algorithm", "algorithm", gpu_papers_names[a]);
    report_text(out, "claim", "claim         ", claims[a]);
    report_text(out, "of", "of", s->text.signals ? "signals" : "strings");
    report_whole(out, "m", "m", s->text.m);
    report_whole(out, "n", "n", s->text.n);
    report_real(out, "ms", "ms", s->by[a].ms);
    report_real(out, "gcups", "GCUPS", 1e-6 * cells / s->by[a].ms);
    report_real(out, "result", "result", s->by[a].least);
    report_row_end(out);
}

static void add_algorithms(const timings *s, bench_report *out)
{
    for (int a = 0; a < GPU_PAPERS_ALGORITHMS; a++)
        if (!isnan(s->by[a].ms)) add_algorithm(s, a, out);
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
    material of;
    bool good = material_create(&of, size_list_most(lengths), n) &&
                gpu_papers_agree(kernel_device(o->device), CHECK_SEED, CHECKED_CASES);
    for (size_t i = 0; i < lengths->n && good; i++) {
        rows[i] = (row){.m = lengths->values[i], .n = n};
        good = measure(o, &of, &rows[i]);
    }
    material_free(&of);
    if (!good) return false;
    add_rows(rows, lengths->n, o, out);
    report_part(out, "algorithms",
                "The papers' algorithms, up to m = 1024; GCUPS of m n cells, though some compute "
                "more:");
    for (size_t i = 0; i < lengths->n; i++) add_algorithms(&rows[i].strings, out);
    for (size_t i = 0; i < lengths->n; i++) add_algorithms(&rows[i].signals, out);
    return true;
}

static bool time_minima(const bench_options *o, const int32_t *values, size_t n, bench_report *out)
{
    const gpu_papers_laps laps = {o->repeat, o->lap_s};
    for (int by = 0; by < GPU_MINIMA; by++) {
        const gpu_minimum_task task = {kernel_device(o->device), values, n, MOST_VALUE,
                                       (gpu_papers_minimum)by};
        double ms = NAN;
        if (!gpu_minimum_run(&task, &laps, &ms)) return false;
        report_text(out, "minimum", "minimum ", gpu_minimum_names[by]);
        report_whole(out, "words", "words", n);
        report_real(out, "us", "us", 1e3 * ms);
        report_row_end(out);
    }
    return true;
}

/* Minima of D words and of n words. */
static bool minima(const bench_options *o, size_t n, bench_report *out)
{
    const size_t d = (size_t)block_counts[N_BLOCKS - 1], most = n > d ? n : d;
    int32_t *values = malloc(most * sizeof *values);
    if (!values) return bench_fail("out of memory");
    for (size_t i = 0; i < most; i++) values[i] = MOST_VALUE - (int32_t)(i * 7919 % 997);
    report_part(out, "minima", "The least of D words, and of n, by the papers' ways:");
    const bool good = time_minima(o, values, d, out) && time_minima(o, values, n, out);
    free(values);
    return good;
}

bool gpu_tables(const bench_options *o, bench_report *out)
{
    const size_list *lengths = o->lengths.n ? &o->lengths : &usual;
    const size_t n = o->frames ? o->frames : PAPERS_FRAMES;
    row *rows = calloc(BENCH_LIST, sizeof *rows);
    const bool good = rows ? measure_lengths(o, lengths, n, rows, out) && minima(o, n, out)
                           : bench_fail("out of memory");
    free(rows);
    return good;
}
