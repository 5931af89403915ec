#include "io/time/exact_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000000000, PLACES = 9 };
static const uint64_t MOST_SECONDS = UINT64_C(1) << 61;

/* The digits of a number, and where its point is. */
typedef struct {
    const char *begin, *end; /* digits, perhaps a point among them */
    int64_t before;          /* digits before the point, after the exponent has moved it */
} decimal_text;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

exact_time exact_time_make(int64_t seconds, int32_t ns)
{
    exact_time t = {.seconds = seconds + ns / SECOND, .ns = ns % SECOND};
    if (t.ns == 0) return t;
    t.decimals = PLACES;
    for (int32_t rest = t.ns; rest % 10 == 0; rest /= 10) t.decimals--;
    return t;
}

/* Add digit d at a place after the point, counted from 0. The digit after the last place rounds. */
static void add_place(int32_t *ns, int64_t place, int d)
{
    int32_t unit = SECOND / 10;
    if (place == PLACES && d >= 5) ++*ns;
    if (place >= PLACES) return;
    while (place-- > 0) unit /= 10;
    *ns += d * unit;
}

/* Parse digits after the point, rounded to *ns in [0, 1e9], halves up. Returns their end. */
static const char *parse_fraction(const char *at, int32_t *ns)
{
    *ns = 0;
    for (int64_t place = 0; is_digit(*at); at++, place++) add_place(ns, place, *at - '0');
    return at;
}

/* Parse an exponent such as e-3. Returns its end, or `at`. More than 10^5 changes nothing: a line
 * has fewer digits. */
static const char *parse_exponent(const char *at, int64_t *exponent)
{
    *exponent = 0;
    if (*at != 'e' && *at != 'E') return at;
    const bool negative = at[1] == '-';
    const char *digits = at + 1 + (negative || at[1] == '+');
    if (!is_digit(*digits)) return at;
    for (; is_digit(*digits); digits++)
        if (*exponent < 100000) *exponent = *exponent * 10 + (*digits - '0');
    if (negative) *exponent = -*exponent;
    return digits;
}

/* Find the digits and the point of the number at `at`. Returns its end; NULL: there is none. */
static const char *find_digits(const char *at, decimal_text *d)
{
    size_t digits = 0;
    int64_t exponent;
    *d = (decimal_text){.begin = at, .before = -1};
    for (; is_digit(*at) || (*at == '.' && d->before < 0); at++) {
        if (*at == '.') d->before = (int64_t)digits;
        digits += *at != '.';
    }
    d->end = at;
    if (d->before < 0) d->before = (int64_t)digits;
    at = parse_exponent(at, &exponent);
    d->before += exponent;
    const bool goes_on = *at == '.' || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z');
    return digits == 0 || goes_on ? NULL : at;
}

/* Append a digit. false: too large. */
static bool add_digit(uint64_t *seconds, int d)
{
    if (*seconds > MOST_SECONDS / 10) return false; /* ten times more might exceed 64 bits */
    *seconds = *seconds * 10 + (uint64_t)d;
    return *seconds <= MOST_SECONDS;
}

/* Cut the digits at the point, which may lie before or after all of them. false: too large. */
static bool split(const decimal_text *d, uint64_t *seconds, int32_t *ns)
{
    int64_t k = 0;
    *seconds = 0;
    *ns = 0;
    for (const char *at = d->begin; at < d->end; at++) {
        if (*at == '.') continue;
        if (k >= d->before)
            add_place(ns, k - d->before, *at - '0');
        else if (!add_digit(seconds, *at - '0'))
            return false;
        k++;
    }
    for (; *seconds > 0 && k < d->before; k++)
        if (!add_digit(seconds, 0)) return false;
    return *seconds < MOST_SECONDS || *ns == 0;
}

size_t exact_time_parse(const char *text, exact_time *t)
{
    const bool negative = *text == '-';
    decimal_text d;
    const char *end = find_digits(text + (negative || *text == '+'), &d);
    uint64_t seconds;
    int32_t ns;
    if (!end || !split(&d, &seconds, &ns)) return 0;
    if (!negative)
        *t = exact_time_make((int64_t)seconds, ns);
    else if (ns == 0)
        *t = exact_time_make(-(int64_t)seconds, 0);
    else
        *t = exact_time_make(-(int64_t)seconds - 1, SECOND - ns);
    return (size_t)(end - text);
}

bool exact_time_is_before(exact_time a, exact_time b)
{
    return a.seconds < b.seconds || (a.seconds == b.seconds && a.ns < b.ns);
}

exact_time exact_time_step_on(exact_time previous, exact_time last)
{
    int64_t seconds = 2 * last.seconds - previous.seconds;
    int32_t ns = last.ns - previous.ns; /* twice last.ns might exceed 32 bits */
    if (ns < 0) {
        ns += SECOND;
        seconds--;
    }
    if (ns >= SECOND - last.ns) {
        ns -= SECOND;
        seconds++;
    }
    exact_time t = exact_time_make(seconds, ns + last.ns);
    t.is_local = last.is_local;
    return t;
}

