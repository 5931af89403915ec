/*
 * source_open.c - open an input: unpack its bytes, detect their format, call the back end. Only
 * this file knows all back ends.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"
#include "io/kept_lines.h"
#include "io/live/mic.h"
#include "io/samples/pcm.h"
#include "io/source_ops.h"
#include "io/time/timed.h"

enum { SCRATCH_VALUES = 8192 };

/* Are the bytes packed? false: reading failed before that was clear. */
static bool find_packing(source *src, unpack_kind *kind)
{
    input *in = &src->in;
    while ((*kind = unpack_detect(input_bytes(in), input_have(in), in->ended)) == UNPACK_WAITING)
        if (!input_more(in) && !in->ended) return source_fail_open(src, "cut short");
    return true;
}

/* If the bytes are packed, unpack them from now on. */
static bool unpack_input(source *src)
{
    unpack_kind kind, inner;
    if (!find_packing(src, &kind)) return false;
    if (kind == UNPACK_NONE) return true;
    if (!input_unpack(&src->in, kind)) return source_fail(src, "out of memory");
    if (!find_packing(src, &inner)) return false;
    if (inner == UNPACK_NONE) return true;
    return source_fail(src, "is packed twice: unpack it into a pipe by %s -dc FILE",
                       unpack_name(kind));
}

/* Do the first bytes of a template's file look like a header (of MP3, two: one has only four bytes)
 * or, unless its name gave the format, like text? */
static bool looks_like_another_format(source *src)
{
    input *in = &src->in;
    const bool or_text = !src->options.is_named;
    input_need(in, DETECT_MOST);
    const unsigned char *bytes = input_bytes(in);
    const size_t n = input_have(in) < DETECT_MOST ? input_have(in) : DETECT_MOST;
    const detect_kind kind = detect(bytes, n, n < DETECT_MOST);
    const size_t line = n < DETECT_LINE ? n : DETECT_LINE;
    if (kind == DETECT_TEXT) return or_text && detect_is_printable(bytes, line);
    if (kind == DETECT_UTF16) return or_text;
    if (kind == DETECT_MP3) return detect_is_surely_mp3(bytes, n);
    return kind != DETECT_F32;
}

/* Wait for more bytes, which may show frames of audio, but of live input only for a time: slow
 * samples must not wait for them. A stream of 64 kbit/s gives DETECT_MOST in it. */
static bool wait_for_frames(input *in, int64_t since_ns)
{
    enum { MOST_MS = 1000 };
    if (in->is_file) return input_more(in);
    const int64_t waited_ms = (fd_now_ns() - since_ns) / 1000000;
    return waited_ms < MOST_MS && input_more_within(in, (int)(MOST_MS - waited_ms));
}

/* A frame's bytes may begin like a line. A file is looked at on, a pipe as far as it came. */
static detect_kind judge_text(input *in)
{
    if (in->is_file) input_need(in, DETECT_MOST);
    return detect_frames_after_text(input_bytes(in), input_have(in));
}

/* Set the kind by the first bytes. */
static bool judge(source *src)
{
    input *in = &src->in;
    int64_t since_ns = -1;
    bool is_over = in->ended;
    for (;;) {
        src->kind = detect(input_bytes(in), input_have(in), is_over);
        const bool is_f32 = src->kind == DETECT_PERHAPS_F32;
        if (src->kind == DETECT_TEXT) src->kind = judge_text(in);
        if (src->kind != DETECT_WAITING && !is_f32) return true;
        if (is_f32 && since_ns < 0) since_ns = fd_now_ns();
        is_over = !(is_f32 ? wait_for_frames(in, since_ns) : input_more(in));
        /* Bytes that a failure or a wake cut off would be judged wrongly. */
        if (is_over && !in->ended && input_has_stopped(in))
            return source_fail_open(src, "cut short");
    }
}

/* An ID3 tag stands before MP3, but also before FLAC or AAC. */
static bool pass_tags(source *src)
{
    if (memcmp(input_bytes(&src->in), "ID3", 3) != 0) return true;
    if (!mpeg_skip_tags(&src->in)) return source_fail_open(src, "holds no MP3 frames");
    if (!judge(src)) return false;
    if (src->kind != DETECT_FLAC && src->kind != DETECT_FOREIGN) src->kind = DETECT_MP3;
    return true;
}

static bool is_audio(detect_kind kind)
{
    return kind != DETECT_TEXT && kind != DETECT_F32 && kind != DETECT_NPY && kind != DETECT_UTF16;
}

