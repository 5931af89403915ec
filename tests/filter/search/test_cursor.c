/* filter/search/cursor.c: where the trace stands, and what its cells are worth, against a trace
 * that evaluates everything. */
#include "tests/filter/search/cursor_help.h"

static void at_the_beginning_it_is_the_sweep(void)
{
    static scene s;
    begin(&s);
    CHECK(s.w.state == CURSOR_COUPLED && s.w.tr.position == 0 && cursor_floor(&s.w) == INT64_MIN);
    cursor_to(&s.w, &s.in, 1300, EPS); /* more than a batch */
    CHECK(s.w.tr.position == 1300 && s.w.traced == 1300 && is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* m + m/4 = 50 frames back: 1940 is between the columns kept at 1920 and 1984. */
static void it_wakes_at_a_kept_column_and_starts_before_are_in_doubt(void)
{
    static scene s;
    begin(&s);
    CHECK(cursor_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1990 && s.w.traced == 70);
    CHECK(s.w.state == CURSOR_COUPLED && cursor_floor(&s.w) == 1920);
    CHECK(is_exact(&s, 0, 1920));
    cursor_to(&s.w, &s.in, 1920 + MAX - 2, EPS);
    cursor_to(&s.w, &s.in, 1920 + MAX - 1, EPS); /* a start at 1919 has MAX frames there */
    CHECK(cursor_floor(&s.w) == 1920);
    cursor_to(&s.w, &s.in, 1920 + MAX, EPS); /* all are too old by now */
    CHECK(cursor_floor(&s.w) == INT64_MIN && is_exact(&s, 0, 1920));
    CHECK(cursor_wake(&s.w, &s.in, 2050, EPS) == SIGREP_OK); /* from where it is */
    CHECK(s.w.traced == 130 && cursor_floor(&s.w) == INT64_MIN);
    end(&s);
}

static void a_coupled_one_settles_at_a_column_farther_back(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 100, EPS);
    CHECK(cursor_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && cursor_floor(&s.w) == 1920);
    CHECK(cursor_settle(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1990 && cursor_floor(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 0, 1990 - MAX));
    CHECK(cursor_wake(&s.w, &s.in, 3000, EPS) == SIGREP_OK); /* it has learnt to look far back */
    CHECK(cursor_floor(&s.w) == INT64_MIN && is_exact(&s, 0, 3000 - MAX));
    end(&s);
}

/* Nearer than length_max there is nothing but the column at which it fell asleep. */
static void a_coupled_one_settles_where_it_fell_asleep(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 1910, EPS);
    CHECK(cursor_wake(&s.w, &s.in, 1975, EPS) == SIGREP_OK && cursor_floor(&s.w) == 1920);
    CHECK(cursor_settle(&s.w, &s.in, 1975, EPS) == SIGREP_OK);
    CHECK(s.w.tr.position == 1975 && cursor_floor(&s.w) == INT64_MIN);
    CHECK(s.w.traced == 1910 + 55 + 65);
    CHECK(is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* With length_max = 400, starts before 1920 are in doubt still when it sleeps again. */
static void a_column_in_doubt_is_nothing_to_settle_at(void)
{
    static scene s;
    begin_with(&s, "scalar", 400);
    cursor_to(&s.w, &s.in, 100, EPS);
    CHECK(cursor_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && cursor_floor(&s.w) == 1920);
    CHECK(cursor_wake(&s.w, &s.in, 2100, EPS) == SIGREP_OK && cursor_floor(&s.w) == 2048);
    CHECK(s.w.asleep == 100);
    CHECK(cursor_settle(&s.w, &s.in, 2100, EPS) == SIGREP_OK && cursor_floor(&s.w) == INT64_MIN);
    CHECK(s.w.traced == 100 + 70 + 52 + (2100 - 1664));
    end(&s);
}

static void a_new_origin_leaves_older_starts_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 340);
    CHECK(s.w.state == CURSOR_LOOSE && cursor_floor(&s.w) == 340);
    CHECK(is_exact(&s, 340, 340) && !is_exact(&s, 340, INT64_MIN));
    cursor_to(&s.w, &s.in, 348, EPS);
    CHECK(is_exact(&s, 340, 340));
    CHECK(cursor_settle(&s.w, &s.in, 350, EPS) == SIGREP_OK);
    CHECK(s.w.state == CURSOR_OWN && cursor_floor(&s.w) == INT64_MIN && s.w.tr.position == 350);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* Starts between the origin and the kept column are not known either. */
static void after_a_jump_all_before_the_column_is_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 340);
    CHECK(cursor_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.state == CURSOR_LOOSE);
    CHECK(cursor_floor(&s.w) == 1920);
    cursor_to(&s.w, &s.in, 2100, EPS); /* old, but what began at the origin is not known */
    CHECK(cursor_floor(&s.w) == 1920 && is_exact(&s, 340, 1920));
    end(&s);
}

