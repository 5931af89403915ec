#include "io/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static text_buffer out;

static const writer_match plain = {.file = "in.wav",
                                   .label = "yes",
                                   .start = 4000,
                                   .end = 8001,
                                   .score = 0.1,
                                   .threshold = 0.25,
                                   .scale = {.rate_hz = 8000}};

/* What a format makes of a match. */
static const char *written(const writer_ops *ops, writer_style style, writer_match match)
{
    out.length = 0;
    ops->match(&out, &style, &match);
    text_add(&out, "", 1);
    return out.data;
}

static bool is(const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) fprintf(stderr, "got  %s\nnot  %s\n", got, wanted);
    return strcmp(got, wanted) == 0;
}

static const writer_style seconds = {TIME_SECONDS, false};

static void text_is_four_fields(void)
{
    writer_style named = {TIME_SECONDS, true};
    CHECK(is(written(&writer_text, seconds, plain), "0.5000\t1.0001\t0.1\tyes\n"));
    CHECK(is(written(&writer_text, named, plain), "in.wav:0.5000\t1.0001\t0.1\tyes\n"));
    writer_style samples = {TIME_SAMPLES, false};
    CHECK(is(written(&writer_text, samples, plain), "4000\t8001\t0.1\tyes\n"));
}

static void labels_are_three_fields_in_seconds(void)
{
    writer_style clock = {TIME_CLOCK, true};
    CHECK(is(written(&writer_labels, clock, plain), "0.5000\t1.0001\tyes\n"));
}

static void csv_quotes_as_rfc_4180(void)
{
    writer_match m = plain;
    CHECK(is(written(&writer_csv, seconds, m), "in.wav,yes,0.5000,1.0001,4000,8001,0.1,0.25\n"));
    m.file = "a,b";
    m.label = "say \"yes\"\nnow";
    m.threshold = (double)INFINITY;
    CHECK(is(written(&writer_csv, seconds, m),
             "\"a,b\",\"say \"\"yes\"\"\nnow\",0.5000,1.0001,4000,8001,0.1,\n"));
    out.length = 0;
    writer_csv.header(&out);
    text_add(&out, "", 1);
    CHECK(is(out.data, "file,label,start,end,start_sample,end_sample,score,threshold\n"));
}

static void json_has_its_fields_in_order(void)
{
    writer_match m = plain;
    CHECK(is(written(&writer_json, seconds, m),
             "{\"file\":\"in.wav\",\"label\":\"yes\",\"start\":0.5000,\"end\":1.0001,"
             "\"start_sample\":4000,\"end_sample\":8001,\"score\":0.1,\"threshold\":0.25}\n"));
    m.threshold = (double)INFINITY;
    writer_style hms = {TIME_HMS, true};
    CHECK(is(written(&writer_json, hms, m),
             "{\"file\":\"in.wav\",\"label\":\"yes\",\"start\":\"00:00:00.5000\","
             "\"end\":\"00:00:01.0001\",\"start_sample\":4000,\"end_sample\":8001,"
             "\"score\":0.1,\"threshold\":null}\n"));
}

static void times_that_are_none_are_null(void)
{
    writer_match m = plain;
    m.scale.from_column = true;
    m.start_s = (double)NAN;
    m.end_s = -1.5;
    CHECK(strstr(written(&writer_json, seconds, m), "\"start\":null,\"end\":-1.5000,"));
    CHECK(strstr(written(&writer_text, seconds, m), "nan\t-1.5000\t"));
}

static void scores_have_nine_digits(void)
{
    writer_match m = plain;
    m.score = (double)0.1f;
    CHECK(strstr(written(&writer_text, seconds, m), "\t0.100000001\t"));
    m.score = 1e-12;
    CHECK(strstr(written(&writer_json, seconds, m), "\"score\":1e-12,"));
}

static void json_of_a_microphone_has_the_clock_too(void)
{
    writer_match m = {.file = "mic:", .label = "k", .start = 500, .end = 1000, .live = true};
    m.scale = (time_scale){.rate_hz = 1000, .epoch_s = 86400};
    CHECK(strstr(written(&writer_json, seconds, m), "\"start\":0.500,"));
    CHECK(strstr(written(&writer_json, seconds, m), ",\"clock\":\"1970-01-02T00:00:00.500Z\"}\n"));
    CHECK(!strstr(written(&writer_csv, seconds, m), "1970"));
}

