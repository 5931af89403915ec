/* filter/calibration/candidates.c: the scores of candidates, compared with a literal count. */
#include "filter/calibration/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static candidate at(double score, double start_s, double end_s, size_t take)
{
    return (candidate){.score = score, .start_s = start_s, .end_s = end_s, .take = take};
}

static bool is(const candidate_list *list, size_t i, double score, double start_s)
{
    return i < list->n && list->items[i].score == score && list->items[i].start_s == start_s;
}

static void the_second_take_decides(void)
{
    candidate items[] = {at(3, 10, 20, 0), at(5, 12, 22, 1), at(9, 40, 50, 0), at(8, 60, 70, 2)};
    candidate_list list = {.items = items, .n = 4};
    CHECK(candidates_agree(&list, 2));
    CHECK(list.n == 1 && is(&list, 0, 5, 10));
}

static void two_matches_of_one_take_do_not_agree(void)
{
    candidate items[] = {at(3, 10, 20, 1), at(2, 20, 30, 1), at(7, 15, 25, 0)};
    candidate_list list = {.items = items, .n = 3};
    CHECK(candidates_agree(&list, 2));
    CHECK(list.n == 2 && is(&list, 0, 7, 10) && is(&list, 1, 7, 20));
    candidate again[] = {at(3, 10, 20, 1), at(2, 20, 30, 1)};
    candidate_list one = {.items = again, .n = 2};
    CHECK(candidates_agree(&one, 2));
    CHECK(one.n == 0);
}

static void recordings_are_apart(void)
{
    candidate items[] = {at(3, 10, 20, 0), at(5, 12, 22, 1)};
    items[1].recording = 1;
    candidate_list list = {.items = items, .n = 2};
    CHECK(candidates_agree(&list, 2));
    CHECK(list.n == 0);
}

static void an_empty_list_stays_empty(void)
{
    candidate_list list = {0};
    CHECK(candidates_agree(&list, 2));
    CHECK(list.n == 0);
}

enum { TAKES = 4, EACH = 30, N = TAKES * EACH };

/* Matches of each take that do not overlap one another. */
static void draw(candidate *items, uint64_t *seed)
{
    size_t n = 0;
    for (size_t take = 0; take < TAKES; take++) {
        double t = (double)check_below(seed, 10);
        for (size_t i = 0; i < EACH; i++) {
            const double start = t + (double)check_below(seed, 6);
            t = start + 3 + (double)check_below(seed, 8);
            items[n++] = at((double)check_below(seed, 1000) + 0.25 * (double)take, start, t, take);
        }
    }
}

/* Does match i stay at threshold x if no other is better: have enough takes a match there? */
static bool is_match(const candidate *items, size_t i, size_t min_matches, double x)
{
    bool agrees[TAKES] = {false};
    size_t n = 0;
    if (items[i].score > x) return false;
    for (size_t j = 0; j < N; j++)
        if (items[j].score <= x && items[j].start_s < items[i].end_s &&
            items[i].start_s < items[j].end_s)
            agrees[items[j].take] = true;
    for (size_t k = 0; k < TAKES; k++) n += agrees[k];
    return n >= min_matches;
}

/* At every threshold, the candidates up to it are the places with a match. They do not overlap. */
static void candidates_are_the_matches(void)
{
    uint64_t seed = check_seed("candidates");
    for (int round = 0; round < 50; round++) {
        candidate items[N], left[N];
        const size_t min_matches = 2 + check_below(&seed, TAKES - 1);
        draw(items, &seed);
        memcpy(left, items, sizeof left);
        candidate_list list = {.items = left, .n = N};
        CHECK(candidates_agree(&list, min_matches));
        for (size_t i = 0; i < list.n; i++) {
            const candidate *p = &list.items[i];
            size_t k = 0;
            while (items[k].start_s != p->start_s || items[k].take != p->take) k++;
            CHECK(is_match(items, k, min_matches, p->score));
            CHECK(!is_match(items, k, min_matches, p->score - 0.125));
            for (size_t j = 0; j < i; j++)
                CHECK(list.items[j].end_s <= p->start_s || p->end_s <= list.items[j].start_s);
        }
        for (size_t k = 0; k < N; k++) {
            bool near = false;
            for (size_t i = 0; i < list.n; i++)
                near |= list.items[i].start_s < items[k].end_s &&
                        items[k].start_s < list.items[i].end_s &&
                        is_match(items, k, min_matches, 2000) &&
                        !(is_match(items, k, min_matches, list.items[i].score - 0.125));
            CHECK(near || !is_match(items, k, min_matches, 2000));
        }
    }
}

int main(void)
{
    RUN(the_second_take_decides);
    RUN(two_matches_of_one_take_do_not_agree);
    RUN(recordings_are_apart);
    RUN(an_empty_list_stays_empty);
    RUN(candidates_are_the_matches);
    return check_done();
}
