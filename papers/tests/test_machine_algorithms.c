/* All algorithms over a grid of machines and lengths: right results, and time units within the
 * papers' bounds. */
#include <math.h>

#include "check.h"
#include "papers/machine/algorithms.h"

/* Matching by the definition of d, on a whole matrix. */
static double match(const task *t)
{
    double d[40][140], least = t->signals ? INFINITY : (double)t->m;
    for (size_t j = 0; j <= t->n; j++) d[0][j] = 0;
    for (size_t i = 1; i <= t->m; i++) d[i][0] = t->signals ? INFINITY : (double)i;
    for (size_t i = 1; i <= t->m; i++)
        for (size_t j = 1; j <= t->n; j++) {
            const double step = t->signals ? 0 : 1, differs = t->x[i - 1] == t->y[j - 1] ? 0 : 1;
            const double cost = t->signals ? fabs(t->x[i - 1] - t->y[j - 1]) : differs;
            const double side = (t->signals ? cost : step);
            d[i][j] = fmin(fmin(d[i][j - 1], d[i - 1][j]) + side, d[i - 1][j - 1] + cost);
        }
    for (size_t j = 0; j <= t->n; j++) least = fmin(least, d[t->m][j]);
    return least;
}

static bool is_matching(const algorithm *a)
{
    return a->expected == plain_match;
}

/* Cutting y is exact for strings alone. */
static bool is_exact(const algorithm *a, bool are_signals)
{
    const bool cuts = a == algorithm_named("segments") || a == algorithm_named("blocks");
    return is_matching(a) && !(cuts && are_signals);
}

static void check_units(const setup *s, const algorithm *a, const outcome *o)
{
    const double rounds = (double)o->count.rounds, bound = a->bound(s);
    CHECK_MSG(o->count.units <= o->count.rounds, "%s: %zu units, %zu rounds", a->name,
              o->count.units, o->count.rounds);
    CHECK_MSG(isnan(bound) || rounds <= bound,
              "%s, machine %d: w %zu l %zu p %zu m %zu n %zu: %g above %g", a->name, (int)s->kind,
              s->width, s->latency, s->threads, s->task.m, s->task.n, rounds, bound);
    CHECK_MSG(o->count.hazards == 0, "%s: %zu hazards", a->name, o->count.hazards);
    if (is_matching(a)) CHECK((double)o->count.units >= least_units(s));
}

static void check_one(setup *s, const algorithm *a, size_t threads)
{
    outcome o;
    s->threads = threads ? threads : algorithm_threads(s, a);
    if (!a->run(s, &o)) exit(2);
    CHECK(o.threads == s->threads || !is_matching(a));
    check_units(s, a, &o);
    if (is_exact(a, s->task.signals))
        CHECK_MSG(o.result == match(&s->task), "%s: %g is not %g", a->name, o.result,
                  match(&s->task));
    else if (is_matching(a))
        CHECK(o.result >= match(&s->task));
    else if (a->expected)
        CHECK(o.result == a->expected(&s->task));
}

static void check_all(setup *s, uint64_t *random)
{
    for (size_t i = 0; algorithm_at(i); i++) {
        const algorithm *a = algorithm_at(i);
        if (!(a->machines & s->kind)) continue;
        if (s->width == 1 && a == algorithm_named("shuffle")) continue;
        check_one(s, a, 0);
        /* Fewer threads than the paper takes: HMM, Lemmas 2 and 3. */
        const size_t most = algorithm_threads(s, a) / s->blocks;
        if (most > 1) check_one(s, a, s->blocks * (1 + check_below(random, most)));
    }
}

