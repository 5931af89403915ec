#include "tests/io/writer_help.h"

/* Times are in seconds, whatever the style. */
static void a_line_has_three_fields_in_seconds(void)
{
    writer_style clock = {.times = TIME_CLOCK, .with_file = true},
                 samples = {.times = TIME_SAMPLES};
    CHECK(help_same(help_line(&writer_labels, clock, help_match), "0.5000\t1.0001\tyes\n"));
    CHECK(help_same(help_line(&writer_labels, samples, help_match), "0.5000\t1.0001\tyes\n"));
}

static void times_of_a_column_count_from_the_origin(void)
{
    writer_match m = help_match;
    m.scale.from_column = true;
    m.start_time = exact_time_make(1700000001, 250000000);
    m.end_time = exact_time_make(1700000002, 0);
    CHECK(help_same(help_line(&writer_labels, help_seconds, m),
                    "1700000001.2500\t1700000002.0000\tyes\n"));
    m.origin = exact_time_make(1700000000, 500000000);
    CHECK(help_same(help_line(&writer_labels, help_seconds, m), "0.7500\t1.5000\tyes\n"));
}

static void control_characters_never_break_a_line(void)
{
    writer_match m = help_match;
    m.label = "x\ty\rz\x1b\x7f\xc3\xa4\\";
    CHECK(help_same(help_line(&writer_labels, help_seconds, m),
                    "0.5000\t1.0001\tx\\ty\\rz\\x1b\\x7f\xc3\xa4\\\n"));
}

static void there_is_no_header(void)
{
    CHECK(!writer_labels.header && !writer_labels.end);
}

int main(void)
{
    RUN(a_line_has_three_fields_in_seconds);
    RUN(times_of_a_column_count_from_the_origin);
    RUN(control_characters_never_break_a_line);
    RUN(there_is_no_header);
    free(help_out.data);
    return check_done();
}
