/* tools/sigrep-calibrate/gap.c: gaps whose place is known, and scores without one. */
#include "tools/sigrep-calibrate/gap.h"

#include <math.h>

#include "tests/check.h"

enum { MOST = 4096 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double draw(uint64_t *seed)
{
    return ((double)check_below(seed, 1000000) + 0.5) / 1000000;
}

/* n scores around `middle`, about `spread` apart; a sum of four has tails on both sides. */
static size_t add(double *scores, size_t at, size_t n, double middle, double spread, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++) sum += draw(seed);
        scores[at + i] = middle + spread * (sum - 2);
    }
    qsort(scores, at + n, sizeof *scores, ascending);
    return at + n;
}

static void a_gap_is_found_where_it_is(void)
{
    uint64_t seed = check_seed("gap");
    for (int i = 0; i < 200; i++) {
        double scores[MOST];
        score_gap gap;
        const size_t matches = 5 + check_below(&seed, 300), others = 50 + check_below(&seed, 3000);
        size_t n = add(scores, 0, matches, 10, 1, &seed);
        n = add(scores, n, others, 60, 3, &seed);
        CHECK(gap_find(&gap, scores, n) == GAP_FOUND);
        CHECK(gap.clearness >= GAP_CLEAR && gap.n_matches == matches);
        CHECK(gap.low < gap.threshold && gap.threshold < gap.high);
    }
}

static void one_in_a_hundred_may_lie_in_the_gap(void)
{
    uint64_t seed = 5;
    double scores[MOST];
    score_gap gap;
    size_t n = add(scores, 0, 500, 10, 1, &seed);
    n = add(scores, n, 2000, 30, 3, &seed);
    n = add(scores, n, 3, 17, 2, &seed);
    CHECK(gap_find(&gap, scores, n) == GAP_FOUND && gap.clearness >= GAP_CLEAR);
    CHECK(gap.low < 13 && gap.high > 22 && gap.n_matches >= 500 && gap.n_matches <= 503);
}

static void one_kind_of_place_has_no_clear_gap(void)
{
    uint64_t seed = 7; /* of 2000 random ones, one or two may have a gap by luck */
    size_t clear = 0;
    for (int i = 0; i < 2000; i++) {
        double scores[MOST];
        score_gap gap;
        const size_t n = add(scores, 0, 13 + check_below(&seed, 500), 10, 2, &seed);
        CHECK(gap_find(&gap, scores, n) == GAP_FOUND);
        clear += gap.clearness >= GAP_CLEAR;
    }
    CHECK_MSG(clear <= 20, "%zu of 2000", clear);
}

static void whole_numbers_have_no_clear_gap(void)
{
    uint64_t seed = 9;
    double scores[MOST];
    score_gap gap;
    for (size_t i = 0; i < MOST; i++) scores[i] = (double)(i * i / (MOST * 40));
    CHECK(gap_find(&gap, scores, MOST) == GAP_FOUND && gap.clearness < GAP_CLEAR);
    for (size_t i = 0; i < MOST; i++) scores[i] = (double)check_below(&seed, 30);
    qsort(scores, MOST, sizeof *scores, ascending);
    CHECK(gap_find(&gap, scores, MOST) == GAP_FOUND && gap.clearness < GAP_CLEAR);
}

static void copies_all_score_0(void)
{
    uint64_t seed = 3;
    double scores[MOST] = {0};
    score_gap gap;
    const size_t n = add(scores, 12, 100, 5, 1, &seed);
    CHECK(gap_find(&gap, scores, n) == GAP_FOUND && gap.clearness >= GAP_CLEAR);
    CHECK(gap.low == 0 && gap.threshold > 0 && gap.n_matches == 12);
}

static void equal_scores_have_no_gap(void)
{
    double scores[40];
    score_gap gap;
    for (size_t i = 0; i < 40; i++) scores[i] = 2;
    CHECK(gap_find(&gap, scores, 40) == GAP_FOUND && gap.clearness == 0);
}

static void one_or_two_matches_are_too_few(void)
{
    for (size_t few = 1; few <= 2; few++) {
        uint64_t seed = 11;
        double scores[MOST];
        score_gap gap;
        size_t n = add(scores, 0, few, 1, 0.1, &seed);
        n = add(scores, n, 200, 30, 3, &seed);
        CHECK(gap_find(&gap, scores, n) == GAP_FOUND);
        CHECK(gap.clearness < GAP_CLEAR && gap.few == few);
    }
}

static void few_places_are_too_few(void)
{
    const double scores[12] = {0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    score_gap gap;
    CHECK(gap_find(&gap, NULL, 0) == GAP_TOO_FEW_PLACES);
    CHECK(gap_find(&gap, scores, 12) == GAP_TOO_FEW_PLACES);
}

static void a_threshold_has_digits_enough_to_lie_in_the_gap(void)
{
    double scores[40];
    score_gap gap;
    for (size_t i = 0; i < 20; i++) scores[i] = 123456 + (double)i * 1e-6;
    for (size_t i = 20; i < 40; i++) scores[i] = 123456.5 + (double)i * 1e-6;
    CHECK(gap_find(&gap, scores, 40) == GAP_FOUND && gap.n_matches == 20);
    CHECK(scores[19] < gap.threshold && gap.threshold < scores[20]);
}

int main(void)
{
    RUN(a_gap_is_found_where_it_is);
    RUN(one_in_a_hundred_may_lie_in_the_gap);
    RUN(one_kind_of_place_has_no_clear_gap);
    RUN(whole_numbers_have_no_clear_gap);
    RUN(copies_all_score_0);
    RUN(equal_scores_have_no_gap);
    RUN(one_or_two_matches_are_too_few);
    RUN(few_places_are_too_few);
    RUN(a_threshold_has_digits_enough_to_lie_in_the_gap);
    return check_done();
}
