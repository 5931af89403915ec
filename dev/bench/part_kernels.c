/* part_kernels.c - every kernel in every shape, and growth in one direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/bench/parts.h"
#include "dev/bench/signals.h"
#include "dev/bench/sweep_case.h"

enum { DEFAULT_FRAMES = 1 << 20, MAX_CASES = BENCH_KERNELS * BENCH_LIST * (1 + CEILING_MIXES) + 1 };

/* The contestants of one shape: the papers' loop, the ceilings, the kernels. */
typedef struct {
    sweep_problem problem;
    size_t n;         /* races */
    size_t n_ceiling; /* races[1 .. n_ceiling] are ceilings */
    race_case races[MAX_CASES];
    sweep_case sweeps[MAX_CASES];
    ceiling_case ceilings[MAX_CASES];
    size_t threads[MAX_CASES]; /* of a sweep; 0: a ceiling */
} lineup;

/* Instructions bound CPU kernels alone. */
static const ceiling *ceiling_for(const kernel_ops *ops)
{
    return strcmp(ops->device, "cpu") == 0 ? ceiling_of(ops->name) : NULL;
}

static sigrep_status add_ceilings(lineup *all, const ceiling *set, size_t threads)
{
    if (!set) return SIGREP_OK;
    for (size_t i = 1; i <= all->n_ceiling; i++)
        if (all->ceilings[i].set == set && all->ceilings[i].threads == threads) return SIGREP_OK;
    for (size_t mix = 0; mix < CEILING_MIXES && set->mixes[mix].name; mix++) {
        ceiling_case *own = &all->ceilings[all->n];
        *own = (ceiling_case){.set = set, .mix = mix, .dim = all->problem.dim, .threads = threads};
        sigrep_status status = ceiling_case_create(&all->races[all->n], own);
        if (status) return status;
        all->n++;
        all->n_ceiling++;
    }
    return SIGREP_OK;
}

static sigrep_status add_sweep(lineup *all, const kernel_ops *ops, size_t threads)
{
    sigrep_status status =
        sweep_case_create(&all->races[all->n], &all->sweeps[all->n], ops, &all->problem, threads);
    if (status) return status;
    all->threads[all->n++] = threads;
    return SIGREP_OK;
}

static sigrep_status fill(lineup *all, const bench_options *o, size_t n_kernels)
{
    sigrep_status status = add_sweep(all, NULL, 1);
    for (size_t i = 0; i < n_kernels && !status; i++)
        for (size_t j = 0; j < o->threads.n && !status; j++)
            status = add_ceilings(all, ceiling_for(o->kernels[i]), o->threads.values[j]);
    for (size_t i = 0; i < n_kernels && !status; i++)
        for (size_t j = 0; j < o->threads.n && !status; j++)
            status = add_sweep(all, o->kernels[i], o->threads.values[j]);
    return status;
}

static void empty(lineup *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->threads[i])
            sweep_case_free(&all->sweeps[i]);
        else
            ceiling_case_free(&all->ceilings[i]);
    all->n = 0;
}

/* The fastest mix of an instruction set on these threads. NULL: none is known. */
static const race_case *best_ceiling(const lineup *all, const ceiling *set, size_t threads)
{
    const race_case *best = NULL;
    for (size_t i = 1; i <= all->n_ceiling; i++) {
        if (all->ceilings[i].set != set || all->ceilings[i].threads != threads) continue;
        if (!best || race_median(&all->races[i]) > race_median(best)) best = &all->races[i];
    }
    return best;
}

/* The same kernel with one thread. NULL: it did not race. */
static const race_case *one_thread(const lineup *all, const kernel_ops *ops)
{
    for (size_t i = 1 + all->n_ceiling; i < all->n; i++)
        if (all->sweeps[i].ops == ops && all->threads[i] == 1) return &all->races[i];
    return NULL;
}

static void add_shape(bench_report *out, const sweep_problem *p, size_t threads)
{
    report_whole(out, "m", "m", p->m);
    report_whole(out, "dim", "K", p->dim);
    report_whole(out, "templates", "templates", p->n_templates);
    report_whole(out, "n", "n", p->n);
    report_whole(out, "threads", "threads", threads);
}

static void add_rates(bench_report *out, const race_case *race)
{
    report_real(out, "gcups_median", "GCUPS", 1e-9 * race_median(race));
    report_real(out, "gcups_best", "best", 1e-9 * race_best(race));
}

