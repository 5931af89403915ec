#include "filter/cli/column_times.h"

#include <math.h>

#include "check.h"

static double time_of(uint64_t i)
{
    return 0.25 * (double)i + 1000;
}

/* Add samples [from, to) in uneven pieces of at most 700. */
static void add(column_times *t, uint64_t *state, uint64_t from, uint64_t to)
{
    double times[700];
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
    for (uint64_t i = first; i < total; i += 7) CHECK(column_times_at(t, i) == time_of(i));
    CHECK(column_times_at(t, total - 1) == time_of(total - 1));
    CHECK(isnan(column_times_at(t, total)) && isnan(column_times_at(t, UINT64_MAX)));
    CHECK(column_times_end(t, total) == time_of(total));
    column_times_destroy(t);
}

static void the_horizon_is_kept(void)
{
    check_kept(10000, 500);
    check_kept(10000, 10000);
    check_kept(10000, 200000);
    check_kept(1, 5000);
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
    CHECK(isnan(column_times_at(t, 0)));
    column_times_destroy(t);
}

static void the_end_is_one_step_on(void)
{
    column_times *t = column_times_create(1000);
    static const double times[] = {5, 7, (double)NAN, 8};
    CHECK(isnan(column_times_end(t, 0)));
    CHECK(!column_times_add(t, times, 4));
    CHECK(column_times_end(t, 1) == 5); /* no step before it */
    CHECK(column_times_end(t, 2) == 9);
    CHECK(isnan(column_times_end(t, 3)));
    CHECK(column_times_end(t, 4) == 8); /* the step is unknown */
    column_times_destroy(t);
}

int main(void)
{
    RUN(the_horizon_is_kept);
    RUN(all_can_be_kept);
    RUN(old_times_are_forgotten);
    RUN(the_end_is_one_step_on);
    return check_done();
}