static void an_origin_may_lie_behind_what_is_settled(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 384, EPS);
    cursor_set_origin(&s.w, 341);
    CHECK(cursor_settle(&s.w, &s.in, 320, EPS) == SIGREP_OK);
    CHECK(s.w.state == CURSOR_OWN && s.w.tr.position == 341);
    end(&s);
}

/* As soon as no cell within eps began before the origin. */
static void a_loose_one_couples_when_nothing_is_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 340);
    CHECK(cursor_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == CURSOR_LOOSE);
    while (s.w.state == CURSOR_LOOSE && s.w.tr.position < 1000) {
        cursor_to(&s.w, &s.in, s.w.tr.position + 1, EPS);
        CHECK(cursor_couple(&s.w, &s.in, EPS) == SIGREP_OK);
    }
    CHECK(s.w.state == CURSOR_COUPLED && s.w.tr.position > 345 && s.w.tr.position < 1000);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* ... but one that came from an own trace is not yet the sweep's. */
static void own_traces_couple_at_kept_columns_alone(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.w, 340);
    CHECK(s.w.state == CURSOR_OWN);
    cursor_to(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 342);
    while (s.w.state != CURSOR_COUPLED && s.w.tr.position < 1000) {
        cursor_to(&s.w, &s.in, s.w.tr.position + 1, EPS);
        CHECK(cursor_couple(&s.w, &s.in, EPS) == SIGREP_OK);
        CHECK(s.w.state != CURSOR_COUPLED || s.w.tr.position % SPACING == 0);
    }
    CHECK(s.w.state == CURSOR_COUPLED && is_exact(&s, 342, INT64_MIN) && is_exact(&s, 0, 342));
    end(&s);
}

/* ... unless it has jumped to one meanwhile. */
static void after_a_jump_it_is_the_sweeps_again(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.w, 340);
    cursor_to(&s.w, &s.in, 345, EPS);
    cursor_set_origin(&s.w, 342);
    CHECK(cursor_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.state == CURSOR_LOOSE);
    cursor_be_certain(&s.w); /* as if an end had told */
    CHECK(s.w.state == CURSOR_COUPLED && cursor_floor(&s.w) == INT64_MIN);
    end(&s);
}

/* The match of [300, 340) is known; all that ends behind it is, too. */
static void a_known_end_leaves_nothing_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_to(&s.w, &s.in, 250, EPS);
    cursor_set_origin(&s.w, 250);
    cursor_to(&s.w, &s.in, 340, EPS);
    CHECK(trace_at(&s.w.tr, 339).d == 0 && trace_at(&s.w.tr, 339).s == 300);
    CHECK(is_exact(&s, 250, INT64_MIN));
    cursor_be_certain(&s.w);
    CHECK(s.w.state == CURSOR_COUPLED);
    cursor_restart(&s.w, 260);
    cursor_set_origin(&s.w, 261);
    cursor_be_certain(&s.w);
    CHECK(s.w.state == CURSOR_OWN);
    end(&s);
}

/* The columns that were kept before this step are not for it. */
static void nothing_couples_before_the_step(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.w, 340);
    s.in.from = 1001;
    cursor_to(&s.w, &s.in, 960, EPS);
    CHECK(cursor_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == CURSOR_OWN);
    cursor_to(&s.w, &s.in, 1024, EPS);
    CHECK(cursor_couple(&s.w, &s.in, EPS) == SIGREP_OK && s.w.state == CURSOR_COUPLED);
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
