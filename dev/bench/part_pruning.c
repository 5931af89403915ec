/* part_pruning.c - what a threshold saves: cells above it need not be computed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/bench/parts.h"
#include "dev/bench/signals.h"
#include "dev/bench/sweep_case.h"
#include "filter/ascending.h"

enum { PRUNING_FRAMES = 1 << 20, PRUNING_LENGTH = 512, COLUMNS = 256 };

/* Shares of all cells that are at most eps. */
static const double shares[] = {0.002, 0.01, 0.02, 0.04, 0.06, 0.08, 0.12, 0.16, 0.3, 0.9};

typedef struct {
    const char *name;
    const float *y, *x; /* the template is a piece of the stream */
    size_t n, m;
} stream;

/* Cells of evenly spread columns, sorted. */
typedef struct {
    float *cells;
    size_t n;
} sample;

/* One loop: the whole stream from a cold start. */
static bool run_stream(void *self, size_t loops, lap *spent)
{
    bool good = true;
    float lowest;
    stopwatch begin = stopwatch_start();
    for (size_t i = 0; i < loops && good; i++) good = sweep_case_lowest(self, &lowest) == SIGREP_OK;
    *spent = stopwatch_read(&begin);
    return good;
}

static sweep_problem problem_of(const bench_options *o, const stream *s, float eps)
{
    sweep_problem p = sweep_of_samples(s->x, s->m, s->y, s->n, o->chunk);
    p.eps = eps;
    return p;
}

/* The caller frees the cells. NULL: no memory. Short streams have none. */
static sample sample_cells(const bench_options *o, const kernel_ops *ops, const stream *s)
{
    sample cells = {calloc(COLUMNS + 1, s->m * sizeof(float)), 0};
    race_case race;
    sweep_case own = {0};
    const sweep_problem problem = problem_of(o, s, INFINITY);
    if (!cells.cells || sweep_case_create(&race, &own, ops, &problem, 1)) return cells;
    const size_t spacing = ops->spacing(own.kernel, 0), chunk = own.problem.chunk;
    const size_t apart = (s->n / COLUMNS / spacing + 1) * spacing;
    for (size_t at = 0, next = apart; at < s->n; at += chunk) {
        const size_t n = s->n - at < chunk ? s->n - at : chunk;
        if (ops->sweep(own.kernel, s->y + at, n, &own.output)) break;
        for (; next <= at + n && cells.n < COLUMNS * s->m; next += apart, cells.n += s->m)
            if (ops->checkpoint(own.kernel, 0, next, cells.cells + cells.n)) break;
    }
    sweep_case_free(&own);
    qsort(cells.cells, cells.n, sizeof *cells.cells, ascending_floats);
    return cells;
}

static void add_row(const kernel_ops *ops, const stream *s, double share, const race_case *races,
                    bench_report *out)
{
    report_text(out, "kernel", "kernel", ops->name);
    report_text(out, "stream", "stream", s->name);
    report_whole(out, "m", "m", s->m);
    report_whole(out, "n", "n", s->n);
    report_real(out, "active_percent", "active %", 100 * share);
    report_real(out, "gcups_median", "GCUPS", 1e-9 * race_median(&races[1]));
    report_real(out, "dense_gcups", "dense", 1e-9 * race_median(&races[0]));
    report_real(out, "times_dense", "x dense", race_ratio(&races[1], &races[0]));
    report_row_end(out);
}

/* Dense and with a threshold, in turns. */
static bool race_threshold(const bench_options *o, const kernel_ops *ops, const stream *s,
                           float eps, race_case races[2])
{
    sweep_case dense = {0}, cut = {0}, *const cases[2] = {&dense, &cut};
    bool good = true;
    for (size_t i = 0; i < 2 && good; i++) {
        const sweep_problem problem = problem_of(o, s, i ? eps : INFINITY);
        good = sweep_case_create(&races[i], cases[i], ops, &problem, 1) == SIGREP_OK;
        races[i].run = run_stream;
        races[i].cells = (double)s->m * (double)s->n;
    }
    good = good && race_run(races, 2, o->repeat, o->lap_s);
    for (size_t i = 0; i < 2; i++) sweep_case_free(cases[i]);
    return good ? good : bench_fail("%s failed", ops->name);
}

static bool race_stream(const bench_options *o, const stream *s, bench_report *out)
{
    bool good = true;
    for (size_t k = 0; k < o->n_shown && good; k++) {
        const sample cells = sample_cells(o, o->kernels[k], s);
        if (!cells.cells) good = bench_fail("out of memory");
        for (size_t i = 0; i < sizeof shares / sizeof *shares && cells.n && good; i++) {
            race_case races[2];
            const float eps = cells.cells[(size_t)(shares[i] * (double)cells.n)];
            good = race_threshold(o, o->kernels[k], s, eps, races);
            if (good) add_row(o->kernels[k], s, shares[i], races, out);
        }
        free(cells.cells);
    }
    return good;
}

static bool race_made_up(const bench_options *o, const char *name, float *y, size_t n,
                         bench_report *out)
{
    size_t m = o->lengths.n ? o->lengths.values[0] : PRUNING_LENGTH;
    if (m > n / 3) m = n / 3 + 1;
    if (!y) return bench_fail("out of memory");
    const stream s = {.name = name, .y = y, .x = y + n / 3, .n = n, .m = m};
    const bool good = race_stream(o, &s, out);
    free(y);
    return good;
}

static bool race_ecg(const bench_options *o, bench_report *out)
{
    size_t n = 0;
    float *y = signal_heartbeats(o->ecg, &n);
    if (!y) return false;
    const stream s = {.name = "ecg",
                      .y = y,
                      .x = y + BEAT_FROM,
                      .n = o->frames && o->frames < n ? o->frames : n,
                      .m = BEAT_TO - BEAT_FROM};
    const bool good = race_stream(o, &s, out);
    free(y);
    return good;
}

bool part_pruning(const bench_options *o, bench_report *out)
{
    const size_t n = o->frames ? o->frames : PRUNING_FRAMES;
    report_part(out, "pruning",
                "What a threshold saves: the whole stream from a cold start, by the share of the\n"
                "cells that do not exceed it, beside the same without one:");
    return race_made_up(o, "leaky", signal_leaky(n, 0.98f, 4), n, out) &&
           race_made_up(o, "walk", signal_walk(n, 1, 2), n, out) && race_ecg(o, out);
}
