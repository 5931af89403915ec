/* filter/search/label_groups.c: when a group is complete. */
#include "tests/filter/search/label_groups_help.h"

/* The cut group closes by its own end, the next one by its own. */
static void both_sides_of_a_cut_close_in_their_own_time(void)
{
    fixture f = fixture_of_one_label(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 10);
    chain[7].d = 1; /* so the last, 152-172, is dropped */
    chain[n++] = match(C, 171, 191, 0.5f);
    update(&f, 190, chain, n);
    CHECK(f.decided.n == 0);
    update(&f, 191, NULL, 0);
    size_t of_first = f.decided.n;
    CHECK(of_first > 0 && f.decided.items[of_first - 1].final == 172 + 19);
    update(&f, 209, NULL, 0);
    CHECK(f.decided.n == of_first);
    update(&f, 210, NULL, 0);
    CHECK(f.decided.n == of_first + 1 && decided_is(&f, of_first, C, 171, 210));
    fixture_free(&f);
}

/* A group never closes before the one before it: here the second ends first. */
static void groups_close_in_order(void)
{
    fixture f = fixture_of_one_label(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 10);
    chain[7].d = 1; /* so the last, 152-172, is dropped */
    chain[n++] = match(C, 161, 165, 0.5f);
    update(&f, 190, chain, n);
    CHECK(f.decided.n == 0);
    update(&f, 191, NULL, 0);
    CHECK(f.decided.n > 0 && decided_is(&f, f.decided.n - 1, C, 161, 191));
    fixture_free(&f);
}

static void a_group_closes_lmax_less_one_after_its_end(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = match(A, 0, 10, 5);
    update(&f, 10, &one, 1);
    update(&f, 28, NULL, 0);
    CHECK(f.decided.n == 0);
    update(&f, 29, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 29));
    update(&f, 1000, NULL, 0);
    CHECK(f.decided.n == 1);
    fixture_free(&f);
}

static void the_longest_lmax_of_the_label_counts(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 9, .gate.length_max = 500, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 90, .threshold = 1}};
    fixture f = fixture_of(members, 3, 1);
    const frame_match one = match(A, 0, 10, 5);
    update(&f, 98, &one, 1);
    CHECK(f.decided.n == 0);
    update(&f, 99, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 10 + 89));
    fixture_free(&f);
}

/* B has had a candidate since frame 29, when the group would close; or since 30. */
static void a_pending_match_of_the_label_holds_a_group_open(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = match(A, 0, 10, 5);
    f.pending_since[B] = 29;
    update(&f, 35, &one, 1);
    CHECK(f.decided.n == 0);
    f.pending_since[B] = UINT64_MAX;
    const frame_match late = {.index = B, .start = 8, .end = 29, .first = 29, .final = 40, .d = 1};
    update(&f, 40, &late, 1);
    CHECK(f.decided.n == 0); /* 29 + 19 = 48 */
    update(&f, 48, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 8, 48));
    fixture_free(&f);

    f = fixture_of_one_label(1);
    f.pending_since[B] = 30;
    update(&f, 35, &one, 1);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 29));
    fixture_free(&f);
}

/* The same, seen afterwards in one update: a disjoint match was pending over the close. */
static void a_match_that_was_pending_held_the_group_open(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match both[] = {
        match(A, 0, 10, 5),
        {.index = B, .start = 10, .end = 25, .first = 25, .final = 33, .d = 1},
        {.index = C, .start = 31, .end = 33, .first = 33, .final = 36, .d = 1}};
    update(&f, 100, both, 3);
    CHECK(f.decided.n == 3);
    CHECK(decided_is(&f, 0, A, 0, 36)); /* 29, then B until 33, then C until 36 */
    CHECK(decided_is(&f, 1, B, 10, 44) && decided_is(&f, 2, C, 31, 52));
    fixture_free(&f);
}

static void a_pending_match_of_another_label_does_not_matter(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1}};
    fixture f = fixture_of(members, 3, 1);
    const frame_match one = match(A, 0, 10, 5);
    f.pending_since[B] = 5;
    update(&f, 29, &one, 1);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 29));
    fixture_free(&f);
}

