#include "tools/common/options/template_spec.h"

#include <string.h>

#include "io/time/exact_time.h"
#include "tests/check.h"

static void ranges_are_seconds_hours_or_dates(void)
{
    time_range r;
    CHECK(time_range_parse(&r, "1.5-80") && r.kind == RANGE_SECONDS);
    CHECK(r.start_s == 1.5 && r.end_s == 80 && r.start.ns == 500000000 && r.end.seconds == 80);
    CHECK(time_range_parse(&r, "1:00:00.5-30:00:00") && r.kind == RANGE_HOURS);
    CHECK(r.start_s == 3600.5 && r.end.seconds == 108000);
    CHECK(time_range_parse(&r, "23:59:00-00:01:00"));
    CHECK(time_range_parse(&r, "1970-01-02T10:00-1970-01-02T10:01") && r.kind == RANGE_DATES);
    CHECK(r.start.seconds == 122400 && r.end.seconds == 122460);
    CHECK(time_range_parse(&r, "1970-01-02-1970-01-03") && r.end_s == 2 * 86400);
    CHECK(time_range_parse(&r, "1970-01-02T10:00:00.5-02:00-1970-01-02 12:01Z"));
    CHECK(r.start_s == 129600.5 && r.end.seconds == 129660);
}

static void other_text_is_no_range(void)
{
    static const char *const bad[] = {"",
                                      "5",
                                      "1-",
                                      "-1",
                                      "2-1",
                                      "1-1",
                                      "1e3-2e3",
                                      "1-2x",
                                      "1-2-3",
                                      "+1-2",
                                      "1:00-2:00",
                                      "1:60:00-2:00:00",
                                      "1:00:60-2:00:00",
                                      "1:00:00-1:00:00",
                                      "1-1:00:00",
                                      "a-b",
                                      "2026-09-01T10:00",
                                      "2026-09-01T10:00-10:01",
                                      "2026-09-02-2026-09-01",
                                      "1.2.3-4",
                                      "99999999999999999999999-999999999999999999999999"};
    time_range r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!time_range_parse(&r, bad[i]), "'%s'", bad[i]);
}

/* Samples every 10 s; the first time is given. What the range cuts out: "2-5", or why nothing. */
static const char *cut_of(source_times kind, const char *first, const char *range)
{
    static char found[256];
    exact_time t;
    time_range r;
    CHECK(time_range_parse(&r, range));
    if (!iso8601_parse(first, &t)) CHECK(exact_time_parse(first, &t) > 0);
    const source_info info = {.times = kind, .rate_hz = 0.1};
    time_cut c = time_cut_of(&r, &info);
    for (int i = 0; i < 10; i++, t.seconds += 10) {
        const exact_time unknown = exact_time_unknown();
        time_cut_add(&c, i == 7 ? &unknown : &t, 1);
    }
    uint64_t begin, end;
    const char *reason = time_cut_find(&c, &begin, &end);
    snprintf(found, sizeof found, "%llu-%llu", (unsigned long long)begin, (unsigned long long)end);
    return reason ? reason : found;
}

static bool cuts(source_times kind, const char *first, const char *range, const char *wanted)
{
    const char *got = cut_of(kind, first, range);
    if (strcmp(got, wanted) != 0) fprintf(stderr, "%s: got %s\n", range, got);
    return strcmp(got, wanted) == 0;
}

static void seconds_are_the_times_of_the_column(void)
{
    CHECK(cuts(SOURCE_SECONDS, "1000", "1000-1030", "0-3"));
    CHECK(cuts(SOURCE_SECONDS, "1000", "1001-1030.5", "1-4"));
    CHECK(cuts(SOURCE_SECONDS, "1000", "995-1100", "0-10"));
    CHECK(cuts(SOURCE_SECONDS, "1000", "1061-1080", "has no sample in it"));
    CHECK(cuts(SOURCE_SECONDS, "1000", "989-1030", "lies outside the file"));
    CHECK(cuts(SOURCE_SECONDS, "1000", "1000-1101", "lies outside the file"));
    CHECK(cuts(SOURCE_SECONDS, "1000", "0-10", "lies outside the file"));
    CHECK(cuts(SOURCE_SECONDS, "3590", "01:00:00-01:00:20", "1-3"));
    CHECK(cuts(SOURCE_SECONDS, "3590", "02:00:00-01:00:20", "ends before it begins"));
    CHECK(cuts(SOURCE_SECONDS, "3590", "2026-01-01-2026-01-02",
               "has dates, but the times of the file have none"));
}

static void dates_have_hours_and_a_beginning(void)
{
    static const char first[] = "2026-09-01T23:59:30Z"; /* 1788307170 */
    CHECK(cuts(SOURCE_ISO, first, "2026-09-01T23:59:40-2026-09-02T00:00:10", "1-4"));
    CHECK(cuts(SOURCE_ISO, first, "23:59:40-00:00:10", "1-4"));
    CHECK(cuts(SOURCE_ISO, first, "23:59:29-00:00:10", "0-4"));
    CHECK(cuts(SOURCE_ISO, first, "00:00:00-00:00:10", "3-4"));
    CHECK(cuts(SOURCE_ISO, first, "12:00:00-12:00:10", "lies outside the file"));
    CHECK(cuts(SOURCE_ISO, first, "10-40", "1-4"));
    CHECK(cuts(SOURCE_ISO, first, "1788307180-1788307210", "1-4"));
    CHECK(cuts(SOURCE_EPOCH, "1788307170", "1788307180000-1788307210000", "1-4"));
    CHECK(cuts(SOURCE_EPOCH, "1788307170", "23:59:40-00:00:10", "1-4"));
    CHECK(cuts(SOURCE_EPOCH, "1788307170", "0-100", "0-10"));
}

int main(void)
{
    RUN(ranges_are_seconds_hours_or_dates);
    RUN(other_text_is_no_range);
    RUN(seconds_are_the_times_of_the_column);
    RUN(dates_have_hours_and_a_beginning);
    return check_done();
}
