#include "io/time/time_kind.h"

enum { FIRST_YEAR = 1900, LAST_YEAR = 2199, LAST_YEAR_OF_HOURS = 2099 };
enum { MONTHS_LEAST = 3 /* rows: many a number of 6 digits is a month by chance */ };

static const int64_t EPOCHS = 100000000; /* the first; that of a finer unit is 1000 times more */

/* Make a time of the digits of a date. false: it is none. */
static bool make_date(time_kind kind, exact_time *t)
{
    const int last_year = kind == TIME_HOURS ? LAST_YEAR_OF_HOURS : LAST_YEAR;
    int64_t number = t->seconds;
    int32_t ns = t->ns;
    int date[6];
    int64_t end = 1; /* of numbers with as many digits */
    for (int digits = 0; digits < (int)kind; digits++) end *= 10;
    if (number < 0 || number >= end || (ns > 0 && kind != TIME_DATES)) return false;
    if (kind == TIME_DATES_MS) {
        ns = (int32_t)(number % 1000) * 1000000;
        number /= 1000;
    }
    if (kind == TIME_MONTHS) number = number * 100 + 1;
    for (int digits = kind > TIME_DAYS ? (int)kind : TIME_DAYS; digits < TIME_DATES; digits += 2)
        number *= 100;
    for (int i = 5; i > 0; i--, number /= 100) date[i] = (int)(number % 100);
    if (number < FIRST_YEAR || number > last_year) return false;
    date[0] = (int)number;
    exact_time day;
    if (!exact_time_from_date(date, &day)) return false;
    *t = exact_time_make(day.seconds, ns);
    t->is_local = true;
    return true;
}

static time_kind epoch_of(exact_time t)
{
    int kind = TIME_PLAIN;
    for (int64_t rest = t.seconds; kind < TIME_EPOCH_NS && rest >= EPOCHS; rest /= 1000) kind++;
    return (time_kind)kind;
}

static bool are_dates(time_kind kind, const exact_time *numbers, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        exact_time t = numbers[i];
        if (!exact_time_is_known(t)) continue;
        if (!make_date(kind, &t)) return false;
        known++;
    }
    return known >= (kind == TIME_MONTHS ? MONTHS_LEAST : 1);
}

time_kind time_kind_of(const exact_time *numbers, size_t n)
{
    static const time_kind dates[] = {TIME_MONTHS,  TIME_DAYS,  TIME_HOURS,
                                      TIME_MINUTES, TIME_DATES, TIME_DATES_MS};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        if (are_dates(dates[i], numbers, n)) return dates[i];
    for (size_t i = 0; i < n; i++)
        if (exact_time_is_known(numbers[i])) return epoch_of(numbers[i]);
    return TIME_PLAIN;
}

time_kind time_kind_of_unit(time_unit unit)
{
    return (time_kind)(TIME_EPOCH + (int)unit - (int)TIME_UNIT_S);
}

bool time_kind_is_epoch(exact_time t)
{
    return exact_time_is_known(t) && t.seconds >= EPOCHS;
}

bool time_kind_apply(time_kind kind, exact_time *t)
{
    if (time_kind_has_dates(kind)) return make_date(kind, t);
    if (kind > TIME_EPOCH) *t = exact_time_from_unit(*t, 3 * (int)(kind - TIME_EPOCH));
    return true;
}
