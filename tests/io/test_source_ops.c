#include "io/source_ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static source *src;

static void begin(void)
{
    free(src);
    src = calloc(1, sizeof *src);
    if (!src) abort();
}

static bool fails_with(const char *reason)
{
    if (strcmp(src->error, reason) != 0) fprintf(stderr, "error: %s\n", src->error);
    return src->failed && strcmp(src->error, reason) == 0;
}

static void the_first_reason_counts(void)
{
    begin();
    CHECK(!source_fail(src, "bad frame %d", 7));
    CHECK(!source_fail(src, "another"));
    CHECK(fails_with("bad frame 7"));
}

static void long_reasons_are_cut(void)
{
    char words[2 * SOURCE_REASON];
    memset(words, 'x', sizeof words);
    words[sizeof words - 1] = '\0';
    begin();
    source_fail(src, "%s", words);
    source_warn(src, "%s", words);
    CHECK(strlen(src->error) == SOURCE_REASON - 1);
    CHECK(strlen(src->warnings[0]) == SOURCE_REASON - 1);
}

static void an_end_a_wake_and_a_failure_differ(void)
{
    begin();
    CHECK(source_truly_ended(src) && !src->failed);
    src->in.woken = true;
    CHECK(!source_truly_ended(src) && !src->failed);
    src->in.failure = EIO;
    CHECK(!source_truly_ended(src) && fails_with(strerror(EIO)));
}

static void while_opening_all_three_are_errors(void)
{
    begin();
    CHECK(!source_fail_open(src, "cut short") && fails_with("cut short"));
    begin();
    src->in.woken = true;
    CHECK(!source_fail_open(src, "cut short") && fails_with("interrupted before the first sample"));
    begin();
    src->in.failure = EIO;
    CHECK(!source_fail_open(src, "cut short") && fails_with(strerror(EIO)));
}

/* Warnings come in order. At most SOURCE_WARNINGS are stored; the others are counted. */
static void warnings_are_a_ring(void)
{
    char wanted[SOURCE_REASON];
    int next = 0, fetched = 0;
    begin();
    CHECK(!source_warning(src));
    for (; next < 10; next++) source_warn(src, "line %d", next);
    for (; fetched < 7; fetched++) {
        snprintf(wanted, sizeof wanted, "line %d", fetched);
        CHECK(strcmp(source_warning(src), wanted) == 0);
    }
    for (; next < 7 + SOURCE_WARNINGS + 5; next++) source_warn(src, "line %d", next);
    for (; fetched < 7 + SOURCE_WARNINGS; fetched++) {
        snprintf(wanted, sizeof wanted, "line %d", fetched);
        CHECK(strcmp(source_warning(src), wanted) == 0);
    }
    CHECK(strcmp(source_warning(src), "5 more warnings left out") == 0 && !source_warning(src));
}

static void more_bytes_go_to_the_buffer(void)
{
    int ends[2];
    static unsigned char buffer[INPUT_CAPACITY];
    begin();
    if (pipe(ends) != 0) abort();
    src->in = (input){.fd = ends[0], .wake_fd = -1, .bytes = buffer};
    CHECK(!source_more_bytes(src, 0) && !src->in.ended);
    CHECK(write(ends[1], "abc", 3) == 3);
    CHECK(source_more_bytes(src, 0) && input_have(&src->in) == 3);
    close(ends[1]);
    CHECK(!source_more_bytes(src, 0) && src->in.ended);
    close(ends[0]);
}

