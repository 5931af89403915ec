#include "tests/io/writer_help.h"

static void a_row_has_eight_fields(void)
{
    CHECK(help_same(help_line(&writer_csv, help_seconds, help_match),
                    "in.wav,yes,0.5000,1.0001,4000,8001,0.1,0.25\n"));
}

static void fields_are_quoted_as_in_rfc_4180(void)
{
    writer_match m = help_match;
    m.file = "a,b";
    m.label = "say \"yes\"\nnow";
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    "\"a,b\",\"say \"\"yes\"\"\nnow\",0.5000,1.0001,4000,8001,0.1,0.25\n"));
    m.file = "";
    m.label = "a\r";
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    ",\"a\r\",0.5000,1.0001,4000,8001,0.1,0.25\n"));
}

/* The fields of file and label. */
static const char *names(const char *file, const char *label)
{
    static char line[256];
    writer_match m = help_match;
    m.file = file;
    m.label = label;
    snprintf(line, sizeof line, "%s", help_line(&writer_csv, help_seconds, m));
    char *numbers = strstr(line, ",0.5000,1.0001,4000,8001,0.1,0.25\n");
    if (numbers) *numbers = '\0';
    return line;
}

static void names_are_no_formulas(void)
{
    CHECK(help_same(names("=1+1", "+a"), "\"'=1+1\",\"'+a\""));
    CHECK(help_same(names("-a", "@a\"b\""), "\"'-a\",\"'@a\"\"b\"\"\""));
    CHECK(help_same(names("\t=a", "\r=a"), "\"'\t=a\",\"'\r=a\""));
    CHECK(help_same(names("a=1+1", "'=a"), "a=1+1,'=a"));
}

/* Scores and times of our own are numbers, also below 0. */
static void negative_numbers_stay_numbers(void)
{
    writer_match m = help_match;
    m.scale = (time_scale){.rate_hz = 1, .from_column = true};
    m.start_time = exact_time_make(-2, 0);
    m.end_time = exact_time_make(-1, 0);
    m.score = -0.5;
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    "in.wav,yes,-2.000,-1.000,4000,8001,-0.5,0.25\n"));
}

static void names_never_steer_a_terminal(void)
{
    CHECK(help_same(names("\x1b[2J\xc2\x9b\x7f", "\xe2\x80\xae\xff\xc3\xa4"),
                    "\\x1b[2J\\u009b\\x7f,\\u202e\\xff\xc3\xa4"));
    CHECK(help_same(names("a\tb", "a\nb"), "a\tb,\"a\nb\""));
}

static void a_microphone_adds_nothing(void)
{
    writer_match m = help_match;
    m.live = true;
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    "in.wav,yes,0.5000,1.0001,4000,8001,0.1,0.25\n"));
}

static void no_threshold_is_an_empty_field(void)
{
    writer_match m = help_match;
    m.threshold = (double)INFINITY;
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    "in.wav,yes,0.5000,1.0001,4000,8001,0.1,\n"));
}

static void the_header_names_the_fields(void)
{
    help_out.length = 0;
    writer_csv.header(&help_out, &help_seconds);
    text_add(&help_out, "", 1);
    CHECK(
        help_same(help_out.data, "file,label,start,end,start_sample,end_sample,score,threshold\n"));
}

static void strands_and_records_are_fields(void)
{
    const writer_style strands = {.times = TIME_SAMPLES, .with_strand = true};
    writer_match m = help_match;
    m.strand = '-';
    m.record = "a,b";
    CHECK(help_same(help_line(&writer_csv, strands, m),
                    "in.wav,yes,4000,8001,4000,8001,0.1,0.25,-,\"a,b\"\n"));
    help_out.length = 0;
    writer_csv.header(&help_out, &strands);
    CHECK(help_out.length > 15 &&
          memcmp(help_out.data + help_out.length - 15, ",strand,record\n", 15) == 0);
}

static void microseconds_of_a_column_are_printed(void)
{
    writer_match m = help_match;
    m.scale = (time_scale){.rate_hz = 1, .from_column = true};
    m.start_time = exact_time_make(1700000000, 115000);
    m.end_time = exact_time_make(1700000000, 120000);
    m.end_time.decimals = 6; /* as the start needs them */
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    "in.wav,yes,1700000000.000115,1700000000.000120,4000,8001,0.1,0.25\n"));
}

int main(void)
{
    RUN(a_row_has_eight_fields);
    RUN(fields_are_quoted_as_in_rfc_4180);
    RUN(names_are_no_formulas);
    RUN(negative_numbers_stay_numbers);
    RUN(names_never_steer_a_terminal);
    RUN(a_microphone_adds_nothing);
    RUN(no_threshold_is_an_empty_field);
    RUN(the_header_names_the_fields);
    RUN(strands_and_records_are_fields);
    RUN(microseconds_of_a_column_are_printed);
    free(help_out.data);
    return check_done();
}
