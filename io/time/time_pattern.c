#define _XOPEN_SOURCE 700 /* strptime */

#include "io/time/time_pattern.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "io/time/exact_time.h"

enum { FIRST_YEAR = 1000 /* %Y takes fewer digits, too */, NO_OFFSET = 1 };

static const char DIGITS[] = "0123456789";

/* What a format does not give. */
static const struct tm nothing = {.tm_mday = 1, .tm_year = 70, .tm_gmtoff = NO_OFFSET};

/* Move the fraction of seconds out of `text`, in which it begins at `at`, into *ns. false: it has
 * none that the pattern allows. */
static bool take_fraction(const time_pattern *p, char *at, int32_t *ns)
{
    const bool has_mark = *at == '.' || *at == ',';
    char *digits = at + (p->may_have_fraction && has_mark);
    const size_t n = strspn(digits, DIGITS);
    exact_time fraction;
    char seconds[TIME_PATTERN_SIZE + 2];
    *ns = 0;
    if (n == 0 || (p->may_have_fraction && !has_mark)) return !p->needs_fraction;
    snprintf(seconds, sizeof seconds, "0.%.*s", (int)n, digits);
    exact_time_parse(seconds, &fraction);
    *ns = fraction.seconds > 0 ? 999999999 : fraction.ns; /* .9999999999 stays in its second */
    memmove(at, digits + n, strlen(digits + n) + 1);
    return true;
}

/* Read all of `text` into *tm, which begins as what the format does not give. */
static bool read_fields(const time_pattern *p, const char *text, struct tm *tm, int32_t *ns)
{
    char copy[TIME_PATTERN_SIZE];
    struct tm unused = *tm;
    *ns = 0;
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    if (p->needs_fraction || p->may_have_fraction) {
        const char *end = strptime(copy, p->to_fraction, &unused);
        if (!end || !take_fraction(p, copy + (end - copy), ns)) return false;
    }
    /* In one call: %p is about the hour before it. */
    const char *end = strptime(copy, p->format, tm);
    return end && *end == '\0';
}

bool time_pattern_read(const time_pattern *p, const char *text, exact_time *t)
{
    struct tm tm = nothing;
    int32_t ns;
    exact_time read;
    if (!read_fields(p, text, &tm, &ns)) return false;
    const int date[] = {tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
                        tm.tm_hour,        tm.tm_min,     tm.tm_sec};
    if (date[0] < FIRST_YEAR || !exact_time_from_date(date, &read)) return false;
    *t = exact_time_make(read.seconds - (p->has_zone ? tm.tm_gmtoff : 0), ns);
    t->is_local = p->has_date && !p->has_zone;
    return true;
}

/* ---- formats ---- */

/* Cut %f out of the format. NULL, or why it is refused. */
static const char *cut_fraction(time_pattern *p, const char *format)
{
    size_t n = 0;
    if (strlen(format) >= sizeof p->format) return "longer than 63 bytes";
    for (const char *at = format; *at; at++) {
        const bool is_field = *at == '%' && at[1];
        if (is_field && (at[1] == 's' || at[1] == 'Z'))
            return at[1] == 's' ? "%s: numbers need no format, but --time-unit"
                                : "%Z: names of zones are not read; %z reads +0100";
        if (is_field && at[1] == 'f') {
            if (p->needs_fraction) return "%f stands twice";
            p->needs_fraction = true;
            memcpy(p->to_fraction, p->format, n);
            at++;
            continue;
        }
        p->format[n++] = *at;
        if (is_field) p->format[n++] = *++at;
    }
    return NULL;
}

/* Does the format give a field: the sample's value? Else it must leave what was there. */
static bool gives(int value, int sample, int before, bool *is_wrong)
{
    *is_wrong |= value != sample && value != before;
    return value == sample;
}

/* See which fields come back from what the format writes. */
static const char *try_format(time_pattern *p)
{
    const struct tm sample = {.tm_year = 126,
                              .tm_mon = 10,
                              .tm_mday = 28,
                              .tm_hour = 13,
                              .tm_min = 45,
                              .tm_sec = 59,
                              .tm_wday = 6,
                              .tm_yday = 331};
    struct tm tm = nothing;
    char text[TIME_PATTERN_SIZE];
    time_pattern whole = *p;
    int32_t ns;
    bool is_wrong = false;
    whole.needs_fraction = false;
    if (strftime(text, sizeof text, p->format, &sample) == 0 ||
        !read_fields(&whole, text, &tm, &ns))
        return "not a format of strptime";
    const bool has_year = gives(tm.tm_year, sample.tm_year, nothing.tm_year, &is_wrong);
    const bool has_month = gives(tm.tm_mon, sample.tm_mon, nothing.tm_mon, &is_wrong);
    const bool has_day = gives(tm.tm_mday, sample.tm_mday, nothing.tm_mday, &is_wrong);
    const bool has_hour = gives(tm.tm_hour, sample.tm_hour, nothing.tm_hour, &is_wrong);
    const bool has_minute = gives(tm.tm_min, sample.tm_min, nothing.tm_min, &is_wrong);
    const bool has_second = gives(tm.tm_sec, sample.tm_sec, nothing.tm_sec, &is_wrong);
    p->has_date = has_year && has_month && has_day;
    p->has_zone = tm.tm_gmtoff != NO_OFFSET;
    if (is_wrong) return "it does not give the hour: %I needs %p";
    if (!p->has_date && (has_year || has_month || has_day))
        return "it gives no whole date: %Y, %m and %d";
    return p->has_date || has_hour || has_minute || has_second ? NULL : "it gives no time";
}

const char *time_pattern_parse(time_pattern *p, const char *format)
{
    *p = (time_pattern){.has_date = false};
    const char *reason = cut_fraction(p, format);
    return reason ? reason : try_format(p);
}

/* Is the date joined to the clock by a blank, or alone, or the clock alone, this text? */
static bool find_form(time_pattern *p, const char *date, const char *clock, const char *text)
{
    exact_time unused;
    const char *blank = *date && *clock ? " " : "", *half = *clock ? strchr(clock, ' ') : NULL;
    const int seconds = (int)(half ? (size_t)(half - clock) : strlen(clock));
    *p = (time_pattern){.has_date = *date, .may_have_fraction = strstr(clock, "%S")};
    snprintf(p->format, sizeof p->format, "%s%s%s", date, blank, clock);
    snprintf(p->to_fraction, sizeof p->to_fraction, "%s%s%.*s", date, blank, seconds, clock);
    return time_pattern_read(p, text, &unused);
}

bool time_pattern_find(time_pattern *p, const char *text)
{
    static const char *const dates[] = {"%d.%m.%Y", "%Y/%m/%d", "%Y-%m-%d", ""};
    static const char *const clocks[] = {"%H:%M:%S", "%I:%M:%S %p", "%H:%M", "%I:%M %p", ""};
    if (*text < '0' || *text > '9') return false;
    for (size_t d = 0; d < sizeof dates / sizeof *dates; d++)
        for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++) {
            /* hh:mm alone might be mm:ss. */
            const bool is_sure = *dates[d] || strcmp(clocks[c], "%H:%M") != 0;
            if ((*dates[d] || *clocks[c]) && is_sure && find_form(p, dates[d], clocks[c], text))
                return true;
        }
    return false;
}
