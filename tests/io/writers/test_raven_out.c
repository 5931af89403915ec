#include "tests/io/writer_help.h"

static void a_row_has_the_columns_of_the_header(void)
{
    text_buffer text = {0};
    size_t names = 1, fields = 1;
    const char *line = help_line(&writer_raven, help_seconds, help_match);
    writer_raven.header(&text, &help_seconds);
    for (size_t i = 0; i < text.length; i++) names += text.data[i] == '\t';
    for (; *line; line++) fields += *line == '\t';
    CHECK(names == 11 && fields == names);
    free(text.data);
}

static void without_a_band_all_frequencies_count(void)
{
    writer_match m = help_match;
    m.number = 12;
    m.file = "a/b/in.wav";
    CHECK(help_same(help_line(&writer_raven, help_seconds, m),
                    "12\tSpectrogram 1\t1\t0.5000\t1.0001\t0\t4000\tin.wav\t0.5000\t0.1\tyes\n"));
    m.channel = 3;
    m.low_hz = 0.5;
    m.high_hz = 2000.25;
    CHECK(help_same(
        help_line(&writer_raven, help_seconds, m),
        "12\tSpectrogram 1\t3\t0.5000\t1.0001\t0.5\t2000.25\tin.wav\t0.5000\t0.1\tyes\n"));
}

static void times_are_seconds_from_the_origin(void)
{
    writer_match m = help_match;
    const writer_style clock = {.times = TIME_CLOCK, .with_file = true};
    m.scale.from_column = true;
    m.origin = exact_time_make(1700000000, 500000000);
    m.start_time = exact_time_make(1700000001, 250000000);
    m.end_time = exact_time_make(1700000002, 0);
    CHECK(help_same(help_line(&writer_raven, clock, m),
                    "0\tSpectrogram 1\t1\t0.7500\t1.5000\t0\t4000\tin.wav\t0.7500\t0.1\tyes\n"));
}

static void names_never_break_a_row(void)
{
    writer_match m = help_match;
    m.label = "x\ty\n";
    m.file = "a/b\tc\n";
    const char *line = help_line(&writer_raven, help_seconds, m);
    CHECK(strstr(line, "\tb\\tc\\n\t") && strstr(line, "\t0.1\tx\\ty\\n\n"));
}

int main(void)
{
    RUN(a_row_has_the_columns_of_the_header);
    RUN(without_a_band_all_frequencies_count);
    RUN(times_are_seconds_from_the_origin);
    RUN(names_never_break_a_row);
    return check_done();
}
