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
    m.label = "\r";
    CHECK(help_same(help_line(&writer_csv, help_seconds, m),
                    ",\"\r\",0.5000,1.0001,4000,8001,0.1,0.25\n"));
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
    writer_csv.header(&help_out);
    text_add(&help_out, "", 1);
    CHECK(
        help_same(help_out.data, "file,label,start,end,start_sample,end_sample,score,threshold\n"));
}

int main(void)
{
    RUN(a_row_has_eight_fields);
    RUN(fields_are_quoted_as_in_rfc_4180);
    RUN(a_microphone_adds_nothing);
    RUN(no_threshold_is_an_empty_field);
    RUN(the_header_names_the_fields);
    free(help_out.data);
    return check_done();
}