static const char *json_label(const char *label)
{
    writer_match m = plain;
    m.label = label;
    m.file = "";
    const char *text = written(&writer_json, seconds, m);
    static char quoted[256];
    const char *begin = strstr(text, "\"label\":") + 8, *end = strstr(text, ",\"start\"");
    snprintf(quoted, sizeof quoted, "%.*s", (int)(end - begin), begin);
    return quoted;
}

static void json_escapes_everything(void)
{
    CHECK(is(json_label("a\"b\\c/d"), "\"a\\\"b\\\\c/d\""));
    CHECK(is(json_label("\t\n\r\x01\x1f\x7f"), "\"\\t\\n\\r\\u0001\\u001f\\u007f\""));
    CHECK(is(json_label("k\xc3\xa4se \xe2\x82\xac \xf0\x9f\x8e\xb5"),
             "\"k\xc3\xa4se \xe2\x82\xac \xf0\x9f\x8e\xb5\""));
}

static void json_replaces_what_is_not_utf8(void)
{
    CHECK(is(json_label("a\xff"), "\"a\\ufffd\""));
    CHECK(is(json_label("\xc3"), "\"\\ufffd\""));
    CHECK(is(json_label("\xc3("), "\"\\ufffd(\""));
    CHECK(is(json_label("\xc0\x80"), "\"\\ufffd\\ufffd\""));            /* overlong */
    CHECK(is(json_label("\xe0\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\"")); /* overlong */
    CHECK(is(json_label("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"")); /* surrogate */
    CHECK(is(json_label("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""));
    CHECK(is(json_label("\xe2\x82"), "\"\\ufffd\\ufffd\"")); /* cut off */
    CHECK(is(json_label("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\""));
}

static void control_characters_never_break_a_line(void)
{
    writer_match m = plain;
    writer_style named = {TIME_SECONDS, true};
    m.file = "a\nb";
    m.label = "x\ty\rz\x1b\x7f\xc3\xa4\\";
    CHECK(is(written(&writer_text, named, m),
             "a\\nb:0.5000\t1.0001\t0.1\tx\\ty\\rz\\x1b\\x7f\xc3\xa4\\\n"));
    CHECK(is(written(&writer_labels, named, m), "0.5000\t1.0001\tx\\ty\\rz\\x1b\\x7f\xc3\xa4\\\n"));
}

static void formats_have_names(void)
{
    CHECK(writer_find("text") == &writer_text && writer_find("labels") == &writer_labels);
    CHECK(writer_find("csv") == &writer_csv && writer_find("json") == &writer_json);
    CHECK(!writer_find("") && !writer_find("JSON"));
}

static void lines_leave_whole_and_failures_are_told(void)
{
    int ends[2];
    char got[256];
    CHECK(pipe(ends) == 0);
    writer w;
    writer_init(&w, &writer_csv, seconds, ends[1]);
    CHECK(writer_flush(&w) == 0);
    writer_begin(&w);
    writer_add(&w, &plain);
    writer_end(&w);
    CHECK(writer_flush(&w) == 0 && w.out.length == 0);
    ssize_t n = read(ends[0], got, sizeof got);
    CHECK(n == 61 + 44 && memcmp(got, "file,label,", 11) == 0 && got[n - 1] == '\n');
    writer_free(&w);
    close(ends[0]);
    close(ends[1]);
    writer_init(&w, &writer_text, seconds, open("/dev/full", O_WRONLY));
    writer_add(&w, &plain);
    CHECK(writer_flush(&w) == ENOSPC);
    close(w.fd);
    w.out.failed = true;
    CHECK(writer_flush(&w) == ENOMEM);
    writer_free(&w);
}

int main(void)
{
    RUN(text_is_four_fields);
    RUN(labels_are_three_fields_in_seconds);
    RUN(csv_quotes_as_rfc_4180);
    RUN(json_has_its_fields_in_order);
    RUN(json_of_a_microphone_has_the_clock_too);
    RUN(times_that_are_none_are_null);
    RUN(scores_have_nine_digits);
    RUN(json_escapes_everything);
    RUN(json_replaces_what_is_not_utf8);
    RUN(control_characters_never_break_a_line);
    RUN(formats_have_names);
    RUN(lines_leave_whole_and_failures_are_told);
    free(out.data);
    return check_done();
}