static void add_row(const lineup *all, size_t i, bench_report *out)
{
    const race_case *race = &all->races[i];
    const kernel_ops *ops = all->sweeps[i].ops;
    const race_case *top = ops ? best_ceiling(all, ceiling_for(ops), all->threads[i]) : NULL;
    const race_case *alone = ops ? one_thread(all, ops) : race;
    report_text(out, "kernel", "kernel", ops ? ops->name : "papers");
    add_shape(out, &all->problem, all->threads[i]);
    add_rates(out, race);
    report_real(out, "ceiling_gcups", "ceiling", top ? 1e-9 * race_median(top) : NAN);
    report_percent(out, "ceiling_share", "share", top ? race_ratio(race, top) : NAN);
    report_real(out, "times_papers", "x papers", race_ratio(race, &all->races[0]));
    report_real(out, "times_one_thread", "x 1 thread",
                alone ? race_ratio_by(race, alone, BY_WALL) : NAN);
    report_real(out, "cores", "cores", race_cores(race));
    report_row_end(out);
}

/* Do all kernels give the minima of the papers' loop? */
static bool all_agree(lineup *all)
{
    for (size_t i = 1 + all->n_ceiling; i < all->n; i++)
        if (!sweep_case_agrees(&all->sweeps[i], &all->sweeps[0]))
            return bench_fail("%s differs from the papers' loop: m = %zu, K = %zu, %zu threads",
                              all->sweeps[i].ops->name, all->problem.m, all->problem.dim,
                              all->threads[i]);
    return true;
}

/* One race in one shape, and its rows. */
static bool race_shape(const bench_options *o, bench_report *out, const sweep_problem *shape,
                       size_t n_kernels)
{
    lineup *all = calloc(1, sizeof *all);
    float *x = signal_walk(shape->m, shape->dim, 1);
    float *frames = signal_walk(shape->n, shape->dim, 2);
    sigrep_status status = all && x && frames ? SIGREP_OK : SIGREP_NO_MEMORY;
    if (!status) {
        all->problem = *shape;
        all->problem.x = x;
        all->problem.frames = frames;
        status = fill(all, o, n_kernels);
    }
    bool good = status ? bench_fail("%s", sigrep_status_text(status)) : all_agree(all);
    if (good && !race_run(all->races, all->n, o->repeat, o->lap_s))
        good = bench_fail("a kernel failed");
    for (size_t i = 0; good && i < all->n; i++)
        if (all->threads[i]) add_row(all, i, out);
    if (all) empty(all);
    free(all);
    free(x);
    free(frames);
    return good;
}

static sweep_problem basic_shape(const bench_options *o)
{
    return sweep_of_samples(NULL, 512, NULL, o->frames ? o->frames : DEFAULT_FRAMES, o->chunk);
}

/* Every combination of the lists. */
static bool race_shapes(const bench_options *o, bench_report *out, const size_list *lengths,
                        const size_list *dims)
{
    sweep_problem shape = basic_shape(o);
    for (size_t d = 0; d < dims->n; d++)
        for (size_t i = 0; i < lengths->n; i++)
            for (size_t t = 0; t < o->templates.n; t++) {
                shape.m = lengths->values[i];
                shape.dim = dims->values[d];
                shape.n_templates = o->templates.values[t];
                if (!race_shape(o, out, &shape, o->n_kernels)) return false;
            }
    return true;
}

static const size_list default_lengths = {{32, 128, 512, 1024, 2048}, 5};
static const size_list frame_lengths = {{100}, 1};
static const size_list samples = {{1}, 1};

bool part_kernels(const bench_options *o, bench_report *out)
{
    if (!part_ceilings(o, out)) return false;
    report_part(out, "kernels",
                "Kernels. One thread by CPU time, several by the clock; share: of the best mix of\n"
                "their instruction set on as many threads at once:");
    if (!o->lengths.n && !o->dims.n)
        return race_shapes(o, out, &default_lengths, &samples) &&
               race_shapes(o, out, &frame_lengths, &usual_dims);
    const size_list *lengths = o->lengths.n ? &o->lengths : &frame_lengths;
    return race_shapes(o, out, lengths, o->dims.n ? &o->dims : &samples);
}

bool part_growth(const bench_options *o, bench_report *out)
{
    static const size_t templates[] = {1, 4, 16};
    sweep_problem shape = basic_shape(o);
    if (o->lengths.n) shape.m = o->lengths.values[0];
    if (o->dims.n) shape.dim = o->dims.values[0];
    const size_t longest = shape.n;
    report_part(out, "growth", "The best kernel as the stream, and the number of templates, grow:");
    for (size_t part = 256; part >= 1; part /= 16) {
        shape.n = longest / part ? longest / part : 1;
        if (!race_shape(o, out, &shape, o->n_shown)) return false;
    }
    for (size_t i = 1; i < sizeof templates / sizeof *templates; i++) {
        shape.n_templates = templates[i];
        if (!race_shape(o, out, &shape, o->n_shown)) return false;
    }
    return true;
}
