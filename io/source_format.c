/*
 * source_format.c - names of formats: for -f, in the extensions of file names, and in messages.
 *
 * To add a format that has no header, and so needs a name for -f:
 * 1. source.h: a source_format. Here: its names.
 * 2. pcm.c: its width and decoding, if it is raw samples. Else NAME.c and a kind in detect.h, which
 *    detect_format in source.c sets for this -f, and its case there.
 * 3. Help: tools/sigrep/option_table.c, tools/common/options/arguments.h, main.c of the tools.
 * Error: tools/common/options/shared_options.c. Manual: man/ pages of all programs.
 */
#include <string.h>

#include "io/samples/pcm.h"
#include "io/source_ops.h"

static const struct {
    const char *word;
    source_format format;
    const char *name, *name_big_endian;
} formats[] = {
    {"f32", SOURCE_F32, "raw f32", "raw f32be"}, {"f64", SOURCE_F64, "raw f64", "raw f64be"},
    {"s16", SOURCE_S16, "raw s16", "raw s16be"}, {"s24", SOURCE_S24, "raw s24", "raw s24be"},
    {"s32", SOURCE_S32, "raw s32", "raw s32be"}, {"u8", SOURCE_U8, "raw u8", "raw u8"},
};

bool source_is_raw(source_format format)
{
    return pcm_width(format) > 0;
}

bool source_parse_format(const char *word, source_options *options)
{
    static const struct {
        const char *word;
        source_format format;
    } others[] = {{"auto", SOURCE_AUTO}, {"text", SOURCE_TEXT},   {"csv", SOURCE_TEXT},
                  {"tsv", SOURCE_TEXT},  {"jsonl", SOURCE_JSONL}, {"npy", SOURCE_NPY}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(word, others[i].word) != 0) continue;
        options->format = others[i].format;
        options->big_endian = false;
        return true;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t length = strlen(formats[i].word);
        if (strncmp(word, formats[i].word, length) != 0) continue;
        const char *order = word + length;
        if (*order && strcmp(order, "le") != 0 && strcmp(order, "be") != 0) return false;
        options->format = formats[i].format;
        options->big_endian = *order == 'b';
        return true;
    }
    return false;
}

const char *source_extension(const char *path, char extension[SOURCE_EXTENSION])
{
    static const char *const packed[] = {".gz", ".zst"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        const size_t length = strlen(packed[i]);
        if (n > length && strcmp(name + n - length, packed[i]) == 0) n -= length;
    }
    size_t begin = n;
    while (begin > 0 && name[begin - 1] != '.') begin--;
    if (begin == 0 || n - begin >= SOURCE_EXTENSION) return strcpy(extension, "");
    memcpy(extension, name + begin, n - begin);
    extension[n - begin] = '\0';
    return extension;
}

bool source_format_from_name(const char *path, source_options *options)
{
    char extension[SOURCE_EXTENSION];
    source_options named = {0};
    if (!source_parse_format(source_extension(path, extension), &named)) return false;
    if (!source_is_raw(named.format)) return false;
    const size_t length = strlen(extension);
    const bool has_order = extension[length - 1] == 'e'; /* le, be */
    if (has_order || named.format != options->format) options->big_endian = named.big_endian;
    options->format = named.format;
    return true;
}

const char *source_format_name(const source *src)
{
    if (src->info.microphone) return "microphone";
    if (src->kind == DETECT_F32)
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
            if (formats[i].format == src->options.format)
                return src->options.big_endian ? formats[i].name_big_endian : formats[i].name;
    return detect_name(src->kind);
}
