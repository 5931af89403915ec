/* Words about fields of text. */
#include "io/tables/row.h"

#include "tests/io/source_help.h"

static void show(const char *text, size_t length, const char *wanted)
{
    char shown[TEXT_FIELD_SHOWN];
    const field f = {.text = text, .length = length};
    CHECK_MSG(strcmp(text_field_show(&f, shown), wanted) == 0, "%s", shown);
}

static void a_field_is_shortened_and_escaped(void)
{
    show("", 0, "''");
    show("a b;c", 3, "'a b'");
    show("\x1b\xff\n", 3, "'\\x1b\\xff\\n'");
    show("abcdefghijklmnopqrstuvwx", 24, "'abcdefghijklmnopqrstuvwx'");
    show("abcdefghijklmnopqrstuvwxyz", 26, "'abcdefghijklmnopqrstuvwx...'");
}

/* Regression: "'2026-01-01 00:00:00' is not a number" was all that a logger's file gave. */
static void a_date_names_the_option_for_times(void)
{
    source_options o = help_options(SOURCE_TEXT);
    CHECK(help_gives(&o, "t,x\n2026-01-01 00:00:00,1\n",
                     "!! line 2: '2026-01-01 00:00:00' is not a number; name the time with "
                     "--time-column 1, or choose with --columns"));
    CHECK(help_gives(&o, "1 2026-01-01 00:00:00\n",
                     "!! line 1: '2026-01-01' is not a number; name the time with "
                     "--time-column 2, or choose with --columns"));
    CHECK(help_gives(&o, "1,\"2026-01-01T00:00:00.123456Z\"\n",
                     "!! line 1: '2026-01-01T00:00:00.1234...' is not a number; name the time with "
                     "--time-column 2, or choose with --columns"));
}

static void a_time_of_another_form_names_the_option_for_columns(void)
{
    source_options o = help_options(SOURCE_TEXT);
    CHECK(help_gives(&o, "1,12:30\n",
                     "!! line 1: '12:30' is not a number; choose other columns with --columns"));
    CHECK(help_gives(&o, "31/12/2026 12:30,1\n",
                     "!! line 1: '31/12/2026 12:30' is not a number; choose other columns with "
                     "--columns"));
    CHECK(help_gives(&o, "1,1/2x\n", "!! line 1: '1/2x' is not a number"));
}

/* Then it is damage, not a choice. */
static void after_numbers_no_option_of_columns_is_named(void)
{
    source_options o = help_options(SOURCE_TEXT);
    CHECK(help_gives(&o, "1\n2026-01-01\n",
                     "1 | ! line 2: '2026-01-01' is not a number" HELP_ADVICE));
    o.time_column = 1;
    CHECK(help_gives(&o, "12:30,1\n",
                     "!! line 1: '12:30' is not a time; write dates such as 2026-12-31 "
                     "23:59:59, or give --time-format"));
}

int main(void)
{
    RUN(a_field_is_shortened_and_escaped);
    RUN(a_date_names_the_option_for_times);
    RUN(a_time_of_another_form_names_the_option_for_columns);
    RUN(after_numbers_no_option_of_columns_is_named);
    return check_done();
}
