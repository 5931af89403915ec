/*
 * source_ops.c - what all back ends use: reasons, warnings, and names of formats, for -f, in the
 * extensions of file names, and in messages.
 *
 * To add a format that has no header, and so needs a name for -f:
 * 1. source.h: a source_format. Here: its names.
 * 2. pcm.c: its width and decoding, if it is raw samples. Else NAME.c and a kind in detect.h, which
 *    detect_format in source_open.c sets for this -f, and its case there.
 * 3. Help: tools/sigrep/options/options.c, tools/common/options/arguments.h, main.c of the
 *    tools. Error: tools/common/options/shared_options.c. Manual: man/ pages of all programs.
 */
#include "io/source_ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/samples/pcm.h"

bool source_more_bytes(source *src, int ms)
{
    return input_more_within(&src->in, ms);
}

ssize_t source_read_native(source *src, double *frames, exact_time *times, size_t max, bool wait)
{
    if (src->read_doubles) return src->read_doubles(src, frames, times, max, wait);
    if (max > src->scratch_frames) max = src->scratch_frames;
    const ssize_t n = src->ops->read(src, src->scratch, times, max, wait);
    for (size_t i = 0; n > 0 && i < (size_t)n * src->native_channels; i++)
        frames[i] = (double)src->scratch[i];
    return n;
}

bool source_fail(source *src, const char *format, ...)
{
    if (src->failed) return false;
    src->failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(src->error, sizeof src->error, format, args);
    va_end(args);
    return false;
}

bool source_fail_seekable(source *src, const char *format, ...)
{
    char what[SOURCE_REASON / 4];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (src->in.unpack && src->in.is_file)
        return source_fail(src, "%s cannot be read while it is unpacked: unpack the %s file first",
                           what, unpack_name(unpack_kind_of(src->in.unpack)));
    return source_fail(src, "%s cannot be read from a pipe: convert it by ffmpeg -i FILE -f wav -",
                       what);
}

bool source_truly_ended(source *src)
{
    if (src->in.failure) return source_fail(src, "%s", strerror(src->in.failure));
    if (src->in.fault) return source_fail(src, "%s", src->in.fault);
    return !src->in.woken;
}

bool source_fail_open(source *src, const char *reason)
{
    if (source_truly_ended(src)) return source_fail(src, "%s", reason);
    return source_fail(src, "interrupted before the first sample");
}

void source_warn(source *src, const char *format, ...)
{
    if (src->n_warnings == SOURCE_WARNINGS) {
        src->dropped_warnings++;
        return;
    }
    size_t slot = (src->first_warning + src->n_warnings++) % SOURCE_WARNINGS;
    va_list args;
    va_start(args, format);
    vsnprintf(src->warnings[slot], SOURCE_REASON, format, args);
    va_end(args);
}

const char *source_warning(source *src)
{
    if (src->n_warnings > 0) {
        const size_t slot = src->first_warning;
        src->first_warning = (slot + 1) % SOURCE_WARNINGS;
        src->n_warnings--;
        return src->warnings[slot];
    }
    if (src->dropped_warnings == 0) return NULL;
    snprintf(src->warnings[0], SOURCE_REASON, "%llu more warnings left out",
             (unsigned long long)src->dropped_warnings);
    src->dropped_warnings = 0;
    return src->warnings[0];
}

/* Only raw formats have names here, and an order of bytes. */
static const struct {
    const char *word;
    source_format format;
    const char *name, *name_big_endian;
} formats[] = {
    {"f32", SOURCE_F32, "raw f32", "raw f32be"},   {"f64", SOURCE_F64, "raw f64", "raw f64be"},
    {"s16", SOURCE_S16, "raw s16", "raw s16be"},   {"s24", SOURCE_S24, "raw s24", "raw s24be"},
    {"s32", SOURCE_S32, "raw s32", "raw s32be"},   {"u8", SOURCE_U8, "raw u8", "raw u8"},
    {"s8", SOURCE_S8, "raw s8", "raw s8"},         {"ulaw", SOURCE_ULAW, "raw ulaw", "raw ulaw"},
    {"alaw", SOURCE_ALAW, "raw alaw", "raw alaw"}, {.word = "auto", .format = SOURCE_AUTO},
    {.word = "text", .format = SOURCE_TEXT},       {.word = "csv", .format = SOURCE_TEXT},
    {.word = "tsv", .format = SOURCE_TEXT},        {.word = "jsonl", .format = SOURCE_JSONL},
    {.word = "npy", .format = SOURCE_NPY},         {.word = "audio", .format = SOURCE_AUDIO},
};

bool source_parse_format(const char *word, source_options *options)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t length = strlen(formats[i].word);
        if (strncmp(word, formats[i].word, length) != 0) continue;
        const char *order = word + length;
        const bool is_order = formats[i].name && (!strcmp(order, "le") || !strcmp(order, "be"));
        if (*order && !is_order) return false;
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
    if (pcm_width(named.format) == 0) return false;
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
            if (formats[i].name && formats[i].format == src->options.format)
                return src->options.big_endian ? formats[i].name_big_endian : formats[i].name;
    return detect_name(src->kind);
}

void source_end_warnings(source *src)
{
    if (src->end_warnings) src->end_warnings(src);
}
