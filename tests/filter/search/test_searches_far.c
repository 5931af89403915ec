/* filter/search/searches.c and search.c: searches that look far back, with small windows. */
#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "kernels/kernel.h"
#include "tests/check.h"
#include "tests/support/literal.h"

static template template_of(const float *x, size_t m, double threshold)
{
    return (template){.frames = x, .length = m, .gate = detector_gate_of(threshold, 0.5, 2, m)};
}

/* The matches of the templates in y, in chunks of `chunk` frames. */
static match_list find(const template *templates, size_t n_templates, const float *y, size_t n,
                       size_t chunk)
{
    const searches_plan plan = {.templates = templates,
                                .n_templates = n_templates,
                                .dim = 1,
                                .chunk = chunk,
                                .ops = kernel_choose("cpu", "portable", NULL)};
    searches *all;
    match_list list = {0};
    CHECK(searches_create(&all, &plan) == SIGREP_OK);
    for (size_t at = 0; at < n; at += chunk) {
        searches_append(all, y + at, n - at < chunk ? n - at : chunk);
        CHECK(searches_run(all, &list) == SIGREP_OK);
    }
    CHECK(searches_finish(all, &list) == SIGREP_OK);
    searches_destroy(all);
    match_list_sort_by_final(&list);
    return list;
}

static void fill(float *v, size_t from, size_t to, float value)
{
    for (size_t i = from; i < to; i++) v[i] = value;
}

static const size_t chunks[] = {1, 16, 256, 300, 5000};
enum { CHUNKS = sizeof chunks / sizeof *chunks };

/*
 *   x = 9 x 5, 0 x 600, 1      y = 9 x 5, 0 ... 0, 9 at 900, 0 ...
 *
 * At 302 half of x is there, d = 1, and 600 zeros may cost less: it is pending until the 9. Then
 * frames from 303 on are searched again. A window made for the short template alone would show
 * other frames there.
 */
static void the_window_is_made_for_the_longest_template(void)
{
    enum { M = 606, N = 2500 };
    float x[M], y[N];
    fill(x, 0, 5, 9);
    fill(x, 5, M - 1, 0);
    x[M - 1] = 1;
    fill(y, 0, N, 0);
    fill(y, 0, 5, 9);
    y[900] = 9;
    const float shorter[2] = {500, 600};
    const template both[] = {template_of(x, M, 1.5 / M), template_of(shorter, 2, 0)};
    for (size_t i = 0; i < CHUNKS; i++) {
        match_list list = find(both, 2, y, N, chunks[i]);
        CHECK(list.n == 2);
        CHECK(list.n == 2 && list.items[0].start == 0 && list.items[0].end == 303);
        CHECK(list.n == 2 && list.items[0].final == 901);
        CHECK(list.n == 2 && list.items[1].start == 900 && list.items[1].end == 1203);
        match_list_free(&list);
    }
}

/*
 *   x = 9 x 5, 0 x 200, 4 x 10     y = 9 x 5, 0 x 200, 4, 0 ..., 4 at 1500, 0 x 150, 4
 *
 * eps = 42. After the match the sweep has a path that waits in the zeros, D = 4. The search, which
 * began after the match, has 45 there, above eps. If these counted as equal, the path would hide
 * the 5 x (9 - 4) = 25 of [1500, 1652): it has 4 + 4 at the end, but is too old.
 */
static void a_cell_above_eps_does_not_agree_with_one_below(void)
{
    enum { M = 215, END = 206, HEAD = 1500, N = HEAD + 1 + 150 + 1 };
    float x[M], y[N];
    fill(x, 0, 5, 9);
    fill(x, 5, 205, 0);
    fill(x, 205, M, 4);
    fill(y, 0, N, 0);
    memcpy(y, x, END * sizeof *x);
    y[HEAD] = 4;
    y[N - 1] = 4;
    const template one = template_of(x, M, 42.0 / M);
    for (size_t i = 0; i < CHUNKS; i++) {
        match_list list = find(&one, 1, y, N, chunks[i]);
        CHECK(list.n == 2);
        CHECK(list.n == 2 && list.items[0].end == END && list.items[0].d == 0);
        CHECK(list.n == 2 && list.items[1].start == HEAD && list.items[1].end == N);
        CHECK(list.n == 2 && list.items[1].d == 25);
        match_list_free(&list);
    }
}

/* Each sample of x comes twice. The path begins at the later of the first two, so it has 2 m - 1
 * frames, one less than the gate allows. Before its end no block has a candidate. */
