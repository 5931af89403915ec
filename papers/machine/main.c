/*
 * main.c - sigrep-machine: the memory machines of Nakano, simulated.
 *
 *     options ──> algorithms on a machine ──> tables
 *             `─> measured times ──> fit ───────^
 *
 * docs/PAPERS.md says what the tables show.
 */
#include <math.h>
#include <stdlib.h>

#include "io/text_buffer.h"
#include "papers/machine/fit.h"
#include "papers/machine/options.h"
#include "tools/common/messages/messages.h"
#include "tools/common/start.h"

static void table_begin(text_buffer *out, const setup *s)
{
    static const char *const kinds[] = {[ON_DMM] = "DMM", [ON_UMM] = "UMM", [ON_HMM] = "HMM"};
    text_add_format(out, "%s: w = %zu, l = %zu", kinds[s->kind], s->width, s->latency);
    if (s->kind == ON_HMM)
        text_add_format(out, ", L = %zu, d = %zu, D = %zu, %zu at once", s->global_latency, s->dmms,
                        s->blocks, s->resident);
    text_add_format(out,
                    "; %s: m = %zu, n = %zu. Matching takes at least %.9g units.\n\n"
                    "algorithm  claim           p    units   rounds    bound    order  ratio"
                    " stages  words result     order is\n",
                    s->task.signals ? "signals" : "strings", s->task.m, s->task.n,
                    ceil(least_units(s)));
}

static double stages_for_a_warp(const machine_count *c)
{
    const machine_traffic *t = c->traffic;
    return (double)(t[0].stages + t[1].stages) / (double)(t[0].warps + t[1].warps);
}

static bool add_result(text_buffer *out, const setup *s, const algorithm *a, const outcome *o)
{
    if (!a->expected) {
        text_add_format(out, " %-10s", "-");
        return true;
    }
    const double expected = a->expected(&s->task);
    const bool right = !(o->result < expected || o->result > expected);
    text_add_format(out, " %-4.9g %-5s", o->result, right ? "right" : "WRONG");
    return !isnan(expected);
}

/* false: out of memory. */
static bool table_add(text_buffer *out, const setup *s, const algorithm *a, const outcome *o)
{
    const double order = a->order(s), bound = a->bound(s);
    text_add_format(out, "%-10s %-11s %5zu %8zu %8zu", a->name, a->claim, o->threads,
                    o->count.units, o->count.rounds);
    if (isfinite(bound))
        text_add_format(out, " %8.0f", bound);
    else
        text_add_format(out, " %8s", "-");
    text_add_format(out, " %8.0f %6.2f %6.2f %6zu", order, (double)o->count.units / order,
                    stages_for_a_warp(&o->count), o->words);
    const bool good = add_result(out, s, a, o);
    text_add_format(out, " %s\n", a->formula);
    return good;
}

static void add_fit(text_buffer *out, const char *name, const fit *f)
{
    text_add_format(out, "%s: a unit of %.3g ns, l = %zu, L = %zu; error of times %.0f %%\n", name,
                    1e6 * f->unit_ms, f->latency, f->global_latency, 100 * f->error);
}

static void add_prediction(text_buffer *out, const measured *times, size_t row, bool holds_all)
{
    const fit f = fit_rows(times, holds_all, row);
    const size_t i = fit_best(&f, times, times->m[row]);
    double least = INFINITY;
    for (size_t k = 0; k < times->n_blocks; k++) least = fmin(least, times->ms[row][k]);
    text_add_format(out, " %8zu %6.0f %% %7.4g", times->blocks[i],
                    100 * (times->ms[row][i] / least - 1),
                    fit_ms(&f, times, times->m[row], times->blocks[i]));
}

/* Both fits, then for each m the best D: measured, and predicted by fits to all other m. */
static void table_fit(text_buffer *out, const measured *times)
{
    const fit limited = fit_rows(times, false, times->n_rows);
    const fit all = fit_rows(times, true, times->n_rows);
    add_fit(out, "HMM, few blocks at once", &limited);
    add_fit(out, "HMM, all blocks at once", &all);
    text_add_format(out, "\n     m  best D      ms | few at once: D, slower, ms | all at once: D, "
                         "slower, ms\n");
    for (size_t row = 0; row < times->n_rows; row++) {
        size_t best = 0;
        for (size_t i = 1; i < times->n_blocks; i++)
            if (times->ms[row][i] < times->ms[row][best]) best = i;
        text_add_format(out, "%6zu %7zu %7.4g |  ", times->m[row], times->blocks[best],
                        times->ms[row][best]);
        add_prediction(out, times, row, false);
        text_add_string(out, " |  ");
        add_prediction(out, times, row, true);
        text_add_string(out, "\n");
    }
}

static bool run(const setup *asked, const algorithm *a, text_buffer *out)
{
    setup s = *asked;
    outcome o;
    if (!s.threads) s.threads = algorithm_threads(&s, a);
    return a->run(&s, &o) && table_add(out, &s, a, &o);
}

/* All that the machine can run, or those that are named. */
static bool run_all(const machine_options *o, const setup *s, text_buffer *out)
{
    bool good = true;
    table_begin(out, s);
    for (size_t i = 0; good && i < o->n_named; i++) good = run(s, o->named[i], out);
    for (size_t i = 0; good && !o->n_named && algorithm_at(i); i++) {
        const algorithm *a = algorithm_at(i);
        const char *reason = machine_options_refuse(o, a);
        if (!(a->machines & s->kind)) continue;
        if (reason)
            report("%s is left out: %s", a->name, reason);
        else
            good = run(s, a, out);
    }
    return good;
}

static bool simulate(const machine_options *o, text_buffer *out)
{
    setup s = o->setup;
    double *values = task_random(s.task.signals, s.task.m, s.task.n, o->seed);
    s.task.x = values;
    s.task.y = values ? values + s.task.m : NULL;
    const bool good = values && run_all(o, &s, out);
    free(values);
    return good || report_no_memory("simulation");
}

static bool fit_measured(const machine_options *o, text_buffer *out)
{
    measured times;
    if (!measured_read(&times, o->measured)) return false;
    table_fit(out, &times);
    return true;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    machine_options o = machine_options_defaults();
    text_buffer out = {0};
    start_program();
    const arguments_status parsed = arguments_parse(&machine_option_table, &o, argc, argv, error);
    if (parsed) return arguments_answer(&machine_option_table, parsed, error);
    const bool good = o.measured ? fit_measured(&o, &out) : simulate(&o, &out);
    return print_text(&out) && good ? 0 : EXIT_ERROR;
}