/* Detect the format, reading as many bytes as that needs. An input without a byte is an error. */
static bool detect_format(source *src)
{
    source_options *o = &src->options;
    if (!input_need(&src->in, 1)) return source_fail_open(src, "is empty: no samples");
    if (o->is_template && pcm_width(o->format) > 0 && src->in.is_file &&
        looks_like_another_format(src))
        o->format = SOURCE_AUTO;
    if (o->is_template && o->format == SOURCE_AUDIO) o->format = SOURCE_AUTO;
    src->judged = o->format == SOURCE_AUTO || o->format == SOURCE_AUDIO ||
                  (o->is_template && o->format == SOURCE_JSONL);
    src->kind = o->format == SOURCE_TEXT    ? DETECT_TEXT
                : o->format == SOURCE_JSONL ? DETECT_JSONL
                : o->format == SOURCE_NPY   ? DETECT_NPY
                                            : DETECT_F32;
    if (src->judged && !judge(src)) return false;
    if (src->kind == DETECT_MP3 && src->judged && !pass_tags(src)) return false;
    if (o->format != SOURCE_AUDIO || is_audio(src->kind)) return true;
    return source_fail(src,
                       "holds no audio that is known here: convert it by ffmpeg -i FILE -f wav -");
}

/* Refuse what is known to be no samples. */
static bool refuse(source *src)
{
    char reason[SOURCE_REASON];
    if (src->kind == DETECT_FOREIGN) input_need(&src->in, DETECT_ADVICE);
    detect_advise(input_bytes(&src->in), input_have(&src->in), reason, sizeof reason);
    return source_fail(src, "%s", reason);
}

static bool is_json(const source *src)
{
    const size_t have = input_have(&src->in);
    return src->judged &&
           detect_is_json(input_bytes(&src->in), have < DETECT_LINE ? have : DETECT_LINE);
}

static bool open_text(source *src)
{
    if (!is_json(src)) return text_open(src);
    if (!jsonl_begins(src)) return refuse(src);
    src->kind = DETECT_JSONL;
    return text_open(src);
}

static bool is_ogg_flac(input *in)
{
    enum { AT = 28, NAME = 5 }; /* after the header of a page */
    return input_need(in, AT + NAME) && memcmp(input_bytes(in) + AT,
                                               "\x7f"
                                               "FLAC",
                                               NAME) == 0;
}

static bool open_back_end(source *src)
{
    switch (src->kind) {
    case DETECT_TEXT: return open_text(src);
    case DETECT_JSONL: return text_open(src);
    case DETECT_NPY: return npy_open(src);
    case DETECT_FOREIGN: return refuse(src);
    case DETECT_WAV:
    case DETECT_RF64:
    case DETECT_W64: return wav_open(src);
    case DETECT_UTF16:
        return source_fail(src, "is text in UTF-16: convert it by iconv -f UTF-16 -t UTF-8");
    case DETECT_BUNDLE:
        return source_fail(src,
                           "is a bundle of templates, not samples: give it as TEMPLATE, with a "
                           "name that ends in .sigrep");
    case DETECT_WAITING:
    case DETECT_PERHAPS_F32:
    case DETECT_F32:
        src->guessed = src->judged;
        if (src->guessed && src->options.is_found)
            return source_fail(src, "its bytes show no format");
        if (src->guessed) src->options.format = SOURCE_F32;
        return raw_open(src);
    case DETECT_FLAC: return flac_open(src);
    case DETECT_MP3: return mpeg_open(src, UINT64_MAX);
    case DETECT_OGG: return is_ogg_flac(&src->in) ? flac_open(src) : sndfile_open(src);
    default: return sndfile_open(src);
    }
}

/* The format of the file name's extension, as -f takes it, in name[]. NULL: it has none, or is the
 * one that was guessed. */
static const char *format_of_name(const source *src, const char *path, char name[SOURCE_EXTENSION])
{
    static const char *const text[] = {"txt", "csv", "tsv"};
    source_options named = {0};
    source_extension(path, name);
    for (size_t i = 0; src->guessed && i < sizeof text / sizeof *text; i++)
        if (!strcmp(name, text[i])) return "text";
    if (!source_format_from_name(path, &named)) return NULL;
    if (src->guessed && named.format == SOURCE_F32 && !named.big_endian) return NULL;
    return name;
}

/* Files and pipes alike are judged by their bytes. Warn of a guess, and name the other format that
 * the file's name suggests. If the input cannot be read, add that to the reason. */
static void report_guess(source *src, const char *path, bool is_open)
{
    const bool is_no_mp3 = src->kind == DETECT_MP3 && !is_open;
    const bool is_guess = src->guessed || src->kind == DETECT_TEXT || is_no_mp3;
    char extension[SOURCE_EXTENSION], words[SOURCE_REASON];
    const char *name = is_guess ? format_of_name(src, path, extension) : NULL;
    if (!name && is_open && src->guessed)
        source_warn(src, "its bytes show no format: read as raw f32; give -f f32, or the right "
                         "format");
    if (!name) return;
    snprintf(words, sizeof words, "its bytes look like %s; -f %s reads it by its name instead",
             source_format_name(src), name);
    if (is_open)
        source_warn(src, "%s", words);
    else
        snprintf(src->error + strlen(src->error), sizeof src->error - strlen(src->error), "; %s",
                 words);
}