static void a_match_of_almost_length_max_is_found(void)
{
    enum { M = 600, BEFORE = 3000, N = BEFORE + 2 * M + 10 };
    float x[M], y[N];
    uint64_t random = 1;
    for (size_t i = 0; i < M; i++) x[i] = (float)(2 * i + check_below(&random, 2));
    fill(y, 0, N, 1e6f);
    for (size_t i = 0; i < 2 * (size_t)M; i++) y[BEFORE + i] = x[i / 2];
    const template one = template_of(x, M, 0);
    for (size_t i = 0; i < CHUNKS; i++) {
        match_list list = find(&one, 1, y, N, chunks[i]);
        CHECK(list.n == 1);
        CHECK(list.n == 1 && list.items[0].start == BEFORE + 1);
        CHECK(list.n == 1 && list.items[0].end == BEFORE + 2 * M - 1);
        match_list_free(&list);
    }
}

/*
 *   x = 9 x 5, 0 x 400, 40     y = 9, 0 ..., 7 at 1855, 0 ..., 40 at 2066     lmax = 812
 *
 * eps = 39.5. The path of the first 9 waits at no cost, pays 7 at 1855, and ends with 7 at 2066,
 * too old. It hides the path from 1855, which has 5 x (9 - 7) = 10, so there is no match. At 2066
 * the search skips to the checkpoint at 1024 and needs all frames from there on. If those before
 * 2066 - 812 were overwritten by frames from 813 later, it would see the 7 twice, 14, and find a
 * match.
 */
static void the_window_reaches_back_to_the_checkpoint(void)
{
    enum { M = 406, HEAD = 1855, TAIL = 2066, N = TAIL + 1 };
    float x[M], y[N];
    fill(x, 0, 5, 9);
    fill(x, 5, M - 1, 0);
    x[M - 1] = 40;
    fill(y, 0, N, 0);
    y[0] = 9;
    y[HEAD] = 7;
    y[TAIL] = 40;
    const template one = template_of(x, M, 39.5 / M);
    for (size_t i = 0; i < CHUNKS; i++) {
        match_list list = find(&one, 1, y, N, chunks[i]);
        CHECK(list.n == 0);
        match_list_free(&list);
    }
}

/* ---- compared with the literal reading ---- */

enum { LONGEST = 700, STREAM = 5000, PROBLEMS = 30 };

/* Bursts on a flat line, so that paths wait for long at little cost. */
static void make_bursts(float *v, size_t n, size_t pause, uint64_t *random)
{
    for (size_t t = 0, left = 0; t < n; t++) {
        if (left > 0)
            left--;
        else if (check_below(random, pause) == 0)
            left = 1 + check_below(random, 6);
        v[t] = left > 0 ? (float)(1 + check_below(random, 3)) : 0;
    }
}

static bool literal_ones(const match_list *list, const float *x, size_t m, double threshold,
                         const float *y)
{
    const literal_template one = {.x = x, .m = (long)m, .threshold = threshold};
    const literal_problem p = {
        .templates = &one, .n_templates = 1, .dim = 1, .min = 0.5, .max = 2, .min_matches = 1};
    literal_match *expected;
    long n = literal_search(&p, y, STREAM, &expected);
    bool same = (size_t)n == list->n;
    for (size_t i = 0; i < list->n && same; i++)
        same = (uint64_t)expected[i].start == list->items[i].start &&
               (uint64_t)expected[i].end == list->items[i].end &&
               (uint64_t)expected[i].final == list->items[i].final;
    free(expected);
    return same;
}

static void long_templates_find_the_literal_matches(void)
{
    static float x[LONGEST], y[STREAM];
    uint64_t seed = check_seed("test_searches_far");
    size_t matches = 0;
    for (uint64_t number = 0; number < PROBLEMS; number++) {
        uint64_t random = seed + number;
        size_t m = 130 + check_below(&random, LONGEST - 129);
        make_bursts(y, STREAM, 60 + check_below(&random, 300), &random);
        make_bursts(x, m, 60 + check_below(&random, 300), &random);
        if (check_below(&random, 3)) memcpy(x, y + check_below(&random, STREAM - m), m * sizeof *x);
        double threshold = (double)(1 + check_below(&random, 25)) / (double)m;
        const template one = template_of(x, m, threshold);
        match_list list = find(&one, 1, y, STREAM, chunks[check_below(&random, CHUNKS)]);
        CHECK_MSG(literal_ones(&list, x, m, threshold, y), "problem %llu, %zu frames",
                  (unsigned long long)number, m);
        matches += list.n;
        match_list_free(&list);
    }
    CHECK(matches > PROBLEMS);
}

int main(void)
{
    RUN(the_window_is_made_for_the_longest_template);
    RUN(a_cell_above_eps_does_not_agree_with_one_below);
    RUN(a_match_of_almost_length_max_is_found);
    RUN(the_window_reaches_back_to_the_checkpoint);
    RUN(long_templates_find_the_literal_matches);
    return check_done();
}
