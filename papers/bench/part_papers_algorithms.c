#include "papers/bench/part_papers_algorithms.h"

#include <math.h>
#include <stdlib.h>

#include "dev/bench/bench_fail.h"
#include "kernels/kernel.h"

enum { CHECKED_CASES = 64, CHECK_SEED = 1, MOST_VALUE = 1024 };

const int papers_blocks[PAPERS_BLOCKS_MEASURED] = {16, 32, 64, 128, 256, 512, 1024, 2048};

static const char *const claims[GPU_PAPERS_ALGORITHMS] = {"Lemma 6.1", "Theorem 7.2", "Theorem 8.1",
                                                          "Theorem 8.1", "HMM, Theorem 4"};

bool papers_algorithms_check(const bench_options *o)
{
    return gpu_papers_agree(kernel_device(o->device), CHECK_SEED, CHECKED_CASES);
}

bool papers_algorithms_measure(const bench_options *o, const gpu_papers_case *text,
                               papers_timings *to)
{
    *to = (papers_timings){.text = *text};
    to->text.laps = (gpu_papers_laps){o->repeat, o->lap_s};
    for (int i = 0; i < PAPERS_BLOCKS_MEASURED; i++) to->blocks_ms[i] = NAN;
    for (int a = 0; a < GPU_PAPERS_ALGORITHMS; a++) to->algorithm_ms[a] = NAN;
    if (text->m > GPU_PAPERS_MOST_M) return true;
    bool good = gpu_papers_expect(&to->text);
    for (int a = 0; a < GPU_PAPERS_BLOCKS && good; a++)
        good = gpu_papers_run(&to->text, (gpu_papers_algorithm)a, 0, &to->algorithm_ms[a]);
    if (text->signals) return good;
    double *best = &to->algorithm_ms[GPU_PAPERS_BLOCKS];
    for (int i = 0; i < PAPERS_BLOCKS_MEASURED && good; i++) {
        good = gpu_papers_run(&to->text, GPU_PAPERS_BLOCKS, (size_t)papers_blocks[i],
                              &to->blocks_ms[i]);
        *best = fmin(*best, to->blocks_ms[i]); /* of NAN and a number: the number */
    }
    return good;
}

static void add_row(const papers_timings *s, int a, bench_report *out)
{
    const double cells = (double)s->text.m * (double)s->text.n, ms = s->algorithm_ms[a];
    report_text(out, "algorithm", "algorithm", gpu_papers_names[a]);
    report_text(out, "claim", "claim         ", claims[a]);
    report_text(out, "of", "of", s->text.signals ? "signals" : "strings");
    report_whole(out, "m", "m", s->text.m);
    report_whole(out, "n", "n", s->text.n);
    report_real(out, "ms", "ms", ms);
    report_real(out, "gcups", "GCUPS", 1e-6 * cells / ms);
    report_real(out, "result", "result",
                gpu_papers_is_by_segments((gpu_papers_algorithm)a) ? s->text.by_segments
                                                                   : s->text.expected);
    report_row_end(out);
}

void papers_algorithms_report(const papers_timings *all, size_t n, bench_report *out)
{
    report_part(out, "algorithms",
                "The papers' algorithms, up to m = 1024; GCUPS of m n cells, though some compute "
                "more:");
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < GPU_PAPERS_ALGORITHMS; a++)
            if (!isnan(all[i].algorithm_ms[a])) add_row(&all[i], a, out);
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

bool papers_minima(const bench_options *o, size_t n, bench_report *out)
{
    const size_t d = (size_t)papers_blocks[PAPERS_BLOCKS_MEASURED - 1];
    const size_t most = n > d ? n : d;
    int32_t *values = malloc(most * sizeof *values);
    if (!values) return bench_fail("out of memory");
    for (size_t i = 0; i < most; i++) values[i] = MOST_VALUE - (int32_t)(i * 7919 % 997);
    report_part(out, "minima", "The least of D words, and of n, by the papers' ways:");
    const bool good = time_minima(o, values, d, out) && time_minima(o, values, n, out);
    free(values);
    return good;
}
