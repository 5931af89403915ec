/* filter/search/cursor.c: where the trace stands, and which of its cells are exact, compared with a
 * trace of all columns. */
#include "tests/filter/search/cursor_help.h"

static void at_the_beginning_it_is_like_the_sweep(void)
{
    static scene s;
    begin(&s);
    CHECK(s.cursor.state == CURSOR_LIKE_SWEEP && s.cursor.trace.position == 0 &&
          cursor_known_from(&s.cursor) == INT64_MIN);
    cursor_advance(&s.cursor, &s.in, 1300, EPS); /* more than a batch */
    CHECK(s.cursor.trace.position == 1300 && s.cursor.columns == 1300 &&
          is_exact(&s, 0, INT64_MIN));
    end(&s);
}

/* MAX = 80 frames back: 1910 is between the checkpoints at 1856 and 1920. */
static void after_a_skip_unknown_starts_are_too_old(void)
{
    static scene s;
    begin(&s);
    CHECK(cursor_skip_to(&s.cursor, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(s.cursor.trace.position == 1990 && s.cursor.columns == 1990 - 1856);
    CHECK(s.cursor.state == CURSOR_LIKE_SWEEP && cursor_known_from(&s.cursor) == INT64_MIN);
    CHECK(is_exact(&s, 0, 1990 - MAX));
    CHECK(cursor_skip_to(&s.cursor, &s.in, 1990 + MAX, EPS) == SIGREP_OK);
    CHECK(s.cursor.columns == 1990 - 1856 + MAX); /* the checkpoint at 1984 is before the cursor */
    CHECK(is_exact(&s, 0, 1990));
    end(&s);
}

static void a_new_origin_leaves_older_starts_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.cursor, &s.in, 345, EPS);
    cursor_set_origin(&s.cursor, 340);
    CHECK(s.cursor.state == CURSOR_FROM_OLDER && cursor_known_from(&s.cursor) == 340);
    CHECK(is_exact(&s, 340, 340) && !is_exact(&s, 340, INT64_MIN));
    cursor_advance(&s.cursor, &s.in, 348, EPS);
    CHECK(is_exact(&s, 340, 340));
    cursor_resolve(&s.cursor, &s.in, 350, EPS);
    CHECK(s.cursor.state == CURSOR_FROM_ORIGIN && cursor_known_from(&s.cursor) == INT64_MIN &&
          s.cursor.trace.position == 350);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* Starts between the origin and the checkpoint are not known either. */
static void with_an_older_origin_too_a_skip_leaves_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.cursor, &s.in, 345, EPS);
    cursor_set_origin(&s.cursor, 340);
    CHECK(cursor_skip_to(&s.cursor, &s.in, 1990, EPS) == SIGREP_OK &&
          s.cursor.state == CURSOR_FROM_OLDER);
    CHECK(cursor_known_from(&s.cursor) == 1856);
    cursor_advance(&s.cursor, &s.in, 2100, EPS); /* too old, but none at the origin is known */
    CHECK(cursor_known_from(&s.cursor) == 1856 && is_exact(&s, 340, 1856));
    end(&s);
}

static void it_resolves_from_an_origin_after_the_column(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.cursor, &s.in, 384, EPS);
    cursor_set_origin(&s.cursor, 341);
    cursor_resolve(&s.cursor, &s.in, 320, EPS);
    CHECK(s.cursor.state == CURSOR_FROM_ORIGIN && s.cursor.trace.position == 341);
    end(&s);
}

/* Once no cell within eps began before the origin, it is like the sweep again. */
static void without_doubt_it_is_like_the_sweep_again(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.cursor, &s.in, 345, EPS);
    cursor_set_origin(&s.cursor, 340);
    CHECK(cursor_compare(&s.cursor, &s.in, EPS) == SIGREP_OK &&
          s.cursor.state == CURSOR_FROM_OLDER);
    while (s.cursor.state == CURSOR_FROM_OLDER && s.cursor.trace.position < 1000) {
        cursor_advance(&s.cursor, &s.in, s.cursor.trace.position + 1, EPS);
        CHECK(cursor_compare(&s.cursor, &s.in, EPS) == SIGREP_OK);
    }
    CHECK(s.cursor.state == CURSOR_LIKE_SWEEP && s.cursor.trace.position > 345 &&
          s.cursor.trace.position < 1000);
    CHECK(is_exact(&s, 340, INT64_MIN));
    end(&s);
}

