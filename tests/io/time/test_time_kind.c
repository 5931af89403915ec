#include "io/time/time_kind.h"

#include <string.h>

#include "tests/check.h"

static exact_time of(const char *text)
{
    exact_time t = exact_time_unknown();
    exact_time_parse(text, &t);
    return t;
}

/* Is the number a time of this kind, the same as `iso`? */
static bool is(time_kind kind, const char *number, const char *iso)
{
    exact_time t = of(number), wanted;
    if (time_kind_of(&t, 1) != kind || !time_kind_apply(kind, &t)) return false;
    iso8601_parse(iso, &wanted);
    return t.seconds == wanted.seconds && t.ns == wanted.ns && t.decimals == wanted.decimals &&
           t.is_local == wanted.is_local;
}

static bool is_plain(const char *number)
{
    const exact_time t = of(number);
    return time_kind_of(&t, 1) == TIME_PLAIN;
}

static void epochs_are_known_by_their_size(void)
{
    CHECK(is(TIME_EPOCH, "1767268800.25", "2026-01-01T12:00:00.25Z"));
    CHECK(is(TIME_EPOCH, "1e8", "1973-03-03T09:46:40Z"));
    CHECK(is(TIME_EPOCH_MS, "1e11", "1973-03-03T09:46:40Z"));
    CHECK(is(TIME_EPOCH_MS, "1767268800123.5", "2026-01-01T12:00:00.1235Z"));
    CHECK(is(TIME_EPOCH_US, "1e14", "1973-03-03T09:46:40Z"));
    CHECK(is(TIME_EPOCH_US, "1767268800123456", "2026-01-01T12:00:00.123456Z"));
    CHECK(is(TIME_EPOCH_US, "1767268800123456.75", "2026-01-01T12:00:00.12345675Z"));
    CHECK(is(TIME_EPOCH_NS, "1e17", "1973-03-03T09:46:40Z"));
    CHECK(is(TIME_EPOCH_NS, "1767268800123456789", "2026-01-01T12:00:00.123456789Z"));
    CHECK(is(TIME_EPOCH_NS, "2305843009213693952", "2043-01-25T23:56:49.213693952Z"));
    CHECK(is_plain("99999999.9") && is_plain("-1767268800") && is_plain("0"));
}

static void digits_of_a_date_are_one(void)
{
    CHECK(is(TIME_DAYS, "20260131", "2026-01-31"));
    CHECK(is(TIME_HOURS, "2026013123", "2026-01-31T23:00"));
    CHECK(is(TIME_MINUTES, "202601312359", "2026-01-31T23:59"));
    CHECK(is(TIME_DATES, "20260131235958", "2026-01-31T23:59:58"));
    CHECK(is(TIME_DATES, "20260131235958.25", "2026-01-31T23:59:58.25"));
    CHECK(is(TIME_DATES_MS, "20260131235958250", "2026-01-31T23:59:58.25"));
    CHECK(is(TIME_DAYS, "20240229", "2024-02-29") && is_plain("20230229"));
    CHECK(is_plain("20261301") && is_plain("20260100") && is_plain("18991231"));
    CHECK(is_plain("20260131.5") && is_plain("-20260131") && is_plain("202601"));
    CHECK(is(TIME_EPOCH, "2026013124", "2034-03-15T05:25:24Z"));
    CHECK(is(TIME_EPOCH, "1767010112", "2025-12-29T12:08:32Z"));
    CHECK(is(TIME_EPOCH_MS, "20260131236058", "2612-01-08T06:13:56.058Z"));
}

static void all_are_dates_or_none(void)
{
    exact_time t[] = {of("20260130"), exact_time_unknown(), of("20260131"), of("20260201")};
    CHECK(time_kind_of(t, 4) == TIME_DAYS);
    t[3] = of("20260132");
    CHECK(time_kind_of(t, 4) == TIME_PLAIN && !time_kind_apply(TIME_DAYS, &t[3]));
    CHECK(time_kind_of(t + 1, 1) == TIME_PLAIN && time_kind_of(t, 0) == TIME_PLAIN);
    exact_time months[] = {of("202611"), of("202612"), of("202701")};
    CHECK(time_kind_of(months, 2) == TIME_PLAIN && time_kind_of(months, 3) == TIME_MONTHS);
    CHECK(time_kind_apply(TIME_MONTHS, &months[2]) && months[2].seconds == 1798761600);
    t[0] = exact_time_unknown();
    t[2] = of("1767268800");
    CHECK(time_kind_of(t, 4) == TIME_EPOCH);
}

int main(void)
{
    RUN(epochs_are_known_by_their_size);
    RUN(digits_of_a_date_are_one);
    RUN(all_are_dates_or_none);
    return check_done();
}
