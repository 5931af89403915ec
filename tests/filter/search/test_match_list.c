/* filter/search/match_list.c: the list and its two orders. */
#include "filter/search/match_list.h"
#include "tests/check.h"

static void a_list_grows_and_keeps_order(void)
{
    match_list list = {0};
    for (uint64_t i = 0; i < 1000; i++)
        CHECK(match_list_add(&list, &(frame_match){.start = i, .d = (float)i}) == SIGREP_OK);
    CHECK(list.n == 1000);
    for (uint64_t i = 0; i < 1000; i++) CHECK(list.items[i].start == i);
    match_list_free(&list);
    CHECK(!list.items && !list.n && !list.capacity);
}

static void an_emptied_list_keeps_its_memory(void)
{
    match_list list = {0};
    for (int i = 0; i < 100; i++) match_list_add(&list, &(frame_match){.index = 1});
    size_t capacity = list.capacity;
    const frame_match *items = list.items;
    list.n = 0;
    for (int i = 0; i < 100; i++) match_list_add(&list, &(frame_match){.index = 2});
    CHECK(list.capacity == capacity && list.items == items);
    match_list_free(&list);
}

static void an_empty_list_may_be_sorted_and_freed(void)
{
    match_list list = {0};
    match_list_sort_by_final(&list);
    match_list_free(&list);
    CHECK(!list.n);
}

/* Each item sorts after the one before by one key alone, and before it by all lesser keys. */
static const frame_match by_final[] = {
    {.index = 9, .start = 900, .end = 901, .final = 1},
    {.index = 8, .start = 800, .end = 801, .final = 2},
    {.index = 7, .start = 700, .end = 802, .final = 2},
    {.index = 9, .start = 100, .end = 802, .final = 2},
    {.index = 9, .start = 101, .end = 802, .final = 2},
    {.index = 0, .start = 0, .end = 1, .final = (uint64_t)1 << 33},
    {.index = 0, .start = 0, .end = 1, .final = ((uint64_t)1 << 33) + 1},
};

/* Sort the n items in many random orders: it always comes out as given. */
static void check_sorted(const frame_match *items, size_t n, uint64_t *random)
{
    for (int turn = 0; turn < 200; turn++) {
        match_list list = {0};
        for (size_t i = 0; i < n; i++) match_list_add(&list, &items[i]);
        for (size_t i = n; i > 1; i--) {
            size_t j = check_below(random, i);
            frame_match swap = list.items[j];
            list.items[j] = list.items[i - 1];
            list.items[i - 1] = swap;
        }
        match_list_sort_by_final(&list);
        CHECK(list.n == n);
        for (size_t i = 0; i < n; i++) {
            const frame_match *a = &list.items[i], *b = &items[i];
            CHECK(a->index == b->index && a->start == b->start && a->end == b->end &&
                  a->final == b->final);
        }
        match_list_free(&list);
    }
}

static uint64_t seed;

static void matches_are_in_order_of_final_then_end_then_template(void)
{
    check_sorted(by_final, sizeof by_final / sizeof *by_final, &seed);
}

int main(void)
{
    seed = check_seed("test_match_list");
    RUN(a_list_grows_and_keeps_order);
    RUN(an_emptied_list_keeps_its_memory);
    RUN(an_empty_list_may_be_sorted_and_freed);
    RUN(matches_are_in_order_of_final_then_end_then_template);
    return check_done();
}
