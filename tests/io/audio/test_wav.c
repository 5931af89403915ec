#include <errno.h>
#include <fcntl.h>

#include "tests/io/source_help.h"

/* A WAV file under construction; some tests patch in wrong sizes. */
typedef struct {
    unsigned char bytes[4096];
    size_t n;
    bool big_endian;
    size_t data_at; /* where the size of the data chunk stands */
} wav_file;

static void put(wav_file *w, uint32_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        size_t shift = 8 * (w->big_endian ? width - 1 - i : i);
        w->bytes[w->n++] = (unsigned char)(value >> shift);
    }
}

static void put_bytes(wav_file *w, const void *bytes, size_t n)
{
    memcpy(w->bytes + w->n, bytes, n);
    w->n += n;
}

static void set_u32(wav_file *w, size_t at, uint32_t value)
{
    size_t n = w->n;
    w->n = at;
    put(w, value, 4);
    w->n = n;
}

static void put_format(wav_file *w, unsigned tag, unsigned channels, unsigned bits)
{
    unsigned block = channels * ((bits + 7) / 8);
    put_bytes(w, "fmt ", 4);
    put(w, 16, 4);
    put(w, tag, 2);
    put(w, channels, 2);
    put(w, 8000, 4);
    put(w, 8000 * block, 4);
    put(w, block, 2);
    put(w, bits, 2);
}

static void put_data(wav_file *w, const void *bytes, size_t n)
{
    put_bytes(w, "data", 4);
    w->data_at = w->n;
    put(w, (uint32_t)n, 4);
    put_bytes(w, bytes, n);
    set_u32(w, 4, (uint32_t)w->n - 8);
}

static wav_file begin(bool big_endian)
{
    wav_file w = {.big_endian = big_endian};
    put_bytes(&w, big_endian ? "RIFX\0\0\0\0WAVE" : "RIFF\0\0\0\0WAVE", 12);
    return w;
}

static wav_file simple(unsigned tag, unsigned channels, unsigned bits, const void *data, size_t n)
{
    wav_file w = begin(false);
    put_format(&w, tag, channels, bits);
    put_data(&w, data, n);
    return w;
}

static bool gives(const wav_file *w, const char *words)
{
    source_options o = help_options(SOURCE_AUTO);
    return help_gives_bytes(&o, w->bytes, w->n, words);
}

static bool gives_by(const wav_file *w, bool by_pipe, const char *words)
{
    source_options o = help_options(SOURCE_AUTO);
    help_input in = {w->bytes, w->n, 0, by_pipe};
    help_result r = help_run(&in, &o);
    const char *got = help_words(&r, false);
    bool good = strcmp(got, words) == 0;
    if (!good) fprintf(stderr, "got %s, expected %s\n", got, words);
    help_free(&r);
    return good;
}

static void every_plain_format(void)
{
    wav_file w = simple(1, 1, 8, "\x00\x80\xc0", 3);
    CHECK(gives(&w, "-1 | 0 | 0.5"));
    w = simple(1, 1, 16, "\x00\x80\x00\x40", 4);
    CHECK(gives(&w, "-1 | 0.5"));
    w = simple(1, 1, 24, "\x00\x00\x80\x00\x00\x40", 6);
    CHECK(gives(&w, "-1 | 0.5"));
    w = simple(1, 1, 32, "\x00\x00\x00\x80\x00\x00\x00\x40", 8);
    CHECK(gives(&w, "-1 | 0.5"));
    w = simple(3, 1, 32, "\x00\x00\x80\x3f\x00\x00\x20\xc0", 8);
    CHECK(gives(&w, "1 | -2.5"));
    w = simple(3, 1, 64, "\x00\x00\x00\x00\x00\x00\xf0\x3f", 8);
    CHECK(gives(&w, "1"));
    w = simple(1, 1, 20, "\x00\x00\x80\x00\x00\x40", 6);
    CHECK(gives(&w, "-1 | 0.5"));
}

