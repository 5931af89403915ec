/* filter/walk.c: where the trace stands, and what its cells are worth, against a trace that
 * evaluates everything. */
#include <math.h>
#include <string.h>

#include "filter/walk.h"
#include "tests/check.h"

enum { M = 40, MAX = 2 * M, N = 4000, SPACING = KERNEL_BLOCK };
#define EPS 20.0f

/* A stream that was swept in one step, and a walk over it. */
typedef struct {
    float x[M], y[N];
    window frames;
    const kernel_ops *ops;
    void *kernel;
    float minima[N / KERNEL_BLOCK + 2];
    sweep_step in;
    walk w;
} scene;

/* Whole numbers, now and then the template. */
static void make_signals(scene *s)
{
    uint64_t random = 5;
    for (size_t i = 0; i < M; i++) s->x[i] = (float)check_below(&random, 9);
    for (size_t t = 0; t < N; t++) s->y[t] = (float)check_below(&random, 9);
    for (size_t t = 300; t + M < N; t += 500) memcpy(s->y + t, s->x, sizeof s->x);
}

static void begin_with(scene *s, const char *kernel, size_t most)
{
    make_signals(s);
    CHECK(window_create(&s->frames, 1, most + SPACING, N) == SIGREP_OK);
    window_append(&s->frames, s->y, N);
    s->ops = kernel_choose("cpu", kernel, NULL);
    const kernel_template x = {.frames = s->x, .length = M, .eps = EPS, .history = most};
    CHECK(s->ops->create(
              &s->kernel,
              &(kernel_plan){.templates = &x, .n_templates = 1, .dim = 1, .max_step = N}) ==
          SIGREP_OK);
    if (s->ops->carry) CHECK(s->ops->carry(s->kernel, 0, true));
    CHECK(s->ops->step(s->kernel, s->y, N, &(kernel_output){.minima = s->minima}) == SIGREP_OK);
    s->in = (sweep_step){.frames = &s->frames, .ops = s->ops, .kernel = s->kernel, .to = N};
    if (s->ops->carry) s->in.ends = s->ops->ends(s->kernel, 0);
    CHECK(walk_create(&s->w, 0, s->x, M, 1, most, SPACING) == SIGREP_OK);
}

static void begin(scene *s)
{
    begin_with(s, "scalar", MAX);
}

static void end(scene *s)
{
    walk_free(&s->w);
    s->ops->destroy(s->kernel);
    window_free(&s->frames);
}

/* Is every cell within EPS, whose start is `from` or later, that of a search from `origin`? */
static bool is_exact(const scene *s, uint64_t origin, int64_t from)
{
    trace tr;
    bool same = true;
    CHECK(trace_create(&tr, NULL, s->x, M, 1) == SIGREP_OK);
    trace_start_cold(&tr, origin);
    while (tr.position < s->w.tr.position) trace_run(&tr, s->y + tr.position, 1, INFINITY, NULL);
    for (size_t i = 0; i < M; i++) {
        trace_end a = trace_cell(&tr, i), b = trace_cell(&s->w.tr, i);
        if (b.d > EPS)
            same &= from > INT64_MIN || a.d > EPS;
        else if (b.s >= from)
            same &= a.d == b.d && a.s == b.s;
    }
    trace_free(&tr);
    return same;
}

