/*
 * filter/search/search.c and cursor.c on streams full of matches, compared with the literal reading
 * of docs/SEMANTICS.md. Starts lie at the edges of batches, many matches share a batch, paths wait
 * across checkpoints, and gates and ties are odd.
 */
#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "tests/check.h"
#include "tests/support/literal.h"

enum { LONGEST = 260, STREAM = 3000, MOST_DIM = 3, PROBLEMS = 60, TEMPLATES = 12 };
enum { LONG_STREAM = 20000, LONG_PROBLEMS = 40 };

static const size_t lengths[] = {2,  3,  5,  16,  31,  32,  33,  63,
                                 64, 65, 90, 100, 128, 129, 200, LONGEST};
static const double gates[][2] = {{0.5, 2}, {0.5, 2},   {0, 1},  {1, 1},
                                  {0, 8},   {0.9, 3.3}, {1, 64}, {0, 64}};
/* Frames: whole numbers of segments, with and without a rest, and odd numbers. */
static const size_t long_chunks[] = {2048, 4096, 2048, 4096, 3008, 1600, 1111, 4100, 5120, 999};
static const size_t chunks[] = {1, 16, 64, 100, 1000, STREAM};

typedef struct {
    float x[LONGEST * MOST_DIM], y[LONG_STREAM * MOST_DIM];
    size_t n, m, dim, chunk;
    double threshold, min, max;
} problem;

/* Differences of whole numbers tie, those of a wave do not; some stay at 0 for long. */
static float value(uint64_t *random, int kind, size_t i, size_t m)
{
    switch (kind) {
    case 0: return (float)check_below(random, 3);
    case 1: return sinf((float)i * 9 / (float)m) * 4;
    case 2: return check_below(random, 12) ? 0 : (float)(1 + check_below(random, 4));
    default: return (float)(i * 8 / m);
    }
}

/* The template again and again, with pauses, noise, stretched samples and gaps. */
static void make_stream(problem *p, uint64_t *random)
{
    size_t pause = check_below(random, 2) ? 0 : check_below(random, 2 * p->m);
    size_t noise = check_below(random, 6), held = check_below(random, 6), at = 0;
    size_t gap = check_below(random, 3) ? 0 : 20 + check_below(random, 1000);
    for (size_t t = 0; t < p->n; t++) {
        bool hold = at >= p->m || (held && check_below(random, 3 * held) == 0);
        for (size_t k = 0; k < p->dim; k++) {
            size_t row = at < p->m ? at : p->m - 1;
            float y = p->x[row * p->dim + k];
            if (noise && check_below(random, 10) < noise) y += (float)check_below(random, 3) - 1;
            p->y[t * p->dim + k] = gap && check_below(random, gap) == 0 ? NAN : y;
        }
        if (!hold || at >= p->m) at++;
        if (at >= p->m + pause) at = 0;
    }
}

static void make_signals(problem *p, uint64_t *random)
{
    int kind = (int)check_below(random, 4);
    for (size_t i = 0; i < p->m * p->dim; i++) p->x[i] = value(random, kind, i / p->dim, p->m);
    make_stream(p, random);
}

static void make_problem(problem *p, uint64_t *random)
{
    const double *gate = gates[check_below(random, sizeof gates / sizeof *gates)];
    p->n = STREAM;
    p->m = lengths[check_below(random, sizeof lengths / sizeof *lengths)];
    p->dim = check_below(random, 4) ? 1 : 1 + check_below(random, MOST_DIM);
    p->chunk = chunks[check_below(random, sizeof chunks / sizeof *chunks)];
    p->min = gate[0];
    p->max = gate[1];
    p->threshold = (double)check_below(random, 12) / 8;
    if (check_below(random, 10) == 0) p->threshold = 1e30;
    make_signals(p, random);
}