static void big_endian_files(void)
{
    wav_file w = begin(true);
    put_format(&w, 1, 1, 16);
    put_data(&w, "\x80\x00\x40\x00", 4);
    CHECK(gives(&w, "-1 | 0.5"));
}

static void channels_are_mixed_by_default(void)
{
    wav_file w = simple(1, 2, 16, "\x00\x40\x00\x00\x00\x80\x00\x40", 8);
    CHECK(gives(&w, "0.25 | -0.25"));
    source_options o = help_options(SOURCE_AUTO);
    o.choice = CHANNEL_EACH;
    CHECK(help_gives_bytes(&o, w.bytes, w.n, "0.5 0 | -1 0.5"));
    o.choice = CHANNEL_ONE;
    o.channel = 2;
    CHECK(help_gives_bytes(&o, w.bytes, w.n, "0 | 0.5"));
    o.channel = 3;
    CHECK(help_gives_bytes(&o, w.bytes, w.n, "!! has 2 channels, no channel 3"));
}

static void the_extensible_header(void)
{
    static const unsigned char tail[] = {0, 0, 0,    0, 0x10, 0,    0x80,
                                         0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    for (unsigned tag = 1; tag <= 7; tag += 2) {
        wav_file w = begin(false);
        put_format(&w, 0xfffe, 1, 32);
        set_u32(&w, 16, 40);
        put(&w, 22, 2);
        put(&w, tag == 1 ? 24 : 32, 2);
        put(&w, 4, 4);
        put(&w, tag, 2);
        put_bytes(&w, tail, sizeof tail);
        put_data(&w, "\x00\x00\x80\x3f", 4);
        if (tag == 1) CHECK(gives(&w, "0.49609375"));
        if (tag == 3) CHECK(gives(&w, "1"));
        if (tag == 7)
            CHECK(gives_by(&w, true,
                           "!! WAV of format 0x0007 cannot be read from a pipe: "
                           "convert it by ffmpeg -i FILE -f wav -"));
    }
}

static void other_chunks_are_passed_over(void)
{
    wav_file w = begin(false);
    put_bytes(&w, "LIST\5\0\0\0abcde\0", 14); /* odd: padded */
    put_format(&w, 1, 1, 16);
    put_bytes(&w, "fact\4\0\0\0\1\0\0\0", 12);
    put_data(&w, "\x00\x40", 2);
    put_bytes(&w, "LIST\4\0\0\0abcd", 12);
    CHECK(gives(&w, "0.5"));
}

/* Sizes that mean "until the end". */
static void unknown_sizes(void)
{
    static const uint32_t sizes[] = {0, 0xffffffff, 0x7ffff000, 0x80000000, 0x7fffffff, 0xffffffdb};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        wav_file w = simple(1, 1, 16, "\x00\x80\x00\x40", 4);
        set_u32(&w, w.data_at, sizes[i]);
        set_u32(&w, 4, sizes[i] + (sizes[i] < 0xff000000 ? 36 : 0));
        CHECK_MSG(gives(&w, "-1 | 0.5"), "size %x", sizes[i]);
        w.n--;
        CHECK(gives(&w, "-1 | ! cut short: ends inside a frame (1 byte left over)"));
    }
}

static void a_file_without_samples(void)
{
    wav_file w = simple(1, 1, 16, "", 0);
    put_bytes(&w, "LIST\4\0\0\0abcd", 12);
    set_u32(&w, 4, (uint32_t)w.n - 8);
    CHECK(gives(&w, ""));
    w = simple(1, 1, 16, "", 0);
    CHECK(gives(&w, ""));
}

static void a_missing_end_is_an_error(void)
{
    wav_file w = simple(1, 1, 16, "\x00\x80\x00\x40\x00\x00", 6);
    w.n -= 2;
    CHECK(gives(&w, "-1 | 0.5 | ! cut short: 2 of 3 frames"));
    w.n -= 1;
    CHECK(gives(&w, "-1 | ! cut short: 1 of 3 frames"));
    w.n -= 3;
    CHECK(gives(&w, "! cut short: 0 of 3 frames"));
}

