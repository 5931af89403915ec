/* filter/search/label_groups.c: groups by hand, and what is kept of them. */
#include "tests/filter/search/label_groups_help.h"

/* ---- one template ---- */

static void one_template_has_nothing_to_wait_for(void)
{
    static const label_group_member members[] = {{"a", 10, 20, 1}, {"b", 10, 20, 1}};
    bench b = bench_of(members, 2, 1);
    const frame_match both[] = {match(A, 0, 10, 9), match(B, 5, 15, 1)};
    step(&b, 15, both, 2);
    CHECK(b.events.n == 2); /* the same frames, but two label_groups */
    CHECK(event_is(&b, 0, A, 0, 10) && event_is(&b, 1, B, 5, 15));
    CHECK(label_groups_of(b.cl, A) == A && label_groups_of(b.cl, B) == B);
    bench_free(&b);
}

static void a_class_is_known_by_its_first_template(void)
{
    static const label_group_member members[] = {
        {"x", 10, 20, 1}, {"", 10, 20, 1}, {"x", 10, 20, 1}, {"", 10, 20, 1}};
    bench b = bench_of(members, 4, 1);
    CHECK(label_groups_of(b.cl, 0) == 0 && label_groups_of(b.cl, 1) == 1);
    CHECK(label_groups_of(b.cl, 2) == 0 && label_groups_of(b.cl, 3) == 1);
    bench_free(&b);
}

/* ---- which are kept ---- */

static void of_two_that_overlap_the_lower_is_kept(void)
{
    bench b = bench_of_one_class(1);
    const frame_match both[] = {match(A, 0, 10, 5), match(B, 9, 19, 4)};
    step(&b, 1000, both, 2);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 9, 19 + 19));
    CHECK(b.events.n == 1 && b.events.items[0].d == 4 && b.events.items[0].end == 19);
    bench_free(&b);
}

static void two_that_only_touch_are_both_kept(void)
{
    bench b = bench_of_one_class(1);
    const frame_match both[] = {match(A, 0, 10, 5), match(B, 10, 20, 4)};
    step(&b, 1000, both, 2);
    CHECK(b.events.n == 2);
    CHECK(event_is(&b, 0, A, 0, 29) && event_is(&b, 1, B, 10, 39));
    bench_free(&b);
}

/* A: 0.5 of 1; B: 1.2 of 4 = 0.3. C's length counts: 6 of 20 frames, 0.3 of 0.75 = 0.4. */
static void lower_means_score_by_threshold(void)
{
    static const label_group_member members[] = {
        {"a", 10, 20, 1}, {"a", 10, 20, 4}, {"a", 20, 40, 0.75}};
    bench b = bench_of(members, 3, 1);
    const frame_match three[] = {match(A, 0, 10, 5), match(B, 0, 10, 12), match(C, 0, 20, 6)};
    step(&b, 1000, three, 3);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 0, 20 + 39));
    bench_free(&b);
}

/* With threshold 0 only d = 0 matches, which nothing is better than. */
static void a_threshold_of_0_is_a_ratio_of_0(void)
{
    static const label_group_member members[] = {{"a", 10, 20, 1}, {"a", 10, 20, 0}};
    bench b = bench_of(members, 2, 1);
    const frame_match both[] = {match(A, 0, 10, 1), match(B, 5, 15, 0)};
    step(&b, 1000, both, 2);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 5, 34));
    bench_free(&b);
}

static void equals_go_to_the_earlier_end_then_the_earlier_template(void)
{
    bench b = bench_of_one_class(1);
    const frame_match ends[] = {match(A, 0, 12, 5), match(B, 3, 11, 5)};
    step(&b, 1000, ends, 2);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 3, 12 + 19));
    const frame_match templates[] = {match(C, 2000, 2010, 5), match(B, 2003, 2010, 5)};
    step(&b, 3000, templates, 2);
    CHECK(b.events.n == 2 && event_is(&b, 1, B, 2003, 2029));
    bench_free(&b);
}