/* A gap at frame 12 is known after 13 frames, before the 29 of the group. */
static void a_gap_closes_a_group(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = match(A, 0, 10, 5);
    update(&f, 12, &one, 1);
    CHECK(f.decided.n == 0);
    f.gaps[0] = 12;
    f.n_gaps = 1;
    update(&f, 13, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 13));
    fixture_free(&f);
}

/* Gaps at 5, before the match, and at 40: neither is the end of its span before 29. */
static void other_gaps_do_not_close_it(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = match(A, 6, 16, 5);
    f.gaps[0] = 5;
    f.gaps[1] = 40;
    f.n_gaps = 2;
    update(&f, 41, &one, 1);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 6, 35));
    fixture_free(&f);
}

static void a_gap_right_after_a_match_closes_its_group(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = {.index = A, .start = 0, .end = 10, .first = 10, .final = 11, .d = 1};
    f.gaps[0] = 10;
    f.n_gaps = 1;
    update(&f, 11, &one, 1);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 11));
    fixture_free(&f);
}

static void the_end_of_the_stream_closes_a_group(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = match(A, 0, 10, 5);
    update(&f, 12, &one, 1);
    end(&f, 12);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 13));
    fixture_free(&f);
}

/* A match kept before the reset must not drop one after it. */
static void reset_forgets_the_groups(void)
{
    fixture f = fixture_of_one_label(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 1);
    update(&f, 100000, chain, n);
    const frame_match waits = match(A, 100000, 100010, 1);
    update(&f, 100010, &waits, 1);
    size_t before = f.decided.n;
    label_groups_reset(f.groups);
    const frame_match again = match(B, 160, 170, 5);
    update(&f, 189, &again, 1);
    CHECK(f.decided.n == before + 1 && decided_is(&f, before, B, 160, 189));
    update(&f, 200000, NULL, 0);
    CHECK(f.decided.n == before + 1);
    fixture_free(&f);
}

static void reset_forgets_who_agreed(void)
{
    fixture f = fixture_of_one_label(2);
    const frame_match both[] = {match(A, 0, 10, 5), match(B, 9, 19, 4)}, again = match(C, 5, 15, 1);
    update(&f, 1000, both, 2);
    CHECK(f.decided.n == 1);
    label_groups_reset(f.groups);
    update(&f, 1000, &again, 1);
    CHECK(f.decided.n == 1);
    fixture_free(&f);
}

static void times_need_64_bits(void)
{
    const uint64_t far = (uint64_t)1 << 33;
    fixture f = fixture_of_one_label(2);
    const frame_match both[] = {match(A, far, far + 10, 5), match(B, far + 9, far + 19, 4)};
    update(&f, far + 37, both, 2);
    CHECK(f.decided.n == 0);
    update(&f, far + 38, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, far + 9, far + 38));
    fixture_free(&f);
}

/* ---- something is pending all the time ---- */

enum { L = 20, LONG_GROUP = 11 * L };

/* B has a match pending from frame 5 on, which never becomes final. */
static void a_pending_match_holds_a_group_open_for_a_bounded_time(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match one = match(A, 0, 10, 5);
    f.pending_since[B] = 5;
    update(&f, 48, &one, 1);
    CHECK(f.decided.n == 0);
    update(&f, 49, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 10 + 2 * L - 1));
    fixture_free(&f);
}

/* The second group, [161, 165), is cut from the first, [0, 172). Both are decided at 172 + 39. */
static void the_latest_close_keeps_the_order_of_groups(void)
{
    fixture f = fixture_of_one_label(1);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 10);
    chain[7].d = 1; /* so the last, 152-172, is dropped */
    chain[n++] = match(C, 161, 165, 0.5f);
    f.pending_since[B] = 173;
    update(&f, 210, chain, n);
    CHECK(f.decided.n == 0);
    update(&f, 211, NULL, 0);
    CHECK(f.decided.n > 1 && decided_is(&f, 0, B, 133, 211));
    CHECK(f.decided.n > 1 && decided_is(&f, f.decided.n - 1, C, 161, 211));
    fixture_free(&f);
}

