/*
 * filter/search/path.c: the path of the literal reading of docs/SEMANTICS.md, from a whole matrix
 * that begins long before the match; ties, infinite cells and every shape of a matrix.
 */
#include "filter/search/path.h"

#include <math.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/support/literal.h"

enum { PROBLEMS = 3000, MOST_ROWS = 70, MOST_COLUMNS = 260, MOST_DIM = 3 };

static const stopping never = {0};

typedef struct {
    float x[MOST_ROWS * MOST_DIM], y[MOST_COLUMNS * MOST_DIM];
    literal_template literal_x;
    literal_problem literal;
    long n; /* frames of the stream; paths end in the last one */
} problem;

/* Kinds: many ties; all ties; few ties; costs of which some are infinite. */
static float value_at(uint64_t *random, uint64_t kind)
{
    switch (kind) {
    case 0: return (float)check_below(random, 3);
    case 1: return 1;
    case 2: return (float)check_below(random, 100000) / 37.0f;
    default: return ((float)check_below(random, 3) - 1) * 1.2e38f;
    }
}

static void make_problem(problem *p, uint64_t *random, uint64_t kind)
{
    static const long columns[] = {1, 2, 3, 17, 100, MOST_COLUMNS};
    const long dim = 1 + (long)check_below(random, MOST_DIM);
    p->literal_x = (literal_template){.x = p->x, .m = 2 + (long)check_below(random, MOST_ROWS - 1)};
    p->literal = (literal_problem){
        .templates = &p->literal_x, .n_templates = 1, .dim = dim, .min = 0, .max = 64};
    p->n = columns[check_below(random, 6)];
    for (long i = 0; i < p->literal_x.m * dim; i++) p->x[i] = value_at(random, kind);
    for (long t = 0; t < p->n * dim; t++) p->y[t] = value_at(random, kind);
}

static bool are_equal(const sigrep_pair *got, const literal_pair *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (got[i].template_frame != (uint64_t)want[i].i ||
            got[i].match_frame != (uint64_t)(want[i].t - want[0].t) || got[i].cost != want[i].cost)
            return false;
    return true;
}

/* Returns whether the path has a finite D: only then it may be one of a match. */
static bool agrees(const problem *p, long number)
{
    const literal_match whole = {.end = p->n};
    literal_pair *want;
    sigrep_pair got[MOST_ROWS + MOST_COLUMNS];
    float d = 0;
    size_t n;
    const size_t n_want = (size_t)literal_path(&p->literal, &whole, p->y, &want);
    if (n_want == 0) {
        free(want);
        return false;
    }
    for (size_t i = 0; i < n_want; i++) d += want[i].cost;
    const path_problem of = {.x = p->x,
                             .m = (size_t)p->literal_x.m,
                             .y = p->y + want[0].t * p->literal.dim,
                             .n = (size_t)(p->n - want[0].t),
                             .dim = (size_t)p->literal.dim,
                             .d = d,
                             .stop = &never};
    CHECK(path_find(&of, got, &n) == SIGREP_OK);
    CHECK_MSG(n == n_want && are_equal(got, want, n), "problem %ld: %zu rows, %zu columns", number,
              of.m, of.n);
    free(want);
    return true;
}

static void the_path_is_the_literal_one(void)
{
    uint64_t seed = check_seed("test_path");
    const long problems = (long)check_cases(PROBLEMS);
    long finite = 0;
    static problem p;
    for (long number = 0; number < problems && check_failures < 5; number++) {
        uint64_t random = seed + (uint64_t)number;
        make_problem(&p, &random, (uint64_t)number % 4);
        finite += agrees(&p, number);
    }
    CHECK(finite >= problems / 2);
}

/* The cheapest cells stay the same, so each row and each column has one way through. */
static void a_path_may_stay_in_a_row_or_in_a_column(void)
{
    static const float x[] = {1, 2, 3}, slow[] = {1, 2, 2, 2, 2, 3};
    static const float high[] = {1, 5, 5, 5, 5, 9}, fast[] = {1, 5, 9};
    sigrep_pair pairs[12];
    size_t n;
    path_problem of = {.x = x, .m = 3, .y = slow, .n = 6, .dim = 1, .stop = &never};
    CHECK(path_find(&of, pairs, &n) == SIGREP_OK && n == 6);
    for (size_t i = 0; i < n; i++)
        CHECK(pairs[i].match_frame == i && pairs[i].template_frame == (i ? i < 5 ? 1 : 2 : 0));
    of = (path_problem){.x = high, .m = 6, .y = fast, .n = 3, .dim = 1, .stop = &never};
    CHECK(path_find(&of, pairs, &n) == SIGREP_OK && n == 6);
    for (size_t i = 0; i < n; i++)
        CHECK(pairs[i].template_frame == i && pairs[i].match_frame == (i ? i < 5 ? 1 : 2 : 0));
}

static int stop_at_third(void *user)
{
    return ++*(int *)user == 3;
}

static void long_work_asks_whether_to_stop(void)
{
    static float x[200], y[400];
    static sigrep_pair pairs[600];
    int asked = 0;
    size_t n;
    const stopping stop = {.should_stop = stop_at_third, .user = &asked, .work = 1000};
    const path_problem of = {.x = x, .m = 200, .y = y, .n = 400, .dim = 1, .stop = &stop};
    CHECK(path_find(&of, pairs, &n) == SIGREP_STOPPED && n == 0 && asked == 3);
    asked = 3; /* never again */
    CHECK(path_find(&of, pairs, &n) == SIGREP_OK && n > 0 && asked > 3);
}

int main(void)
{
    RUN(the_path_is_the_literal_one);
    RUN(a_path_may_stay_in_a_row_or_in_a_column);
    RUN(long_work_asks_whether_to_stop);
    return check_done();
}
