#include "io/time/stamps.h"

#include <math.h>

#include "tests/check.h"

enum { MOST = 1000 };

/* n times of `rows` rows a stamp, stamps a second apart, the first of them `first` rows in. */
static size_t make(exact_time *times, size_t n, size_t rows, size_t first)
{
    for (size_t i = 0; i < n; i++) times[i] = exact_time_make((int64_t)((i + first) / rows), 0);
    return n;
}

static void the_step_is_that_of_whole_stamps(void)
{
    exact_time t[MOST];
    stamps s = stamps_judge(t, make(t, 67, 10, 3));
    CHECK(s.unit_ns == 1e9 && s.step_ns == 1e8);
    s = stamps_judge(t, make(t, 9, 2, 1));
    CHECK(s.unit_ns == 1e9 && s.step_ns == 5e8);
    s = stamps_judge(t, make(t, 12, 10, 3)); /* no stamp is whole; 7 rows are the most */
    CHECK(s.unit_ns == 1e9 && s.step_ns == 1e9 / 7);
    for (size_t i = 40; i < 67; i++) t[i] = exact_time_make(t[i].seconds + 100, 0);
    make(t, 40, 10, 3);
    s = stamps_judge(t, 67); /* a pause counts for nothing */
    CHECK(s.unit_ns == 1e9 && s.step_ns == 1e8);
}

/* Regression: whole seconds at 1.5 Hz gave 1 Hz, since only a third of the steps are 0. */
static void a_rate_just_above_that_of_stamps_is_seen(void)
{
    exact_time t[MOST];
    for (int i = 0; i < 65; i++) t[i] = exact_time_make((7 + 8 * i) / 10, 0); /* 1.25 Hz */
    const stamps s = stamps_judge(t, 65);
    CHECK(s.unit_ns == 1e9 && fabs(s.step_ns / 8e8 - 1) < 0.02);
}

/* Regression: the unit was the mean of a step and a pause, so no pause was seen. */
static void pauses_after_each_second_stamp_are_no_unit(void)
{
    exact_time t[MOST];
    for (int i = 0; i < 70; i++) t[i] = exact_time_make(60 * (i / 20) + i / 10 % 2, 0);
    const stamps s = stamps_judge(t, 70);
    CHECK(s.unit_ns == 1e9 && s.step_ns == 1e8);
}

static void times_of_their_own_are_no_stamps(void)
{
    exact_time t[MOST];
    CHECK(stamps_judge(t, make(t, 50, 1, 0)).unit_ns == 0);
    CHECK(stamps_judge(t, make(t, 50, 100, 0)).unit_ns == 0); /* one time only */
    make(t, 50, 1, 0);
    t[20] = t[19]; /* twice, by chance */
    CHECK(stamps_judge(t, 50).unit_ns == 0);
    CHECK(stamps_judge(t, 0).unit_ns == 0);
}

static void enough_stamps_are_awaited(void)
{
    exact_time t[MOST];
    CHECK(stamps_need_more(t, make(t, 100, 50, 0), false));
    CHECK(!stamps_need_more(t, make(t, 251, 50, 0), false));
    CHECK(stamps_need_more(t, make(t, 100, 50, 0), true));
    CHECK(!stamps_need_more(t, make(t, 101, 50, 0), true)); /* it waited for five, with a rate */
    CHECK(!stamps_need_more(t, make(t, 3, 1, 0), false));
}

static bool gives(stamps *s, int64_t stamp, double seconds)
{
    exact_time time = exact_time_make(stamp, 0);
    const bool is_shared = stamps_place(s, exact_time_make(stamp, 0), 1, &time);
    if (!is_shared) stamps_begin(s, time, false);
    return exact_time_as_double(time) == seconds;
}

static void rows_share_the_interval_and_no_more(void)
{
    exact_time t[MOST];
    stamps s = stamps_judge(t, make(t, 41, 4, 0));
    CHECK(gives(&s, 7, 7) && gives(&s, 7, 7.25) && gives(&s, 7, 7.5) && gives(&s, 7, 7.75));
    CHECK(gives(&s, 7, 7.75) && gives(&s, 8, 8) && gives(&s, 8, 8.25));
    stamps_set_rate(&s, 5);
    CHECK(gives(&s, 8, 8.4) && s.step_ns == 2e8);
    stamps_set_rate(&s, 0.5); /* a step longer than the unit */
    CHECK(s.step_ns == 2e8);
}

static void a_stamp_that_comes_early_does_not_go_back(void)
{
    stamps s = {.unit_ns = 1e9, .step_ns = 1e8};
    exact_time last = exact_time_make(5, 800000000), time = exact_time_make(5, 300000000);
    stamps_begin(&s, exact_time_make(5, 0), false);
    CHECK(!stamps_place(&s, last, 1, &time) && exact_time_as_double(time) == 5.8);
    stamps_begin(&s, exact_time_make(5, 300000000), false);
    time = s.stamp;
    CHECK(stamps_place(&s, last, 1, &time) && exact_time_as_double(time) == 5.8);
    time = exact_time_make(5, 200000000);
    CHECK(!stamps_place(&s, last, 1, &time) && exact_time_as_double(time) == 5.2);
}

static void a_pause_is_longer_than_half_a_unit(void)
{
    stamps s = {.unit_ns = 1e9, .step_ns = 1e8};
    stamps_begin(&s, exact_time_make(5, 0), false);
    CHECK(!stamps_is_pause(&s, exact_time_make(5, 400000000), exact_time_make(6, 0)));
    CHECK(stamps_is_pause(&s, exact_time_make(5, 300000000), exact_time_make(6, 0)));
    stamps_begin(&s, exact_time_make(5, 0), true); /* its first rows were not recorded */
    CHECK(!stamps_is_pause(&s, exact_time_make(5, 300000000), exact_time_make(6, 0)));
    CHECK(stamps_is_pause(&s, exact_time_make(5, 900000000), exact_time_make(7, 0)));
}

int main(void)
{
    RUN(the_step_is_that_of_whole_stamps);
    RUN(a_rate_just_above_that_of_stamps_is_seen);
    RUN(pauses_after_each_second_stamp_are_no_unit);
    RUN(times_of_their_own_are_no_stamps);
    RUN(enough_stamps_are_awaited);
    RUN(rows_share_the_interval_and_no_more);
    RUN(a_stamp_that_comes_early_does_not_go_back);
    RUN(a_pause_is_longer_than_half_a_unit);
    return check_done();
}
