/* filter/search/label_groups.c: groups by hand, and what is kept of them. */
#include "tests/filter/search/label_groups_help.h"

/* ---- one template ---- */

static void a_label_of_one_template_does_not_wait(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 10, .gate.length_max = 20, .threshold = 1}};
    fixture f = fixture_of(members, 2, 1);
    const frame_match both[] = {match(A, 0, 10, 9), match(B, 5, 15, 1)};
    update(&f, 15, both, 2);
    CHECK(f.decided.n == 2); /* the same frames, but two labels */
    CHECK(decided_is(&f, 0, A, 0, 10) && decided_is(&f, 1, B, 5, 15));
    CHECK(label_groups_of(f.groups, A) == A && label_groups_of(f.groups, B) == B);
    fixture_free(&f);
}

static void a_label_is_known_by_its_first_template(void)
{
    static const template members[] = {
        {.label = "x", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "x", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "", .length = 10, .gate.length_max = 20, .threshold = 1}};
    fixture f = fixture_of(members, 4, 1);
    CHECK(label_groups_of(f.groups, 0) == 0 && label_groups_of(f.groups, 1) == 1);
    CHECK(label_groups_of(f.groups, 2) == 0 && label_groups_of(f.groups, 3) == 1);
    fixture_free(&f);
}

/* ---- which are kept ---- */

static void of_two_that_overlap_the_lower_is_kept(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match both[] = {match(A, 0, 10, 5), match(B, 9, 19, 4)};
    update(&f, 1000, both, 2);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 9, 19 + 19));
    CHECK(f.decided.n == 1 && f.decided.items[0].d == 4 && f.decided.items[0].end == 19);
    fixture_free(&f);
}

static void two_that_only_touch_are_both_kept(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match both[] = {match(A, 0, 10, 5), match(B, 10, 20, 4)};
    update(&f, 1000, both, 2);
    CHECK(f.decided.n == 2);
    CHECK(decided_is(&f, 0, A, 0, 29) && decided_is(&f, 1, B, 10, 39));
    fixture_free(&f);
}

/* A: 0.5 of 1; B: 1.2 of 4 = 0.3. C's length counts: 6 of 20 frames, 0.3 of 0.75 = 0.4. */
static void lower_means_score_by_threshold(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 4},
        {.label = "a", .length = 20, .gate.length_max = 40, .threshold = 0.75}};
    fixture f = fixture_of(members, 3, 1);
    const frame_match three[] = {match(A, 0, 10, 5), match(B, 0, 10, 12), match(C, 0, 20, 6)};
    update(&f, 1000, three, 3);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 0, 20 + 39));
    fixture_free(&f);
}

/* With threshold 0 only d = 0 matches, and no match is better. */
static void a_threshold_of_0_is_a_ratio_of_0(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 0}};
    fixture f = fixture_of(members, 2, 1);
    const frame_match both[] = {match(A, 0, 10, 1), match(B, 5, 15, 0)};
    update(&f, 1000, both, 2);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 5, 34));
    const frame_match perfect[] = {match(A, 2000, 2010, 0), match(B, 2005, 2015, 0)};
    update(&f, 3000, perfect, 2);
    CHECK(f.decided.n == 2 && decided_is(&f, 1, A, 2000, 2034)); /* equals: the earlier end */
    fixture_free(&f);
}

static void equals_go_to_the_earlier_end_then_the_earlier_template(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match ends[] = {match(A, 0, 12, 5), match(B, 3, 11, 5)};
    update(&f, 1000, ends, 2);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 3, 12 + 19));
    const frame_match templates[] = {match(C, 2000, 2010, 5), match(B, 2003, 2010, 5)};
    update(&f, 3000, templates, 2);
    CHECK(f.decided.n == 2 && decided_is(&f, 1, B, 2003, 2029));
    fixture_free(&f);
}

/* A chain 0-10, 9-19, 18-28: the middle alone is kept if it is best, else both ends are. */
static void in_a_chain_matches_that_overlap_a_kept_one_are_dropped(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match middle[] = {match(A, 0, 10, 5), match(B, 9, 19, 1), match(C, 18, 28, 3)};
    update(&f, 1000, middle, 3);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 9, 47));
    const frame_match ends[] = {match(A, 2000, 2010, 5), match(B, 2009, 2019, 6),
                                match(C, 2018, 2028, 3)};
    update(&f, 3000, ends, 3);
    CHECK(f.decided.n == 3); /* the lowest is kept first */
    CHECK(decided_is(&f, 1, C, 2018, 2047) && decided_is(&f, 2, A, 2000, 2047));
    fixture_free(&f);
}

