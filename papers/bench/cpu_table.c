/* cpu_table.c - the papers' algorithms on one core, for strings and for signals. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dev/bench/bench_fail.h"
#include "dev/bench/race.h"
#include "dev/bench/signals.h"
#include "kernels/float_env.h"
#include "papers/bench/papers_algorithms.h"
#include "papers/bench/tables.h"

enum { PAPERS_FRAMES = 1 << 16, BLOCKS = 16 };

static const size_list usual = {{32, 128, 1024}, 3};

/* x and y for one kind, forwards and backwards. */
typedef struct {
    bool signals;
    void *x, *y, *x_back, *y_back, *cells;
} material;

typedef struct {
    papers_algorithm algorithm;
    bool signals;
    papers_task task;
    double result;
} contestant;

static bool run(void *self, size_t loops, lap *spent)
{
    contestant *c = self;
    float_env before = float_env_enter();
    stopwatch begin = stopwatch_start();
    for (size_t i = 0; i < loops; i++)
        c->result = c->signals ? papers_match_signals(c->algorithm, &c->task)
                               : papers_match_strings(c->algorithm, &c->task);
    *spent = stopwatch_read(&begin);
    float_env_leave(before);
    return true;
}

/* Noise; as letters of two kinds, which is the papers' choice. */
static void *forwards(bool signals, size_t n, uint64_t seed)
{
    float *samples = signal_noise(n, seed);
    if (signals || !samples) return samples;
    uint8_t *letters = malloc(n);
    for (size_t i = 0; letters && i < n; i++) letters[i] = samples[i] < 0;
    free(samples);
    return letters;
}

static void material_free(material *of)
{
    free(of->x);
    free(of->y);
    free(of->x_back);
    free(of->y_back);
    free(of->cells);
}

static bool material_create(material *of, bool signals, size_t m, size_t n)
{
    *of = (material){.signals = signals,
                     .x = forwards(signals, m, 1),
                     .y = forwards(signals, n, 2),
                     .cells = malloc(3 * (m + 1) * sizeof(float))};
    of->x_back = papers_backwards(signals, of->x, m);
    of->y_back = papers_backwards(signals, of->y, n);
    return (of->x_back && of->y_back && of->cells) || bench_fail("out of memory");
}

/* All compute the same, but for signals that are cut. */
static bool agree(const contestant *all)
{
    for (size_t i = 1; i < PAPERS_ALGORITHMS; i++) {
        const bool cuts = all[i].algorithm == PAPERS_SEGMENTS || all[i].algorithm == PAPERS_BLOCKS;
        const bool more = all[i].result > all[0].result, less = all[i].result < all[0].result;
        if (less || (more && !(cuts && all[i].signals)))
            return bench_fail("%s gives %.9g, not %.9g", papers_names[i], all[i].result,
                              all[0].result);
    }
    return true;
}

static bool race_kind(const bench_options *o, const material *of, size_t m, size_t n,
                      race_case *races, contestant *all)
{
    for (size_t i = 0; i < PAPERS_ALGORITHMS; i++) {
        all[i] = (contestant){
            .algorithm = (papers_algorithm)i,
            .signals = of->signals,
            .task = {m, n, of->x, of->y, of->x_back, of->y_back, of->cells, BLOCKS},
        };
        races[i] = (race_case){
            .run = run, .self = &all[i], .cells = (double)m * (double)n, .clock = BY_CPU};
        lap once;
        (void)run(&all[i], 1, &once);
    }
    return agree(all) && race_run(races, PAPERS_ALGORITHMS, o->repeat, o->lap_s);
}

static void add_row(bool signals, size_t m, size_t n, const race_case *races, size_t i,
                    const contestant *all, bench_report *out)
{
    report_text(out, "algorithm", "algorithm ", papers_names[i]);
    report_text(out, "of", "of", signals ? "signals" : "strings");
    report_whole(out, "m", "m", m);
    report_whole(out, "n", "n", n);
    report_real(out, "ms", "ms", 1e3 * races[i].cells / race_median(&races[i]));
    report_real(out, "gcups_median", "GCUPS", 1e-9 * race_median(&races[i]));
    report_real(out, "times_sequential", "x sequential", race_ratio(&races[i], &races[0]));
    report_real(out, "result", "result", all[i].result);
    report_row_end(out);
}

static bool race_length(const bench_options *o, bool signals, size_t m, size_t n, bench_report *out)
{
    race_case *races = calloc(PAPERS_ALGORITHMS, sizeof *races);
    contestant all[PAPERS_ALGORITHMS];
    material of = {0};
    const bool good =
        races ? material_create(&of, signals, m, n) && race_kind(o, &of, m, n, races, all)
              : bench_fail("out of memory");
    for (size_t i = 0; i < PAPERS_ALGORITHMS && good; i++)
        add_row(signals, m, n, races, i, all, out);
    material_free(&of);
    free(races);
    return good;
}

bool cpu_table(const bench_options *o, bench_report *out)
{
    const size_list *lengths = o->lengths.n ? &o->lengths : &usual;
    const size_t n = o->frames ? o->frames : PAPERS_FRAMES;
    bool good = true;
    report_part(out, "papers",
                "The papers' algorithms on one core; GCUPS of m n cells, though some "
                "compute more:");
    for (size_t i = 0; i < lengths->n && good; i++) {
        const size_t m = lengths->values[i] < n ? lengths->values[i] : n;
        good = race_length(o, false, m, n, out) && race_length(o, true, m, n, out);
    }
    return good;
}
