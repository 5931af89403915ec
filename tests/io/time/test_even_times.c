#include "io/time/even_times.h"

#include <inttypes.h>
#include <math.h>

#include "tests/check.h"

static uint64_t seed;

static exact_time at(double seconds)
{
    const double whole = floor(seconds);
    return exact_time_make((int64_t)whole, (int32_t)round((seconds - whole) * 1e9));
}

/* Is the next sample this one? */
static bool takes(even_times *e, double seconds, double value)
{
    double sample;
    exact_time time;
    const exact_time wanted = at(seconds);
    return even_times_take(e, &sample, &time) && sample == value &&
           time.seconds == wanted.seconds && time.ns == wanted.ns;
}

static bool takes_none(even_times *e)
{
    double sample;
    exact_time time;
    return !even_times_take(e, &sample, &time);
}

static void add(even_times *e, double seconds, double value)
{
    even_times_add(e, &value, at(seconds));
}

static void samples_lie_on_the_lines(void)
{
    even_times *e = even_times_create(2, 1);
    CHECK(takes_none(e));
    add(e, 10.25, 1);
    CHECK(takes(e, 10.25, 1) && takes_none(e));
    add(e, 10.5, 2);
    CHECK(takes_none(e));
    add(e, 11.25, 5);
    CHECK(takes(e, 10.75, 3) && takes(e, 11.25, 5) && takes_none(e));
    add(e, 11.25, 7); /* the last of those at one time counts for what follows */
    CHECK(takes_none(e));
    add(e, 12.25, 9);
    CHECK(takes(e, 11.75, 8) && takes(e, 12.25, 9) && takes_none(e));
    even_times_destroy(e);
}

static void a_gap_has_no_samples(void)
{
    even_times *e = even_times_create(1, 1);
    add(e, 0.25, 1);
    CHECK(takes(e, 0.25, 1));
    even_times_break(e);
    CHECK(takes_none(e));
    add(e, 100.75, 3);
    CHECK(takes_none(e));
    add(e, 102.25, 6);
    CHECK(takes(e, 101.25, 4) && takes(e, 102.25, 6) && takes_none(e));
    even_times_break(e);
    add(e, 200.25, 7);
    CHECK(takes(e, 200.25, 7) && takes_none(e));
    even_times_break(e);
    add(e, 0, 5); /* before the first row */
    CHECK(takes(e, 0, 5) && takes_none(e));
    even_times_destroy(e);
}

static void missing_values_end_no_line(void)
{
    even_times *e = even_times_create(2, 2);
    const double rows[][2] = {{0, 5}, {2, NAN}, {4, 7}};
    double sample[2];
    exact_time time;
    bool are_right = true;
    for (int i = 0; i < 3; i++) {
        even_times_add(e, rows[i], at(i));
        for (int k = i ? 2 * i - 1 : 0; k <= 2 * i; k++) {
            are_right &= even_times_take(e, sample, &time) && sample[0] == k;
            are_right &= k == 0 || k == 4 ? isfinite(sample[1]) != 0 : isnan(sample[1]) != 0;
        }
    }
    CHECK(are_right);
    even_times_destroy(e);
}

/* Against the formula, from the rows before and after each sample. */
static void random_rows(void)
{
    uint64_t random = seed + 1;
    bool are_right = true;
    for (size_t run = 0; run < check_cases(200); run++) {
        const double rate = 1 + (double)(check_random(&random) % 50);
        even_times *e = even_times_create(rate, 1);
        double last_s = 0, last = 0, sample;
        uint64_t n = 0;
        exact_time time;
        for (int i = 0; i < 50; i++) {
            const double now_s = i ? last_s + (double)(1 + check_random(&random) % 3000) / 1000 : 0;
            const double now = (double)(check_random(&random) % 1000);
            add(e, now_s, now);
            for (; even_times_take(e, &sample, &time); n++) {
                const double s = exact_time_as_double(time);
                const double line = i ? last + (now - last) * (s - last_s) / (now_s - last_s) : now;
                are_right &= fabs(s - (double)n / rate) <= 0.5001e-3 && s <= now_s + 1e-9;
                are_right &= i == 0 || s > last_s - 1e-9;
                are_right &= fabs(sample - line) < 1e-6;
            }
            are_right &= (double)n / rate > now_s - 0.5001e-3;
            last_s = now_s;
            last = now;
        }
        even_times_destroy(e);
    }
    CHECK_MSG(are_right, "CHECK_SEED=%" PRIu64, seed);
}

int main(void)
{
    seed = check_seed("rows");
    RUN(samples_lie_on_the_lines);
    RUN(a_gap_has_no_samples);
    RUN(missing_values_end_no_line);
    RUN(random_rows);
    return check_done();
}