static bool choose_channels(source *src)
{
    const size_t native = src->native_channels = src->info.channels;
    if (!channels_choose(src)) return false;
    src->info.is_wide = src->read_doubles != NULL;
    src->info.native_channels = native;
    if (src->plain) src->info.integer_bits = pcm_integer_bits(src->plain);
    src->scratch_frames = SCRATCH_VALUES / native ? SCRATCH_VALUES / native : 1;
    src->scratch = malloc(src->scratch_frames * native * sizeof *src->scratch);
    src->wide = malloc(src->scratch_frames * native * sizeof *src->wide);
    if (src->info.is_wide) src->rounding.last = malloc(native * sizeof *src->rounding.last);
    for (size_t k = 0; src->rounding.last && k < native; k++) src->rounding.last[k] = NAN;
    return (src->scratch && src->wide) || source_fail(src, "out of memory");
}

static bool is_foreign_signal(const source *src)
{
    return detect_is_foreign_signal(input_bytes(&src->in), input_have(&src->in));
}

/* Only a header is a sure sign of samples. Lack of memory is a sign of nothing. */
static source_failure why_not_open(const source *src)
{
    if (src->in.failure) return SOURCE_UNREADABLE;
    if (strncmp(src->error, "out of memory", 13) == 0) return SOURCE_BAD;
    if (src->lacks_column) return SOURCE_NO_COLUMN;
    switch (src->kind) {
    case DETECT_WAITING: /* it is empty */
    case DETECT_PERHAPS_F32:
    case DETECT_TEXT:
    case DETECT_JSONL:
    case DETECT_F32:
    case DETECT_BUNDLE: return src->in.woken ? SOURCE_BAD : SOURCE_NO_SIGNAL;
    case DETECT_UTF16:
    case DETECT_OTHER: return src->in.woken ? SOURCE_BAD : SOURCE_FOREIGN;
    case DETECT_FOREIGN: return is_foreign_signal(src) ? SOURCE_FOREIGN : SOURCE_NO_SIGNAL;
    default: return SOURCE_BAD;
    }
}

static source *give_up(source *src, char *error, size_t size)
{
    if (src->options.failure) *src->options.failure = why_not_open(src);
    snprintf(error, size, "%s", src->error);
    source_close(src);
    return NULL;
}

/* Nothing is to be detected, and there are no bytes. */
static bool open_lines(source *src)
{
    src->in = (input){.fd = -1, .wake_fd = -1, .ended = true};
    src->info.live = src->options.lines->is_live;
    src->kind = DETECT_TEXT;
    return text_open(src) && choose_channels(src) && timed_open(src);
}

source *source_open(const char *path, const source_options *options, char *error, size_t size)
{
    source *src = calloc(1, sizeof *src);
    if (!src) {
        snprintf(error, size, "out of memory");
        return NULL;
    }
    src->options = *options;
    const bool rate_known = options->rate_hz > 0; /* audio formats have a rate of their own */
    src->info = (source_info){
        .rate_hz = rate_known ? options->rate_hz : 1, .rate_known = rate_known, .channels = 1};
    if (options->lines) return open_lines(src) ? src : give_up(src, error, size);
    if (!options->is_template && mic_is_named(path)) {
        src->in.fd = -1;
        if (mic_open(src, path + strlen(MIC_PREFIX)) && choose_channels(src)) return src;
        return give_up(src, error, size);
    }
    if (!input_open(&src->in, path, options->wake_fd, error, size)) {
        if (options->failure) *options->failure = SOURCE_UNREADABLE;
        free(src);
        return NULL;
    }
    src->info.live = !src->in.is_file;
    const bool is_detected = unpack_input(src) && detect_format(src);
    const bool is_open =
        is_detected && open_back_end(src) && choose_channels(src) && timed_open(src);
    if (is_detected && src->judged) report_guess(src, path, is_open);
    return is_open ? src : give_up(src, error, size);
}

void source_close(source *src)
{
    if (!src) return;
    timed_close(src);
    if (src->ops) src->ops->close(src);
    input_close(&src->in);
    channels_free(&src->chosen);
    free(src->native.data);
    free(src->scratch);
    free(src->wide);
    free(src->rounding.last);
    free(src->names.data);
    free(src->head.data);
    free(src->came_with.data);
    if (src->lines) kept_lines_free(src->lines);
    free(src->lines);
    free(src);
}
