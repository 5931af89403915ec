#include "tests/io/writer_help.h"

static void a_line_has_four_fields(void)
{
    writer_style named = {.times = TIME_SECONDS, .with_file = true},
                 samples = {.times = TIME_SAMPLES};
    CHECK(
        help_same(help_line(&writer_text, help_seconds, help_match), "0.5000\t1.0001\t0.1\tyes\n"));
    CHECK(
        help_same(help_line(&writer_text, named, help_match), "in.wav:0.5000\t1.0001\t0.1\tyes\n"));
    CHECK(help_same(help_line(&writer_text, samples, help_match), "4000\t8001\t0.1\tyes\n"));
}

static void scores_have_up_to_nine_digits_and_are_rounded_up(void)
{
    writer_match m = help_match;
    m.score = (double)0.1f;
    CHECK(strstr(help_line(&writer_text, help_seconds, m), "\t0.100000002\t"));
}

static void unknown_times_are_nan(void)
{
    writer_match m = help_match;
    m.scale.from_column = true;
    m.start_time = exact_time_unknown();
    m.end_time = exact_time_make(-2, 500000000);
    CHECK(strstr(help_line(&writer_text, help_seconds, m), "nan\t-1.5000\t"));
}

static void control_characters_never_break_a_line(void)
{
    writer_match m = help_match;
    writer_style named = {.times = TIME_SECONDS, .with_file = true};
    m.file = "a\nb";
    m.label = "x\ty\rz\x1b\x7f\xc3\xa4\\";
    CHECK(help_same(help_line(&writer_text, named, m),
                    "a\\nb:0.5000\t1.0001\t0.1\tx\\ty\\rz\\x1b\\x7f\xc3\xa4\\\n"));
}

static void microseconds_of_a_column_are_printed(void)
{
    writer_match m = help_match;
    m.scale = (time_scale){.rate_hz = 1, .from_column = true};
    m.start_time = exact_time_make(1700000000, 115000);
    m.end_time = exact_time_make(1700000000, 120000);
    m.end_time.decimals = 6; /* as the start needs them */
    CHECK(help_same(help_line(&writer_text, help_seconds, m),
                    "1700000000.000115\t1700000000.000120\t0.1\tyes\n"));
}

static void strands_and_records_follow(void)
{
    const writer_style strands = {.times = TIME_SAMPLES, .with_strand = true};
    writer_match m = help_match;
    m.strand = '+';
    CHECK(help_same(help_line(&writer_text, strands, m), "4000\t8001\t0.1\tyes\t+\n"));
    m.record = "chr1:5-9";
    CHECK(help_same(help_line(&writer_text, strands, m), "4000\t8001\t0.1\tyes\t+\tchr1:5-9\n"));
}

int main(void)
{
    RUN(strands_and_records_follow);
    RUN(a_line_has_four_fields);
    RUN(scores_have_up_to_nine_digits_and_are_rounded_up);
    RUN(unknown_times_are_nan);
    RUN(control_characters_never_break_a_line);
    RUN(microseconds_of_a_column_are_printed);
    free(help_out.data);
    return check_done();
}
