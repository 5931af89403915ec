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
    CHECK(gives_by(&w, false, ""));
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
    return check_done();
}
