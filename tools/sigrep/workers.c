#include "tools/sigrep/workers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/out_of_memory.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/make_search.h"
#include "tools/sigrep/output/print.h"
#include "tools/sigrep/runner.h"
#include "tools/sigrep/search_input.h"

static size_t threads_of(const options *o)
{
    return o->shared.threads > 0 ? (size_t)o->shared.threads : 1;
}

static size_t most_workers(const search_run *run)
{
    const size_t threads = threads_of(run->o), inputs = run->inputs.n > 0 ? run->inputs.n : 1;
    const bool has_files = run->o->scores_path || run->o->save_folder; /* written in order */
    const bool has_others = run->o->monitor || run->o->exec_command;
    if (has_files || has_others || strncmp(run->o->device, "cuda", 4) == 0) return 1;
    return threads < inputs ? threads : inputs;
}

static bool begin(runner *r, search_run *run, size_t threads)
{
    *r = (runner){.run = run, .o = run->o, .set = &run->set, .threads = threads};
    r->device = run->o->device;
    turn_begin(&r->turn, &run->turns, 0);
    const bool can_print = print_begin(r);
    r->label_matches = calloc(run->set.n, sizeof *r->label_matches);
    r->thresholds = calloc(run->set.n, sizeof *r->thresholds);
    if (run->o->best) r->store = spool_create(SPOOL_MEMORY);
    const bool good = r->label_matches && r->thresholds && (r->store || !run->o->best);
    if (!good) report("out of memory");
    if (run->o->exec_command) r->exec = exec_create(run->o->exec_command, run->set.n);
    const bool can_run = r->exec || !run->o->exec_command;
    if (!can_run) report("--exec: out of memory or threads");
    return can_print && good && can_run;
}

static void end(runner *r)
{
    search_input_free(r);
    spool_destroy(r->store);
    free(r->label_matches);
    free(r->thresholds);
    print_end(r);
}

/* Write what waits. A last_output_fn. */
static void write_last(void *user)
{
    const workers *w = user;
    for (size_t i = 0; i < w->n; i++) print_last(&w->runners[i]);
}

bool workers_create(workers *w, search_run *run)
{
    const size_t threads = threads_of(run->o), wanted = most_workers(run);
    *w = (workers){.runners = calloc(wanted, sizeof *w->runners)};
    if (!w->runners) report("out of memory");
    bool good = w->runners != NULL;
    while (good && w->n < wanted) good = begin(&w->runners[w->n++], run, threads / wanted);
    out_of_memory_set_output(write_last, w);
    if (!good || !make_first_search(&w->runners[0])) return false;
    const bool is_shared = wanted > 1 && search_is_on(&w->runners[0], "cpu");
    for (size_t i = 0; is_shared && i < w->n; i++) w->runners[i].device = "cpu";
    if (wanted == 1 || is_shared) return true;
    free_search(&w->runners[0]);
    while (w->n > 1) end(&w->runners[--w->n]);
    w->runners[0].threads = threads;
    return make_first_search(&w->runners[0]);
}

static void search_next(runner *r, size_t number, bool is_shared)
{
    struct stat st;
    search_run *run = r->run;
    const listed_input *input = &run->inputs.items[number];
    turn_begin(&r->turn, &run->turns, number);
    print_hold_messages(r, is_shared);
    if (!input_is_file(input->path, &st)) turn_wait(&r->turn);
    if (!atomic_load(&run->over) && !signals_caught()) search_input(r, input);
    print_hold_messages(r, false);
    turn_end(&r->turn);
}

static void search_all(runner *r, bool is_shared)
{
    search_run *run = r->run;
    while (!atomic_load(&run->over) && !signals_caught()) {
        const size_t number = atomic_fetch_add(&run->next_input, 1);
        if (number >= run->inputs.n) break;
        search_next(r, number, is_shared);
    }
}

static void *work(void *user)
{
    search_all(user, true);
    return NULL;
}

/* Signals are for the caller's thread. Returns the number of threads that the system gave. */
static size_t start(workers *w, pthread_t *threads)
{
    sigset_t all, before;
    size_t n = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (n + 1 < w->n && pthread_create(&threads[n], NULL, work, &w->runners[n + 1]) == 0) n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

void workers_search(workers *w)
{
    runner *first = &w->runners[0];
    first->run->is_shared = w->n > 1;
    print_header(first);
    pthread_t *threads = calloc(w->n, sizeof *threads);
    const size_t n = threads ? start(w, threads) : 0;
    search_all(first, n > 0);
    for (size_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
    free(threads);
    turn_begin(&first->turn, &first->run->turns, first->run->turns.number);
    print_footer(first);
}

void workers_sum(workers *w, runner *sum)
{
    for (size_t i = 0; i < w->n; i++) {
        runner *r = &w->runners[i];
        run_totals *t = &sum->totals;
        r->failed |= !exec_finish(r->exec);
        r->exec = NULL;
        free_search(r);
        sum->failed |= r->failed;
        sum->matched |= r->matched;
        sum->n_searched += r->n_searched;
        sum->n_without_column += r->n_without_column;
        t->samples += r->totals.samples;
        t->matches += r->totals.matches;
        t->held += r->totals.held;
        t->seconds += r->totals.seconds;
        t->cells += r->totals.cells;
        t->cells_traced += r->totals.cells_traced;
        if (r->totals.kernel[0]) memcpy(t->kernel, r->totals.kernel, sizeof t->kernel);
    }
}

void workers_free(workers *w)
{
    out_of_memory_set_output(NULL, NULL);
    while (w->n > 0) end(&w->runners[--w->n]);
    free(w->runners);
    w->runners = NULL;
}
