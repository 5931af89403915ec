#include <stdbool.h>
#include <string.h>

#include "io/time/exact_time.h"
#include "tests/check.h"

/* Is all of `text` the time `seconds`? */
static bool is(const char *text, double seconds)
{
    exact_time got = exact_time_unknown();
    return iso8601_parse(text, &got) == strlen(text) && exact_time_as_double(got) == seconds;
}

static bool is_none(const char *text)
{
    exact_time got;
    return iso8601_parse(text, &got) == 0;
}

static void dates_and_times(void)
{
    CHECK(is("1970-01-01", 0));
    CHECK(is("1970-01-01T00:00:00Z", 0));
    CHECK(is("1969-12-31T23:59:59Z", -1));
    CHECK(is("2000-03-01T00:00:00Z", 951868800));
    CHECK(is("2024-02-29T12:34:56Z", 1709210096));
    CHECK(is("2024-02-29 12:34:56", 1709210096));
    CHECK(is("2024-02-29T12:34Z", 1709210040));
    CHECK(is("2016-12-31T23:59:60Z", 1483228800));
    CHECK(is("0001-01-01T00:00:00Z", -62135596800));
    CHECK(is("9999-12-31T23:59:59Z", 253402300799));
}

static void fractions(void)
{
    CHECK(is("1970-01-01T00:00:00.5Z", 0.5));
    CHECK(is("1970-01-01T00:00:01.123456789", 1.123456789));
    CHECK(is("2024-02-29T12:34:56.000", 1709210096));
    CHECK(is("1970-01-01T00:00:00.25000000000000000000000000000001Z", 0.25));
}

static void nanoseconds_are_exact(void)
{
    exact_time t;
    CHECK(iso8601_parse("2026-11-21T10:00:00.123456789Z", &t) == 30);
    CHECK(t.seconds == 1795255200 && t.ns == 123456789 && t.decimals == 9);
    CHECK(iso8601_parse("2026-11-21T10:00:00.000115Z", &t) == 27 && t.ns == 115000);
    CHECK(t.decimals == 6);
    CHECK(iso8601_parse("1969-12-31T23:59:59.9999999996", &t) == 30 && t.seconds == 0 && !t.ns);
}

static void zones(void)
{
    CHECK(is("1970-01-01T01:00:00+01:00", 0));
    CHECK(is("1970-01-01T01:00:00+01", 0));
    CHECK(is("1970-01-01T05:30:00+0530", 0));
    CHECK(is("1969-12-31T16:00:00-08:00", 0));
}

static void a_time_without_a_zone_is_local(void)
{
    static const char *const local[] = {"2026-01-01", "2026-01-01T12:00", "2026-01-01 12:00:00.5",
                                        "20260101T1200"};
    static const char *const zoned[] = {"2026-01-01T12:00Z", "2026-01-01T12:00:00+00:00",
                                        "20260101T120000Z", "20260101T1200-0130"};
    exact_time t;
    for (size_t i = 0; i < 4; i++) {
        CHECK(iso8601_parse(local[i], &t) == strlen(local[i]) && t.is_local);
        CHECK(iso8601_parse(zoned[i], &t) == strlen(zoned[i]) && !t.is_local);
        CHECK(!exact_time_step_on(t, t).is_local);
    }
    iso8601_parse(local[1], &t);
    CHECK(exact_time_step_on(t, t).is_local && exact_time_part_way(t, t, 1, 2).is_local);
}

static void the_basic_form_has_no_dashes(void)
{
    CHECK(is("20240229T123456Z", 1709210096));
    CHECK(is("20240229T1234", 1709210040));
    CHECK(is("20240229T123456.5+0100", 1709206496.5));
    CHECK(is_none("20240229 123456") && is_none("20240229T12") && is_none("20240230T123456"));
}

/* The zone after a date and time, and what is left of it. */
static size_t zone(const char *text, const char *zone, double *seconds)
{
    exact_time t;
    iso8601_parse(text, &t);
    const size_t used = iso8601_parse_zone(zone, &t);
    CHECK(t.is_local == (used == 0));
    *seconds = exact_time_as_double(t);
    return used;
}

static void a_zone_may_follow_a_blank(void)
{
    const char *text = "1970-01-01 12:00:00";
    double s;
    CHECK(zone(text, " +0100", &s) == 6 && s == 39600);
    CHECK(zone(text, "  -01:30,7", &s) == 8 && s == 48600);
    CHECK(zone(text, " UTC", &s) == 4 && zone(text, " GMT", &s) == 4 && zone(text, " Z", &s) == 2);
    CHECK(zone(text, " 5", &s) == 0 && zone(text, "", &s) == 0 && zone(text, "+01:00", &s) == 0);
    exact_time t;
    iso8601_parse("1970-01-01T12:00:00Z", &t);
    CHECK(iso8601_parse_zone(" +0100", &t) == 0 && t.seconds == 43200);
}

static void text_after_a_time_is_left(void)
{
    exact_time t;
    CHECK(iso8601_parse("2024-02-29,1", &t) == 10);
    CHECK(iso8601_parse("2024-02-29 7", &t) == 10 && t.seconds == 1709164800 && t.ns == 0);
    CHECK(iso8601_parse("2024-02-29T12:34:56x", &t) == 19);
    CHECK(iso8601_parse("2024-02-29T12:34:56.Z", &t) == 19);
    CHECK(iso8601_parse("2024-02-29T12:34:56+1", &t) == 19);
    CHECK(iso8601_parse("2024-02-29T24:00:00Z", &t) == 10);
}

static void impossible_dates(void)
{
    CHECK(is_none("2023-02-29"));
    CHECK(is_none("1900-02-29"));
    CHECK(is_none("2024-13-01"));
    CHECK(is_none("2024-00-01"));
    CHECK(is_none("2024-04-31"));
    CHECK(is_none("2024-4-01"));
    CHECK(is_none("20240401"));
    CHECK(is_none("12:00"));
    CHECK(is_none(""));
    exact_time leap;
    CHECK(iso8601_parse("2000-02-29", &leap) == 10);
}

/* Day after day for 800 years: each is 86400 s after the one before. */
static void no_day_is_missing(void)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    exact_time now;
    int64_t before = INT64_MIN;
    int wrong = 0;
    for (int year = 1600; year < 2400; year++) {
        int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (int month = 1; month <= 12; month++) {
            for (int day = 1; day <= days[month - 1] + (month == 2 && leap); day++) {
                char text[32];
                snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                wrong += iso8601_parse(text, &now) != 10 || now.ns != 0;
                wrong += before != INT64_MIN && now.seconds - before != 86400;
                before = now.seconds;
            }
        }
    }
    CHECK(wrong == 0);
}

int main(void)
{
    RUN(dates_and_times);
    RUN(fractions);
    RUN(nanoseconds_are_exact);
    RUN(zones);
    RUN(a_time_without_a_zone_is_local);
    RUN(the_basic_form_has_no_dashes);
    RUN(a_zone_may_follow_a_blank);
    RUN(text_after_a_time_is_left);
    RUN(impossible_dates);
    RUN(no_day_is_missing);
    return check_done();
}
