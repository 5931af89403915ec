#include "io/time/time_pattern.h"

#include <string.h>

#include "io/time/exact_time.h"
#include "tests/check.h"

/* Does the pattern read the text as `iso`? */
static bool reads(const time_pattern *p, const char *text, const char *iso)
{
    exact_time t, wanted;
    if (!time_pattern_read(p, text, &t)) return false;
    const size_t n = iso8601_parse(iso, &wanted);
    return n == strlen(iso) && t.seconds == wanted.seconds && t.ns == wanted.ns &&
           t.is_local == wanted.is_local;
}

static bool by_format(const char *format, const char *text, const char *iso)
{
    time_pattern p;
    return time_pattern_parse(&p, format) == NULL && p.has_date && reads(&p, text, iso);
}

static bool by_itself(const char *text, const char *iso)
{
    time_pattern p;
    return time_pattern_find(&p, text) && p.has_date && reads(&p, text, iso);
}

/* Is it a time of day without a date, so many seconds and nanoseconds? */
static bool is_clock(const time_pattern *p, const char *text, int64_t seconds, int32_t ns)
{
    exact_time t;
    return !p->has_date && time_pattern_read(p, text, &t) && t.seconds == seconds && t.ns == ns &&
           !t.is_local;
}

static void formats_are_those_of_strptime(void)
{
    CHECK(by_format("%d.%m.%Y %H:%M:%S", "28.11.2026 20:30:40", "2026-11-28T20:30:40"));
    CHECK(by_format("%m/%d/%y", "11/28/26", "2026-11-28"));
    CHECK(by_format("%d %b %Y %I:%M %p", "28 Nov 2026 12:05 am", "2026-11-28T00:05"));
    CHECK(by_format("%Y-%j", "2026-332", "2026-11-28"));
    CHECK(by_format("[%d/%b/%Y:%H:%M:%S %z]", "[28/Nov/2026:20:30:40 +0100]",
                    "2026-11-28T20:30:40+01:00"));
}

static void fractions_are_exact(void)
{
    CHECK(by_format("%d.%m.%Y %H:%M:%S.%f", "28.11.2026 20:30:40.123456789",
                    "2026-11-28T20:30:40.123456789"));
    CHECK(
        by_format("%m/%d/%Y %I:%M:%S.%f %p", "11/28/2026 08:30:40.5 PM", "2026-11-28T20:30:40.5"));
    CHECK(by_format("%Y%m%d%H%M%S%f", "20261128203040999", "2026-11-28T20:30:40.999"));
    CHECK(!by_format("%H:%M:%S.%f %d.%m.%Y", "20:30:40. 28.11.2026", "2026-11-28T20:30:40"));
    CHECK(by_itself("28.11.2026 20:30:40.9999999999", "2026-11-28T20:30:40.999999999"));
}

static void certain_forms_need_no_format(void)
{
    CHECK(by_itself("28.11.2026", "2026-11-28"));
    CHECK(by_itself("1.2.2026 3:04", "2026-02-01T03:04"));
    CHECK(by_itself("2026/11/28 20:30:40,25", "2026-11-28T20:30:40.25"));
    CHECK(by_itself("2026-11-28 20:30:40,25", "2026-11-28T20:30:40.25"));
    CHECK(by_itself("28.11.2026 08:30:40 PM", "2026-11-28T20:30:40"));
    CHECK(by_itself("28.11.2026 12:30 AM", "2026-11-28T00:30"));
    time_pattern p;
    CHECK(time_pattern_find(&p, "20:30:40.5") && is_clock(&p, "20:30:40.5", 73840, 500000000));
    CHECK(time_pattern_find(&p, "8:30:40 pm") && is_clock(&p, "8:30:40 pm", 73840, 0));
    CHECK(is_clock(&p, "12:00:00 AM", 0, 0));
}

static void what_may_be_two_things_is_no_form(void)
{
    static const char *const unsure[] = {"11/28/2026", "28/11/2026",     "28.11.26",   "20:30",
                                         "1.5",        "31.2.2026",      "2026",       "",
                                         "-1:00:00",   "28.11.2026 Sat", "25:00:00",   "20:30:40.",
                                         " 20:30:40",  "13:00:00 PM",    "28.11.2026 "};
    for (size_t i = 0; i < sizeof unsure / sizeof *unsure; i++) {
        time_pattern p;
        exact_time t;
        CHECK_MSG(!time_pattern_find(&p, unsure[i]), "%s is %s", unsure[i], p.format);
        time_pattern_parse(&p, "%d.%m.%Y");
        CHECK(!time_pattern_read(&p, unsure[i], &t));
    }
    char longest[2 * TIME_PATTERN_SIZE];
    time_pattern p;
    memset(longest, '1', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(!time_pattern_find(&p, longest));
}

static bool is_refused(const char *format, const char *word)
{
    time_pattern p;
    const char *reason = time_pattern_parse(&p, format);
    if (reason && strstr(reason, word)) return true;
    fprintf(stderr, "%s: %s\n", format, reason ? reason : "taken");
    return false;
}

static void formats_that_give_no_time_are_refused(void)
{
    CHECK(is_refused("", "not a format"));
    CHECK(is_refused("date", "no time"));
    CHECK(is_refused("%d.%m.", "no whole date"));
    CHECK(is_refused("%b %d %H:%M:%S", "no whole date"));
    CHECK(is_refused("%d.%m.%Y %I:%M", "needs %p"));
    CHECK(is_refused("%s", "--time-unit"));
    CHECK(is_refused("%H:%M %Z", "%z"));
    CHECK(is_refused("%f%f", "twice"));
    CHECK(is_refused("%Q", "not a format"));
    CHECK(is_refused("%", "not a format"));
    char longest[2 * TIME_PATTERN_SIZE];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(is_refused(longest, "longer"));
}

int main(void)
{
    RUN(formats_are_those_of_strptime);
    RUN(fractions_are_exact);
    RUN(certain_forms_need_no_format);
    RUN(what_may_be_two_things_is_no_form);
    RUN(formats_that_give_no_time_are_refused);
    return check_done();
}