static void machines_of_all_kinds(void)
{
    const machine_kind kinds[] = {ON_DMM, ON_UMM, ON_HMM};
    uint64_t random = check_seed("machines");
    for (size_t i = 0; i < check_cases(400); i++) {
        const size_t m = 1 + check_below(&random, 24), n = m + check_below(&random, 100);
        setup s = {.kind = kinds[i % 3],
                   .width = (size_t)1 << check_below(&random, 5),
                   .latency = 1 + check_below(&random, 12),
                   .global_latency = 1 + check_below(&random, 40),
                   .dmms = 1 + check_below(&random, 3),
                   .blocks = 1,
                   .resident = 1 + check_below(&random, 3),
                   .watched = true,
                   .task = {.signals = check_below(&random, 2), .m = m, .n = n}};
        if (s.kind == ON_HMM) s.blocks = 1 + check_below(&random, 8);
        if (check_below(&random, 3) == 0) s.width += check_below(&random, 4);
        double *values = task_random(s.task.signals, m, n, check_random(&random));
        if (!values) exit(2);
        s.task.x = values;
        s.task.y = values + m;
        check_all(&s, &random);
        free(values);
    }
}

/*
 * What is inside O(...), with a constant that follows from the derivations, for the papers' p, w <=
 * m and d <= D. A diagonal takes six rounds of k m / w + k + l - 1 units at most, where k are the
 * stages of a warp; there are n + m - 1 < 2n of them, and k <= k l. So matching takes 24 k times
 * the order, and 8 more for edges and minima. Segments have 4m - 1 diagonals of at most n cells: 48
 * k. On an HMM a round takes at most 4 D m / dw + l, and a block has n / D + 3m + 1 diagonals: 96,
 * and 32 more for reading.
 */
static double constant_of(const setup *s, const algorithm *a)
{
    const double straight = s->kind == ON_UMM ? 2 : 1;
    const bool fits = s->task.m % s->width == 0;
    if (a == algorithm_named("sequential")) return 11;
    if (a == algorithm_named("segments")) return 48 * straight * (fits ? 1 : 5) + 8;
    if (a == algorithm_named("blocks")) return 96 + 32;
    return 24 * straight * (fits ? 1 : 2) + 8;
}

static void orders_hold_with_a_constant(void)
{
    const machine_kind kinds[] = {ON_DMM, ON_UMM, ON_HMM};
    uint64_t random = check_seed("orders");
    for (size_t i = 0; i < check_cases(200); i++) {
        const size_t w = (size_t)1 << check_below(&random, 4), d = 1 + check_below(&random, 3);
        const size_t m = w + check_below(&random, 16), n = m + check_below(&random, 300);
        const size_t blocks = d + check_below(&random, 6);
        setup s = {.kind = kinds[i % 3],
                   .width = w,
                   .latency = 1 + check_below(&random, 50),
                   .global_latency = 1 + check_below(&random, 200),
                   .dmms = d,
                   .blocks = blocks,
                   .resident = blocks};
        double *values = task_random(false, m, n, check_random(&random));
        if (!values) exit(2);
        s.task = (task){false, m, n, values, values + m};
        for (size_t k = 0; algorithm_at(k); k++) {
            const algorithm *a = algorithm_at(k);
            outcome o;
            if (!(a->machines & s.kind) || !is_matching(a)) continue;
            if (s.kind == ON_UMM && a == algorithm_named("diagonals")) continue; /* no claim */
            s.threads = algorithm_threads(&s, a);
            if (!a->run(&s, &o)) exit(2);
            CHECK_MSG((double)o.count.rounds <= constant_of(&s, a) * a->order(&s),
                      "%s: %zu rounds, order %g", a->name, o.count.rounds, a->order(&s));
        }
        free(values);
    }
}

/* Lemma 3.1: n/p rounds of p/w + l - 1 units, and l each if p <= w. Lemma 3.2 on a DMM: the same.
 * On a UMM a warp may meet w groups. */
static void contiguous_access_takes_what_lemma_3_1_says(void)
{
    double *y = task_random(false, 1, 96, 1);
    if (!y) exit(2);
    for (size_t p = 2; p <= 32; p *= 2)
        for (size_t l = 1; l <= 9; l += 4) {
            setup s = {.kind = ON_DMM,
                       .width = 4,
                       .latency = l,
                       .threads = p,
                       .task = {false, 1, 96, y, y}};
            const size_t round = (p < 4 ? 1 : p / 4) + l - 1;
            outcome o;
            CHECK(algorithm_named("contiguous")->run(&s, &o) && o.count.units == 96 / p * round);
            CHECK(algorithm_named("banks")->run(&s, &o) && o.count.units == 96 / p * round);
            s.kind = ON_UMM;
            CHECK(algorithm_named("contiguous")->run(&s, &o) && o.count.units == 96 / p * round);
            CHECK(algorithm_named("banks")->run(&s, &o));
            CHECK(o.count.traffic[MACHINE_GLOBAL].stages == 96);
        }
    free(y);
}

