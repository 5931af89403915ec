/* filter/search/label_groups.c: when a group is complete. */
#include "tests/filter/search/label_groups_help.h"

/* The cut group closes by its own end, the next one by its own. */
static void both_sides_of_a_cut_close_in_their_own_time(void)
{
    bench b = bench_of_one_class(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 10);
    chain[7].d = 1; /* so the last, 152-172, is dropped */
    chain[n++] = match(C, 171, 191, 0.5f);
    step(&b, 190, chain, n);
    CHECK(b.events.n == 0);
    step(&b, 191, NULL, 0);
    size_t of_first = b.events.n;
    CHECK(of_first > 0 && b.events.items[of_first - 1].final == 172 + 19);
    step(&b, 209, NULL, 0);
    CHECK(b.events.n == of_first);
    step(&b, 210, NULL, 0);
    CHECK(b.events.n == of_first + 1 && event_is(&b, of_first, C, 171, 210));
    bench_free(&b);
}

/* A group never closes before the one before it: here the second ends first. */
static void groups_close_in_order(void)
{
    bench b = bench_of_one_class(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 10);
    chain[7].d = 1; /* so the last, 152-172, is dropped */
    chain[n++] = match(C, 161, 165, 0.5f);
    step(&b, 190, chain, n);
    CHECK(b.events.n == 0);
    step(&b, 191, NULL, 0);
    CHECK(b.events.n > 0 && event_is(&b, b.events.n - 1, C, 161, 191));
    bench_free(&b);
}

static void a_group_closes_lmax_less_one_after_its_end(void)
{
    bench b = bench_of_one_class(1);
    const frame_match one = match(A, 0, 10, 5);
    step(&b, 10, &one, 1);
    step(&b, 28, NULL, 0);
    CHECK(b.events.n == 0);
    step(&b, 29, NULL, 0);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 29));
    step(&b, 1000, NULL, 0);
    CHECK(b.events.n == 1);
    bench_free(&b);
}

static void the_longest_lmax_of_the_class_counts(void)
{
    static const label_group_member members[] = {
        {"a", 10, 20, 1}, {"b", 9, 500, 1}, {"a", 10, 90, 1}};
    bench b = bench_of(members, 3, 1);
    const frame_match one = match(A, 0, 10, 5);
    step(&b, 98, &one, 1);
    CHECK(b.events.n == 0);
    step(&b, 99, NULL, 0);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 10 + 89));
    bench_free(&b);
}

/* B has had a candidate since frame 29, when the group would close; or since 30. */
static void a_pending_match_of_the_class_holds_a_group_open(void)
{
    bench b = bench_of_one_class(1);
    const frame_match one = match(A, 0, 10, 5);
    b.pending_since[B] = 29;
    step(&b, 35, &one, 1);
    CHECK(b.events.n == 0);
    b.pending_since[B] = UINT64_MAX;
    const frame_match late = {.index = B, .start = 8, .end = 29, .first = 29, .final = 40, .d = 1};
    step(&b, 40, &late, 1);
    CHECK(b.events.n == 0); /* 29 + 19 = 48 */
    step(&b, 48, NULL, 0);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 8, 48));
    bench_free(&b);

    b = bench_of_one_class(1);
    b.pending_since[B] = 30;
    step(&b, 35, &one, 1);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 29));
    bench_free(&b);
}

/* The same, seen afterwards in one step: a disjoint match was pending over the close. */
static void a_match_that_was_pending_held_the_group_open(void)
{
    bench b = bench_of_one_class(1);
    const frame_match both[] = {
        match(A, 0, 10, 5),
        {.index = B, .start = 10, .end = 25, .first = 25, .final = 33, .d = 1},
        {.index = C, .start = 31, .end = 33, .first = 33, .final = 36, .d = 1}};
    step(&b, 100, both, 3);
    CHECK(b.events.n == 3);
    CHECK(event_is(&b, 0, A, 0, 36)); /* 29, then B until 33, then C until 36 */
    CHECK(event_is(&b, 1, B, 10, 44) && event_is(&b, 2, C, 31, 52));
    bench_free(&b);
}

