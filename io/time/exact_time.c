#include "io/time/exact_time.h"

#include <math.h>
#include <stdlib.h>

enum { SECOND = 1000000000, PLACES = 9 };
static const uint64_t MOST_SECONDS = UINT64_C(1) << 61;
static const int64_t FIRST_EPOCH = 100000000, FIRST_EPOCH_MS = 100000000000,
                     LAST_EPOCH_MS = 100000000000000;

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

const char *exact_time_parse_fraction(const char *at, int32_t *ns)
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
    return exact_time_make(seconds, ns + last.ns);
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
    return exact_time_make(from.seconds + (int64_t)seconds, from.ns + rest);
}

bool exact_time_is_epoch(exact_time t)
{
    return t.seconds >= FIRST_EPOCH && t.seconds < FIRST_EPOCH_MS;
}

bool exact_time_is_epoch_ms(exact_time t)
{
    return t.seconds >= FIRST_EPOCH_MS && t.seconds < LAST_EPOCH_MS;
}

bool exact_time_is_beyond_ms(exact_time t)
{
    return t.seconds >= LAST_EPOCH_MS;
}

exact_time exact_time_from_ms(exact_time ms)
{
    int64_t seconds = ms.seconds / 1000, rest = ms.seconds % 1000;
    if (rest < 0) {
        rest += 1000;
        seconds--;
    }
    return exact_time_make(seconds, (int32_t)(rest * (SECOND / 1000)) + (ms.ns + 500) / 1000);
}

double exact_time_as_double(exact_time t)
{
    return exact_time_is_known(t) ? (double)t.seconds + t.ns / 1e9 : (double)NAN;
}
