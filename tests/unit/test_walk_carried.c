/* filter/walk.c: where the sweep carried starts along. */
#include "tests/unit/walk_help.h"

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

static void no_starts(const void *kernel, size_t index, uint64_t position, int32_t *s)
{
    (void)kernel, (void)index, (void)position;
    for (size_t i = 0; i < M; i++) s[i] = KERNEL_TOO_OLD;
}

/* An own trace from 340 on, up to the column at which it is coupled. */
static void couple_an_own_trace(scene *s)
{
    walk_restart(&s->w, 340);
    CHECK(walk_batch_end(&s->w, &s->in) == 384);
    walk_to(&s->w, &s->in, 384, EPS);
    CHECK(s->w.adopted == 0 && is_exact(s, 340, INT64_MIN));
    while (s->w.state == WALK_OWN && s->w.tr.position < 1000) {
        walk_to(&s->w, &s->in, s->w.tr.position + SPACING, EPS);
        CHECK(walk_couple(&s->w, &s->in, EPS) == SIGREP_OK);
    }
    CHECK(s->w.state == WALK_COUPLED && s->w.adopted == 0 && walk_floor(&s->w) == INT64_MIN);
}

static void an_own_trace_takes_over_at_once_where_the_starts_agree(void)
{
    static scene s;
    begin_carried(&s);
    couple_an_own_trace(&s);
    while (s.w.tr.position + SPACING <= CARRIED) {
        const uint64_t adopted = s.w.adopted;
        walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
        CHECK(s.w.adopted == adopted + SPACING && s.w.state == WALK_COUPLED);
        CHECK(walk_floor(&s.w) == INT64_MIN && is_exact(&s, 340, 0));
    }
    end(&s);
}

/* It may agree with the sweep by paths of another start, until these are too old. */
static void an_own_trace_takes_nothing_over_while_other_starts_may_matter(void)
{
    static scene s;
    begin_carried(&s);
    kernel_ops others = *s.ops;
    others.column_starts = no_starts;
    s.in.ops = &others;
    couple_an_own_trace(&s);
    s.in.ops = s.ops;
    const uint64_t agreed = s.w.tr.position;
    while (s.w.tr.position + 1 < agreed + MAX) walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
    CHECK(s.w.adopted == 0 && s.w.tr.position < CARRIED);
    walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
    CHECK(s.w.adopted == SPACING && s.w.state == WALK_COUPLED && walk_floor(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 340, (int64_t)s.w.tr.position - MAX));
    end(&s);
}

/* Only what came from the sweep counts as its column, whatever the position. */
static void a_column_is_the_sweeps_only_where_it_was_taken_over(void)
{
    static scene s;
    begin_carried(&s);
    walk_to(&s.w, &s.in, 128, EPS);
    CHECK(!walk_is_at_kept(&s.w, &s.in) && s.w.adopted == 0);
    walk_to(&s.w, &s.in, 192, EPS);
    walk_to(&s.w, &s.in, 256, EPS);
    CHECK(walk_is_at_kept(&s.w, &s.in) && s.w.adopted_from == 128 && s.w.adopted_to == 256);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK);
    CHECK(walk_is_at_kept(&s.w, &s.in) && s.w.adopted_from == 1984);
    walk_to(&s.w, &s.in, 2000, EPS);
    CHECK(!walk_is_at_kept(&s.w, &s.in));
    walk_restart(&s.w, 2048);
    CHECK(!walk_is_at_kept(&s.w, &s.in));
    end(&s);
}

int main(void)
{
    RUN(what_the_sweep_carried_is_taken_over);
    RUN(it_wakes_at_the_last_kept_column_where_starts_were_carried);
    RUN(columns_before_the_step_are_evaluated);
    RUN(an_own_trace_takes_over_at_once_where_the_starts_agree);
    RUN(an_own_trace_takes_nothing_over_while_other_starts_may_matter);
    RUN(a_column_is_the_sweeps_only_where_it_was_taken_over);
    return check_done();
}
