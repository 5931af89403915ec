/*
 * main.c - sigrep-machine: the memory machines of Nakano, simulated.
 *
 *     options ──> algorithms on a machine ──> tables
 *             `─> measured times ──> fit ───────^
 *
 * docs/PAPERS.md says what the tables show.
 */
#include <stdlib.h>

#include "papers/machine/options.h"
#include "papers/machine/tables.h"
#include "tools/common/messages/messages.h"
#include "tools/common/start.h"

static bool run(const setup *asked, const algorithm *a, text_buffer *out)
{
    setup s = *asked;
    outcome o;
    if (!s.threads) s.threads = setup_threads(&s, a);
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
