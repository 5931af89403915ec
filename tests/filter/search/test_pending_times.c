/* filter/search/pending_times.c: intervals by hand, and compared with an array of flags. */
#include "filter/search/pending_times.h"

#include "tests/check.h"

static void with_no_match_every_time_is_quiet(void)
{
    pending_times times = {0};
    pending_times_join(&times, 10);
    CHECK(pending_times_first_quiet(&times, 7) == 7);
    CHECK(pending_times_last_quiet(&times, 10) == 10);
    pending_times_free(&times);
}

/* [3, 6) and [5, 8) overlap, [8, 9) touches them, [10, 12) does not. */
static void times_that_touch_are_joined(void)
{
    pending_times times = {0};
    const uint64_t of[][2] = {{10, 12}, {5, 8}, {3, 6}, {8, 9}};
    for (size_t i = 0; i < 4; i++)
        CHECK(pending_times_add(&times, of[i][0], of[i][1]) == SIGREP_OK);
    pending_times_join(&times, 11);
    CHECK(times.n == 2);
    CHECK(pending_times_last_quiet(&times, 11) == 9);
    CHECK(pending_times_last_quiet(&times, 12) == 12);
    CHECK(pending_times_first_quiet(&times, 2) == 2);
    CHECK(pending_times_first_quiet(&times, 3) == 9);
    CHECK(pending_times_first_quiet(&times, 9) == 9);
    CHECK(pending_times_first_quiet(&times, 10) == 12);
    CHECK(pending_times_first_quiet(&times, 12) == 12);
    pending_times_free(&times);
}

/* Time 4 was quiet at the first join, and stays so. */
static void times_before_the_last_join_count_no_more(void)
{
    pending_times times = {0};
    pending_times_join(&times, 4);
    CHECK(pending_times_add(&times, 1, 5) == SIGREP_OK);
    CHECK(pending_times_add(&times, 3, 7) == SIGREP_OK);
    pending_times_join(&times, 6);
    CHECK(pending_times_first_quiet(&times, 4) == 4);
    CHECK(pending_times_first_quiet(&times, 5) == 7);
    pending_times_free(&times);
}

static void reset_forgets_all(void)
{
    pending_times times = {0};
    CHECK(pending_times_add(&times, 1, 100) == SIGREP_OK);
    pending_times_join(&times, 99);
    pending_times_reset(&times);
    CHECK(pending_times_add(&times, 2, 4) == SIGREP_OK);
    pending_times_join(&times, 5);
    CHECK(pending_times_first_quiet(&times, 1) == 1);
    CHECK(pending_times_first_quiet(&times, 2) == 4);
    CHECK(pending_times_last_quiet(&times, 5) == 5);
    pending_times_free(&times);
}

enum { TIMES = 2000 };

static void random_times_are_those_of_flags_in_bounded_memory(void)
{
    uint64_t random = check_seed("test_pending_times"), at = 0;
    bool is_pending[TIMES + 40] = {false};
    pending_times times = {0};
    for (uint64_t now = 1; now < TIMES; now += 1 + check_below(&random, 20)) {
        for (size_t k = check_below(&random, 4); k > 0; k--) {
            const uint64_t begin = times.seen + 1 + check_below(&random, 20);
            const uint64_t end = begin + check_below(&random, 12);
            if (end > now + 1) continue;
            CHECK(pending_times_add(&times, begin, end) == SIGREP_OK);
            for (uint64_t t = begin; t < end; t++) is_pending[t] = true;
        }
        pending_times_join(&times, now);
        uint64_t last = now;
        while (is_pending[last]) last--;
        if (last >= at) CHECK(pending_times_last_quiet(&times, now) == last);
        at += check_below(&random, (size_t)(now - at) + 1);
        uint64_t first = at;
        while (is_pending[first]) first++;
        CHECK(pending_times_first_quiet(&times, at) == first);
        pending_times_forget(&times);
        CHECK(times.n <= 2 * (now - at + 1));
    }
    pending_times_free(&times);
}

int main(void)
{
    RUN(with_no_match_every_time_is_quiet);
    RUN(times_that_touch_are_joined);
    RUN(times_before_the_last_join_count_no_more);
    RUN(reset_forgets_all);
    RUN(random_times_are_those_of_flags_in_bounded_memory);
    return check_done();
}
