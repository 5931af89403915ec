/*
 * fuzz_times.c - times and numbers as text. A time that is parsed and printed, in seconds or as a
 * clock, must be parsed as the same. A number must have the bits that strtod and strtof give. The
 * first byte is the number of decimals, by way of a rate. The rest is the text.
 */
#include <stdlib.h>
#include <string.h>

#include "io/tables/row.h"
#include "io/time/exact_time.h"
#include "io/time/time_format.h"
#include "io/time/time_kind.h"

enum { TEXT = 4096 };
static const int64_t MOST_SECONDS = INT64_C(1) << 61;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(exact_time a, exact_time b)
{
    return a.seconds == b.seconds && a.ns == b.ns && a.decimals == b.decimals;
}

static void demand(bool holds)
{
    if (!holds) abort();
}

static void check_exact(exact_time t)
{
    demand(t.ns >= 0 && t.ns < 1000000000 && t.decimals >= 0 && t.decimals <= 9);
    demand(is_same(t, exact_time_make(t.seconds, t.ns)));
    demand(llabs(t.seconds) <= MOST_SECONDS);
}

static time_scale column_of(double rate_hz)
{
    return (time_scale){.rate_hz = rate_hz, .from_column = true};
}

static void check_seconds(const char *text, double rate_hz)
{
    char out[TIME_TEXT_SIZE];
    exact_time t, again;
    const size_t used = exact_time_parse(text, &t);
    demand(used <= strlen(text));
    if (used == 0) return;
    check_exact(t);
    const time_scale scale = column_of(rate_hz);
    time_format(out, TIME_SECONDS, &scale, (time_point){.time = t});
    demand(exact_time_parse(out, &again) == strlen(out) && is_same(t, again));
    time_format(out, TIME_HMS, &scale, (time_point){.time = t});
    time_format(out, TIME_CLOCK, &scale, (time_point){.time = t});
    check_exact(exact_time_step_on(t, t));
    demand(is_same(exact_time_step_on(t, t), t) && !exact_time_is_before(t, t));
    const time_kind kind = time_kind_of(&t, 1);
    demand(time_kind_apply(kind, &t) && t.is_local == time_kind_has_dates(kind));
    check_exact(t);
}

/* A zone may lead beyond the years 0 to 9999, which have no such text. */
static void check_clock(const char *text, double rate_hz)
{
    char out[TIME_TEXT_SIZE];
    exact_time t, again;
    const size_t used = iso8601_parse(text, &t);
    demand(used <= strlen(text));
    if (used == 0) return;
    check_exact(t);
    const time_scale scale = column_of(rate_hz);
    time_format(out, TIME_CLOCK, &scale, (time_point){.time = t});
    const bool has_year = t.seconds >= INT64_C(-62167219200) && t.seconds < INT64_C(253402300800);
    if (has_year) demand(iso8601_parse(out, &again) == strlen(out) && is_same(t, again));
    if (has_year) demand(t.is_local == again.is_local);
    demand(iso8601_parse_zone(text + used, &t) <= strlen(text + used));
}

static void check_number(const char *text)
{
    double d, whole_d = strtod(text, NULL);
    const size_t used = decimal_to_double(text, &d);
    demand(used <= strlen(text));
    if (used > 0) demand(memcmp(&d, &whole_d, sizeof d) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double rates[] = {1e-9, 1, 44100, 1e6, 1e9, 1e12};
    char text[TEXT];
    if (size < 1 || size > sizeof text) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const double rate_hz = rates[data[0] % (sizeof rates / sizeof *rates)];
    check_seconds(text, rate_hz);
    check_clock(text, rate_hz);
    check_number(text);
    return 0;
}