static void a_header_cut_anywhere_is_an_error(void)
{
    wav_file w = begin(false);
    put_bytes(&w, "LIST\4\0\0\0abcd", 12);
    put_format(&w, 1, 1, 16);
    put_data(&w, "\x00\x40", 2);
    for (size_t n = 12; n + 2 < w.n; n++) {
        wav_file cut = w;
        cut.n = n;
        source_options o = help_options(SOURCE_AUTO);
        help_input in = {cut.bytes, cut.n, 0, n & 1};
        help_result r = help_run(&in, &o);
        CHECK_MSG(!r.opened && strncmp(r.error, "cut short", 9) == 0, "at %zu: %s", n, r.error);
        help_free(&r);
    }
}

static void bad_headers_are_reported(void)
{
    wav_file w = simple(1, 0, 16, "\0\0", 2);
    CHECK(gives(&w, "!! bad WAV header: 0 channels"));
    w = simple(1, 257, 16, "\0\0", 2);
    CHECK(gives(&w, "!! bad WAV header: 257 channels"));
    w = simple(1, 1, 16, "\0\0", 2);
    set_u32(&w, 24, 0);
    CHECK(gives(&w, "!! bad WAV header: a rate of 0 Hz"));
    w = simple(1, 2, 16, "\0\0", 2);
    w.bytes[32] = 3;
    CHECK(gives(&w, "!! bad WAV header: 3 bytes a frame, but 2 channels of 16 bits"));
    w = simple(1, 1, 40, "\0\0", 2);
    CHECK(gives(&w, "!! bad WAV header: integer samples of 40 bits"));
    w = simple(3, 1, 16, "\0\0", 2);
    CHECK(gives(&w, "!! bad WAV header: float samples of 16 bits"));
    w = simple(1, 1, 0, "\0\0", 2);
    CHECK(gives(&w, "!! bad WAV header: integer samples of 0 bits"));
    w = begin(false);
    put_data(&w, "\0\0", 2);
    CHECK(gives(&w, "!! bad WAV header: the data chunk comes before the format chunk"));
    w = begin(false);
    put_bytes(&w, "fmt \4\0\0\0abcd", 12);
    CHECK(gives(&w, "!! bad WAV header: a format chunk of 4 bytes"));
}

static void facts_from_the_header(void)
{
    wav_file w = simple(1, 2, 16, "\0\0\0\0\0\0\0\0", 8);
    source_options o = help_options(SOURCE_AUTO);
    help_input in = {w.bytes, w.n, 0, false};
    help_result r = help_run(&in, &o);
    CHECK(r.info.rate_hz == 8000 && r.info.rate_known && r.info.audio && !r.info.live);
    CHECK(r.info.frames == 2 && r.info.channels == 1);
    help_free(&r);
    in.by_pipe = true;
    r = help_run(&in, &o);
    CHECK(r.info.frames == 2 && r.info.live);
    help_free(&r);
}

#define STALE(declared, present)                                                                   \
    "! wrong header: it declares " declared " bytes of samples, but " present                      \
    " follow, which were all read as samples"

/* The bug: samples after the declared size were dropped, with status 0 or 1. */
static void a_stale_size_drops_no_samples(void)
{
    static const char four[] = "\x00\x80\x00\x40\x00\x20\x00\x10";
    wav_file w = simple(1, 1, 16, four, 8);
    set_u32(&w, w.data_at, 4);
    CHECK(gives(&w, "-1 | 0.5 | 0.25 | 0.125 | " STALE("4", "8")));
    set_u32(&w, w.data_at, 5);
    CHECK(gives(&w, "-1 | 0.5 | 0.25 | 0.125 | " STALE("5", "8")));
    w.n--;
    CHECK(gives(&w, "-1 | 0.5 | 0.25 | " STALE("5", "7")));
    w = simple(1, 1, 16, four, 4);
    put_bytes(&w, "xyz", 3);
    CHECK(gives(&w, "-1 | 0.5 | 0.948974609 | " STALE("4", "7")));
}