static void at_the_beginning_it_is_the_sweep(void)
{
    static scene s;
    begin(&s);
    CHECK(s.w.state == WALK_COUPLED && s.w.tr.position == 0 && walk_floor(&s.w) == INT64_MIN);
    walk_to(&s.w, &s.in, 1300, EPS); /* more than a batch */
    CHECK(s.w.tr.position == 1300 && s.w.traced == 1300 && is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* m + m/4 = 50 frames back: 1940 is between the columns kept at 1920 and 1984. */
static void it_wakes_at_a_kept_column_and_starts_before_are_in_doubt(void)
{
    static scene s;
    begin(&s);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1990 && s.w.traced == 70);
    CHECK(s.w.state == WALK_COUPLED && walk_floor(&s.w) == 1920);
    CHECK(is_exact(&s, 0, 1920));
    walk_to(&s.w, &s.in, 1920 + MAX - 2, EPS);
    walk_to(&s.w, &s.in, 1920 + MAX - 1, EPS); /* a start at 1919 has MAX frames there */
    CHECK(walk_floor(&s.w) == 1920);
    walk_to(&s.w, &s.in, 1920 + MAX, EPS); /* all are too old by now */
    CHECK(walk_floor(&s.w) == INT64_MIN && is_exact(&s, 0, 1920));
    CHECK(walk_wake(&s.w, &s.in, 2050, EPS) == SIGREP_OK); /* from where it is */
    CHECK(s.w.traced == 130 && walk_floor(&s.w) == INT64_MIN);
    end(&s);
}

static void a_coupled_one_settles_at_a_column_farther_back(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 100, EPS);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && walk_floor(&s.w) == 1920);
    CHECK(walk_settle(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1990 && walk_floor(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 0, 1990 - MAX));
    CHECK(walk_wake(&s.w, &s.in, 3000, EPS) == SIGREP_OK); /* it has learnt to look far back */
    CHECK(walk_floor(&s.w) == INT64_MIN && is_exact(&s, 0, 3000 - MAX));
    end(&s);
}

/* Nearer than length_max there is nothing but the column at which it fell asleep. */
static void a_coupled_one_settles_where_it_fell_asleep(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 1910, EPS);
    CHECK(walk_wake(&s.w, &s.in, 1975, EPS) == SIGREP_OK && walk_floor(&s.w) == 1920);
    CHECK(walk_settle(&s.w, &s.in, 1975, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1975 && walk_floor(&s.w) == INT64_MIN);
    CHECK(s.w.traced == 1910 + 55 + 65);
    CHECK(is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* With length_max = 400, starts before 1920 are in doubt still when it sleeps again. */
static void a_column_in_doubt_is_nothing_to_settle_at(void)
{
    static scene s;
    begin_with(&s, "scalar", 400);
    walk_to(&s.w, &s.in, 100, EPS);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && walk_floor(&s.w) == 1920);
    CHECK(walk_wake(&s.w, &s.in, 2100, EPS) == SIGREP_OK && walk_floor(&s.w) == 2048);
    CHECK(s.w.asleep == 100);
    CHECK(walk_settle(&s.w, &s.in, 2100, EPS) == SIGREP_OK && walk_floor(&s.w) == INT64_MIN);
    CHECK(s.w.traced == 100 + 70 + 52 + (2100 - 1664));
    end(&s);
}

static void a_new_origin_leaves_older_starts_in_doubt(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 345, EPS);
    walk_set_origin(&s.w, 340);
    CHECK(s.w.state == WALK_LOOSE && walk_floor(&s.w) == 340);
    CHECK(is_exact(&s, 340, 340) && !is_exact(&s, 340, INT64_MIN));
    walk_to(&s.w, &s.in, 348, EPS);
    CHECK(is_exact(&s, 340, 340));
    CHECK(walk_settle(&s.w, &s.in, 350, EPS) == SIGREP_OK);
    CHECK(s.w.state == WALK_OWN && walk_floor(&s.w) == INT64_MIN && s.w.tr.position == 350);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* Starts between the origin and the kept column are not known either. */
static void after_a_jump_all_before_the_column_is_in_doubt(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 345, EPS);
    walk_set_origin(&s.w, 340);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.state == WALK_LOOSE);
    CHECK(walk_floor(&s.w) == 1920);
    walk_to(&s.w, &s.in, 2100, EPS); /* old, but what began at the origin is not known */
    CHECK(walk_floor(&s.w) == 1920 && is_exact(&s, 340, 1920));
    end(&s);
}

static void an_origin_may_lie_behind_what_is_settled(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 384, EPS);
    walk_set_origin(&s.w, 341);
    CHECK(walk_settle(&s.w, &s.in, 320, EPS) == SIGREP_OK);
    CHECK(s.w.state == WALK_OWN && s.w.tr.position == 341);
    end(&s);
}

