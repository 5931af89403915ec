#include "tools/common/options/template_spec.h"

#include <stdlib.h>
#include <string.h>

#include "io/time/exact_time.h"
#include "io/time/time_kind.h"
#include "tools/common/options/number.h"

enum { MARK = 64 /* bytes of a START or END, NUL included */, DAY_S = 86400 };

/* Plain decimals: digits, perhaps a point among them. */
static bool parse_seconds(const char *text, exact_time *time, double *seconds)
{
    return !text[strspn(text, "0123456789.")] && number_real(text, seconds) &&
           exact_time_parse(text, time) > 0;
}

/* Parse one or more digits before `end`, a number up to `most`. */
static bool parse_part(const char **text, char end, int64_t most, int64_t *value)
{
    const size_t n = strspn(*text, "0123456789");
    uint64_t number;
    char copy[MARK];
    if (n == 0 || (*text)[n] != end) return false;
    memcpy(copy, *text, n);
    copy[n] = '\0';
    if (!number_whole(copy, 0, (uint64_t)most, &number)) return false;
    *value = (int64_t)number;
    *text += n + (end != '\0');
    return true;
}

/* hh:mm:ss[.fraction] */
static bool parse_hours(const char *text, exact_time *time, double *seconds)
{
    int64_t hours, minutes;
    exact_time rest;
    if (!parse_part(&text, ':', 1000000, &hours) || !parse_part(&text, ':', 59, &minutes))
        return false;
    if (!parse_seconds(text, &rest, seconds) || rest.seconds > 59) return false;
    *time = exact_time_make(hours * 3600 + minutes * 60 + rest.seconds, rest.ns);
    *seconds += (double)(hours * 3600 + minutes * 60);
    return true;
}

static bool parse_date(const char *text, exact_time *time, double *seconds)
{
    const size_t n = iso8601_parse(text, time);
    *seconds = exact_time_as_double(*time);
    return n > 0 && text[n] == '\0';
}

static bool parse_marks(time_range *r, const char *start, const char *end)
{
    static bool (*const parse[])(const char *, exact_time *, double *) = {
        [RANGE_SECONDS] = parse_seconds, [RANGE_HOURS] = parse_hours, [RANGE_DATES] = parse_date};
    for (size_t kind = 0; kind < sizeof parse / sizeof *parse; kind++) {
        r->kind = (time_range_kind)kind;
        if (!parse[kind](start, &r->start, &r->start_s)) continue;
        if (!parse[kind](end, &r->end, &r->end_s)) continue;
        if (exact_time_is_before(r->start, r->end)) return true;
        return r->kind == RANGE_HOURS && exact_time_is_before(r->end, r->start);
    }
    return false;
}

/* Dates and zones have dashes of their own, so each dash is tried. */
bool time_range_parse(time_range *r, const char *text)
{
    char start[MARK], end[MARK];
    for (const char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
        const size_t before = (size_t)(dash - text), after = strlen(dash + 1);
        if (before >= MARK || after >= MARK) continue;
        memcpy(start, text, before);
        start[before] = '\0';
        memcpy(end, dash + 1, after + 1);
        *r = (time_range){.text = text};
        if (parse_marks(r, start, end)) return true;
    }
    *r = (time_range){0};
    return false;
}

time_cut time_cut_of(const time_range *range, const source_info *info)
{
    return (time_cut){.range = range,
                      .times = info->times,
                      .step_ns = 1e9 / info->rate_hz,
                      .start = range->start,
                      .end = range->end,
                      .first = exact_time_unknown(),
                      .last = exact_time_unknown()};
}

static exact_time later(exact_time a, exact_time b)
{
    return exact_time_make(a.seconds + b.seconds + (a.ns + (int64_t)b.ns) / 1000000000,
                           (int32_t)((a.ns + (int64_t)b.ns) % 1000000000));
}

