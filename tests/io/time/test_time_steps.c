#include "io/time/time_steps.h"

#include "tests/check.h"

static time_steps steps_of(size_t n, const char *const *times)
{
    time_steps s = time_steps_none();
    for (size_t i = 0; i < n; i++) {
        exact_time t = exact_time_unknown();
        exact_time_parse(times[i], &t);
        time_steps_add(&s, t);
    }
    return s;
}

#define STEPS(...)                                                                                 \
    steps_of(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                          \
             (const char *const[]){__VA_ARGS__})

static void the_median_is_exact(void)
{
    time_steps s = STEPS("1700000000.00", "1700000000.01", "1700000000.02", "1700000000.04");
    CHECK(s.n == 3 && time_steps_median(&s) == 1e7);
    s = STEPS("0", "1", "4");
    CHECK(s.n == 2 && time_steps_median(&s) == 2e9);
    s = STEPS("5");
    CHECK(s.n == 0 && time_steps_median(&s) == 0);
    s = STEPS("1", "1", "1", "2");
    CHECK(s.n == 3 && time_steps_median(&s) == 0);
}

static void times_back_and_unknown_times_make_no_step(void)
{
    time_steps s = STEPS("3", "1", "2");
    CHECK(s.n == 1 && time_steps_median(&s) == 1e9);
    s = STEPS("1", "x", "4", "6");
    CHECK(s.n == 1 && time_steps_median(&s) == 2e9);
}

static void only_the_first_64_steps_count(void)
{
    time_steps s = time_steps_none();
    for (int i = 0; i <= 64; i++) time_steps_add(&s, exact_time_make(i, 0));
    for (int i = 1; i < 1000; i++) time_steps_add(&s, exact_time_make(64 + 10 * i, 0));
    CHECK(s.n == TIME_STEPS && time_steps_median(&s) == 1e9);
}

static void most_steps_must_be_even(void)
{
    time_steps s = STEPS("0", "10", "20", "31", "42"); /* median 10.5 */
    CHECK(time_steps_uneven(&s) == 0);
    s = STEPS("0", "1", "2", "4", "8"); /* median 1.5 */
    CHECK(time_steps_uneven(&s) == 4);
    s = STEPS("0", "1", "2", "3", "8", "9", "10"); /* median 1 */
    CHECK(time_steps_uneven(&s) == 0);
    s = STEPS("0", "1", "2", "4", "5", "8"); /* median 1, and two of five are longer */
    CHECK(time_steps_uneven(&s) == 2);
    s = STEPS("0");
    CHECK(time_steps_uneven(&s) == 0);
}

int main(void)
{
    RUN(the_median_is_exact);
    RUN(times_back_and_unknown_times_make_no_step);
    RUN(only_the_first_64_steps_count);
    RUN(most_steps_must_be_even);
    return check_done();
}
