/* filter/search/label_groups.c: do two searches keep the same matches from now on? */
#include <string.h>

#include "tests/filter/search/label_groups_help.h"

static bool agree(const fixture *f, uint64_t now, const fixture *other, uint64_t other_now)
{
    return label_groups_agree(f->groups, now, other->groups, other_now);
}

static void what_is_decided_and_long_over_does_not_matter(void)
{
    fixture f = fixture_of_one_label(1), other = fixture_of_one_label(1);
    const frame_match old = match(A, 0, 10, 5);
    update(&f, 1000, &old, 1);
    update(&other, 5, NULL, 0);
    CHECK(f.decided.n == 1);
    CHECK(agree(&f, 1000, &other, 5) && agree(&other, 5, &f, 1000));
    fixture_free(&f);
    fixture_free(&other);
}

static void frames_are_counted_back_from_now(void)
{
    fixture f = fixture_of_one_label(1), other = fixture_of_one_label(1);
    const frame_match here = match(A, 100, 110, 5), there = match(A, 20, 30, 5);
    update(&f, 112, &here, 1);
    update(&other, 32, &there, 1);
    CHECK(agree(&f, 112, &other, 32));
    CHECK(!agree(&f, 112, &other, 33));
    fixture_free(&f);
    fixture_free(&other);
}

/* One that is not decided yet: it lacks, has another template, score, start or end. */
static void undecided_matches_must_be_the_same(void)
{
    const frame_match here = match(A, 100, 110, 5);
    const frame_match others[] = {match(B, 100, 110, 5), match(A, 100, 110, 4),
                                  match(A, 101, 110, 5), match(A, 100, 111, 5)};
    for (size_t i = 0; i < 5; i++) {
        fixture f = fixture_of_one_label(1), other = fixture_of_one_label(1);
        update(&f, 112, &here, 1);
        update(&other, 112, &others[i < 4 ? i : 0], i < 4);
        CHECK(!agree(&f, 112, &other, 112));
        fixture_free(&f);
        fixture_free(&other);
    }
}

/* A chain of overlaps is cut 8 L after its first start. If only one search has seen the first
 * match, each keeps every other match of the chain, but not the same ones:
 *
 *     f       |0|1| |3| ... |7| |9    the kept ones; 9 is in the next group, and overlaps 8
 *     other     1 |2| ... |6| |8| 9
 */
static void what_was_kept_may_drop_what_comes(void)
{
    fixture f = fixture_of_one_label(1), other = fixture_of_one_label(1);
    frame_match chain[11] = {match(A, 0, 20, 1)};
    for (uint64_t k = 0; k < 10; k++)
        chain[k + 1] = match(k % 2 ? B : C, 10 + 18 * k, 30 + 18 * k, 5);
    update(&f, 200, chain, 11);
    update(&other, 200, chain + 1, 10);
    CHECK(f.decided.n == 5 && other.decided.n == 5);
    CHECK(!agree(&f, 200, &other, 200));
    update(&f, 300, NULL, 0);
    update(&other, 300, NULL, 0);
    CHECK(f.decided.n == 6 && other.decided.n == 5); /* so they had not agreed */
    CHECK(agree(&f, 300, &other, 300));
    fixture_free(&f);
    fixture_free(&other);
}

/* With min_matches, a match that is decided may support one that comes. */
static void support_matters(void)
{
    fixture f = fixture_of_one_label(2), other = fixture_of_one_label(2);
    frame_match chain[11] = {match(A, 0, 20, 1)};
    for (uint64_t k = 0; k < 10; k++)
        chain[k + 1] = match(k % 2 ? B : C, 10 + 18 * k, 30 + 18 * k, 5);
    update(&f, 200, chain, 11);
    frame_match lacking[10];
    memcpy(lacking, chain, 9 * sizeof *chain);
    lacking[9] = chain[10];
    update(&other, 200, lacking, 10);
    CHECK(!agree(&f, 200, &other, 200));
    fixture_free(&f);
    fixture_free(&other);
}

static void labels_of_one_template_always_agree(void)
{
    static const template members[] = {
        {.label = "a", .length = 10, .gate.length_max = 20, .threshold = 1},
        {.label = "b", .length = 10, .gate.length_max = 20, .threshold = 1}};
    fixture f = fixture_of(members, 2, 1), other = fixture_of(members, 2, 1);
    const frame_match here = match(A, 100, 110, 5);
    update(&f, 112, &here, 1);
    CHECK(agree(&f, 112, &other, 0));
    fixture_free(&f);
    fixture_free(&other);
}

int main(void)
{
    RUN(what_is_decided_and_long_over_does_not_matter);
    RUN(frames_are_counted_back_from_now);
    RUN(undecided_matches_must_be_the_same);
    RUN(what_was_kept_may_drop_what_comes);
    RUN(support_matters);
    RUN(labels_of_one_template_always_agree);
    return check_done();
}
