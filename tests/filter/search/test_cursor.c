/* filter/search/cursor.c: where the trace stands, and what its cells are worth, against a trace
 * that evaluates everything. */
#include "tests/filter/search/cursor_help.h"

static void at_the_beginning_it_is_the_sweep(void)
{
    static scene s;
    begin(&s);
    CHECK(s.w.state == CURSOR_LIKE_SWEEP && s.w.trace.position == 0 &&
          cursor_known_from(&s.w) == INT64_MIN);
    cursor_advance(&s.w, &s.in, 1300, EPS); /* more than a batch */
    CHECK(s.w.trace.position == 1300 && s.w.columns == 1300 && is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* m + m/4 = 50 frames back: 1940 is between the columns kept at 1920 and 1984. */
static void it_wakes_at_a_kept_column_and_starts_before_are_in_doubt(void)
{
    static scene s;
    begin(&s);
    CHECK(cursor_skip_to(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.trace.position == 1990 && s.w.columns == 70);
    CHECK(s.w.state == CURSOR_LIKE_SWEEP && cursor_known_from(&s.w) == 1920);
    CHECK(is_exact(&s, 0, 1920));
    cursor_advance(&s.w, &s.in, 1920 + MAX - 2, EPS);
    cursor_advance(&s.w, &s.in, 1920 + MAX - 1, EPS); /* a start at 1919 has MAX frames there */
    CHECK(cursor_known_from(&s.w) == 1920);
    cursor_advance(&s.w, &s.in, 1920 + MAX, EPS); /* all are too old by now */
    CHECK(cursor_known_from(&s.w) == INT64_MIN && is_exact(&s, 0, 1920));
    CHECK(cursor_skip_to(&s.w, &s.in, 2050, EPS) == SIGREP_OK); /* from where it is */
    CHECK(s.w.columns == 130 && cursor_known_from(&s.w) == INT64_MIN);
    end(&s);
}

static void a_coupled_one_settles_at_a_column_farther_back(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 100, EPS);
    CHECK(cursor_skip_to(&s.w, &s.in, 1990, EPS) == SIGREP_OK && cursor_known_from(&s.w) == 1920);
    CHECK(cursor_resolve(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.trace.position == 1990 && cursor_known_from(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 0, 1990 - MAX));
    CHECK(cursor_skip_to(&s.w, &s.in, 3000, EPS) == SIGREP_OK); /* it has learnt to look far back */
    CHECK(cursor_known_from(&s.w) == INT64_MIN && is_exact(&s, 0, 3000 - MAX));
    end(&s);
}

/* Nearer than length_max there is nothing but the column at which it fell asleep. */
static void a_coupled_one_settles_where_it_fell_asleep(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 1910, EPS);
    CHECK(cursor_skip_to(&s.w, &s.in, 1975, EPS) == SIGREP_OK && cursor_known_from(&s.w) == 1920);
    CHECK(cursor_resolve(&s.w, &s.in, 1975, EPS) == SIGREP_OK);
    CHECK(s.w.trace.position == 1975 && cursor_known_from(&s.w) == INT64_MIN);
    CHECK(s.w.columns == 1910 + 55 + 65);
    CHECK(is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* With length_max = 400, starts before 1920 are in doubt still when it sleeps again. */
static void a_column_in_doubt_is_nothing_to_settle_at(void)
{
    static scene s;
    begin_with(&s, "scalar", 400);
    cursor_advance(&s.w, &s.in, 100, EPS);
    CHECK(cursor_skip_to(&s.w, &s.in, 1990, EPS) == SIGREP_OK && cursor_known_from(&s.w) == 1920);
    CHECK(cursor_skip_to(&s.w, &s.in, 2100, EPS) == SIGREP_OK && cursor_known_from(&s.w) == 2048);
    CHECK(s.w.asleep == 100);
    CHECK(cursor_resolve(&s.w, &s.in, 2100, EPS) == SIGREP_OK &&
          cursor_known_from(&s.w) == INT64_MIN);
    CHECK(s.w.columns == 100 + 70 + 52 + (2100 - 1664));
    end(&s);
}

static void a_new_origin_leaves_older_starts_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 340);
    CHECK(s.w.state == CURSOR_FROM_OLDER && cursor_known_from(&s.w) == 340);
    CHECK(is_exact(&s, 340, 340) && !is_exact(&s, 340, INT64_MIN));
    cursor_advance(&s.w, &s.in, 348, EPS);
    CHECK(is_exact(&s, 340, 340));
    CHECK(cursor_resolve(&s.w, &s.in, 350, EPS) == SIGREP_OK);
    CHECK(s.w.state == CURSOR_FROM_ORIGIN && cursor_known_from(&s.w) == INT64_MIN &&
          s.w.trace.position == 350);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* Starts between the origin and the kept column are not known either. */
static void after_a_jump_all_before_the_column_is_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 340);
    CHECK(cursor_skip_to(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.state == CURSOR_FROM_OLDER);
    CHECK(cursor_known_from(&s.w) == 1920);
    cursor_advance(&s.w, &s.in, 2100, EPS); /* old, but what began at the origin is not known */
    CHECK(cursor_known_from(&s.w) == 1920 && is_exact(&s, 340, 1920));
    end(&s);
}

static void an_origin_may_lie_behind_what_is_settled(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 384, EPS);
    cursor_set_origin(&s.w, 341);
    CHECK(cursor_resolve(&s.w, &s.in, 320, EPS) == SIGREP_OK);
    CHECK(s.w.state == CURSOR_FROM_ORIGIN && s.w.trace.position == 341);
    end(&s);
}

/* As soon as no cell within eps began before the origin. */
static void a_loose_one_couples_when_nothing_is_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 340);
    CHECK(cursor_compare(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == CURSOR_FROM_OLDER);
    while (s.w.state == CURSOR_FROM_OLDER && s.w.trace.position < 1000) {
        cursor_advance(&s.w, &s.in, s.w.trace.position + 1, EPS);
        CHECK(cursor_compare(&s.w, &s.in, EPS) == SIGREP_OK);
    }
    CHECK(s.w.state == CURSOR_LIKE_SWEEP && s.w.trace.position > 345 && s.w.trace.position < 1000);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* ... but one that came from an own trace is not yet the sweep's. */
static void own_traces_couple_at_kept_columns_alone(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.w, 340);
    CHECK(s.w.state == CURSOR_FROM_ORIGIN);
    cursor_advance(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 342);
    while (s.w.state != CURSOR_LIKE_SWEEP && s.w.trace.position < 1000) {
        cursor_advance(&s.w, &s.in, s.w.trace.position + 1, EPS);
        CHECK(cursor_compare(&s.w, &s.in, EPS) == SIGREP_OK);
        CHECK(s.w.state != CURSOR_LIKE_SWEEP || s.w.trace.position % SPACING == 0);
    }
    CHECK(s.w.state == CURSOR_LIKE_SWEEP && is_exact(&s, 342, INT64_MIN) && is_exact(&s, 0, 342));
    end(&s);
}

