#include "io/time/time_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/time/time_zone.h"

#define MAX_DECIMALS 12 /* ceil(log10 TIME_RATE_MAX) */
enum { ZONE_SIZE = 16 };
#define MAX_PARTS_S 1e15 /* seconds: larger times are not cut into parts */

/* A time in whole seconds and a fraction of `decimals` digits. */
typedef struct {
    bool negative;
    uint64_t seconds;
    uint64_t fraction; /* in units of 10^-decimals */
    unsigned decimals;
} time_parts;

bool time_style_parse(const char *word, time_style *style)
{
    static const char *const words[] = {"seconds", "samples", "hms", "clock"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) {
            *style = (time_style)i;
            return true;
        }
    }
    return false;
}

unsigned time_decimals(double rate_hz)
{
    unsigned decimals = 0;
    for (double power = 1; power < rate_hz && decimals < MAX_DECIMALS; power *= 10) decimals++;
    return decimals < 3 ? 3 : decimals;
}

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

/* The fraction may have been rounded up to a whole second. */
static void carry(time_parts *parts)
{
    if (parts->fraction < power_of_ten(parts->decimals)) return;
    parts->fraction = 0;
    parts->seconds++;
}

/* n / rate by long division. rate < 2^60, so that ten times a remainder fits. */
static time_parts divide(uint64_t n, uint64_t rate, unsigned decimals)
{
    time_parts parts = {.seconds = n / rate, .decimals = decimals};
    uint64_t rest = n % rate;
    for (unsigned i = 0; i < decimals; i++) {
        rest *= 10;
        parts.fraction = parts.fraction * 10 + rest / rate;
        rest %= rate;
    }
    if (rest >= rate - rest) parts.fraction++;
    carry(&parts);
    return parts;
}

/* Rounds halves away from zero; printf would round them to even. 0 <= seconds < MAX_PARTS_S. */
static time_parts split_seconds(long double seconds, unsigned decimals)
{
    long double whole = floorl(seconds);
    uint64_t unit = power_of_ten(decimals);
    time_parts parts = {.seconds = (uint64_t)whole, .decimals = decimals};
    parts.fraction = (uint64_t)roundl((seconds - whole) * (long double)unit);
    carry(&parts);
    return parts;
}

/* Nothing is rounded: a time states the decimals that it needs. */
static time_parts split_exact(exact_time t, unsigned decimals)
{
    if ((int)decimals < t.decimals) decimals = (unsigned)t.decimals;
    time_parts parts = {.negative = t.seconds < 0, .decimals = decimals};
    const bool borrows = parts.negative && t.ns > 0; /* seconds are rounded down */
    const uint64_t ns = (uint64_t)(borrows ? 1000000000 - t.ns : t.ns);
    parts.seconds = (uint64_t)(parts.negative ? -t.seconds - borrows : t.seconds);
    parts.fraction =
        decimals < 9 ? ns / power_of_ten(9 - decimals) : ns * power_of_ten(decimals - 9);
    return parts;
}

/* Cut `point` into *parts. false: it does not fit; *beyond is its time in seconds. */
static bool split(const time_scale *scale, time_point point, time_parts *parts, long double *beyond)
{
    unsigned decimals = time_decimals(scale->rate_hz);
    double rate = scale->rate_hz;
    if (scale->from_column) {
        *parts = split_exact(point.time, decimals);
        return true;
    }
    if (rate >= 1 && rate <= TIME_RATE_MAX && rate == floor(rate)) {
        *parts = divide(point.sample, (uint64_t)rate, decimals);
        return true;
    }
    *beyond = (long double)point.sample / (long double)rate;
    if (!(*beyond < (long double)MAX_PARTS_S)) return false;
    *parts = split_seconds(*beyond, decimals);
    return true;
}

static void put_seconds(char *out, time_parts t)
{
    snprintf(out, TIME_TEXT_SIZE, "%s%" PRIu64 ".%0*" PRIu64, t.negative ? "-" : "", t.seconds,
             (int)t.decimals, t.fraction);
}