/* Section 7: the diagonals of the whole matrix take a group a thread on a UMM, so mn stages, where
 * the slid matrix takes one or two a warp. */
static void diagonals_are_slow_on_a_umm(void)
{
    double *values = task_random(false, 16, 96, 1);
    if (!values) exit(2);
    const setup s = {.kind = ON_UMM,
                     .width = 8,
                     .latency = 5,
                     .threads = 16,
                     .task = {false, 16, 96, values, values + 16}};
    outcome whole, slid;
    CHECK(algorithm_named("diagonals")->run(&s, &whole) && algorithm_named("slid")->run(&s, &slid));
    CHECK(whole.count.traffic[MACHINE_GLOBAL].stages > 4 * 16 * 96);
    CHECK(slid.count.traffic[MACHINE_GLOBAL].stages < 2 * 6 * 2 * (16 + 96));
    free(values);
}

/* Theorem 7.2 says that access to s' is contiguous, as that to s is. If w does not divide m, j mod
 * m begins anew within a warp: w = 4, m = 5: columns 2, 1, 0, 4, and 0 and 4 share a bank. */
static void rings_conflict_if_the_width_does_not_divide_m(void)
{
    for (size_t m = 5; m <= 8; m += 3) {
        double *values = task_random(false, m, 40, 1);
        if (!values) exit(2);
        const setup s = {.kind = ON_DMM,
                         .width = 4,
                         .latency = 5,
                         .threads = m,
                         .task = {false, m, 40, values, values + m}};
        outcome o;
        CHECK(algorithm_named("ring")->run(&s, &o));
        const machine_traffic t = o.count.traffic[MACHINE_SHARED];
        CHECK((t.stages > t.warps) == (m == 5));
        free(values);
    }
}

/* Theorem 7.2: 3m words. Theorem 8.1 says O(m), too, but its own proof takes 3 words for each of n
 * threads. */
static void working_space(void)
{
    double *values = task_random(false, 8, 96, 1);
    if (!values) exit(2);
    for (size_t n = 48; n <= 96; n += 48) {
        setup s = {.kind = ON_DMM,
                   .width = 4,
                   .latency = 5,
                   .threads = 8,
                   .task = {false, 8, n, values, values + 8}};
        outcome o;
        CHECK(algorithm_named("ring")->run(&s, &o) && o.words == 3 * 8);
        s.threads = n - 2 * 8;
        CHECK(algorithm_named("segments")->run(&s, &o) && o.words == 3 * (n - 2 * 8) + 8 + 1);
    }
    free(values);
}

/* Theorem 8.1: the latency counts for 3m columns in place of n. */
static void segments_hide_latency(void)
{
    double *values = task_random(false, 4, 120, 1);
    if (!values) exit(2);
    setup s = {.kind = ON_UMM,
               .width = 8,
               .latency = 100,
               .threads = 4,
               .task = {false, 4, 120, values, values + 4}};
    outcome ring, segments;
    CHECK(algorithm_named("ring")->run(&s, &ring));
    s.threads = algorithm_threads(&s, algorithm_named("segments"));
    CHECK(algorithm_named("segments")->run(&s, &segments));
    CHECK(3 * segments.count.units < ring.count.units);
    free(values);
}

/* Theorem 10.1 takes segments of 3m for signals as well, but no length bounds what a path may take.
 * x = 0 9 0 costs nothing over 0 9 9 ... 9 0, and 9 at least over any part of it. Strings of the
 * same letters: 0 9 9 is one replacement away. */