/* A trace from a later origin is like the sweep only once a checkpoint agrees with it. */
static void a_trace_from_its_origin_becomes_like_the_sweep_at_checkpoints(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.cursor, 340);
    CHECK(s.cursor.state == CURSOR_FROM_ORIGIN);
    cursor_advance(&s.cursor, &s.in, 345, EPS);
    cursor_set_origin(&s.cursor, 342);
    while (s.cursor.state != CURSOR_LIKE_SWEEP && s.cursor.trace.position < 1000) {
        cursor_advance(&s.cursor, &s.in, s.cursor.trace.position + 1, EPS);
        CHECK(cursor_compare(&s.cursor, &s.in, EPS) == SIGREP_OK);
        CHECK(s.cursor.state != CURSOR_LIKE_SWEEP || s.cursor.trace.position % SPACING == 0);
    }
    CHECK(s.cursor.state == CURSOR_LIKE_SWEEP && is_exact(&s, 342, INT64_MIN) &&
          is_exact(&s, 0, 342));
    end(&s);
}

/* After a skip to a checkpoint such a trace is like the sweep, once its doubt is cleared. */
static void after_a_skip_it_is_like_the_sweep(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.cursor, 340);
    cursor_advance(&s.cursor, &s.in, 345, EPS);
    cursor_set_origin(&s.cursor, 342);
    CHECK(cursor_skip_to(&s.cursor, &s.in, 1990, EPS) == SIGREP_OK &&
          s.cursor.state == CURSOR_FROM_OLDER);
    cursor_clear_doubt(&s.cursor);
    CHECK(s.cursor.state == CURSOR_LIKE_SWEEP && cursor_known_from(&s.cursor) == INT64_MIN);
    end(&s);
}

/* The start of the match [300, 340) is known, so all later starts are. */
static void a_known_end_leaves_nothing_in_doubt(void)
{
    static scene s;
    begin(&s);
    cursor_advance(&s.cursor, &s.in, 250, EPS);
    cursor_set_origin(&s.cursor, 250);
    cursor_advance(&s.cursor, &s.in, 340, EPS);
    CHECK(trace_at(&s.cursor.trace, 339).d == 0 && trace_at(&s.cursor.trace, 339).s == 300);
    CHECK(is_exact(&s, 250, INT64_MIN));
    cursor_clear_doubt(&s.cursor);
    CHECK(s.cursor.state == CURSOR_LIKE_SWEEP);
    cursor_restart(&s.cursor, 260);
    cursor_set_origin(&s.cursor, 261);
    cursor_clear_doubt(&s.cursor);
    CHECK(s.cursor.state == CURSOR_FROM_ORIGIN);
    end(&s);
}

/* Checkpoints before the chunk are not compared. */
static void checkpoints_before_the_chunk_are_not_compared(void)
{
    static scene s;
    begin(&s);
    cursor_restart(&s.cursor, 340);
    s.in.from = 1001;
    cursor_advance(&s.cursor, &s.in, 960, EPS);
    CHECK(cursor_compare(&s.cursor, &s.in, EPS) == SIGREP_OK &&
          s.cursor.state == CURSOR_FROM_ORIGIN);
    cursor_advance(&s.cursor, &s.in, 1024, EPS);
    CHECK(cursor_compare(&s.cursor, &s.in, EPS) == SIGREP_OK &&
          s.cursor.state == CURSOR_LIKE_SWEEP);
    end(&s);
}

int main(void)
{
    RUN(at_the_beginning_it_is_like_the_sweep);
    RUN(after_a_skip_unknown_starts_are_too_old);
    RUN(a_new_origin_leaves_older_starts_in_doubt);
    RUN(with_an_older_origin_too_a_skip_leaves_doubt);
    RUN(it_resolves_from_an_origin_after_the_column);
    RUN(without_doubt_it_is_like_the_sweep_again);
    RUN(a_trace_from_its_origin_becomes_like_the_sweep_at_checkpoints);
    RUN(after_a_skip_it_is_like_the_sweep);
    RUN(a_known_end_leaves_nothing_in_doubt);
    RUN(checkpoints_before_the_chunk_are_not_compared);
    return check_done();
}