/* Chunks that segments fit into, and templates that are short beside them. */
static void make_long_problem(problem *p, uint64_t *random)
{
    static const size_t short_lengths[] = {2, 5, 11, 16, 20, 31, 32};
    const double *gate = gates[check_below(random, sizeof gates / sizeof *gates)];
    p->n = LONG_STREAM;
    p->m = short_lengths[check_below(random, sizeof short_lengths / sizeof *short_lengths)];
    p->dim = check_below(random, 4) ? 1 : MOST_DIM;
    p->chunk = long_chunks[check_below(random, sizeof long_chunks / sizeof *long_chunks)];
    p->min = gate[0];
    p->max = gate[1];
    p->threshold = (double)check_below(random, 9) / 8;
    make_signals(p, random);
}

static searches *searches_of(const problem *p, size_t n_templates, const char *kernel,
                             pool *workers)
{
    template templates[TEMPLATES];
    for (size_t j = 0; j < n_templates; j++)
        templates[j] =
            (template){.frames = p[j].x,
                       .length = p[j].m,
                       .gate = detector_gate_of(p[j].threshold, p[j].min, p[j].max, p[j].m)};
    searches *all;
    CHECK(searches_create(&all, &(searches_plan){.templates = templates,
                                                 .n_templates = n_templates,
                                                 .dim = p->dim,
                                                 .chunk = p->chunk,
                                                 .workers = workers,
                                                 .ops = kernel_choose("cpu", kernel, NULL)}) ==
          SIGREP_OK);
    return all;
}

static match_list run(const problem *p, searches *all)
{
    match_list list = {0};
    for (size_t at = 0; at < p->n; at += p->chunk) {
        for (size_t t = at; t < at + p->chunk && t < p->n; t++) {
            bool is_gap = false;
            for (size_t k = 0; k < p->dim; k++) is_gap |= isnan(p->y[t * p->dim + k]);
            if (is_gap)
                searches_append_gap(all);
            else
                searches_append(all, p->y + t * p->dim, 1);
        }
        CHECK(searches_run(all, &list) == SIGREP_OK);
    }
    CHECK(searches_finish(all, &list) == SIGREP_OK);
    return list;
}

static bool is_literal(const problem *p, const match_list *list)
{
    const literal_template one = {.x = p->x, .m = (long)p->m, .threshold = p->threshold};
    const literal_problem all = {.templates = &one,
                                 .n_templates = 1,
                                 .dim = (long)p->dim,
                                 .min = p->min,
                                 .max = p->max,
                                 .min_matches = 1};
    literal_match *expected;
    long n = literal_search(&all, p->y, (long)p->n, &expected);
    bool same = (size_t)n == list->n;
    for (size_t i = 0; i < list->n && same; i++)
        same = (uint64_t)expected[i].start == list->items[i].start &&
               (uint64_t)expected[i].end == list->items[i].end &&
               (uint64_t)expected[i].final == list->items[i].final &&
               expected[i].score == (double)list->items[i].d / (double)p->m;
    free(expected);
    return same;
}

static void the_literal_matches_are_found_in_dense_streams(void)
{
    static problem p;
    uint64_t seed = check_seed("test_search_dense");
    const size_t problems = check_cases(PROBLEMS);
    size_t matches = 0;
    for (uint64_t number = 0; number < problems; number++) {
        uint64_t random = seed + number;
        make_problem(&p, &random);
        searches *all = searches_of(&p, 1, check_below(&random, 2) ? "portable" : NULL, NULL);
        match_list list = run(&p, all);
        match_list_sort_by_final(&list);
        CHECK_MSG(is_literal(&p, &list),
                  "problem %llu: m %zu, dim %zu, chunk %zu, gate %g %g, t %g",
                  (unsigned long long)number, p.m, p.dim, p.chunk, p.min, p.max, p.threshold);
        matches += list.n;
        match_list_free(&list);
        searches_destroy(all);
    }
    printf("%zu matches\n", matches);
    CHECK(matches > problems); /* about 200 in each */
}

