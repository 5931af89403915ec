/* filter/walk.c: where the sweep carried starts along. */
#include "tests/unit/walk_help.h"

enum { CARRIED = N / 4 / SPACING * SPACING * 4 }; /* by four lanes */

static void begin_carried(scene *s)
{
    begin_with(s, "portable", MAX);
    CHECK(s->in.ends.n == CARRIED && s->in.ends.since == 0);
}

/* From one kept column to another; the starts before MAX may be too old for the sweep to know. */
static void the_sweep_is_followed_between_kept_columns(void)
{
    static scene s;
    uint64_t from, to = N;
    begin_carried(&s);
    CHECK(!walk_may_follow(&s.w, &s.in, MAX + 40, &from, &to));
    to = N;
    CHECK(walk_may_follow(&s.w, &s.in, 130, &from, &to) && from == 128 && to == CARRIED);
    to = 1000;
    CHECK(!walk_may_follow(&s.w, &s.in, 960, &from, &to));
    to = 1000;
    CHECK(walk_may_follow(&s.w, &s.in, 130, &from, &to) && from == 128 && to == 960);
    walk_follow(&s.w, &s.in, from, to, EPS);
    uint64_t columns = 0;
    for (size_t i = 128 / KERNEL_BLOCK; i < 960 / KERNEL_BLOCK; i++)
        columns += s.minima[i] <= EPS ? KERNEL_BLOCK : 0;
    CHECK(columns > 0 && columns < 960 - 128 && s.w.followed == columns);
    CHECK(walk_take_over(&s.w, &s.in, to) == SIGREP_OK && s.w.tr.position == 960);
    CHECK(s.w.traced == 0 && s.w.state == WALK_COUPLED && walk_floor(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 0, 960 - MAX));
    walk_to(&s.w, &s.in, N, EPS);
    CHECK(s.w.traced == N - 960 && is_exact(&s, 0, N - MAX));
    to = N;
    CHECK(!walk_may_follow(&s.w, &s.in, 1000, &from, &to)); /* the trace is behind it */
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
static void an_earlier_step_is_not_followed(void)
{
    static scene s;
    uint64_t from, to = N;
    begin_carried(&s);
    s.in.ends.begin = 1984;
    s.in.ends.n = CARRIED - 1984;
    CHECK(!walk_may_follow(&s.w, &s.in, 1983, &from, &to));
    to = N;
    CHECK(walk_may_follow(&s.w, &s.in, 1990, &from, &to) && from == 1984 && to == CARRIED);
    CHECK(walk_wake(&s.w, &s.in, 1990, EPS) == SIGREP_OK && s.w.tr.position == 1984);
    end(&s);
}

static void no_starts(const void *kernel, size_t index, uint64_t position, int32_t *s)
{
    (void)kernel, (void)index, (void)position;
    for (size_t i = 0; i < M; i++) s[i] = KERNEL_TOO_OLD;
}

static bool may_follow_from_here(const scene *s)
{
    uint64_t from, to = N;
    return walk_may_follow(&s->w, &s->in, s->w.tr.position, &from, &to) && from == s->w.tr.position;
}

/* An own trace from 340 on, up to the column at which it is coupled. */
static void couple_an_own_trace(scene *s)
{
    walk_restart(&s->w, 340);
    walk_to(&s->w, &s->in, 384, EPS);
    CHECK(!may_follow_from_here(s) && is_exact(s, 340, INT64_MIN));
    while (s->w.state == WALK_OWN && s->w.tr.position < 1000) {
        walk_to(&s->w, &s->in, s->w.tr.position + SPACING, EPS);
        CHECK(walk_couple(&s->w, &s->in, EPS) == SIGREP_OK);
    }
    CHECK(s->w.state == WALK_COUPLED && walk_floor(&s->w) == INT64_MIN);
}

static void an_own_trace_follows_at_once_where_the_starts_agree(void)
{
    static scene s;
    begin_carried(&s);
    couple_an_own_trace(&s);
    while (s.w.tr.position + SPACING < CARRIED) {
        CHECK(may_follow_from_here(&s));
        CHECK(walk_take_over(&s.w, &s.in, s.w.tr.position + SPACING) == SIGREP_OK);
        CHECK(walk_floor(&s.w) == INT64_MIN && is_exact(&s, 340, 0));
    }
    end(&s);
}

/* It may agree with the sweep by paths of another start, until these are too old. */
static void an_own_trace_does_not_follow_while_other_starts_may_matter(void)
{
    static scene s;
    begin_carried(&s);
    kernel_ops others = *s.ops;
    others.column_starts = no_starts;
    s.in.ops = &others;
    couple_an_own_trace(&s);
    s.in.ops = s.ops;
    const uint64_t agreed = s.w.tr.position;
    while (s.w.tr.position + 1 < agreed + MAX) {
        CHECK(!may_follow_from_here(&s));
        walk_to(&s.w, &s.in, s.w.tr.position + SPACING, EPS);
    }
    CHECK(may_follow_from_here(&s) && walk_floor(&s.w) == INT64_MIN);
    CHECK(is_exact(&s, 340, (int64_t)s.w.tr.position - MAX));
    end(&s);
}

int main(void)
{
    RUN(the_sweep_is_followed_between_kept_columns);
    RUN(it_wakes_at_the_last_kept_column_where_starts_were_carried);
    RUN(an_earlier_step_is_not_followed);
    RUN(an_own_trace_follows_at_once_where_the_starts_agree);
    RUN(an_own_trace_does_not_follow_while_other_starts_may_matter);
    return check_done();
}