/* One byte more than declared, where a padding might be. */
static void a_sample_is_not_taken_for_a_padding(void)
{
    wav_file w = simple(1, 1, 8, "\x80\xc0\x80\xc0", 4);
    set_u32(&w, w.data_at, 3);
    CHECK(gives(&w, "0 | 0.5 | 0 | 0.5 | " STALE("3", "4")));
}

/* As `cat a.wav b.wav` makes it. */
static void a_second_file_is_not_a_chunk(void)
{
    wav_file w = simple(1, 1, 8, "\x80", 2), second = w;
    put_bytes(&w, second.bytes, second.n);
    source_options o = help_options(SOURCE_AUTO);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        help_input in = {w.bytes, w.n, 0, by_pipe};
        help_result r = help_run(&in, &o);
        CHECK_MSG(r.failed && r.n == 2 + second.n, "%zu %s", r.n, r.error);
        CHECK(strncmp(r.error, "wrong header", 12) == 0);
        help_free(&r);
    }
}

static void chunks_after_the_samples_must_be_whole(void)
{
    wav_file w = simple(1, 1, 8, "\x80\xc0\x80", 3); /* odd: padded */
    put_bytes(&w, "\0LIST\5\0\0\0abcde\0id3 \2\0\0\0ab", 1 + 14 + 10);
    CHECK(gives(&w, "0 | 0.5 | 0"));
    w.n--;
    CHECK(gives(&w, "0 | 0.5 | 0 | ! cut short inside a chunk after the samples"));
    w.n -= 2;
    CHECK(gives(&w, "0 | 0.5 | 0 | ! damaged: the bytes after the last chunk are no chunk"));
    w.n -= 7;
    CHECK(gives(&w, "0 | 0.5 | 0"));
    w.n--; /* some leave out the last padding, */
    CHECK(gives(&w, "0 | 0.5 | 0"));
    w = simple(1, 1, 8, "\x80\xc0\x80", 3);
    CHECK(gives(&w, "0 | 0.5 | 0"));
    put_bytes(&w, "LIST\4\0\0\0abcd", 12); /* that of the samples, */
    CHECK(gives(&w, "0 | 0.5 | 0"));
    w = simple(1, 1, 24, "\x00\x00\x40", 4); /* or count it */
    CHECK(gives(&w, "0.5"));
}

/* Regression: a counted padding may be a byte of a frame that was cut short, unless it is 0. */
static void a_byte_of_a_frame_is_not_taken_for_a_counted_padding(void)
{
    const wav_file w = simple(1, 1, 24, "\x00\x00\x40\x01", 4);
    CHECK(gives(&w, "0.5 | ! cut short: ends inside a frame (1 byte left over)"));
}

/* A sparse file: `size` is declared, `bytes` of zeros follow, then 0.5. Its last frame must be
 * that, and the end as `words` says. */
static bool large_file_gives(uint32_t size, uint64_t bytes, const char *words)
{
    char error[256] = "";
    float last = 0, more;
    const wav_file w = simple(1, 1, 16, "", 0);
    wav_file head = w;
    set_u32(&head, head.data_at, size);
    const char *path = help_file(head.bytes, head.n);
    const int fd = open(path, O_WRONLY);
    bool good = pwrite(fd, "\x00\x40", 2, (off_t)(head.n + bytes)) == 2;
    close(fd);
    const source_options o = help_options(SOURCE_AUTO);
    source *src = source_open(path, &o, error, sizeof error);
    const uint64_t frames = bytes / 2 + 1;
    good = good && src && source_frames_left(src) == frames;
    good = good && source_get_info(src).frames == frames;
    good = good && source_read_at(src, frames - 1, &last, 1) == 1 && last == 0.5f;
    if (good) source_skip(src, frames);
    good = good && source_read(src, &more, NULL, 1) == (words[0] ? -1 : 0);
    if (src && strcmp(source_error(src), words) != 0) fprintf(stderr, "%s\n", source_error(src));
    good = good && strcmp(source_error(src), words) == 0;
    source_close(src);
    unlink(path);
    return good;
}