/* A number beside times with dates. */
static exact_time resolve_number(const time_cut *c, exact_time number)
{
    const time_kind kind = time_kind_of(&number, 1);
    if (kind == TIME_PLAIN) return later(c->first, number);
    time_kind_apply(kind, &number);
    return number;
}

/* The first time, at or after `from` (but for a step), that has this time of day. */
static exact_time resolve_hours(const time_cut *c, exact_time from, exact_time hours)
{
    int64_t day = from.seconds / DAY_S - (from.seconds % DAY_S < 0);
    exact_time t = later((exact_time){.seconds = day * DAY_S}, hours);
    if (exact_time_ns_between(t, from) > c->step_ns) t.seconds += DAY_S;
    return t;
}

/* The range in times of the file, now that its first time is known. */
static void resolve(time_cut *c)
{
    const time_range *r = c->range;
    if (c->times == SOURCE_SECONDS) return;
    if (r->kind == RANGE_SECONDS) {
        c->start = resolve_number(c, r->start);
        c->end = resolve_number(c, r->end);
    } else if (r->kind == RANGE_HOURS) {
        c->start = resolve_hours(c, c->first, r->start);
        c->end = resolve_hours(c, c->start, r->end);
        if (!exact_time_is_before(c->start, c->end)) c->end.seconds += DAY_S;
    }
}

void time_cut_add(time_cut *c, const exact_time *times, size_t n)
{
    for (size_t i = 0; i < n; i++, c->n++) {
        if (!exact_time_is_known(times[i])) continue;
        if (!exact_time_is_known(c->first)) {
            c->first = times[i];
            resolve(c);
        }
        c->last = times[i];
        if (!c->has_begin && !exact_time_is_before(times[i], c->start)) {
            c->has_begin = true;
            c->begin_at = c->n;
        }
        if (c->has_begin && !c->has_end && !exact_time_is_before(times[i], c->end)) {
            c->has_end = true;
            c->end_at = c->n;
        }
    }
}

const char *time_cut_find(const time_cut *c, uint64_t *begin, uint64_t *end)
{
    const double slack = c->step_ns * (1 + 1e-9);
    if (c->times == SOURCE_SECONDS && c->range->kind == RANGE_DATES)
        return "has dates, but the times of the file have none";
    if (!exact_time_is_before(c->start, c->end)) return "ends before it begins";
    if (!c->has_begin || exact_time_ns_between(c->start, c->first) > slack)
        return "lies outside the file";
    if (!c->has_end && exact_time_ns_between(c->last, c->end) > slack)
        return "lies outside the file";
    *begin = c->begin_at;
    *end = c->has_end ? c->end_at : c->n;
    return *begin < *end ? NULL : "has no sample in it";
}

const char *template_spec_parse(template_spec *spec, const char *text)
{
    *spec = (template_spec){0};
    const char *equals = strchr(text, '='), *slash = strchr(text, '/');
    if (slash && equals > slash) equals = NULL;
    if (equals == text) return "the label is empty";
    const char *file = equals ? equals + 1 : text;
    const char *at = strrchr(file, '@');
    spec->has_range = at && time_range_parse(&spec->range, at + 1);
    if (!spec->has_range) at = file + strlen(file);
    if (at == file) return "the file name is empty";
    spec->path = strndup(file, (size_t)(at - file));
    if (equals) spec->label = strndup(text, (size_t)(equals - text));
    if (spec->path && (spec->label || !equals)) return NULL;
    template_spec_free(spec);
    return "out of memory";
}

void template_spec_free(template_spec *spec)
{
    free(spec->label);
    free(spec->path);
    *spec = (template_spec){0};
}

const char *template_base_name(const char *path)
{
    const char *base = path;
    for (const char *c = path; *c; c++) {
        if (*c == '/' && c[1] && c[1] != '/') base = c + 1;
    }
    return base;
}

char *template_stem(const char *path)
{
    const char *base = template_base_name(path), *dot = strrchr(base, '.');
    return strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}
