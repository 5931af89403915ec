#include <string.h>

#include "check.h"
#include "io/source_ops.h"

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
    source src = {.kind = DETECT_F32};
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        src.options.format = raw[i].format;
        src.options.big_endian = raw[i].big_endian;
        CHECK(strcmp(source_format_name(&src), raw[i].name) == 0);
    }
    src.kind = DETECT_WAV;
    CHECK(strcmp(source_format_name(&src), "WAV") == 0);
    src.info.microphone = true;
    CHECK(strcmp(source_format_name(&src), "microphone") == 0);
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
    RUN(formats_have_words);
    RUN(extensions_may_name_a_raw_format);
    RUN(extensions_of_packed_files_count_without_it);
    RUN(messages_name_the_format);
    return check_done();
}