static void they_are_found_in_long_chunks(void)
{
    static problem p;
    static const char *const kernels[] = {"portable", "avx2", NULL};
    uint64_t seed = check_seed("test_search_dense, long chunks");
    const size_t problems = check_cases(LONG_PROBLEMS);
    size_t matches = 0;
    uint64_t traced = 0, cells = 0;
    for (uint64_t number = 0; number < problems; number++) {
        uint64_t random = seed + number;
        make_long_problem(&p, &random);
        const char *kernel = kernels[number % 3];
        if (kernel && !kernel_choose("cpu", kernel, NULL)) kernel = NULL;
        searches *all = searches_of(&p, 1, kernel, NULL);
        match_list list = run(&p, all);
        match_list_sort_by_final(&list);
        CHECK_MSG(is_literal(&p, &list),
                  "problem %llu: m %zu, dim %zu, chunk %zu, gate %g %g, t %g",
                  (unsigned long long)number, p.m, p.dim, p.chunk, p.min, p.max, p.threshold);
        matches += list.n;
        traced += searches_cells_traced(all);
        cells += all->cells;
        match_list_free(&list);
        searches_destroy(all);
    }
    printf("%zu matches, %.2f of the cells traced\n", matches, (double)traced / (double)cells);
    CHECK(matches > problems); /* about 2000 in each */
}

/* The trace takes several batches from one checkpoint to the next. */
static void they_are_found_with_checkpoints_far_apart(void)
{
    static problem p = {.m = 600, .dim = 1, .n = 3 * 16384, .chunk = 16384, .min = 0.5, .max = 8};
    uint64_t random = check_seed("test_search_dense, far apart");
    for (size_t i = 0; i < p.m; i++) p.x[i] = value(&random, 1, i, p.m);
    for (size_t t = 0; t < p.n; t++) p.y[t] = p.x[t % p.m] + (float)check_below(&random, 100) / 100;
    p.threshold = 0.7;
    searches *all = searches_of(&p, 1, "portable", NULL);
    match_list list = run(&p, all);
    match_list_sort_by_final(&list);
    printf("%zu matches\n", list.n);
    CHECK(list.n > 60 && is_literal(&p, &list));
    match_list_free(&list);
    searches_destroy(all);
}

/* Zeros cost nothing for longer than a match may take. By then the origin has left the window. */
static void a_trace_does_not_go_back_to_an_origin_outside_the_window(void)
{
    static problem p = {.x = {1, 0, 0, 0, 1, 1, 1}, .n = LONG_STREAM, .m = 7, .dim = 1};
    static const size_t changes[] = {8677, 8685, 8688, 9149, 9177, 9272, LONG_STREAM};
    p.chunk = 3008;
    p.threshold = 1.5 / 7;
    p.max = 16;
    for (size_t t = 0, k = 0; t < p.n; t++) {
        k += t == changes[k];
        p.y[t] = t < 8600 ? (float)(t / 100 % 2) : (float)(k % 2 == 0);
    }
    searches *all = searches_of(&p, 1, "portable", NULL);
    match_list list = run(&p, all);
    match_list_sort_by_final(&list);
    CHECK(list.n > 3 && is_literal(&p, &list));
    match_list_free(&list);
    searches_destroy(all);
}

static bool same_lists(const match_list *a, const match_list *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++) {
        const frame_match *f = &a->items[i], *g = &b->items[i];
        same = f->index == g->index && f->start == g->start && f->end == g->end &&
               f->first == g->first && f->final == g->final && f->d == g->d;
    }
    return same;
}

/* A kernel that gives no checkpoint from some time on. */
static const kernel_ops *sound;
static size_t columns_left;

static sigrep_status failing_column(void *kernel, size_t index, uint64_t position, float *d)
{
    if (!columns_left) return SIGREP_DEVICE_FAILED;
    columns_left--;
    return sound->checkpoint(kernel, index, position, d);
}