exact_time exact_time_since(exact_time from, exact_time t)
{
    if (!exact_time_is_known(t)) return t;
    t.seconds -= from.seconds + (t.ns < from.ns);
    t.ns += t.ns < from.ns ? SECOND - from.ns : -from.ns;
    return t;
}

double exact_time_ns_between(exact_time from, exact_time to)
{
    const double seconds = (double)(to.seconds - from.seconds);
    return seconds * SECOND + (to.ns - from.ns);
}

exact_time exact_time_part_way(exact_time from, exact_time to, uint64_t k, uint64_t n)
{
    const int32_t decimals = from.decimals > to.decimals ? from.decimals : to.decimals;
    double unit = SECOND;
    for (int32_t i = 0; i < decimals; i++) unit /= 10;
    const double way = exact_time_ns_between(from, to) * ((double)k / (double)n);
    const double ns = round(way / unit) * unit, seconds = floor(ns / SECOND);
    const int32_t rest = (int32_t)(ns - seconds * SECOND);
    exact_time t = exact_time_make(from.seconds + (int64_t)seconds, from.ns + rest);
    t.is_local = from.is_local;
    return t;
}

exact_time exact_time_from_unit(exact_time number, int places)
{
    int64_t units = 1;
    for (int i = 0; i < places; i++) units *= 10;
    int64_t seconds = number.seconds / units, rest = number.seconds % units;
    if (rest < 0) {
        rest += units;
        seconds--;
    }
    const int64_t ns = (number.ns + units / 2) / units;
    return exact_time_make(seconds, (int32_t)(rest * (SECOND / units) + ns));
}

double exact_time_as_double(exact_time t)
{
    return exact_time_is_known(t) ? (double)t.seconds + t.ns / 1e9 : (double)NAN;
}

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

/* Parse a date, of the basic form if a T follows. Returns its end; NULL: it is none. */
static const char *parse_date(const char *at, bool *is_basic, int64_t *seconds)
{
    int year, month, day;
    at = digits(at, 4, 0, 9999, &year);
    *is_basic = at && *at != '-';
    at = digits(*is_basic ? at : letter(at, '-'), 2, 1, 12, &month);
    at = digits(*is_basic ? at : letter(at, '-'), 2, 1, 31, &day);
    if (!at || day > days_in_month(year, month) || (*is_basic && *at != 'T')) return NULL;
    *seconds = days_since_epoch(year, month, day) * 86400;
    return at;
}

bool exact_time_from_date(const int date[6], exact_time *time)
{
    if (date[1] < 1 || date[1] > 12 || date[2] < 1 || date[2] > days_in_month(date[0], date[1]) ||
        date[3] > 23 || date[4] > 59 || date[5] > 60)
        return false;
    const int64_t days = days_since_epoch(date[0], date[1], date[2]);
    *time = exact_time_make(days * 86400 + date[3] * 3600 + date[4] * 60 + date[5], 0);
    time->is_local = true;
    return true;
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

size_t iso8601_parse_zone(const char *text, exact_time *time)
{
    const char *at = text + strspn(text, " "), *end;
    if (at == text || !time->is_local) return 0;
    if (strncmp(at, "UTC", 3) == 0 || strncmp(at, "GMT", 3) == 0)
        end = at + 3;
    else
        end = parse_zone(at, &time->seconds);
    if (end == at) return 0;
    time->is_local = false;
    return (size_t)(end - text);
}

/* Parse hh:mm[:ss[.fraction]], or the same without colons, and add it. Returns its end; NULL: it is
 * none. */
static const char *parse_clock(const char *at, bool is_basic, int64_t *seconds, int32_t *ns)
{
    int hour, minute, second;
    at = digits(at, 2, 0, 23, &hour);
    at = digits(is_basic ? at : letter(at, ':'), 2, 0, 59, &minute);
    if (!at) return NULL;
    *seconds += hour * 3600 + minute * 60;
    const char *end = digits(is_basic ? at : letter(at, ':'), 2, 0, 60, &second);
    if (!end) return at;
    *seconds += second;
    at = *end == '.' ? parse_fraction(end + 1, ns) : end;
    return at == end + 1 ? end : at; /* a point without digits is no part of it */
}

size_t iso8601_parse(const char *text, exact_time *time)
{
    int64_t whole;
    int32_t ns = 0;
    bool is_basic;
    const char *at = parse_date(text, &is_basic, &whole);
    if (!at) return 0;
    const char *clock =
        *at == 'T' || *at == ' ' ? parse_clock(at + 1, is_basic, &whole, &ns) : NULL;
    if (!clock && is_basic) return 0;
    const char *end = clock ? parse_zone(clock, &whole) : at;
    *time = exact_time_make(whole, ns);
    time->is_local = end == at || end == clock;
    return (size_t)(end - text);
}
