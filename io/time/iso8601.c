#include "io/time/iso8601.h"

#include <stdbool.h>
#include <stdint.h>

/* Parse exactly n digits, a number in [low, high]. Returns their end; NULL: not there. A NULL `at`
 * stays NULL, so that calls chain. */
static const char *digits(const char *at, int n, int low, int high, int *value)
{
    if (!at) return NULL;
    *value = 0;
    for (int i = 0; i < n; i++, at++) {
        if (*at < '0' || *at > '9') return NULL;
        *value = *value * 10 + (*at - '0');
    }
    return *value >= low && *value <= high ? at : NULL;
}

static const char *letter(const char *at, char c)
{
    return at && *at == c ? at + 1 : NULL;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Days since 1970-01-01 in the Gregorian calendar: Howard Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms", days_from_civil. Years begin in March, so that the leap day comes last. */
static int64_t days_since_epoch(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static const char *parse_date(const char *at, int64_t *seconds)
{
    int year, month, day;
    at = letter(digits(at, 4, 0, 9999, &year), '-');
    at = letter(digits(at, 2, 1, 12, &month), '-');
    at = digits(at, 2, 1, 31, &day);
    if (!at || day > days_in_month(year, month)) return NULL;
    *seconds = days_since_epoch(year, month, day) * 86400;
    return at;
}

/* Parse an optional zone and subtract its offset from *seconds. Returns its end, or `at`. */
static const char *parse_zone(const char *at, int64_t *seconds)
{
    if (*at == 'Z') return at + 1;
    if (*at != '+' && *at != '-') return at;
    int hours, minutes = 0;
    const char *end = digits(at + 1, 2, 0, 23, &hours);
    if (!end) return at;
    const char *rest = digits(*end == ':' ? end + 1 : end, 2, 0, 59, &minutes);
    if (rest)
        end = rest;
    else
        minutes = 0;
    int64_t offset = hours * 3600 + minutes * 60;
    *seconds -= *at == '-' ? -offset : offset;
    return end;
}

size_t iso8601_parse(const char *text, exact_time *time)
{
    int64_t whole;
    int32_t ns = 0;
    const char *at = parse_date(text, &whole);
    if (!at) return 0;
    *time = exact_time_make(whole, 0);
    if (*at != 'T' && *at != ' ') return (size_t)(at - text);
    int hour, minute, second;
    const char *clock = letter(digits(at + 1, 2, 0, 23, &hour), ':');
    clock = digits(clock, 2, 0, 59, &minute);
    if (!clock) return (size_t)(at - text);
    whole += hour * 3600 + minute * 60;
    const char *end = digits(letter(clock, ':'), 2, 0, 60, &second);
    if (end) {
        whole += second;
        clock = *end == '.' ? exact_time_parse_fraction(end + 1, &ns) : end;
        if (clock == end + 1) clock = end; /* a point without digits is no part of it */
    }
    clock = parse_zone(clock, &whole);
    *time = exact_time_make(whole, ns);
    return (size_t)(clock - text);
}