/* The bug: up to 4 GiB were dropped after a placeholder that was smaller than the file. */
static void more_than_a_placeholder_says(void)
{
    CHECK(large_file_gives(0x7ffff000, 0x7ffff000, ""));
    CHECK(large_file_gives(0x7ffff000, 0xc0000000, ""));
    CHECK(large_file_gives(0xfffffffe, 0x240000000, ""));
}

/* A size of 32 bits counts modulo 4 GiB. */
static void a_size_that_has_wrapped(void)
{
    const uint64_t wrap = (uint64_t)1 << 32;
    CHECK(large_file_gives(16, wrap + 14, ""));
    CHECK(large_file_gives(16, 3 * wrap + 14, ""));
    CHECK(large_file_gives(16, wrap + 16,
                           "wrong header: it declares 16 bytes of samples, but 4294967314 follow, "
                           "which were all read as samples"));
}

static void put_guid(wav_file *w, const char *name, uint32_t size)
{
    put_bytes(w, name, 4);
    put_bytes(w, "\xf3\xac\xd3\x11\x8c\xd1\x00\xc0\x4f\x8e\xdb\x8a", 12);
    put(w, size, 4);
    put(w, 0, 4);
}

/* Two samples: -1 and 0.5. */
static wav_file w64(void)
{
    wav_file w = {.n = 0};
    put_bytes(&w, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0ssssssss", 24);
    put_bytes(&w, "waveGGGGGGGGGGGG", 16);
    put_guid(&w, "fmt ", 40);
    put_format(&w, 1, 1, 16);
    memmove(w.bytes + w.n - 24, w.bytes + w.n - 16, 16);
    w.n -= 8;
    w.data_at = w.n + 16;
    put_guid(&w, "data", 28);
    put_bytes(&w, "\x00\x80\x00\x40", 4);
    return w;
}

static void sizes_of_w64(void)
{
    wav_file w = w64();
    CHECK(gives(&w, "-1 | 0.5"));
    set_u32(&w, w.data_at, 26);
    CHECK(gives(&w, "-1 | 0.5 | " STALE("2", "4")));
    set_u32(&w, w.data_at, 30);
    CHECK(gives(&w, "-1 | 0.5 | ! cut short: 2 of 3 frames"));
    set_u32(&w, w.data_at, 0);
    CHECK(gives(&w, "-1 | 0.5"));
    w = w64();
    put_bytes(&w, "\0\0\0", 4); /* padded to 8 bytes */
    put_guid(&w, "bext", 26);
    put_bytes(&w, "ab", 2);
    CHECK(gives(&w, "-1 | 0.5"));
}

/* Two samples: -1 and 0.5. */
static wav_file rf64(uint32_t long_size, uint32_t size)
{
    wav_file w = {.n = 0};
    put_bytes(&w, "RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0rrrrrrrr", 28);
    put(&w, long_size, 4);
    put_bytes(&w, "\0\0\0\0ssssssss\0\0\0", 16);
    put_format(&w, 1, 1, 16);
    put_bytes(&w, "data", 4);
    put(&w, size, 4);
    put_bytes(&w, "\x00\x80\x00\x40", 4);
    return w;
}

static void sizes_of_rf64(void)
{
    wav_file w = rf64(4, 0xffffffff);
    CHECK(gives(&w, "-1 | 0.5"));
    put_bytes(&w, "LIST\4\0\0\0abcd", 12);
    CHECK(gives(&w, "-1 | 0.5"));
    w = rf64(2, 0xffffffff);
    CHECK(gives(&w, "-1 | 0.5 | " STALE("2", "4")));
    w = rf64(6, 0xffffffff);
    CHECK(gives(&w, "-1 | 0.5 | ! cut short: 2 of 3 frames"));
    w = rf64(0, 0xffffffff);
    CHECK(gives(&w, "-1 | 0.5"));
    w = rf64(0x7ffff000, 0xffffffff); /* of 64 bits, so no placeholder */
    CHECK(gives(&w, "-1 | 0.5 | ! cut short: 2 of 1073739776 frames"));
    w = rf64(99, 4); /* the 32-bit size counts */
    CHECK(gives(&w, "-1 | 0.5"));
}

/* The bug: such files had no samples, with status 1. */
static void w64_and_rf64_cut_in_their_header(void)
{
    const wav_file files[] = {w64(), rf64(4, 0xffffffff)};
    for (size_t i = 0; i < 2; i++)
        for (size_t n = 12; n + 4 < files[i].n; n++) {
            source_options o = help_options(SOURCE_AUTO);
            help_input in = {files[i].bytes, n, 0, n & 1};
            help_result r = help_run(&in, &o);
            CHECK_MSG(!r.opened && strncmp(r.error, "cut short", 9) == 0, "at %zu: %s", n, r.error);
            help_free(&r);
        }
}

static int calls_left;

static bool has_failed(void)
{
    errno = EIO;
    return calls_left-- == 0;
}

static ssize_t poor_read(int fd, void *bytes, size_t size)
{
    return has_failed() ? -1 : read(fd, bytes, size < 5 ? size : 5);
}

static ssize_t poor_pread(int fd, void *bytes, size_t size, off_t offset)
{
    return has_failed() ? -1 : pread(fd, bytes, size < 5 ? size : 5, offset);
}

/* The bug: if the look at the end of the samples failed, the chunk after it was read as samples. */
static void a_read_error_moves_no_end(void)
{
    const fd_calls calls = {.read = poor_read, .write = write, .poll = poll, .pread = poor_pread};
    wav_file w = simple(1, 1, 16, "\x00\x80\x00\x40", 4);
    put_bytes(&w, "LIST\4\0\0\0abcd", 12);
    const char *path = help_file(w.bytes, w.n);
    const source_options o = help_options(SOURCE_AUTO);
    int k = 0;
    for (calls_left = -1; calls_left < 0; k++) {
        char error[256];
        float samples[16] = {0};
        calls_left = k;
        fd_set_calls(&calls);
        source *src = source_open(path, &o, error, sizeof error);
        ssize_t n = 0, got = 0;
        while (src && (got = source_read(src, samples + n, NULL, (size_t)(16 - n))) > 0) n += got;
        if (src && got < 0) snprintf(error, sizeof error, "%s", source_error(src));
        source_close(src);
        fd_set_calls(NULL);
        CHECK_MSG(n <= 2 && (n == 0 || samples[0] == -1), "call %d: %zd samples", k, n);
        const bool is_whole = src && got == 0 && n == 2;
        CHECK_MSG(is_whole || strcmp(error, strerror(EIO)) == 0, "call %d: %s", k, error);
    }
    CHECK(k > 10);
    unlink(path);
}

int main(void)
{
    RUN(every_plain_format);
    RUN(big_endian_files);
    RUN(channels_are_mixed_by_default);
    RUN(the_extensible_header);
    RUN(other_chunks_are_passed_over);
    RUN(unknown_sizes);
    RUN(a_file_without_samples);
    RUN(a_missing_end_is_an_error);
    RUN(a_header_cut_anywhere_is_an_error);
    RUN(bad_headers_are_reported);
    RUN(facts_from_the_header);
    RUN(a_stale_size_drops_no_samples);
    RUN(a_sample_is_not_taken_for_a_padding);
    RUN(a_second_file_is_not_a_chunk);
    RUN(chunks_after_the_samples_must_be_whole);
    RUN(a_byte_of_a_frame_is_not_taken_for_a_counted_padding);
    RUN(more_than_a_placeholder_says);
    RUN(a_size_that_has_wrapped);
    RUN(sizes_of_w64);
    RUN(sizes_of_rf64);
    RUN(w64_and_rf64_cut_in_their_header);
    RUN(a_read_error_moves_no_end);
    return check_done();
}
