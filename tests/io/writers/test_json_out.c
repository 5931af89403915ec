#include "tests/io/writer_help.h"

static void an_object_has_its_fields_in_order(void)
{
    writer_match m = help_match;
    CHECK(
        help_same(help_line(&writer_json, help_seconds, m),
                  "{\"file\":\"in.wav\",\"label\":\"yes\",\"start\":0.5000,\"end\":1.0001,"
                  "\"start_sample\":4000,\"end_sample\":8001,\"score\":0.1,\"threshold\":0.25}\n"));
    m.threshold = (double)INFINITY;
    writer_style hms = {.times = TIME_HMS, .with_file = true};
    CHECK(help_same(help_line(&writer_json, hms, m),
                    "{\"file\":\"in.wav\",\"label\":\"yes\",\"start\":\"00:00:00.5000\","
                    "\"end\":\"00:00:01.0001\",\"start_sample\":4000,\"end_sample\":8001,"
                    "\"score\":0.1,\"threshold\":null}\n"));
}

static void strands_and_records_have_members(void)
{
    const writer_style strands = {.with_strand = true, .with_overhang = true};
    writer_match m = help_match;
    m.record = "chr1:5-9";
    m.strand = '-';
    m.before = 3;
    CHECK(
        strstr(help_line(&writer_json, strands, m),
               "{\"file\":\"in.wav\",\"record\":\"chr1:5-9\",\"label\":\"yes\",\"strand\":\"-\","));
    CHECK(strstr(help_line(&writer_json, strands, m), ",\"overhang\":[3,0]}\n"));
    m.record = NULL;
    m.strand = '.';
    CHECK(strstr(help_line(&writer_json, strands, m),
                 "{\"file\":\"in.wav\",\"label\":\"yes\",\"start\":"));
}

static void a_known_margin_follows_the_threshold(void)
{
    writer_match m = help_match;
    m.margin = 1 - 0.1 / 0.3;
    CHECK(strstr(help_line(&writer_json, help_seconds, m),
                 "\"threshold\":0.25,\"margin\":0.666666667}\n"));
    m.margin = -0.5;
    CHECK(strstr(help_line(&writer_json, help_seconds, m), ",\"margin\":-0.5}\n"));
    m.margin = -(double)INFINITY;
    CHECK(!strstr(help_line(&writer_json, help_seconds, m), "margin"));
}

static void a_microphone_adds_the_clock(void)
{
    writer_match m = {.file = "mic:", .label = "k", .start = 500, .end = 1000, .live = true};
    m.scale = (time_scale){.rate_hz = 1000, .epoch_s = 86400};
    CHECK(strstr(help_line(&writer_json, help_seconds, m), "\"start\":0.500,"));
    CHECK(strstr(help_line(&writer_json, help_seconds, m),
                 ",\"clock\":\"1970-01-02T00:00:00.500Z\"}\n"));
}

static const char *label_as_json(const char *label)
{
    writer_match m = help_match;
    m.label = label;
    m.file = "";
    const char *text = help_line(&writer_json, help_seconds, m);
    static char quoted[256];
    const char *begin = strstr(text, "\"label\":") + 8, *end = strstr(text, ",\"start\"");
    snprintf(quoted, sizeof quoted, "%.*s", (int)(end - begin), begin);
    return quoted;
}

static void strings_are_escaped(void)
{
    CHECK(help_same(label_as_json("a\"b\\c/d"), "\"a\\\"b\\\\c/d\""));
    CHECK(help_same(label_as_json("\t\n\r\x01\x1f\x7f"), "\"\\t\\n\\r\\u0001\\u001f\\u007f\""));
    CHECK(help_same(label_as_json("k\xc3\xa4se \xe2\x82\xac \xf0\x9f\x8e\xb5"),
                    "\"k\xc3\xa4se \xe2\x82\xac \xf0\x9f\x8e\xb5\""));
}

static void bytes_that_are_not_utf8_are_replaced(void)
{
    CHECK(help_same(label_as_json("a\xff"), "\"a\\ufffd\""));
    CHECK(help_same(label_as_json("\xc3"), "\"\\ufffd\""));
    CHECK(help_same(label_as_json("\xc3("), "\"\\ufffd(\""));
    CHECK(help_same(label_as_json("\xc0\x80"), "\"\\ufffd\\ufffd\""));            /* overlong */
    CHECK(help_same(label_as_json("\xe0\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\"")); /* overlong */
    CHECK(help_same(label_as_json("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"")); /* surrogate */
    CHECK(help_same(label_as_json("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""));
    CHECK(help_same(label_as_json("\xe2\x82"), "\"\\ufffd\\ufffd\"")); /* cut off */
    CHECK(help_same(label_as_json("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\""));
}

static void unknown_times_are_null(void)
{
    writer_match m = help_match;
    m.scale.from_column = true;
    m.start_time = exact_time_unknown();
    m.end_time = exact_time_make(-2, 500000000);
    CHECK(strstr(help_line(&writer_json, help_seconds, m), "\"start\":null,\"end\":-1.5000,"));
}

static void scores_have_up_to_nine_digits_and_are_rounded_up(void)
{
    writer_match m = help_match;
    m.score = 1e-12;
    CHECK(strstr(help_line(&writer_json, help_seconds, m), "\"score\":1e-12,"));
    m.score = (double)0.1f;
    CHECK(strstr(help_line(&writer_json, help_seconds, m), "\"score\":0.100000002,"));
}

static void microseconds_of_a_column_are_printed(void)
{
    writer_match m = help_match;
    m.scale = (time_scale){.rate_hz = 1, .from_column = true};
    m.start_time = exact_time_make(1700000000, 115000);
    m.end_time = exact_time_make(1700000000, 120000);
    m.end_time.decimals = 6; /* as the start needs them */
    CHECK(strstr(help_line(&writer_json, help_seconds, m),
                 "\"start\":1700000000.000115,\"end\":1700000000.000120,"));
}

int main(void)
{
    RUN(an_object_has_its_fields_in_order);
    RUN(strands_and_records_have_members);
    RUN(a_known_margin_follows_the_threshold);
    RUN(a_microphone_adds_the_clock);
    RUN(unknown_times_are_null);
    RUN(scores_have_up_to_nine_digits_and_are_rounded_up);
    RUN(strings_are_escaped);
    RUN(bytes_that_are_not_utf8_are_replaced);
    RUN(microseconds_of_a_column_are_printed);
    free(help_out.data);
    return check_done();
}