static void a_gap_comes_before_the_latest_close(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match both[] = {
        match(A, 0, 10, 5), {.index = B, .start = 12, .end = 25, .first = 25, .final = 41, .d = 1}};
    f.gaps[0] = 40;
    f.n_gaps = 1;
    update(&f, 45, both, 2);
    CHECK(f.decided.n == 2);
    CHECK(decided_is(&f, 0, A, 0, 41) && decided_is(&f, 1, B, 12, 41));
    fixture_free(&f);
}

/* Matches of `length` frames, one after another, each final L frames after its end. */
typedef struct {
    uint64_t length, n; /* the next is [n length, (n + 1) length) */
} repeated;

static void add_repeated(fixture *f, match_list *list, size_t index, repeated *r, uint64_t now)
{
    for (; (r->n + 1) * r->length + L <= now; r->n++) {
        frame_match next = match(index, r->n * r->length, (r->n + 1) * r->length, 1);
        next.first = r->n ? next.start + L : next.end;
        next.final = next.end + L;
        match_list_add(list, &next);
    }
    f->pending_since[index] = r->n ? r->n * r->length + L : r->length;
}

/* As constant input gives them: matches everywhere, and one pending at any time. They wait for a
 * bounded time in bounded memory. */
static void check_constant_input(uint64_t step, size_t min_matches)
{
    fixture f = fixture_of_one_label(min_matches);
    repeated of[] = {{20, 0}, {1, 0}, {7, 0}};
    match_list list = {0};
    const size_t n = LONG_GROUP + step + 2, most_stored = 3 * 5 * n;
    size_t stored = 0;
    uint64_t now = 0, decided_until = 0;
    while (now < 5000) {
        now += step;
        list.n = 0;
        for (size_t j = 0; j < 3; j++) add_repeated(&f, &list, j, &of[j], now);
        const size_t before = f.decided.n;
        update(&f, now, list.items, list.n);
        for (size_t i = before; i < f.decided.n; i++) {
            const frame_match *match = &f.decided.items[i];
            CHECK(match->final <= now && match->final > now - step);
            CHECK(match->final < match->start + LONG_GROUP);
            if (match->end > decided_until) decided_until = match->end;
        }
        CHECK(now < LONG_GROUP || decided_until + LONG_GROUP > now);
        if (label_groups_stored(f.groups) > stored) stored = label_groups_stored(f.groups);
    }
    CHECK_MSG(stored <= most_stored, "%zu, not %zu at most", stored, most_stored);
    match_list_free(&list);
    fixture_free(&f);
}

static void takes_are_decided_in_constant_input(void)
{
    for (uint64_t step = 1; step < 300; step = step * 3 + 1)
        for (size_t min_matches = 1; min_matches <= 3; min_matches++)
            check_constant_input(step, min_matches);
}

int main(void)
{
    RUN(both_sides_of_a_cut_close_in_their_own_time);
    RUN(groups_close_in_order);
    RUN(a_group_closes_lmax_less_one_after_its_end);
    RUN(the_longest_lmax_of_the_label_counts);
    RUN(a_pending_match_of_the_label_holds_a_group_open);
    RUN(a_match_that_was_pending_held_the_group_open);
    RUN(a_pending_match_of_another_label_does_not_matter);
    RUN(a_gap_closes_a_group);
    RUN(other_gaps_do_not_close_it);
    RUN(a_gap_right_after_a_match_closes_its_group);
    RUN(the_end_of_the_stream_closes_a_group);
    RUN(reset_forgets_the_groups);
    RUN(reset_forgets_who_agreed);
    RUN(times_need_64_bits);
    RUN(a_pending_match_holds_a_group_open_for_a_bounded_time);
    RUN(the_latest_close_keeps_the_order_of_groups);
    RUN(a_gap_comes_before_the_latest_close);
    RUN(takes_are_decided_in_constant_input);
    return check_done();
}