/* ... unless it has jumped to one meanwhile. */
static void after_a_jump_it_is_the_sweeps_again(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.w, 340);
    cursor_advance(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 342);
    CHECK(cursor_skip_to(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.state == CURSOR_FROM_OLDER);
    cursor_clear_doubt(&s.w); /* as if an end had told */
    CHECK(s.w.state == CURSOR_LIKE_SWEEP && cursor_known_from(&s.w) == INT64_MIN);
    end(&s);
}

/* The match of [300, 340) is known; all that ends behind it is, too. */
static void a_known_end_leaves_nothing_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.w, &s.in, 250, EPS);
    cursor_set_origin(&s.w, 250);
    cursor_advance(&s.w, &s.in, 340, EPS);
    CHECK(trace_at(&s.w.trace, 339).d == 0 && trace_at(&s.w.trace, 339).s == 300);
    CHECK(is_exact(&s, 250, INT64_MIN));
    cursor_clear_doubt(&s.w);
    CHECK(s.w.state == CURSOR_LIKE_SWEEP);
    cursor_restart(&s.w, 260);
    cursor_set_origin(&s.w, 261);
    cursor_clear_doubt(&s.w);
    CHECK(s.w.state == CURSOR_FROM_ORIGIN);
    end(&s);
}

/* The columns that were kept before this step are not for it. */
static void nothing_couples_before_the_step(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.w, 340);
    s.in.from = 1001;
    cursor_advance(&s.w, &s.in, 960, EPS);
    CHECK(cursor_compare(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == CURSOR_FROM_ORIGIN);
    cursor_advance(&s.w, &s.in, 1024, EPS);
    CHECK(cursor_compare(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == CURSOR_LIKE_SWEEP);
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
    return check_done();
}