static void a_group_is_found_in_any_order_of_arrival(void)
{
    fixture f = fixture_of_one_label(1);
    const frame_match three[] = {match(C, 18, 28, 3), match(B, 9, 19, 1), match(A, 0, 10, 5)};
    for (size_t i = 0; i < 3; i++) update(&f, 28, &three[i], 1);
    CHECK(f.decided.n == 0);
    update(&f, 47, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 9, 47));
    fixture_free(&f);
}

/* ---- long chains: 8 lmax = 160 ---- */

/* The last of the chain is [152, 172) of A, with d = 1; C at 160 or 161 is better. Within the group
 * C is kept. In a group of its own it is dropped, since it overlaps a kept match. */
static void eight_lmax_after_its_start_a_group_is_cut(void)
{
    for (uint64_t start = 160; start <= 161; start++) {
        fixture f = fixture_of_one_label(1);
        frame_match chain[10];
        size_t n = make_chain(chain, 9, 1);
        chain[n++] = match(C, start, start + 20, 0.5f);
        update(&f, 1000, chain, n);
        size_t of_c = 0, last = 0;
        for (size_t i = 0; i < f.decided.n; i++) {
            of_c += f.decided.items[i].index == C;
            last += f.decided.items[i].start == 152;
        }
        CHECK(of_c == (start == 160));
        CHECK(last == (start == 161));
        fixture_free(&f);
    }
}

/* ---- min_matches ---- */

static void a_match_is_kept_only_if_enough_templates_agree(void)
{
    fixture f = fixture_of_one_label(2);
    const frame_match matches[] = {match(A, 0, 10, 5), match(B, 9, 19, 4), match(A, 50, 60, 1)};
    update(&f, 1000, matches, 3);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 9, 38));
    fixture_free(&f);
}

/* The best of all has no support, so the match that it overlaps is kept. */
static void matches_without_support_drop_no_other_but_support_it(void)
{
    fixture f = fixture_of_one_label(3);
    /* B overlaps A and C; A and C only B. */
    const frame_match matches[] = {match(A, 0, 10, 1), match(B, 9, 19, 9), match(C, 18, 28, 1)};
    update(&f, 1000, matches, 3);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 9, 47));
    fixture_free(&f);
}

/* A, B and C agree at 0. B at 11 overlaps A alone, so it is dropped. Yet it is of the group, which
 * ends at 25. */
static void a_match_without_support_connects_its_group(void)
{
    fixture f = fixture_of_one_label(3);
    const frame_match matches[] = {match(A, 0, 12, 1), match(B, 0, 10, 2), match(C, 0, 10, 2),
                                   match(B, 11, 25, 1)};
    update(&f, 43, matches, 4);
    CHECK(f.decided.n == 0);
    update(&f, 44, NULL, 0);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, A, 0, 44));
    fixture_free(&f);
}

static void two_matches_of_one_template_count_once(void)
{
    fixture f = fixture_of_one_label(3);
    const frame_match matches[] = {match(A, 0, 10, 1), match(A, 10, 20, 1), match(B, 5, 15, 2)};
    update(&f, 1000, matches, 3);
    CHECK(f.decided.n == 0);
    fixture_free(&f);
}

static void more_than_the_members_can_never_agree(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 10, .gate.length_max = 20, .threshold = 1}};
    fixture f = fixture_of(members, 3, 2);
    const frame_match alone[] = {match(A, 0, 10, 0), match(B, 100, 110, 0), match(C, 100, 110, 0)};
    update(&f, 1000, alone, 3);
    CHECK(f.decided.n == 1 && decided_is(&f, 0, B, 100, 129));
    fixture_free(&f);
    f = fixture_of_one_label(4);
    const frame_match three[] = {match(A, 0, 10, 0), match(B, 0, 10, 0), match(C, 0, 10, 0)};
    update(&f, 1000, three, 3);
    end(&f, 1000);
    CHECK(f.decided.n == 0);
    fixture_free(&f);
}

static void other_labels_do_not_agree(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1}};
    fixture f = fixture_of(members, 3, 2);
    const frame_match both[] = {match(A, 0, 10, 0), match(B, 0, 10, 0)};
    update(&f, 1000, both, 2);
    end(&f, 1000);
    CHECK(f.decided.n == 0);
    fixture_free(&f);
}