/* Search all frames of a problem without gaps. */
static sigrep_status search_all(const problem *p, searches *all, match_list *out)
{
    sigrep_status status = SIGREP_OK;
    for (size_t at = 0; at < p->n && !status; at += p->chunk) {
        searches_append(all, p->y + at, p->n - at < p->chunk ? p->n - at : p->chunk);
        status = searches_run(all, out);
    }
    return status ? status : searches_finish(all, out);
}

/* Regression: a search that failed left matches for the next stream. */
static void a_failed_search_leaves_nothing_to_the_next_stream(void)
{
    static problem p = {.m = 24, .dim = 1, .n = LONG_STREAM, .chunk = 4096};
    uint64_t random = 5;
    for (size_t i = 0; i < p.m; i++) p.x[i] = (float)check_below(&random, 9);
    for (size_t t = 0; t < p.n; t++)
        p.y[t] = p.x[t % p.m] + (float)check_below(&random, 3) * (t / 500 % 3 == 2 ? 9 : 1);
    const template one = {.frames = p.x, .length = p.m, .gate = detector_gate_of(1, 0.5, 2, p.m)};
    sound = kernel_choose("cpu", "portable", NULL);
    kernel_ops ops = *sound;
    ops.checkpoint = failing_column;
    searches *all;
    CHECK(searches_create(&all, &(searches_plan){.templates = &one,
                                                 .n_templates = 1,
                                                 .dim = 1,
                                                 .chunk = p.chunk,
                                                 .ops = &ops}) == SIGREP_OK);
    match_list expected = {0};
    columns_left = SIZE_MAX;
    CHECK(search_all(&p, all, &expected) == SIGREP_OK && expected.n > 100);
    const size_t columns = SIZE_MAX - columns_left;
    for (size_t n = 0; n < columns; n += 1 + columns / 100) {
        match_list got = {0};
        searches_reset(all);
        columns_left = n;
        search_all(&p, all, &got);
        searches_reset(all);
        got.n = 0;
        columns_left = SIZE_MAX;
        CHECK(search_all(&p, all, &got) == SIGREP_OK);
        CHECK_MSG(same_lists(&expected, &got), "after %zu of %zu columns", n, columns);
        match_list_free(&got);
    }
    match_list_free(&expected);
    searches_destroy(all);
}

/* The lists are compared unsorted. */
static void threads_change_no_order(void)
{
    static problem p[TEMPLATES];
    uint64_t random = 7;
    for (size_t j = 0; j < TEMPLATES; j++) {
        make_problem(&p[j], &random);
        while (p[j].dim > 1 || p[j].m < 60 || p[j].threshold > 1 || p[j].threshold == 0)
            make_problem(&p[j], &random);
        p[j].chunk = 1000;
    }
    searches *alone = searches_of(p, TEMPLATES, NULL, NULL);
    match_list expected = run(p, alone);
    CHECK(expected.n > 50);
    for (size_t threads = 2; threads <= 5; threads++) {
        pool *workers;
        CHECK(pool_create(&workers, threads) == SIGREP_OK);
        searches *together = searches_of(p, TEMPLATES, NULL, workers);
        match_list got = run(p, together);
        CHECK_MSG(same_lists(&expected, &got), "%zu threads", threads);
        CHECK(searches_cells_traced(together) == searches_cells_traced(alone));
        match_list_free(&got);
        searches_destroy(together);
        pool_destroy(workers);
    }
    match_list_free(&expected);
    searches_destroy(alone);
}

int main(void)
{
    if (!CHECK_THREADS_ALONE) {
        RUN(the_literal_matches_are_found_in_dense_streams);
        RUN(they_are_found_in_long_chunks);
        RUN(they_are_found_with_checkpoints_far_apart);
        RUN(a_trace_does_not_go_back_to_an_origin_outside_the_window);
        RUN(a_failed_search_leaves_nothing_to_the_next_stream);
    }
    RUN(threads_change_no_order);
    return check_done();
}
