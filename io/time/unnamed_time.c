#include "io/time/unnamed_time.h"

#include <stdio.h>

#include "io/time/time_kind.h"

static const int64_t YEAR_2000 = 946684800, YEAR_2100 = 4102444800; /* s since 1970 */

static bool is_date(exact_time t)
{
    const time_kind kind = time_kind_of(&t, 1);
    return kind != TIME_PLAIN && time_kind_apply(kind, &t) && t.seconds >= YEAR_2000 &&
           t.seconds < YEAR_2100;
}

static void report(unnamed_time *u, source *src, size_t column, const char *name)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", column);
    const char *shown = name ? name : number;
    source_warn(src,
                "column %.64s looks like a time, but is compared as a signal: name it with "
                "--time-column %.64s, or choose with --columns",
                shown, shown);
    u->is_reported = true;
}

void unnamed_time_look(unnamed_time *u, source *src, size_t column, const char *name,
                       const char *field)
{
    const source_options *o = &src->options;
    exact_time time;
    if (column > UNNAMED_COLUMNS || u->rows[column - 1] == 2 || u->is_reported) return;
    if (o->is_template || o->n_columns || source_wants_times(o) || src->info.channels < 2) return;
    const bool is_first = u->rows[column - 1]++ == 0;
    exact_time *first = &u->first[column - 1];
    if (exact_time_parse(field, &time) == 0 || !is_date(time)) time = exact_time_unknown();
    if (is_first)
        *first = time;
    else if (exact_time_is_known(*first) && exact_time_is_known(time) &&
             !exact_time_is_before(time, *first))
        report(u, src, column, name);
}