/* As soon as no cell within eps began before the origin. */
static void a_loose_one_couples_when_nothing_is_in_doubt(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 345, EPS);
    walk_set_origin(&s.w, 340);
    CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == WALK_LOOSE);
    while (s.w.state == WALK_LOOSE && s.w.tr.position < 1000) {
        walk_to(&s.w, &s.in, s.w.tr.position + 1, EPS);
        CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK);
    }
    CHECK(s.w.state == WALK_COUPLED && s.w.tr.position > 345 && s.w.tr.position < 1000);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* ... but one that came from an own trace is not yet the sweep's. */
static void own_traces_couple_at_kept_columns_alone(void)
{
    static scene s;
    begin(&s);
    walk_restart(&s.w, 340);
    CHECK(s.w.state == WALK_OWN);
    walk_to(&s.w, &s.in, 345, EPS);
    walk_set_origin(&s.w, 342);
    while (s.w.state != WALK_COUPLED && s.w.tr.position < 1000) {
        walk_to(&s.w, &s.in, s.w.tr.position + 1, EPS);
        CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK);
        CHECK(s.w.state != WALK_COUPLED || s.w.tr.position % SPACING == 0);
    }
    CHECK(s.w.state == WALK_COUPLED && is_exact(&s, 342, INT64_MIN) && is_exact(&s, 0, 342));
    end(&s);
}

/* ... unless it has jumped to one meanwhile. */
static void after_a_jump_it_is_the_sweeps_again(void)
{
    static scene s;
    begin(&s);
    walk_restart(&s.w, 340);
    walk_to(&s.w, &s.in, 345, EPS);
    walk_set_origin(&s.w, 342);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.state == WALK_LOOSE);
    walk_be_certain(&s.w); /* as if an end had told */
    CHECK(s.w.state == WALK_COUPLED && walk_floor(&s.w) == INT64_MIN);
    end(&s);
}

/* The match of [300, 340) is known; all that ends behind it is, too. */
static void a_known_end_leaves_nothing_in_doubt(void)
{
    static scene s;
    begin(&s);
    walk_to(&s.w, &s.in, 250, EPS);
    walk_set_origin(&s.w, 250);
    walk_to(&s.w, &s.in, 340, EPS);
    CHECK(trace_at(&s.w.tr, 339).d == 0 && trace_at(&s.w.tr, 339).s == 300);
    CHECK(is_exact(&s, 250, INT64_MIN));
    walk_be_certain(&s.w);
    CHECK(s.w.state == WALK_COUPLED);
    walk_restart(&s.w, 260);
    walk_set_origin(&s.w, 261);
    walk_be_certain(&s.w);
    CHECK(s.w.state == WALK_OWN);
    end(&s);
}

/* The columns that were kept before this step are not for it. */
static void nothing_couples_before_the_step(void)
{
    static scene s;
    begin(&s);
    walk_restart(&s.w, 340);
    s.in.from = 1001;
    walk_to(&s.w, &s.in, 960, EPS);
    CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == WALK_OWN);
    walk_to(&s.w, &s.in, 1024, EPS);
    CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == WALK_COUPLED);
    end(&s);
}

enum { CARRIED = N / 4 / SPACING * SPACING * 4 }; /* by four lanes */

static void begin_carried(scene *s)
{
    begin_with(s, "portable", MAX);
    CHECK(s->in.ends.n == CARRIED && s->in.ends.since == 0);
}

/* From kept column to kept column; between them there is nothing to take over. */
static void what_the_sweep_carried_is_taken_over(void)
{
    static scene s;
    begin_carried(&s);
    CHECK(walk_batch_end(&s.w, &s.in) == KERNEL_BLOCK);
    walk_to(&s.w, &s.in, MAX, EPS); /* before, starts may be too old for the sweep to know */
    while (s.w.tr.position < CARRIED) {
        uint64_t from = s.w.tr.position, to = walk_batch_end(&s.w, &s.in);
        CHECK(to == (from / SPACING + 1) * SPACING);
        walk_to(&s.w, &s.in, to, EPS);
        CHECK(s.w.tr.begin == from && s.w.tr.position == to);
        CHECK(is_exact(&s, 0, (int64_t)to - MAX) && s.w.state == WALK_COUPLED);
        CHECK(walk_floor(&s.w) == INT64_MIN);
    }
    CHECK(s.w.traced == MAX && s.w.adopted == CARRIED - MAX);
    walk_to(&s.w, &s.in, N, EPS); /* the tail of the step */
    CHECK(s.w.traced == MAX + N - CARRIED && is_exact(&s, 0, N - MAX));
    end(&s);
}

