#include "io/time/unnamed_time.h"

#include "io/time/time_kind.h"

static const int64_t YEAR_2000 = 946684800, YEAR_2100 = 4102444800; /* s since 1970 */

static bool is_date(exact_time t)
{
    const time_kind kind = time_kind_of(&t, 1);
    return kind != TIME_PLAIN && time_kind_apply(kind, &t) && t.seconds >= YEAR_2000 &&
           t.seconds < YEAR_2100;
}

void unnamed_time_report(source *src, const char *shown, const char *name)
{
    source_warn(src,
                "%s looks like a time, but is compared as a signal: name it with --time-column "
                "%.64s, or choose with --columns",
                shown, name);
}

bool unnamed_time_look(unnamed_time *u, const source *src, size_t column, const char *field)
{
    const source_options *o = &src->options;
    exact_time time;
    if (column > UNNAMED_COLUMNS || u->rows[column - 1] == 2 || u->is_reported) return false;
    if (o->is_template && !o->is_take) return false;
    if (o->n_columns || source_wants_times(o) || src->info.channels < 2) return false;
    const bool is_first = u->rows[column - 1]++ == 0;
    exact_time *first = &u->first[column - 1];
    if (exact_time_parse(field, &time) == 0 || !is_date(time)) time = exact_time_unknown();
    if (is_first)
        *first = time;
    else
        u->is_reported = exact_time_is_known(*first) && exact_time_is_known(time) &&
                         !exact_time_is_before(time, *first);
    return u->is_reported;
}
