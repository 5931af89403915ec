#include "io/time/exact_time.h"

#include <string.h>

#include "check.h"

static bool is(const char *text, int64_t seconds, int32_t ns, int32_t decimals)
{
    exact_time t = exact_time_unknown();
    return exact_time_parse(text, &t) == strlen(text) && t.seconds == seconds && t.ns == ns &&
           t.decimals == decimals;
}

static bool is_none(const char *text)
{
    exact_time t;
    return exact_time_parse(text, &t) == 0;
}

static void numbers_are_exact_to_a_nanosecond(void)
{
    CHECK(is("0", 0, 0, 0) && is("+12", 12, 0, 0) && is("-12", -12, 0, 0));
    CHECK(is("1700000000.123456789", 1700000000, 123456789, 9));
    CHECK(is("1700000000.000001", 1700000000, 1000, 6));
    CHECK(is("-0.75", -1, 250000000, 2) && is(".5", 0, 500000000, 1) && is("5.", 5, 0, 0));
    CHECK(is("0.500000", 0, 500000000, 1));
    CHECK(is("2305843009213693952", INT64_C(1) << 61, 0, 0));
}

static void digits_beyond_a_nanosecond_round(void)
{
    CHECK(is("0.30000000000000004", 0, 300000000, 1));
    CHECK(is("0.0000000005", 0, 1, 9) && is("0.00000000049", 0, 0, 0));
    CHECK(is("1.9999999996", 2, 0, 0) && is("-1.9999999996", -2, 0, 0));
}

static void exponents_move_the_point(void)
{
    CHECK(is("1.7e9", 1700000000, 0, 0) &&
          is("1.700000000123456789E+09", 1700000000, 123456789, 9));
    CHECK(is("25e-4", 0, 2500000, 4) && is("1e-400", 0, 0, 0) && is("0e400", 0, 0, 0));
    CHECK(is("-25e-4", -1, 997500000, 4) && is("12.5e1", 125, 0, 0));
}

static void other_text_is_no_time(void)
{
    CHECK(is_none("") && is_none(".") && is_none("-") && is_none("x") && is_none("inf"));
    CHECK(is_none("1e") && is_none("1.2.3") && is_none("0x10") && is_none("nan") && is_none("2s"));
    CHECK(is_none("1e400") && is_none("2305843009213693953") && is_none("99999999999999999999"));
    exact_time t;
    CHECK(exact_time_parse("1.5,2", &t) == 3 && exact_time_parse("7 8", &t) == 1);
}

/* Regression: they were taken, printed as more than the largest time, and then not read again. */
static void fractions_beyond_the_largest_time_are_refused(void)
{
    CHECK(is_none("2305843009213693952.5") && is_none("-2305843009213693952.5"));
    CHECK(is_none("2305843009213693952.9999999999"));
    CHECK(is("2305843009213693952.0000000001", INT64_C(1) << 61, 0, 0));
    CHECK(is("2305843009213693951.9999999999", INT64_C(1) << 61, 0, 0));
}

/* Regression: 1.9e19 s was taken for 553255926290448384 s. */
static void times_beyond_64_bits_are_refused(void)
{
    CHECK(is_none("19000000000000000000") && is_none("-20000000000000000000.5"));
    CHECK(is_none("1.9e19") && is_none("1.9e20"));
}

/* Against whole nanoseconds, at random. */
static void steps_go_on(void)
{
    uint64_t state = check_seed("steps_go_on");
    for (int i = 0; i < 10000; i++) {
        const int64_t a = (int64_t)check_below(&state, UINT64_C(1) << 62) - (INT64_C(1) << 61);
        const int64_t b = a + (int64_t)check_below(&state, UINT64_C(1) << 40);
        const int64_t s = 1000000000, times[] = {a, b, b + (b - a)};
        exact_time t[3];
        for (int k = 0; k < 3; k++) {
            const int64_t ns = (times[k] % s + s) % s;
            t[k] = exact_time_make((times[k] - ns) / s, (int32_t)ns);
        }
        const exact_time next = exact_time_step_on(t[0], t[1]);
        CHECK(next.seconds == t[2].seconds && next.ns == t[2].ns);
        CHECK(exact_time_is_before(t[0], t[1]) == (a < b) && !exact_time_is_before(t[1], t[0]));
    }
}

static bool same(exact_time a, exact_time b)
{
    return a.seconds == b.seconds && a.ns == b.ns && a.decimals == b.decimals;
}

static exact_time of(const char *text)
{
    exact_time t = exact_time_unknown();
    exact_time_parse(text, &t);
    return t;
}

static void times_between_two(void)
{
    CHECK(exact_time_ns_between(of("1700000000.25"), of("1700000001")) == 75e7);
    CHECK(exact_time_ns_between(of("1"), of("-0.5")) == -15e8);
    CHECK(same(exact_time_part_way(of("1.5"), of("3.5"), 1, 2), of("2.5")));
    CHECK(same(exact_time_part_way(of("-0.1"), of("0.2"), 1, 3), of("0")));
    CHECK(same(exact_time_part_way(of("10"), of("20.00"), 3, 4), of("18")));
    CHECK(same(exact_time_part_way(of("10"), of("20.25"), 1, 3), of("13.42")));
    CHECK(same(exact_time_part_way(of("10.9"), of("11.1"), 1, 1), of("11.1")));
}

static void times_count_from_another(void)
{
    CHECK(same(exact_time_since(of("1700000000.5"), of("1700000001.75")), of("1.25")));
    CHECK(same(exact_time_since(of("1700000000.5"), of("1700000001.25")), of("0.75")));
    CHECK(same(exact_time_since(of("-0.5"), of("2.25")), of("2.75")));
    CHECK(same(exact_time_since(of("2"), of("-0.5")), of("-2.5")));
    CHECK(!exact_time_is_known(exact_time_since(of("1"), exact_time_unknown())));
}

static void units_become_seconds(void)
{
    CHECK(same(exact_time_from_unit(of("1700000000123"), 3), of("1700000000.123")));
    CHECK(same(exact_time_from_unit(of("1700000000123.25"), 3), of("1700000000.12325")));
    CHECK(same(exact_time_from_unit(of("-1.5"), 3), of("-0.0015")));
    CHECK(same(exact_time_from_unit(of("999.9999999"), 3), of("1")));
    CHECK(same(exact_time_from_unit(of("1700000000123456.25"), 6), of("1700000000.12345625")));
    CHECK(same(exact_time_from_unit(of("1700000000123456789.5"), 9), of("1700000000.12345679")));
    CHECK(same(exact_time_from_unit(of("-1"), 9), of("-0.000000001")));
}

int main(void)
{
    RUN(numbers_are_exact_to_a_nanosecond);
    RUN(digits_beyond_a_nanosecond_round);
    RUN(exponents_move_the_point);
    RUN(other_text_is_no_time);
    RUN(fractions_beyond_the_largest_time_are_refused);
    RUN(times_beyond_64_bits_are_refused);
    RUN(steps_go_on);
    RUN(times_between_two);
    RUN(times_count_from_another);
    RUN(units_become_seconds);
    return check_done();
}