static void put_hms(char *out, time_parts t)
{
    snprintf(out, TIME_TEXT_SIZE, "%s%02" PRIu64 ":%02u:%02u.%0*" PRIu64, t.negative ? "-" : "",
             t.seconds / 3600, (unsigned)(t.seconds / 60 % 60), (unsigned)(t.seconds % 60),
             (int)t.decimals, t.fraction);
}

/* A Gregorian date from days since 1970-01-01: Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", civil_from_days. Years begin in March; an era has 400 years. Not gmtime_r, which
 * adds leap seconds in some time zones (TZ=right/UTC). */
static void civil_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468; /* since 0000-03-01 */
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    unsigned day_of_era = (unsigned)(days - era * 146097);
    unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned from_march = (5 * day_of_year + 2) / 153;
    *day = day_of_year - (153 * from_march + 2) / 5 + 1;
    *month = from_march < 10 ? from_march + 3 : from_march - 9;
    *year = (int64_t)year_of_era + era * 400 + (*month <= 2);
}

/* Write the zone of a time in UTC, and move the time into it. */
static void put_zone(char zone[ZONE_SIZE], const time_scale *scale, bool is_local, int64_t *seconds)
{
    snprintf(zone, ZONE_SIZE, "%s", is_local && !scale->says_utc ? "" : "Z");
    if (!scale->in_zone) return;
    const int32_t offset_s = time_zone_offset_s(*seconds);
    const unsigned minutes = (unsigned)abs(offset_s) / 60;
    *seconds += offset_s;
    snprintf(zone, ZONE_SIZE, "%c%02u:%02u", offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

/* The date and time after the scale's epoch. Fractions count units of the last decimal. */
static void put_clock(char *out, const time_scale *scale, time_parts t, bool is_local)
{
    char zone[ZONE_SIZE];
    int64_t unit = (int64_t)power_of_ten(t.decimals);
    int64_t seconds = t.negative ? -(int64_t)t.seconds : (int64_t)t.seconds;
    int64_t fraction = t.negative ? -(int64_t)t.fraction : (int64_t)t.fraction;
    fraction += t.decimals <= 9 ? scale->epoch_ns / (int64_t)power_of_ten(9 - t.decimals)
                                : scale->epoch_ns * (int64_t)power_of_ten(t.decimals - 9);
    seconds += scale->epoch_s;
    if (fraction < 0) {
        fraction += unit;
        seconds--;
    } else if (fraction >= unit) {
        fraction -= unit;
        seconds++;
    }
    put_zone(zone, scale, is_local, &seconds);
    int64_t days = seconds / 86400 - (seconds % 86400 < 0);
    unsigned rest = (unsigned)(seconds - days * 86400), month, day;
    int64_t year;
    civil_from_days(days, &year, &month, &day);
    snprintf(out, TIME_TEXT_SIZE, "%04" PRId64 "-%02u-%02uT%02u:%02u:%02u.%0*" PRId64 "%s", year,
             month, day, rest / 3600, rest / 60 % 60, rest % 60, (int)t.decimals, fraction, zone);
}

void time_format(char out[TIME_TEXT_SIZE], time_style style, const time_scale *scale,
                 time_point point)
{
    time_parts parts;
    long double seconds = 0;
    if (style == TIME_SAMPLES) {
        snprintf(out, TIME_TEXT_SIZE, "%" PRIu64, point.sample);
    } else if (scale->from_column && !exact_time_is_known(point.time)) {
        snprintf(out, TIME_TEXT_SIZE, "nan");
    } else if (!split(scale, point, &parts, &seconds)) {
        snprintf(out, TIME_TEXT_SIZE, "%.*Lf", (int)time_decimals(scale->rate_hz), seconds);
    } else if (style == TIME_HMS && (double)parts.seconds < MAX_PARTS_S) {
        put_hms(out, parts);
    } else if (style == TIME_CLOCK && (double)parts.seconds < MAX_PARTS_S) {
        put_clock(out, scale, parts, scale->from_column ? point.time.is_local : scale->is_local);
    } else {
        put_seconds(out, parts);
    }
}
