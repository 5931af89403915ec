#include "io/time/time_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "io/time/time_zone.h"

static char text[TIME_TEXT_SIZE];

static const char *counted(time_style style, double rate_hz, uint64_t sample)
{
    time_scale scale = {.rate_hz = rate_hz};
    time_format(text, style, &scale, (time_point){.sample = sample});
    return text;
}

static const char *read_exact(time_style style, exact_time time)
{
    time_scale scale = {.rate_hz = 1, .from_column = true};
    time_format(text, style, &scale, (time_point){.time = time});
    return text;
}

static const char *read_off(time_style style, const char *seconds)
{
    exact_time time;
    if (exact_time_parse(seconds, &time) != strlen(seconds)) abort();
    return read_exact(style, time);
}

static bool is(const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) fprintf(stderr, "got %s, not %s\n", got, wanted);
    return strcmp(got, wanted) == 0;
}

static void decimals_tell_samples_apart(void)
{
    static const struct {
        double rate_hz;
        unsigned decimals;
    } cases[] = {{0.001, 3}, {1, 3},    {999, 3},   {1000, 3},  {1000.5, 4},
                 {1001, 4},  {8000, 4}, {10000, 4}, {44100, 5}, {1e6, 6},
                 {2.4e6, 7}, {1e9, 9},  {1e12, 12}, {1e300, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_MSG(time_decimals(cases[i].rate_hz) == cases[i].decimals, "%g", cases[i].rate_hz);
}

static void seconds_are_rounded_once(void)
{
    CHECK(is(counted(TIME_SECONDS, 1, 0), "0.000"));
    CHECK(is(counted(TIME_SECONDS, 1, 29), "29.000"));
    CHECK(is(counted(TIME_SECONDS, 3, 1), "0.333"));
    CHECK(is(counted(TIME_SECONDS, 3, 2), "0.667"));
    CHECK(is(counted(TIME_SECONDS, 8000, 1), "0.0001")); /* 0.000125 */
    CHECK(is(counted(TIME_SECONDS, 8000, 4), "0.0005"));
    CHECK(is(counted(TIME_SECONDS, 8000, 12), "0.0015"));
    CHECK(is(counted(TIME_SECONDS, 8000, 7999), "0.9999"));
    CHECK(is(counted(TIME_SECONDS, 9999, 9999 * 3), "3.0000"));
    CHECK(is(counted(TIME_SECONDS, 44100, 44099), "0.99998"));
    CHECK(is(counted(TIME_SECONDS, 0.5, 3), "6.000"));
    CHECK(is(counted(TIME_SECONDS, 11025.5, 22051), "2.00000"));
    CHECK(is(counted(TIME_SECONDS, 1e12, 1), "0.000000000001"));
}

static void halves_go_up(void)
{
    CHECK(is(counted(TIME_SECONDS, 2000, 1), "0.0005"));
    CHECK(is(counted(TIME_SECONDS, 80000, 1), "0.00001")); /* 0.0000125 */
    CHECK(is(counted(TIME_SECONDS, 80000, 4), "0.00005"));
    CHECK(is(counted(TIME_SECONDS, 16, 1), "0.063")); /* 0.0625 */
}

static void no_drift_at_huge_counts(void)
{
    CHECK(is(counted(TIME_SECONDS, 48000, UINT64_C(48000) << 40), "1099511627776.00000"));
    CHECK(is(counted(TIME_SECONDS, 48000, (UINT64_C(48000) << 40) + 1), "1099511627776.00002"));
    CHECK(is(counted(TIME_SECONDS, 1, (UINT64_C(1) << 53) + 1), "9007199254740993.000"));
    CHECK(is(counted(TIME_SECONDS, 1, UINT64_MAX), "18446744073709551615.000"));
    CHECK(is(counted(TIME_SECONDS, 0.5, (UINT64_C(1) << 40) + 1), "2199023255554.000"));
    CHECK(is(counted(TIME_SAMPLES, 8000, UINT64_MAX), "18446744073709551615"));
}

/* sample -> text -> sample: there are enough decimals at every rate. */
static void times_lead_back_to_samples(void)
{
    uint64_t state = check_seed("times_lead_back_to_samples");
    for (int i = 0; i < 20000; i++) {
        uint64_t rate = 1 + check_below(&state, 1000000);
        uint64_t sample = check_random(&state) >> (24 + check_below(&state, 40));
        long double seconds = strtold(counted(TIME_SECONDS, (double)rate, sample), NULL);
        CHECK_MSG((uint64_t)llroundl(seconds * (long double)rate) == sample, "%s at %llu Hz", text,
                  (unsigned long long)rate);
    }
}

static void hours_grow(void)
{
    CHECK(is(counted(TIME_HMS, 1, 0), "00:00:00.000"));
    CHECK(is(counted(TIME_HMS, 1, 3661), "01:01:01.000"));
    CHECK(is(counted(TIME_HMS, 1, 359999), "99:59:59.000"));
    CHECK(is(counted(TIME_HMS, 1, 360000), "100:00:00.000"));
    CHECK(is(counted(TIME_HMS, 9999, 9999 * 60 - 1), "00:00:59.9999"));
    CHECK(is(counted(TIME_HMS, 1e5, 5999999), "00:00:59.99999"));
    CHECK(is(read_off(TIME_HMS, "-61.5"), "-00:01:01.500"));
}

static void columns_give_their_own_times(void)
{
    CHECK(is(read_off(TIME_SECONDS, "1.25"), "1.250"));
    CHECK(is(read_off(TIME_SECONDS, "-0.75"), "-0.750"));
    CHECK(is(read_off(TIME_SECONDS, "-2"), "-2.000"));
    CHECK(is(read_off(TIME_SECONDS, "-0.0"), "0.000"));
    CHECK(is(read_off(TIME_SECONDS, "1e18"), "1000000000000000000.000"));
    CHECK(is(read_off(TIME_HMS, "1e18"), "1000000000000000000.000"));
    CHECK(is(read_off(TIME_CLOCK, "1e15"), "1000000000000000.000"));
    CHECK(is(read_exact(TIME_SECONDS, exact_time_unknown()), "nan"));
    CHECK(is(read_exact(TIME_CLOCK, exact_time_unknown()), "nan"));
    CHECK(is(read_exact(TIME_SAMPLES, exact_time_unknown()), "0"));
}

static void microseconds_of_a_column_do_not_collapse(void)
{
    CHECK(is(read_off(TIME_SECONDS, "1700000000.000115"), "1700000000.000115"));
    CHECK(is(read_off(TIME_SECONDS, "1700000000.123456789"), "1700000000.123456789"));
    CHECK(is(read_off(TIME_SECONDS, "-0.0001"), "-0.0001"));
    CHECK(is(read_off(TIME_HMS, "59.9996"), "00:00:59.9996"));
    CHECK(is(read_off(TIME_CLOCK, "1700000000.000115"), "2023-11-14T22:13:20.000115Z"));
    CHECK(is(read_off(TIME_CLOCK, "-0.000001"), "1969-12-31T23:59:59.999999Z"));
    exact_time local;
    iso8601_parse("2026-01-01 12:00", &local);
    CHECK(is(read_exact(TIME_CLOCK, local), "2026-01-01T12:00:00.000"));
    CHECK(is(read_exact(TIME_SECONDS, local), "1767268800.000"));
    const time_scale utc = {.rate_hz = 1, .from_column = true, .says_utc = true};
    time_format(text, TIME_CLOCK, &utc, (time_point){.time = local});
    CHECK(is(text, "2026-01-01T12:00:00.000Z"));
    const exact_time wide = {.seconds = 5, .decimals = 6}; /* as another time needs them */
    CHECK(is(read_exact(TIME_SECONDS, wide), "5.000000"));
}

static const char *clock_at(int64_t epoch_s, int32_t epoch_ns, double rate_hz, uint64_t sample)
{
    time_scale scale = {.rate_hz = rate_hz, .epoch_s = epoch_s, .epoch_ns = epoch_ns};
    time_format(text, TIME_CLOCK, &scale, (time_point){.sample = sample});
    return text;
}

static void clocks_show_the_zone_of_the_program(void)
{
    char out[TIME_TEXT_SIZE];
    time_scale scale = {.rate_hz = 1000, .epoch_s = 1782863999, .in_zone = true};
    if (!time_zone_set("America/St_Johns")) return;
    time_format(out, TIME_CLOCK, &scale, (time_point){.sample = 1001});
    CHECK(is(out, "2026-06-30T21:30:00.001-02:30"));
    scale.in_zone = false;
    scale.is_local = true;
    time_format(out, TIME_CLOCK, &scale, (time_point){.sample = 1001});
    CHECK(is(out, "2026-07-01T00:00:00.001"));
    scale.says_utc = true;
    time_format(out, TIME_CLOCK, &scale, (time_point){.sample = 1001});
    CHECK(is(out, "2026-07-01T00:00:00.001Z"));
}

/* Some zones count leap seconds, 27 of them in 2026. Without such a zone on this machine nothing is
 * tested. */
static void a_zone_with_leap_seconds_moved_clocks(void)
{
    time_scale scale = {.rate_hz = 1, .epoch_s = 1788256805};
    const char *before = getenv("TZ");
    char *zone = before ? strdup(before) : NULL;
    setenv("TZ", "right/UTC", 1);
    tzset();
    time_format(text, TIME_CLOCK, &scale, (time_point){.sample = 0});
    CHECK(strcmp(text, "2026-09-01T10:00:05.000Z") == 0);
    if (zone)
        setenv("TZ", zone, 1);
    else
        unsetenv("TZ");
    tzset();
    free(zone);
}

static void clocks_are_iso_8601(void)
{
    CHECK(is(clock_at(0, 0, 1, 0), "1970-01-01T00:00:00.000Z"));
    CHECK(is(clock_at(1795255200, 0, 1, 0), "2026-11-21T10:00:00.000Z"));
    CHECK(is(clock_at(951782399, 0, 1, 1), "2000-02-29T00:00:00.000Z"));
    CHECK(is(clock_at(4107542399, 0, 1, 1), "2100-03-01T00:00:00.000Z"));
    CHECK(is(clock_at(0, 999999999, 1000, 1), "1970-01-01T00:00:01.000Z"));
    CHECK(is(clock_at(59, 500000000, 8000, 4000), "1970-01-01T00:01:00.0000Z"));
    CHECK(is(clock_at(0, 123456789, 1e9, 1), "1970-01-01T00:00:00.123456790Z"));
    CHECK(is(clock_at(0, 123456789, 1e12, 1), "1970-01-01T00:00:00.123456789001Z"));
    CHECK(is(clock_at(253402300799, 0, 1, 1), "10000-01-01T00:00:00.000Z"));
    CHECK(is(read_off(TIME_CLOCK, "-1"), "1969-12-31T23:59:59.000Z"));
    CHECK(is(read_off(TIME_CLOCK, "-0.25"), "1969-12-31T23:59:59.750Z"));
    CHECK(is(read_off(TIME_CLOCK, "-62135596800.0"), "0001-01-01T00:00:00.000Z"));
    CHECK(is(read_off(TIME_CLOCK, "1795255200.125"), "2026-11-21T10:00:00.125Z"));
}

static void styles_have_names(void)
{
    time_style style;
    CHECK(time_style_parse("hms", &style) && style == TIME_HMS);
    CHECK(time_style_parse("clock", &style) && style == TIME_CLOCK);
    CHECK(!time_style_parse("", &style) && !time_style_parse("Seconds", &style));
}

int main(void)
{
    RUN(decimals_tell_samples_apart);
    RUN(seconds_are_rounded_once);
    RUN(halves_go_up);
    RUN(no_drift_at_huge_counts);
    RUN(times_lead_back_to_samples);
    RUN(hours_grow);
    RUN(columns_give_their_own_times);
    RUN(microseconds_of_a_column_do_not_collapse);
    RUN(clocks_are_iso_8601);
    RUN(clocks_show_the_zone_of_the_program);
    RUN(a_zone_with_leap_seconds_moved_clocks);
    RUN(styles_have_names);
    return check_done();
}
