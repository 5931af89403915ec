#include "tools/sigrep/workers.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/output/exec.h"
#include "tools/sigrep/worker.h"

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

/* Write what waits. A last_output_fn. */
static void write_last(void *user)
{
    const workers *w = user;
    for (size_t i = 0; i < w->n; i++) print_last(&w->items[i].out);
}

bool workers_create(workers *w, search_run *run)
{
    const size_t threads = threads_of(run->o), wanted = most_workers(run);
    *w = (workers){.items = calloc(wanted, sizeof *w->items)};
    if (!w->items) report("out of memory");
    bool good = w->items != NULL;
    while (good && w->n < wanted) good = worker_begin(&w->items[w->n++], run, threads / wanted);
    out_of_memory_set_output(write_last, w);
    if (!good || !make_first_search(&w->items[0])) return false;
    const bool is_shared = wanted > 1 && search_is_on(&w->items[0], "cpu");
    for (size_t i = 0; is_shared && i < w->n; i++) w->items[i].search.device = "cpu";
    if (wanted == 1 || is_shared) return true;
    free_search(&w->items[0]);
    while (w->n > 1) worker_free(&w->items[--w->n]);
    w->items[0].search.threads = threads;
    return make_first_search(&w->items[0]);
}

static void search_next(worker *w, size_t number, bool is_shared)
{
    struct stat st;
    search_run *run = w->run;
    const listed_input *input = &run->inputs.items[number];
    turn_begin(&w->out.turn, &run->out.turns, number);
    print_hold_messages(&w->out, is_shared);
    if (!input_is_file(input->path, &st)) turn_wait(&w->out.turn);
    if (!print_is_over(&w->out) && !signals_caught()) worker_search(w, input);
    print_hold_messages(&w->out, false);
    turn_end(&w->out.turn);
}

static void search_all(worker *w, bool is_shared)
{
    search_run *run = w->run;
    while (!print_is_over(&w->out) && !signals_caught()) {
        const size_t number = atomic_fetch_add(&run->next_input, 1);
        if (number >= run->inputs.n) break;
        search_next(w, number, is_shared);
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
    while (n + 1 < w->n && pthread_create(&threads[n], NULL, work, &w->items[n + 1]) == 0) n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

void workers_search(workers *w)
{
    worker *first = &w->items[0];
    output *out = &first->out;
    out->run->is_shared = w->n > 1;
    print_header(out);
    pthread_t *threads = calloc(w->n, sizeof *threads);
    const size_t n = threads ? start(w, threads) : 0;
    search_all(first, n > 0);
    for (size_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
    free(threads);
    turn_begin(&out->turn, &out->run->turns, out->run->turns.number);
    print_footer(out);
}

void workers_sum(workers *w, run_tally *sum)
{
    for (size_t i = 0; i < w->n; i++) {
        output *out = &w->items[i].out;
        const run_tally *t = &w->items[i].tally;
        sum->failed |= !exec_finish(out->exec);
        out->exec = NULL;
        free_search(&w->items[i]);
        sum->failed |= out->failed;
        sum->matched |= out->matched;
        sum->n_searched += t->n_searched;
        sum->n_without_column += t->n_without_column;
        sum->samples += t->samples;
        sum->matches += t->matches;
        sum->held += t->held;
        sum->seconds += t->seconds;
        sum->cells += t->cells;
        sum->cells_traced += t->cells_traced;
        if (t->kernel[0]) memcpy(sum->kernel, t->kernel, sizeof sum->kernel);
    }
}

void workers_free(workers *w)
{
    out_of_memory_set_output(NULL, NULL);
    while (w->n > 0) worker_free(&w->items[--w->n]);
    free(w->items);
    w->items = NULL;
}