/* A chain 0-10, 9-19, 18-28: if the middle is best, it alone; else both ends. */
static void in_a_chain_what_overlaps_a_kept_one_is_dropped(void)
{
    bench b = bench_of_one_class(1);
    const frame_match middle[] = {match(A, 0, 10, 5), match(B, 9, 19, 1), match(C, 18, 28, 3)};
    step(&b, 1000, middle, 3);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 9, 47));
    const frame_match ends[] = {match(A, 2000, 2010, 5), match(B, 2009, 2019, 6),
                                match(C, 2018, 2028, 3)};
    step(&b, 3000, ends, 3);
    CHECK(b.events.n == 3); /* in order of kept: the lowest first */
    CHECK(event_is(&b, 1, C, 2018, 2047) && event_is(&b, 2, A, 2000, 2047));
    bench_free(&b);
}

/* They may come in any order. */
static void a_group_is_found_in_any_order_of_arrival(void)
{
    bench b = bench_of_one_class(1);
    const frame_match three[] = {match(C, 18, 28, 3), match(B, 9, 19, 1), match(A, 0, 10, 5)};
    for (size_t i = 0; i < 3; i++) step(&b, 28, &three[i], 1);
    CHECK(b.events.n == 0);
    step(&b, 47, NULL, 0);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 9, 47));
    bench_free(&b);
}

/* ---- long chains: 8 lmax = 160 ---- */

/* The last of the chain, [152, 172) of A, d = 1; C at 160 or 161 is better. Within the group it
 * wins; in a group of its own it comes too late, since what it overlaps is kept. */
static void eight_lmax_after_its_start_a_group_is_cut(void)
{
    for (uint64_t start = 160; start <= 161; start++) {
        bench b = bench_of_one_class(1);
        frame_match chain[10];
        size_t n = make_chain(chain, 9, 1);
        chain[n++] = match(C, start, start + 20, 0.5f);
        step(&b, 1000, chain, n);
        size_t of_c = 0, last = 0;
        for (size_t i = 0; i < b.events.n; i++) {
            of_c += b.events.items[i].index == C;
            last += b.events.items[i].start == 152;
        }
        CHECK(of_c == (start == 160));
        CHECK(last == (start == 161));
        bench_free(&b);
    }
}

/* ---- min_matches ---- */

static void a_match_is_kept_only_if_enough_templates_agree(void)
{
    bench b = bench_of_one_class(2);
    const frame_match matches[] = {match(A, 0, 10, 5), match(B, 9, 19, 4), match(A, 50, 60, 1)};
    step(&b, 1000, matches, 3);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 9, 38));
    bench_free(&b);
}

/* The best of all has no support; what it would have dropped is kept. */
static void what_is_not_supported_drops_nothing(void)
{
    bench b = bench_of_one_class(3);
    /* B overlaps A and C; A and C only B. */
    const frame_match matches[] = {match(A, 0, 10, 1), match(B, 9, 19, 9), match(C, 18, 28, 1)};
    step(&b, 1000, matches, 3);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 9, 47));
    bench_free(&b);
}

static void two_matches_of_one_template_are_one_voice(void)
{
    bench b = bench_of_one_class(3);
    const frame_match matches[] = {match(A, 0, 10, 1), match(A, 10, 20, 1), match(B, 5, 15, 2)};
    step(&b, 1000, matches, 3);
    CHECK(b.events.n == 0);
    bench_free(&b);
}

static void more_than_the_members_can_never_agree(void)
{
    static const label_group_member members[] = {
        {"a", 10, 20, 1}, {"b", 10, 20, 1}, {"b", 10, 20, 1}};
    bench b = bench_of(members, 3, 2);
    const frame_match alone[] = {match(A, 0, 10, 0), match(B, 100, 110, 0), match(C, 100, 110, 0)};
    step(&b, 1000, alone, 3);
    CHECK(b.events.n == 1 && event_is(&b, 0, B, 100, 129));
    bench_free(&b);
    b = bench_of_one_class(4);
    const frame_match three[] = {match(A, 0, 10, 0), match(B, 0, 10, 0), match(C, 0, 10, 0)};
    step(&b, 1000, three, 3);
    end(&b, 1000);
    CHECK(b.events.n == 0);
    bench_free(&b);
}

