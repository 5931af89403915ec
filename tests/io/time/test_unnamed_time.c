#include "io/time/unnamed_time.h"

#include "tests/io/source_help.h"

static const char WARNING[] = "looks like a time, but is compared as a signal";

/* Is column 1 of a text of two rows reported? */
static bool reports(source_options o, const char *first, const char *second)
{
    char text[128];
    snprintf(text, sizeof text, "%s,1\n%s,2\n", first, second);
    help_input in = {text, strlen(text), 0, false};
    help_result r = help_run(&in, &o);
    CHECK(r.opened && r.n >= 2);
    const bool is_reported = strstr(r.warnings, WARNING) != NULL;
    help_free(&r);
    return is_reported;
}

static void epochs_and_dates_are_reported(void)
{
    const source_options o = help_options(SOURCE_TEXT);
    CHECK(reports(o, "1767268800", "1767268801"));
    CHECK(reports(o, "1767268800.5", "1767268800.5"));
    CHECK(reports(o, "1767268800000", "1767268800100"));
    CHECK(reports(o, "1767268800000000", "1767268800100000"));
    CHECK(reports(o, "1767268800000000000", "1767268800100000000"));
    CHECK(reports(o, "20260101120000", "20260101120001"));
}

static void other_numbers_are_not(void)
{
    const source_options o = help_options(SOURCE_TEXT);
    CHECK(!reports(o, "1767268801", "1767268800"));
    CHECK(!reports(o, "123456789.25", "123456789.5"));
    CHECK(!reports(o, "1767268800", "nan"));
    CHECK(!reports(o, "0", "0.01"));
}

static void what_is_named_or_a_template_is_not(void)
{
    static const size_t columns[] = {1, 2};
    source_options o = help_options(SOURCE_TEXT);
    o.is_template = true;
    CHECK(!reports(o, "1767268800", "1767268801"));
    o.is_take = true;
    CHECK(reports(o, "1767268800", "1767268801"));
    o.is_take = o.is_template = false;
    o.columns = columns;
    o.n_columns = 2;
    CHECK(!reports(o, "1767268800", "1767268801"));
    o.n_columns = 0;
    o.time_column = 1;
    CHECK(!reports(o, "1767268800", "1767268801"));
}

static void one_warning_names_the_column(void)
{
    source_options o = help_options(SOURCE_JSONL);
    CHECK(help_gives(&o,
                     "{\"x\":1,\"at\":1767268800}\n{\"x\":2,\"at\":1767268801}\n"
                     "{\"x\":3,\"at\":1767268802}\n",
                     "1 1.76726886e+09 | 2 1.76726886e+09 | 3 1.76726886e+09 ~ column 'at' looks "
                     "like a time, but "
                     "is compared as a signal: name it with --time-column at, or choose with "
                     "--columns"));
}

/* Regression: only its number was given, although the header has its name. */
static void the_warning_gives_the_name_of_the_header(void)
{
    source_options o = help_options(SOURCE_TEXT);
    CHECK(help_gives(&o, "x,my time\n1,1767268800\n2,1767268801\n3,1767268802\n",
                     "1 1.76726886e+09 | 2 1.76726886e+09 | 3 1.76726886e+09 ~ column 'my time' "
                     "looks like a time, but is compared as a signal: name it with --time-column "
                     "2, or choose with --columns"));
}

int main(void)
{
    RUN(epochs_and_dates_are_reported);
    RUN(other_numbers_are_not);
    RUN(what_is_named_or_a_template_is_not);
    RUN(the_warning_gives_the_name_of_the_header);
    RUN(one_warning_names_the_column);
    return check_done();
}