static void a_pending_match_of_another_class_does_not_matter(void)
{
    static const label_group_member members[] = {
        {"a", 10, 20, 1}, {"b", 10, 20, 1}, {"a", 10, 20, 1}};
    bench b = bench_of(members, 3, 1);
    const frame_match one = match(A, 0, 10, 5);
    b.pending_since[B] = 5;
    step(&b, 29, &one, 1);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 29));
    bench_free(&b);
}

/* A gap at frame 12 is known after 13 frames, before the 29 of the group. */
static void a_gap_closes_a_group(void)
{
    bench b = bench_of_one_class(1);
    const frame_match one = match(A, 0, 10, 5);
    step(&b, 12, &one, 1);
    CHECK(b.events.n == 0);
    b.gaps[0] = 12;
    b.n_gaps = 1;
    step(&b, 13, NULL, 0);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 13));
    bench_free(&b);
}

/* Gaps at 5, before the match, and at 40: neither is the end of its span before 29. */
static void other_gaps_do_not_close_it(void)
{
    bench b = bench_of_one_class(1);
    const frame_match one = match(A, 6, 16, 5);
    b.gaps[0] = 5;
    b.gaps[1] = 40;
    b.n_gaps = 2;
    step(&b, 41, &one, 1);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 6, 35));
    bench_free(&b);
}

/* A match that ends where the gap begins. */
static void a_gap_right_after_a_match_closes_its_group(void)
{
    bench b = bench_of_one_class(1);
    const frame_match one = {.index = A, .start = 0, .end = 10, .first = 10, .final = 11, .d = 1};
    b.gaps[0] = 10;
    b.n_gaps = 1;
    step(&b, 11, &one, 1);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 11));
    bench_free(&b);
}

static void the_end_of_the_stream_closes_a_group(void)
{
    bench b = bench_of_one_class(1);
    const frame_match one = match(A, 0, 10, 5);
    step(&b, 12, &one, 1);
    end(&b, 12);
    CHECK(b.events.n == 1 && event_is(&b, 0, A, 0, 13));
    bench_free(&b);
}

/* What was kept before the reset must not drop anything after it. */
static void reset_forgets_the_groups(void)
{
    bench b = bench_of_one_class(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 1);
    step(&b, 100000, chain, n);
    const frame_match waits = match(A, 100000, 100010, 1);
    step(&b, 100010, &waits, 1);
    size_t before = b.events.n;
    label_groups_reset(b.cl);
    const frame_match again = match(B, 160, 170, 5);
    step(&b, 189, &again, 1);
    CHECK(b.events.n == before + 1 && event_is(&b, before, B, 160, 189));
    step(&b, 200000, NULL, 0);
    CHECK(b.events.n == before + 1);
    bench_free(&b);
}

static void reset_forgets_who_agreed(void)
{
    bench b = bench_of_one_class(2);
    const frame_match both[] = {match(A, 0, 10, 5), match(B, 9, 19, 4)}, again = match(C, 5, 15, 1);
    step(&b, 1000, both, 2);
    CHECK(b.events.n == 1);
    label_groups_reset(b.cl);
    step(&b, 1000, &again, 1);
    CHECK(b.events.n == 1);
    bench_free(&b);
}

static void times_need_64_bits(void)
{
    const uint64_t far = (uint64_t)1 << 33;
    bench b = bench_of_one_class(2);
    const frame_match both[] = {match(A, far, far + 10, 5), match(B, far + 9, far + 19, 4)};
    step(&b, far + 37, both, 2);
    CHECK(b.events.n == 0);
    step(&b, far + 38, NULL, 0);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, far + 9, far + 38));
    bench_free(&b);
}

int main(void)
{
    RUN(both_sides_of_a_cut_close_in_their_own_time);
    RUN(groups_close_in_order);
    RUN(a_group_closes_lmax_less_one_after_its_end);
    RUN(the_longest_lmax_of_the_class_counts);
    RUN(a_pending_match_of_the_class_holds_a_group_open);
    RUN(a_match_that_was_pending_held_the_group_open);
    RUN(a_pending_match_of_another_class_does_not_matter);
    RUN(a_gap_closes_a_group);
    RUN(other_gaps_do_not_close_it);
    RUN(a_gap_right_after_a_match_closes_its_group);
    RUN(the_end_of_the_stream_closes_a_group);
    RUN(reset_forgets_the_groups);
    RUN(reset_forgets_who_agreed);
    RUN(times_need_64_bits);
    return check_done();
}