static void formats_have_words(void)
{
    static const struct {
        const char *word;
        source_format format;
        bool big_endian;
    } good[] = {
        {"auto", SOURCE_AUTO, false}, {"text", SOURCE_TEXT, false},   {"csv", SOURCE_TEXT, false},
        {"tsv", SOURCE_TEXT, false},  {"jsonl", SOURCE_JSONL, false}, {"f32", SOURCE_F32, false},
        {"f32le", SOURCE_F32, false}, {"f64be", SOURCE_F64, true},    {"s16be", SOURCE_S16, true},
        {"s24", SOURCE_S24, false},   {"s32le", SOURCE_S32, false},   {"u8", SOURCE_U8, false},
        {"npy", SOURCE_NPY, false},
    };
    static const char *const bad[] = {"",    "f",      "f32x", "f16",  "s16bex",
                                      "u8 ", "textle", "F32",  "npyle"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        source_options o = {.big_endian = true};
        CHECK(source_parse_format(good[i].word, &o));
        CHECK(o.format == good[i].format && o.big_endian == good[i].big_endian);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        source_options o = {.format = SOURCE_S24};
        CHECK(!source_parse_format(bad[i], &o));
        CHECK(o.format == SOURCE_S24);
    }
}

static void extensions_may_name_a_raw_format(void)
{
    static const struct {
        const char *path;
        source_format format;
        bool big_endian;
    } good[] = {
        {"x.s16", SOURCE_S16, true}, /* no byte order in the name: the given one stays */
        {"x.s16le", SOURCE_S16, false},    {"x.s16be", SOURCE_S16, true},
        {"d.u8/x.f32", SOURCE_F32, false}, {"x.y.f64be", SOURCE_F64, true},
        {".s24", SOURCE_S24, false},       {"/d/x.u8", SOURCE_U8, false},
        {"x.f64be.gz", SOURCE_F64, true},  {"x.u8.zst", SOURCE_U8, false},
    };
    static const char *const bad[] = {"s16",   "d.s16/x", "x.",        "x.text", "x.auto",
                                      "x.S16", "x.wav",   "",          "x.s16/", "x.gz",
                                      ".gz",   "x.npy",   "x.text.zst"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        source_options o = {.format = SOURCE_S16, .big_endian = true};
        CHECK(source_format_from_name(good[i].path, &o));
        CHECK_MSG(o.format == good[i].format && o.big_endian == good[i].big_endian, "%s",
                  good[i].path);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        source_options o = {.format = SOURCE_F64, .big_endian = true};
        CHECK_MSG(!source_format_from_name(bad[i], &o), "%s", bad[i]);
        CHECK(o.format == SOURCE_F64 && o.big_endian);
    }
}

static void messages_name_the_format(void)
{
    static const struct {
        source_format format;
        bool big_endian;
        const char *name;
    } raw[] = {{SOURCE_F32, false, "raw f32"},
               {SOURCE_S16, true, "raw s16be"},
               {SOURCE_U8, true, "raw u8"}};
    begin();
    src->kind = DETECT_F32;
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        src->options.format = raw[i].format;
        src->options.big_endian = raw[i].big_endian;
        CHECK(strcmp(source_format_name(src), raw[i].name) == 0);
    }
    src->kind = DETECT_WAV;
    CHECK(strcmp(source_format_name(src), "WAV") == 0);
    src->info.microphone = true;
    CHECK(strcmp(source_format_name(src), "microphone") == 0);
}

static void extensions_of_packed_files_count_without_it(void)
{
    static const char *const cases[][2] = {
        {"x.csv", "csv"}, {"d.gz/x.s16.gz", "s16"}, {"x.txt.zst", "txt"}, {"x.gz", ""}, {"x", ""},
        {"d.x/y", ""},    {"x.verylong", ""},       {"x.", ""},           {"", ""}};
    char extension[SOURCE_EXTENSION];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_MSG(strcmp(source_extension(cases[i][0], extension), cases[i][1]) == 0, "%s: %s",
                  cases[i][0], extension);
}

int main(void)
{
    RUN(the_first_reason_counts);
    RUN(long_reasons_are_cut);
    RUN(an_end_a_wake_and_a_failure_differ);
    RUN(while_opening_all_three_are_errors);
    RUN(warnings_are_a_ring);
    RUN(more_bytes_go_to_the_buffer);
    RUN(formats_have_words);
    RUN(extensions_may_name_a_raw_format);
    RUN(extensions_of_packed_files_count_without_it);
    RUN(messages_name_the_format);
    free(src);
    return check_done();
}