static void a_2m_overlap_is_exact_for_strings_alone(void)
{
    double x[] = {0, 9, 0}, y[40];
    for (size_t j = 0; j < 40; j++) y[j] = j == 0 || j == 39 ? 0 : 9;
    const char *const names[] = {"segments", "blocks"};
    for (int i = 0; i < 2; i++) {
        const algorithm *a = algorithm_named(names[i]);
        setup s = {.kind = i ? ON_HMM : ON_DMM,
                   .width = 4,
                   .latency = 5,
                   .global_latency = 20,
                   .dmms = 2,
                   .blocks = 4,
                   .resident = 4,
                   .task = {true, 3, 40, x, y}};
        outcome o;
        s.threads = algorithm_threads(&s, a);
        CHECK(match(&s.task) == 0);
        CHECK(a->run(&s, &o) && o.result == 9);
        s.task.signals = false;
        CHECK(match(&s.task) == 1);
        CHECK(a->run(&s, &o) && o.result == 1);
    }
}

/* x with three letters more, at each place: also where substrings meet. It takes three edits. If a
 * letter of its ends is missing, it takes four. */
static void no_match_is_lost_where_substrings_meet(void)
{
    enum { N = 100, LENGTH = 11 };
    const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, longer[LENGTH] = {0, 1, 2, 3, 8, 8, 8, 4, 5, 6, 7};
    const char *const names[] = {"segments", "blocks"};
    double y[N];
    for (size_t at = 0; at + LENGTH <= N; at++)
        for (int i = 0; i < 2; i++) {
            for (size_t j = 0; j < N; j++) y[j] = j >= at && j < at + LENGTH ? longer[j - at] : 9;
            const algorithm *a = algorithm_named(names[i]);
            setup s = {.kind = i ? ON_HMM : ON_UMM,
                       .width = 4,
                       .latency = 5,
                       .global_latency = 20,
                       .dmms = 2,
                       .blocks = 6,
                       .resident = 6,
                       .task = {false, 8, N, x, y}};
            outcome o;
            s.threads = algorithm_threads(&s, a);
            CHECK_MSG(a->run(&s, &o) && o.result == 3, "%s at %zu: %g", a->name, at, o.result);
        }
}

/* Man, Nakano, Ito: one DMM works on D / d blocks as on one of as many threads. Each diagonal of a
 * block costs six rounds, so in rounds a column more costs 6 (stages + l - 1). */
static void a_column_more_costs_six_rounds(void)
{
    double *values = task_random(false, 8, 120, 1);
    if (!values) exit(2);
    size_t rounds[2];
    for (size_t i = 0; i < 2; i++) {
        /* 4 blocks on 2 DMMs: S = (n - 16) / 4 grows by one; each thread then reads no more words
         * of Y_b than before. */
        const setup s = {.kind = ON_HMM,
                         .width = 4,
                         .latency = 5,
                         .global_latency = 20,
                         .dmms = 2,
                         .blocks = 4,
                         .resident = 2,
                         .threads = 32,
                         .task = {false, 8, 16 + 4 * (18 + i), values, values + 8}};
        outcome o;
        CHECK(algorithm_named("blocks")->run(&s, &o));
        rounds[i] = o.count.rounds;
    }
    /* Two blocks of two warps a DMM: 6 (4 + 4); one more word of Y_b is read by one warp of each
     * block that has just begun such a round: counted apart, at most 4 * 2 + 2 stages. */
    CHECK(rounds[1] - rounds[0] >= 6 * (4 + 4));
    CHECK(rounds[1] - rounds[0] <= 6 * (4 + 4) + 4 * 2 + 2);
    free(values);
}

int main(void)
{
    RUN(machines_of_all_kinds);
    RUN(orders_hold_with_a_constant);
    RUN(contiguous_access_takes_what_lemma_3_1_says);
    RUN(diagonals_are_slow_on_a_umm);
    RUN(rings_conflict_if_the_width_does_not_divide_m);
    RUN(working_space);
    RUN(segments_hide_latency);
    RUN(a_2m_overlap_is_exact_for_strings_alone);
    RUN(no_match_is_lost_where_substrings_meet);
    RUN(a_column_more_costs_six_rounds);
    return check_done();
}
