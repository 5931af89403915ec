#include "tools/common/input/column_times.h"

#include <string.h>
#include <unistd.h>

#include "check.h"
#include "io/spool.h"

static exact_time time_of(uint64_t i)
{
    return exact_time_make((int64_t)(i / 4 + 1000), (int32_t)(i % 4) * 250000000);
}

static bool is(exact_time got, exact_time wanted)
{
    return got.seconds == wanted.seconds && got.ns == wanted.ns;
}

static bool is_unknown(exact_time t)
{
    return !exact_time_is_known(t);
}

/* Add samples [from, to) in uneven pieces of at most 700. */
static void add(column_times *t, uint64_t *state, uint64_t from, uint64_t to)
{
    exact_time times[700];
    while (from < to) {
        size_t n = 1 + check_below(state, 700);
        if (n > to - from) n = (size_t)(to - from);
        for (size_t i = 0; i < n; i++) times[i] = time_of(from + i);
        CHECK(column_times_add(t, times, n) == NULL);
        from += n;
    }
}

static void check_kept(uint64_t horizon, uint64_t total)
{
    uint64_t state = check_seed("check_kept");
    column_times *t = column_times_create(horizon);
    add(t, &state, 0, total);
    uint64_t first = total > horizon ? total - horizon : 0;
    for (uint64_t i = first; i < total; i += 7) CHECK(is(column_times_at(t, i), time_of(i)));
    CHECK(is(column_times_at(t, total - 1), time_of(total - 1)));
    CHECK(is_unknown(column_times_at(t, total)) && is_unknown(column_times_at(t, UINT64_MAX)));
    CHECK(is(column_times_end(t, total), time_of(total)));
    column_times_destroy(t);
}

static void the_horizon_is_kept(void)
{
    check_kept(10000, 500);
    check_kept(10000, 10000);
    check_kept(10000, 200000);
    check_kept(1, 5000);
}

/* As if the samples before had been added. */
static void times_begin_anywhere(void)
{
    uint64_t state = check_seed("times_begin_anywhere");
    column_times *t = column_times_create(5000);
    const exact_time first = exact_time_make(7, 0);
    const uint64_t at = UINT64_C(1) << 40;
    column_times_begin_at(t, at, 5, first);
    CHECK(is_unknown(column_times_at(t, at)) && is_unknown(column_times_at(t, at - 1)));
    add(t, &state, at, at + 9000);
    for (uint64_t i = at + 4000; i < at + 9000; i += 7)
        CHECK(is(column_times_at(t, i), time_of(i)));
    CHECK(column_times_decimals(t) == 5 && column_times_at(t, at + 8999).decimals == 5);
    CHECK(is(column_times_first(t), first));
    column_times_destroy(t);
}

static void all_can_be_kept(void)
{
    check_kept(UINT64_MAX, 100);
    check_kept(UINT64_MAX, 60000);
}

static void old_times_are_forgotten(void)
{
    uint64_t state = check_seed("old_times_are_forgotten");
    column_times *t = column_times_create(1000);
    add(t, &state, 0, 100000);
    CHECK(is_unknown(column_times_at(t, 0)));
    column_times_destroy(t);
}

static void the_first_known_time_is_kept(void)
{
    column_times *t = column_times_create(1);
    exact_time times[] = {exact_time_unknown(), {.seconds = 7}, {.seconds = 8}};
    CHECK(!column_times_add(t, times, 1) && is_unknown(column_times_first(t)));
    CHECK(!column_times_add(t, times + 1, 2) && is(column_times_first(t), times[1]));
    column_times_destroy(t);
}

static void the_end_is_one_step_on(void)
{
    column_times *t = column_times_create(1000);
    exact_time times[] = {{.seconds = 5}, {.seconds = 7}, exact_time_unknown(), {.seconds = 8}};
    CHECK(is_unknown(column_times_end(t, 0)));
    CHECK(!column_times_add(t, times, 4));
    CHECK(column_times_end(t, 1).seconds == 5); /* no step before it */
    CHECK(column_times_end(t, 2).seconds == 9);
    CHECK(is_unknown(column_times_end(t, 3)));
    CHECK(column_times_end(t, 4).seconds == 8); /* the step is unknown */
    column_times_destroy(t);
}

static void no_end_lies_before_its_last_sample(void)
{
    column_times *t = column_times_create(1000);
    exact_time times[] = {{.seconds = 5}, {.seconds = 2, .ns = 5}};
    CHECK(!column_times_add(t, times, 2));
    CHECK(is(column_times_end(t, 2), times[1]));
    column_times_destroy(t);
}

/* A match has the decimals of all times up to its end, however they were added. */
static void decimals_depend_on_no_later_time(void)
{
    for (size_t piece = 1; piece <= 4; piece++) {
        column_times *t = column_times_create(1000);
        exact_time times[] = {exact_time_make(1, 0), exact_time_make(2, 500000000),
                              exact_time_make(3, 1000), exact_time_make(4, 0)};
        for (size_t i = 0; i < 4; i += piece)
            CHECK(!column_times_add(t, times + i, 4 - i < piece ? 4 - i : piece));
        CHECK(column_times_end(t, 1).decimals == 0 && column_times_end(t, 2).decimals == 1);
        CHECK(column_times_end(t, 3).decimals == 6 && column_times_end(t, 4).decimals == 6);
        column_times_destroy(t);
    }
}

/* A match would have had the times nan. */
static void a_failed_read_is_reported(void)
{
    enum { IN_MEMORY = SPOOL_MEMORY / sizeof(exact_time), MORE = 100000 };
    uint64_t state = check_seed("a_failed_read_is_reported");
    const int file = dup(STDERR_FILENO); /* the number of the next descriptor */
    close(file);
    column_times *t = column_times_create(UINT64_MAX);
    add(t, &state, 0, IN_MEMORY + MORE);
    CHECK(is(column_times_at(t, IN_MEMORY + 5), time_of(IN_MEMORY + 5)));
    CHECK(!*column_times_error(t) && ftruncate(file, 0) == 0);
    CHECK(is(column_times_at(t, IN_MEMORY - 5), time_of(IN_MEMORY - 5)));
    CHECK(is_unknown(column_times_at(t, IN_MEMORY + 5)) && strstr(column_times_error(t), "short"));
    column_times_destroy(t);
}

int main(void)
{
    RUN(the_horizon_is_kept);
    RUN(times_begin_anywhere);
    RUN(all_can_be_kept);
    RUN(old_times_are_forgotten);
    RUN(the_first_known_time_is_kept);
    RUN(the_end_is_one_step_on);
    RUN(no_end_lies_before_its_last_sample);
    RUN(decimals_depend_on_no_later_time);
    RUN(a_failed_read_is_reported);
    return check_done();
}