/* 1990 is behind the column kept at 1984. */
static void it_wakes_at_the_last_kept_column_where_starts_were_carried(void)
{
    static scene s;
    begin_carried(&s);
    walk_to(&s.w, &s.in, 345, EPS);
    walk_set_origin(&s.w, 340);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1984 && s.w.traced == 345 && s.w.state == WALK_LOOSE);
    CHECK(walk_floor(&s.w) == 340 && is_exact(&s, 340, 340));
    CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == WALK_COUPLED);
    end(&s);
}

/* What an earlier step carried is not there any more. */
static void columns_before_the_step_are_evaluated(void)
{
    static scene s;
    begin_carried(&s);
    s.in.ends.begin = 1984;
    s.in.ends.n = CARRIED - 1984;
    s.in.ends.d += 1984;
    s.in.ends.s += 1984;
    walk_to(&s.w, &s.in, 1920, EPS);
    walk_to(&s.w, &s.in, 1984, EPS);
    CHECK(s.w.adopted == 0 && s.w.traced == 1984 && is_exact(&s, 0, 0));
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.tr.position == 1984);
    end(&s);
}

/* An own trace may agree with the sweep by paths of another start, until these are too old. */
static void an_own_trace_takes_nothing_over_until_the_starts_agree(void)
{
    static scene s;
    begin_carried(&s);
    walk_restart(&s.w, 340);
    CHECK(walk_batch_end(&s.w, &s.in) == 384);
    walk_to(&s.w, &s.in, 384, EPS);
    CHECK(s.w.adopted == 0 && is_exact(&s, 340, INT64_MIN));
    while (s.w.state == WALK_OWN && s.w.tr.position < 1000) {
        walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
        CHECK(walk_couple(&s.w, &s.in, EPS) == SIGREP_OK);
    }
    CHECK(s.w.state == WALK_COUPLED && s.w.adopted == 0 && walk_floor(&s.w) == INT64_MIN);
    const uint64_t agreed = s.w.tr.position;
    while (s.w.tr.position + 1 < agreed + MAX) walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
    CHECK(s.w.adopted == 0 && s.w.tr.position < CARRIED);
    walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
    CHECK(s.w.adopted == SPACING && s.w.state == WALK_COUPLED && walk_floor(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 340, (int64_t)s.w.tr.position - MAX));
    end(&s);
}

int main(void)
{
    RUN(at_the_beginning_it_is_the_sweep);
    RUN(it_wakes_at_a_kept_column_and_starts_before_are_in_doubt);
    RUN(a_coupled_one_settles_at_a_column_farther_back);
    RUN(a_coupled_one_settles_where_it_fell_asleep);
    RUN(a_column_in_doubt_is_nothing_to_settle_at);
    RUN(a_new_origin_leaves_older_starts_in_doubt);
    RUN(after_a_jump_all_before_the_column_is_in_doubt);
    RUN(an_origin_may_lie_behind_what_is_settled);
    RUN(a_loose_one_couples_when_nothing_is_in_doubt);
    RUN(own_traces_couple_at_kept_columns_alone);
    RUN(after_a_jump_it_is_the_sweeps_again);
    RUN(a_known_end_leaves_nothing_in_doubt);
    RUN(nothing_couples_before_the_step);
    RUN(what_the_sweep_carried_is_taken_over);
    RUN(it_wakes_at_the_last_kept_column_where_starts_were_carried);
    RUN(columns_before_the_step_are_evaluated);
    RUN(an_own_trace_takes_nothing_over_until_the_starts_agree);
    return check_done();
}
