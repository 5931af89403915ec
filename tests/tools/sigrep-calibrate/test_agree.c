/* tools/sigrep-calibrate/agree.c: the thresholds from which on places are told, and a literal
 * count. */
#include "tools/sigrep-calibrate/agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static place at(double score, double start_s, double end_s, size_t take)
{
    return (place){.score = score, .start_s = start_s, .end_s = end_s, .take = take};
}

static bool is(const place_list *list, size_t i, double score, double start_s)
{
    return i < list->n && list->places[i].score == score && list->places[i].start_s == start_s;
}

static void the_second_take_decides(void)
{
    place places[] = {at(3, 10, 20, 0), at(5, 12, 22, 1), at(9, 40, 50, 0), at(8, 60, 70, 2)};
    place_list list = {.places = places, .n = 4};
    CHECK(agree(&list, 2));
    CHECK(list.n == 1 && is(&list, 0, 5, 10));
}

static void two_matches_of_one_take_do_not_agree(void)
{
    place places[] = {at(3, 10, 20, 1), at(2, 20, 30, 1), at(7, 15, 25, 0)};
    place_list list = {.places = places, .n = 3};
    CHECK(agree(&list, 2));
    CHECK(list.n == 2 && is(&list, 0, 7, 10) && is(&list, 1, 7, 20));
    place again[] = {at(3, 10, 20, 1), at(2, 20, 30, 1)};
    place_list one = {.places = again, .n = 2};
    CHECK(agree(&one, 2));
    CHECK(one.n == 0);
}

static void inputs_are_apart(void)
{
    place places[] = {at(3, 10, 20, 0), at(5, 12, 22, 1)};
    places[1].n_input = 1;
    place_list list = {.places = places, .n = 2};
    CHECK(agree(&list, 2));
    CHECK(list.n == 0);
}

static void nothing_stays_nothing(void)
{
    place_list list = {0};
    CHECK(agree(&list, 2));
    CHECK(list.n == 0);
}

enum { TAKES = 4, EACH = 30, N = TAKES * EACH };

/* Matches of each take that do not overlap one another. */
static void draw(place *places, uint64_t *seed)
{
    size_t n = 0;
    for (size_t take = 0; take < TAKES; take++) {
        double t = (double)check_below(seed, 10);
        for (size_t i = 0; i < EACH; i++) {
            const double start = t + (double)check_below(seed, 6);
            t = start + 3 + (double)check_below(seed, 8);
            places[n++] = at((double)check_below(seed, 1000) + 0.25 * (double)take, start, t, take);
        }
    }
}

/* Is match i kept at threshold x, were it alone: enough takes have a match at it? */
static bool told(const place *places, size_t i, size_t min_matches, double x)
{
    bool agrees[TAKES] = {false};
    size_t n = 0;
    if (places[i].score > x) return false;
    for (size_t j = 0; j < N; j++)
        if (places[j].score <= x && places[j].start_s < places[i].end_s &&
            places[i].start_s < places[j].end_s)
            agrees[places[j].take] = true;
    for (size_t k = 0; k < TAKES; k++) n += agrees[k];
    return n >= min_matches;
}

/* At every threshold: a place is told where one of its matches is, and the other way round; and
 * those that are told do not overlap. */
static void places_are_told_where_takes_agree(void)
{
    uint64_t seed = check_seed("places");
    for (int round = 0; round < 50; round++) {
        place places[N], left[N];
        const size_t min_matches = 2 + check_below(&seed, TAKES - 1);
        draw(places, &seed);
        memcpy(left, places, sizeof left);
        place_list list = {.places = left, .n = N};
        CHECK(agree(&list, min_matches));
        for (size_t i = 0; i < list.n; i++) {
            const place *p = &list.places[i];
            size_t k = 0;
            while (places[k].start_s != p->start_s || places[k].take != p->take) k++;
            CHECK(told(places, k, min_matches, p->score));
            CHECK(!told(places, k, min_matches, p->score - 0.125));
            for (size_t j = 0; j < i; j++)
                CHECK(list.places[j].end_s <= p->start_s || p->end_s <= list.places[j].start_s);
        }
        for (size_t k = 0; k < N; k++) {
            bool near = false;
            for (size_t i = 0; i < list.n; i++)
                near |= list.places[i].start_s < places[k].end_s &&
                        places[k].start_s < list.places[i].end_s &&
                        told(places, k, min_matches, 2000) &&
                        !(told(places, k, min_matches, list.places[i].score - 0.125));
            CHECK(near || !told(places, k, min_matches, 2000));
        }
    }
}

int main(void)
{
    RUN(the_second_take_decides);
    RUN(two_matches_of_one_take_do_not_agree);
    RUN(inputs_are_apart);
    RUN(nothing_stays_nothing);
    RUN(places_are_told_where_takes_agree);
    return check_done();
}
