/* filter/search/best.c: intervals of one label never overlap. */
#include "filter/search/best.h"
#include "tests/check.h"

static bool is_new(taken *all, size_t label, uint64_t start, uint64_t end)
{
    bool added = false;
    CHECK(taken_add(all, label, start, end, &added) == SIGREP_OK);
    return added;
}

static void neighbours_do_not_overlap(void)
{
    taken all = {0};
    CHECK(is_new(&all, 0, 10, 20));
    CHECK(is_new(&all, 0, 20, 21));
    CHECK(is_new(&all, 0, 5, 10));
    CHECK(!is_new(&all, 0, 20, 21));
    CHECK(!is_new(&all, 0, 9, 11));
    CHECK(!is_new(&all, 0, 0, 100));
    CHECK(is_new(&all, 0, 0, 5));
    taken_clear(&all);
}

static void labels_are_apart(void)
{
    taken all = {0};
    CHECK(is_new(&all, 3, 10, 20));
    CHECK(is_new(&all, 0, 10, 20));
    CHECK(!is_new(&all, 3, 19, 30));
    CHECK(!is_new(&all, 0, 19, 30));
    CHECK(is_new(&all, 7, 19, 30));
    taken_clear(&all);
}

static void a_cleared_set_takes_all_again(void)
{
    taken all = {0};
    for (int turn = 0; turn < 2; turn++) {
        CHECK(is_new(&all, 0, 10, 20));
        CHECK(is_new(&all, 0, 30, 40));
        taken_clear(&all);
    }
    taken_clear(&all);
}

/* A map of all frames answers the same. */
static void any_intervals_are_judged_as_frame_by_frame(void)
{
    enum { FRAMES = 3000, LABELS = 3, TRIES = 4000 };
    static bool frames[LABELS][FRAMES];
    uint64_t random = check_seed("test_best_taken");
    taken all = {0};
    for (int i = 0; i < TRIES; i++) {
        const size_t label = check_below(&random, LABELS);
        const size_t start = check_below(&random, FRAMES - 8);
        const size_t end = start + 1 + check_below(&random, 8);
        bool is_free = true;
        for (size_t t = start; t < end; t++) is_free &= !frames[label][t];
        CHECK(is_new(&all, label, start, end) == is_free);
        for (size_t t = start; t < end; t++) frames[label][t] |= is_free;
    }
    taken_clear(&all);
}

/* A scan of all that were added would take minutes here. tests/run ends what hangs. */
static void best_of_many_matches_are_compared_by_a_tree(void)
{
    enum { MANY = 1 << 19 };
    uint64_t n = 0;
    taken all = {0};
    for (uint64_t i = 0; i < MANY; i++) {
        const uint64_t start = i * 2654435761u % MANY; /* an odd factor: each number once */
        n += is_new(&all, 0, 2 * start, 2 * start + 1);
    }
    CHECK(n == MANY);
    CHECK(!is_new(&all, 0, 2 * MANY - 2, 2 * MANY));
    taken_clear(&all);
}

int main(void)
{
    RUN(neighbours_do_not_overlap);
    RUN(labels_are_apart);
    RUN(a_cleared_set_takes_all_again);
    RUN(any_intervals_are_judged_as_frame_by_frame);
    RUN(best_of_many_matches_are_compared_by_a_tree);
    return check_done();
}
