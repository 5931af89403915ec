#include "io/time/time_zone.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/time/exact_time.h"

/* A time without a zone, in s. */
static int64_t local(const char *text)
{
    exact_time t;
    CHECK(iso8601_parse(text, &t) == strlen(text));
    return t.seconds;
}

static void names_that_are_no_zone_are_refused(void)
{
    static const char *const names[] = {"",     "Nowhere/City", "../etc/passwd", "/etc/localtime",
                                        ":UTC", "Europe",       "zone.tab",      "CET-1CEST"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) CHECK(!time_zone_set(names[i]));
}

static void clocks_show_local_time(void)
{
    int64_t utc_s = 0;
    CHECK(time_zone_set("Europe/Berlin") && strcmp(getenv("TZ"), "Europe/Berlin") == 0);
    CHECK(time_zone_offset_s(local("2026-01-01T12:00:00")) == 3600);
    CHECK(time_zone_offset_s(local("2026-07-01T12:00:00")) == 7200);
    CHECK(time_zone_to_utc(local("2026-07-01T12:00:00"), &utc_s) == 1);
    CHECK(utc_s == local("2026-07-01T10:00:00"));
}

static void an_hour_is_skipped_and_one_comes_twice(void)
{
    int64_t utc_s = 7;
    CHECK(time_zone_set("Europe/Berlin"));
    CHECK(time_zone_to_utc(local("2026-03-29T02:30:00"), &utc_s) == 0 && utc_s == 7);
    CHECK(time_zone_to_utc(local("2026-03-29T03:00:00"), &utc_s) == 1);
    CHECK(utc_s == local("2026-03-29T01:00:00"));
    CHECK(time_zone_to_utc(local("2026-10-25T02:30:00"), &utc_s) == 2);
    CHECK(utc_s == local("2026-10-25T00:30:00"));
    CHECK(time_zone_to_utc(local("2026-10-25T03:00:00"), &utc_s) == 1);
    CHECK(utc_s == local("2026-10-25T02:00:00"));
}

static void zones_west_of_utc_and_of_half_hours(void)
{
    int64_t utc_s = 0;
    CHECK(time_zone_set("America/St_Johns"));
    CHECK(time_zone_to_utc(local("2026-01-01T12:00:00"), &utc_s) == 1);
    CHECK(utc_s == local("2026-01-01T15:30:00"));
    CHECK(time_zone_set("UTC") && time_zone_offset_s(0) == 0);
}

int main(void)
{
    if (!time_zone_set("UTC"))
        return check_skipped("test_time_zone", "the system has no zones (tzdata)");
    RUN(names_that_are_no_zone_are_refused);
    RUN(clocks_show_local_time);
    RUN(an_hour_is_skipped_and_one_comes_twice);
    RUN(zones_west_of_utc_and_of_half_hours);
    return check_done();
}