static void other_classes_do_not_agree(void)
{
    static const label_group_member members[] = {
        {"a", 10, 20, 1}, {"b", 10, 20, 1}, {"a", 10, 20, 1}};
    bench b = bench_of(members, 3, 2);
    const frame_match both[] = {match(A, 0, 10, 0), match(B, 0, 10, 0)};
    step(&b, 1000, both, 2);
    end(&b, 1000);
    CHECK(b.events.n == 0);
    bench_free(&b);
}

/* The last of the chain and C overlap, in two groups: each supports the other. */
static void support_reaches_over_a_cut(void)
{
    bench b = bench_of_one_class(3);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 1);
    chain[n++] = match(C, 165, 180, 5); /* overlaps A at 152 only */
    chain[n - 2] = match(A, 152, 172, 1);
    step(&b, 1000, chain, n);
    CHECK(b.events.n == 1); /* [152, 172) overlaps B at 133 and C at 165 */
    CHECK(b.events.n == 1 && b.events.items[0].start == 152);
    bench_free(&b);
}

/* C at 165 is in the next group; A at 152, which is not kept since B at 133 is better, still
 * counts for it. */
static void what_was_not_kept_of_the_last_group_agrees(void)
{
    bench b = bench_of_one_class(2);
    frame_match chain[10];
    size_t n = make_chain(chain, 9, 9);
    chain[7].d = 1;
    chain[n++] = match(C, 165, 180, 8);
    step(&b, 1000, chain, n);
    CHECK(b.events.n > 1 && event_is(&b, b.events.n - 1, C, 165, 199));
    bench_free(&b);
}

/* B at 162 overlaps A by one frame, after B at 159, the last to begin in that group, is over. */
static void one_frame_of_the_last_group_is_enough(void)
{
    bench b = bench_of_one_class(2);
    frame_match chain[11];
    size_t n = make_chain(chain, 9, 9);
    chain[7].d = 1; /* so A at 152 is not kept */
    chain[8].end = 163;
    chain[n++] = match(B, 159, 160, 9);
    chain[n++] = match(B, 162, 175, 8);
    step(&b, 1000, chain, n);
    CHECK(b.events.n > 1 && event_is(&b, b.events.n - 1, B, 162, 194));
    bench_free(&b);
}

/* Regression: the group between is over before the last of the group before it. C at 165
 * overlaps A at 152, two groups back, so two templates agree; A itself is not kept, since
 * it overlaps B at 133, which is better. */
static void support_reaches_over_a_short_group(void)
{
    bench b = bench_of_one_class(2);
    frame_match chain[11];
    size_t n = make_chain(chain, 9, 9);
    chain[7].d = 1;
    chain[n++] = match(C, 161, 163, 8);
    chain[n++] = match(C, 165, 180, 8);
    step(&b, 1000, chain, n);
    bool kept = false;
    for (size_t i = 0; i < b.events.n; i++)
        kept |= b.events.items[i].index == C && b.events.items[i].start == 165;
    CHECK(kept);
    bench_free(&b);
}

int main(void)
{
    RUN(one_template_has_nothing_to_wait_for);
    RUN(a_class_is_known_by_its_first_template);
    RUN(of_two_that_overlap_the_lower_is_kept);
    RUN(two_that_only_touch_are_both_kept);
    RUN(lower_means_score_by_threshold);
    RUN(a_threshold_of_0_is_a_ratio_of_0);
    RUN(equals_go_to_the_earlier_end_then_the_earlier_template);
    RUN(in_a_chain_what_overlaps_a_kept_one_is_dropped);
    RUN(a_group_is_found_in_any_order_of_arrival);
    RUN(eight_lmax_after_its_start_a_group_is_cut);
    RUN(a_match_is_kept_only_if_enough_templates_agree);
    RUN(what_is_not_supported_drops_nothing);
    RUN(two_matches_of_one_template_are_one_voice);
    RUN(more_than_the_members_can_never_agree);
    RUN(other_classes_do_not_agree);
    RUN(support_reaches_over_a_cut);
    RUN(what_was_not_kept_of_the_last_group_agrees);
    RUN(one_frame_of_the_last_group_is_enough);
    RUN(support_reaches_over_a_short_group);
    return check_done();
}