/* The last of the chain and C overlap, in two groups: each supports the other. */
static void support_reaches_over_a_cut(void)
{
    fixture f = fixture_of_one_label(3);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 1);
    chain[n++] = match(C, 165, 180, 5); /* overlaps A at 152 only */
    chain[n - 2] = match(A, 152, 172, 1);
    update(&f, 1000, chain, n);
    CHECK(f.decided.n == 1); /* [152, 172) overlaps B at 133 and C at 165 */
    CHECK(f.decided.n == 1 && f.decided.items[0].start == 152);
    fixture_free(&f);
}

/* C at 165 is in the next group. A at 152 is not kept, since B at 133 is better, but it supports C.
 */
static void a_dropped_match_of_the_last_group_agrees(void)
{
    fixture f = fixture_of_one_label(2);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 9);
    chain[7].d = 1;
    chain[n++] = match(C, 165, 180, 8);
    update(&f, 1000, chain, n);
    CHECK(f.decided.n > 1 && decided_is(&f, f.decided.n - 1, C, 165, 199));
    fixture_free(&f);
}

/* B at 162 overlaps A by one frame, after B at 159, the last to begin in that group, is over. */
static void one_frame_of_the_last_group_is_enough(void)
{
    fixture f = fixture_of_one_label(2);
    frame_match chain[11];
    size_t n = make_chain(chain, 9, 9);
    chain[7].d = 1; /* so A at 152 is not kept */
    chain[8].end = 163;
    chain[n++] = match(B, 159, 160, 9);
    chain[n++] = match(B, 162, 175, 8);
    update(&f, 1000, chain, n);
    CHECK(f.decided.n > 1 && decided_is(&f, f.decided.n - 1, B, 162, 194));
    fixture_free(&f);
}

/* Regression: the group between ends before the last match of the group before it. C at 165
 * overlaps A at 152, two groups back, so two templates agree. A itself is not kept, since it
 * overlaps B at 133, which is better. */
static void support_reaches_over_a_short_group(void)
{
    fixture f = fixture_of_one_label(2);
    frame_match chain[11];
    size_t n = make_chain(chain, 9, 9);
    chain[7].d = 1;
    chain[n++] = match(C, 161, 163, 8);
    chain[n++] = match(C, 165, 180, 8);
    update(&f, 1000, chain, n);
    bool kept = false;
    for (size_t i = 0; i < f.decided.n; i++)
        kept |= f.decided.items[i].index == C && f.decided.items[i].start == 165;
    CHECK(kept);
    fixture_free(&f);
}

/* Regression: the group between keeps nothing. C at 165 overlaps A at 152, kept two groups back. */
static void no_match_overlaps_one_kept_two_groups_back(void)
{
    fixture f = fixture_of_one_label(1);
    frame_match chain[11];
    size_t n = make_chain(chain, 9, 1);
    chain[n++] = match(C, 161, 163, 8);
    chain[n++] = match(C, 165, 180, 0.5f);
    update(&f, 1000, chain, n);
    CHECK(f.decided.n > 0 && decided_is(&f, 0, A, 152, 191));
    for (size_t i = 0; i < f.decided.n; i++) CHECK(f.decided.items[i].index != C);
    fixture_free(&f);
}

int main(void)
{
    RUN(a_label_of_one_template_does_not_wait);
    RUN(a_label_is_known_by_its_first_template);
    RUN(of_two_that_overlap_the_lower_is_kept);
    RUN(two_that_only_touch_are_both_kept);
    RUN(lower_means_score_by_threshold);
    RUN(a_threshold_of_0_is_a_ratio_of_0);
    RUN(equals_go_to_the_earlier_end_then_the_earlier_template);
    RUN(in_a_chain_matches_that_overlap_a_kept_one_are_dropped);
    RUN(a_group_is_found_in_any_order_of_arrival);
    RUN(eight_lmax_after_its_start_a_group_is_cut);
    RUN(a_match_is_kept_only_if_enough_templates_agree);
    RUN(matches_without_support_drop_no_other_but_support_it);
    RUN(a_match_without_support_connects_its_group);
    RUN(two_matches_of_one_template_count_once);
    RUN(more_than_the_members_can_never_agree);
    RUN(other_labels_do_not_agree);
    RUN(support_reaches_over_a_cut);
    RUN(a_dropped_match_of_the_last_group_agrees);
    RUN(one_frame_of_the_last_group_is_enough);
    RUN(support_reaches_over_a_short_group);
    RUN(no_match_overlaps_one_kept_two_groups_back);
    return check_done();
}
