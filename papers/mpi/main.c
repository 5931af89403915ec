/*
 * main.c - sigrep-mpi: approximate matching on ranks that exchange cells by messages.
 *
 *     options --> inputs, read by rank 0 --> a system on all ranks --> distances, or counts
 *                                       `--> PRE: predicted and measured times
 *
 * All ranks go the same way, so that an error on one ends all: rank 0 reports.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/text_buffer.h"
#include "kernels/float_env.h"
#include "papers/mpi/inputs.h"
#include "papers/mpi/mpi_peers.h"
#include "papers/mpi/options.h"
#include "papers/mpi/predictor.h"
#include "papers/mpi/systems.h"
#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/start.h"

/* What a rank works on. */
typedef struct {
    problem p;
    input_values x, y;
    void *memory; /* for any system */
} workspace;

static void workspace_free(workspace *w)
{
    inputs_free(&w->x);
    inputs_free(&w->y);
    free(w->p.distance);
    free(w->memory);
}

static bool refuse(const peers *with, const char *path, const char *words)
{
    if (with->rank == 0) report_of(path, "%s", words);
    return false;
}

static bool workspace_create(workspace *w, const mpi_options *o, const peers *with)
{
    if (!inputs_read(o->kind, o->x_path, with, &w->x)) return false;
    if (!inputs_read(o->kind, o->y_path, with, &w->y)) return false;
    if (o->h > w->x.n) return refuse(with, o->x_path, "is shorter than a factor of -l letters");
    w->p = (problem){.kind = o->kind,
                     .n = w->y.n,
                     .m = w->x.n,
                     .y = w->y.values,
                     .x = w->x.values,
                     .h = (size_t)o->h};
    const size_t a = system_memory(OPASM, &w->p, with), b = system_memory(EDM, &w->p, with);
    w->p.distance = malloc(w->p.n * sizeof *w->p.distance);
    w->memory = calloc(1, a > b ? a : b);
    if (mpi_all(w->p.distance && w->memory)) return true;
    return refuse(with, NULL, "out of memory");
}

static void add_distances(text_buffer *out, const problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        float cost;
        memcpy(&cost, &p->distance[i], sizeof cost);
        if (p->kind == CELLS_SIGNALS)
            text_add_format(out, "%.9g\n", (double)cost);
        else
            text_add_format(out, "%u\n", p->distance[i]);
    }
}

static void add_counts(text_buffer *out, const mpi_options *o, const problem *p, const peers *with)
{
    const grid g = {p->n, p->m, with->ranks};
    const uint64_t messages = mpi_sum(with->messages), swapped = mpi_sum(with->swapped);
    const uint64_t bytes = mpi_sum(with->bytes);
    text_add_format(out,
                    "system ranks n m messages swapped bytes steps\n"
                    "%s %zu %zu %zu %llu %llu %llu %zu\n",
                    system_names[o->which], with->ranks, p->n, p->m, (unsigned long long)messages,
                    (unsigned long long)swapped, (unsigned long long)bytes,
                    system_steps(o->which, &g));
}

static void run(const mpi_options *o, workspace *w, peers *with, text_buffer *out)
{
    system_run(o->which, &w->p, with, w->memory);
    mpi_least(w->p.distance, w->p.n);
    if (o->counts)
        add_counts(out, o, &w->p, with);
    else if (with->rank == 0)
        add_distances(out, &w->p);
}

static double seconds(parallel_system which, workspace *w, peers *with)
{
    struct timespec begin, end;
    mpi_wait_for_all();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    system_run(which, &w->p, with, w->memory);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return mpi_most((double)(end.tv_sec - begin.tv_sec) +
                    1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
}

static double median_seconds(parallel_system which, uint64_t repeat, workspace *w, peers *with)
{
    double all[MPI_MOST_RUNS];
    for (uint64_t i = 0; i < repeat; i++) all[i] = seconds(which, w, with);
    return median(all, (size_t)repeat);
}

static bool predict(const mpi_options *o, workspace *w, peers *with, text_buffer *out)
{
    const grid g = {w->p.n, w->p.m, with->ranks};
    predictor_times t;
    if (!predictor_measure(&w->p, with, w->memory, &t)) return refuse(with, NULL, "out of memory");
    text_add_format(out,
                    "%zu ranks, n = %zu, m = %zu; ns: t_cell = %.3g, in blocks %.3g; t_s = %.4g, "
                    "t_w = %.3g\nsystem predicted_ms measured_ms\n",
                    g.ranks, g.n, g.m, 1e9 * t.cell_s, 1e9 * t.row_cell_s, 1e9 * t.start_s,
                    1e9 * t.word_s);
    for (int i = OPASM; i <= EDM; i++) {
        const parallel_system which = (parallel_system)i;
        text_add_format(out, "%s %.4g %.4g\n", system_names[i],
                        1e3 * predictor_seconds(which, &g, &t),
                        1e3 * median_seconds(which, o->repeat, w, with));
    }
    return true;
}

static bool work(const mpi_options *o, peers *with)
{
    workspace w = {0};
    text_buffer out = {0};
    const float_env before = float_env_enter();
    bool good = workspace_create(&w, o, with);
    if (good && o->predicts)
        good = predict(o, &w, with, &out);
    else if (good)
        run(o, &w, with, &out);
    if (good && with->rank == 0) good = print_text(&out);
    if (with->rank > 0) free(out.data);
    workspace_free(&w);
    float_env_leave(before);
    return mpi_all(good);
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    mpi_options o = mpi_options_defaults();
    start_program();
    peers with = mpi_begin(&argc, &argv);
    int status = 0;
    const arguments_status parsed = arguments_parse(&mpi_option_table, &o, argc, argv, error);
    if (parsed && with.rank == 0)
        status = arguments_answer(&mpi_option_table, parsed, error);
    else if (parsed)
        status = parsed == ARGUMENTS_HELP || parsed == ARGUMENTS_VERSION ? 0 : EXIT_ERROR;
    else
        status = work(&o, &with) ? 0 : EXIT_ERROR;
    mpi_end();
    return status;
}
