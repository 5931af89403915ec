/* io/audio/flac.c: FLAC files as they come, joined, with wrong totals, tagged and damaged. */
#include <FLAC/stream_encoder.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>

#include "tests/io/source_help.h"

enum { FRAMES = 60000, RATE = 16000, LIMIT = 1 << 19, TOTAL = 8 + 13 }; /* TOTAL: its byte */

typedef struct {
    unsigned char bytes[LIMIT];
    size_t n;
} sound;

static short wave[FRAMES];
static float expected[2 * FRAMES];
static sound one;

static void load(sound *s, const char *path)
{
    int fd = open(path, O_RDONLY);
    s->n = 0;
    for (ssize_t n; (n = read(fd, s->bytes + s->n, LIMIT - s->n)) > 0;) s->n += (size_t)n;
    close(fd);
    unlink(path);
}

/* With `level` 0 a block has 1152 samples, else 4096. */
static void encode(sound *s, int rate_hz, double level)
{
    SF_INFO info = {.samplerate = rate_hz, .channels = 1};
    info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
    const char *path = help_file("", 0);
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    sf_command(file, SFC_SET_COMPRESSION_LEVEL, &level, sizeof level);
    CHECK(file && sf_write_short(file, wave, FRAMES) == FRAMES);
    sf_close(file);
    load(s, path);
}

static help_result run(const void *bytes, size_t n, bool by_pipe)
{
    source_options o = help_options(SOURCE_AUTO);
    help_input in = {bytes, n, 0, by_pipe};
    return help_run(&in, &o);
}

/* Do the bytes give `copies` times the sound, from a file and from a pipe, without a word? */
static bool gives(const sound *s, size_t copies)
{
    bool good = true;
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        help_result r = run(s->bytes, s->n, by_pipe);
        good &= r.opened && !r.failed && !r.warnings[0] && r.n == copies * FRAMES;
        if (good) good = memcmp(r.values, expected, r.n * sizeof(float)) == 0;
        if (!good) fprintf(stderr, "%zu frames %s%s\n", r.n, r.error, r.warnings);
        help_free(&r);
    }
    return good;
}

static void a_file_and_a_pipe_give_what_libsndfile_does(void)
{
    CHECK(gives(&one, 1));
}

static void encode_ogg(sound *s)
{
    static FLAC__int32 samples[FRAMES];
    for (size_t i = 0; i < FRAMES; i++) samples[i] = wave[i];
    const char *path = help_file("", 0);
    FLAC__StreamEncoder *e = FLAC__stream_encoder_new();
    FLAC__stream_encoder_set_channels(e, 1);
    FLAC__stream_encoder_set_sample_rate(e, RATE);
    CHECK(FLAC__stream_encoder_init_ogg_file(e, path, NULL, NULL) == 0);
    CHECK(FLAC__stream_encoder_process_interleaved(e, samples, FRAMES));
    FLAC__stream_encoder_finish(e);
    FLAC__stream_encoder_delete(e);
    load(s, path);
}

/* The byte at which the last page of Ogg begins. */
static size_t last_page(const sound *s)
{
    size_t at = s->n - 4;
    while (at > 0 && memcmp(s->bytes + at, "OggS", 4) != 0) at--;
    return at;
}

static void chained_ogg_is_read_to_the_end(void)
{
    static sound s;
    encode_ogg(&s);
    const size_t n = s.n, last = last_page(&s);
    CHECK(gives(&s, 1));
    memcpy(s.bytes + n, s.bytes, n);
    s.n = 2 * n;
    CHECK(gives(&s, 2));
    help_result r = run(s.bytes, last, false);
    CHECK_MSG(r.failed && !strncmp(r.error, "cut short: ", 11), "%s", r.error);
    help_free(&r);
    memset(s.bytes + last + 100, 0, 100);
    r = run(s.bytes, n, true);
    CHECK_MSG(r.failed && !strncmp(r.error, "cut short: ", 11), "%s", r.error);
    help_free(&r);
}

static void set_total(sound *s, unsigned total)
{
    *s = one;
    s->bytes[TOTAL] &= 0xf0;
    for (int i = 0; i < 4; i++) s->bytes[TOTAL + 1 + i] = (unsigned char)(total >> (24 - 8 * i));
}

/* The bug: the samples beyond the total were dropped without a word. */
static void a_total_that_is_too_small_ends_nothing(void)
{
    static sound s;
    set_total(&s, FRAMES / 4);
    CHECK(gives(&s, 1));
    set_total(&s, 0);
    CHECK(gives(&s, 1));
    set_total(&s, 2 * FRAMES);
    help_result r = run(s.bytes, s.n, false);
    CHECK(r.n == FRAMES && !strcmp(r.error, "cut short: 60000 of 120000 frames"));
    help_free(&r);
}

/* The bug: the second file was dropped without a word. */
static void joined_files_are_read_one_after_the_other(void)
{
    static sound s, other;
    s = one;
    memcpy(s.bytes + s.n, one.bytes, one.n);
    s.n += one.n;
    CHECK(gives(&s, 2));
    encode(&other, 8000, 1);
    memcpy(s.bytes + one.n, other.bytes, other.n);
    help_result r = run(s.bytes, one.n + other.n, false);
    CHECK(r.n == FRAMES && r.failed && strstr(r.error, "changes to 1 channels at 8000 Hz"));
    help_free(&r);
}

/* The bug: "holds no MP3 frames". */
static void a_tag_may_come_first(void)
{
    static sound s;
    memcpy(s.bytes, "ID3\3\0\0\0\0\0\12\0\0\0\0\0\0\0\0\0\0", 20);
    memcpy(s.bytes + 20, one.bytes, one.n);
    s.n = 20 + one.n;
    CHECK(gives(&s, 1));
}

/* The bug: all after the damage was lost. The frames after the gap stand where they belong. */
static void damage_is_a_gap(void)
{
    static sound s;
    uint64_t seed = check_seed("damaged FLAC");
    for (int zeros = 0; zeros <= 1; zeros++) {
        s = one;
        for (size_t i = one.n / 2; i < one.n / 2 + 4096; i++)
            s.bytes[i] = zeros ? 0 : (unsigned char)check_random(&seed);
        help_result r = run(s.bytes, s.n, zeros);
        CHECK_MSG(r.n == FRAMES && !r.failed, "%zu %s", r.n, r.error);
        size_t lost = 0, wrong = 0;
        for (size_t t = 0; t < r.n; t++)
            if (isnan(r.values[t]))
                lost++;
            else
                wrong += r.values[t] != expected[t];
        CHECK_MSG(lost > 1000 && lost < 16000 && wrong == 0, "%zu lost, %zu wrong", lost, wrong);
        CHECK_MSG(strstr(r.warnings, "damaged at 1."), "%s", r.warnings);
        help_free(&r);
    }
}

/* A CRC without reflection, from 0. */
static unsigned crc(const unsigned char *bytes, size_t n, unsigned bits, unsigned polynomial)
{
    unsigned c = 0;
    for (size_t i = 0; i < n; i++) {
        c ^= (unsigned)bytes[i] << (bits - 8);
        for (int k = 0; k < 8; k++) c = c << 1 ^ (c >> (bits - 1) & 1 ? polynomial : 0);
        c &= (1U << bits) - 1;
    }
    return c;
}

enum { HEAD = 6, LONGER = 3 }; /* bytes of a header, of a number of 4 bytes more than of 1 */

/* Where frame k begins; the end if there is none. */
static size_t find_frame(const sound *s, unsigned k)
{
    for (size_t i = 42; i + HEAD < s->n; i++)
        if (s->bytes[i] == 0xff && s->bytes[i + 1] == 0xf8 && s->bytes[i + 4] == k &&
            crc(s->bytes + i, HEAD - 1, 8, 7) == s->bytes[i + HEAD - 1])
            return i;
    return s->n;
}

/* From frame k on, add 2^16 to the numbers of the frames. */
static void jump(sound *s, unsigned k)
{
    s->n = find_frame(&one, k);
    memcpy(s->bytes, one.bytes, s->n);
    for (; find_frame(&one, k) < one.n; k++) {
        const size_t at = find_frame(&one, k), size = find_frame(&one, k + 1) - at;
        unsigned char *b = s->bytes + s->n;
        memcpy(b, one.bytes + at, 4);
        const unsigned char number[] = {0xf0, 0x90, 0x80, (unsigned char)(0x80 | k)};
        memcpy(b + 4, number, sizeof number);
        b[8] = (unsigned char)crc(b, 8, 8, 7);
        memcpy(b + HEAD + LONGER, one.bytes + at + HEAD, size - HEAD);
        const size_t end = size + LONGER - 2;
        const unsigned sum = crc(b, end, 16, 0x8005);
        b[end] = (unsigned char)(sum >> 8);
        b[end + 1] = (unsigned char)sum;
        s->n += size + LONGER;
    }
}

/* A gap of 4 hours, as the numbers say, is no gap. */
static void a_jump_of_numbers_is_bounded(void)
{
    static sound s;
    s = one;
    jump(&s, 5);
    help_result r = run(s.bytes, s.n, false);
    CHECK_MSG(r.failed && r.n == 5 * 4096 && strstr(r.error, "has the sample number 2684"),
              "%zu %s", r.n, r.error);
    help_free(&r);
}

/* The bug: libFLAC filled up to the numbers of the first file's block size. */
static void joined_files_may_differ_in_block_size(void)
{
    static sound s, other;
    encode(&other, RATE, 0);
    s = one;
    memcpy(s.bytes + s.n, other.bytes, other.n);
    s.n += other.n;
    CHECK(gives(&s, 2));
    memcpy(other.bytes + other.n, one.bytes, one.n);
    other.n += one.n;
    CHECK(gives(&other, 2));
}

static void a_damaged_end_is_said(void)
{
    static sound s;
    set_total(&s, 0);
    memset(s.bytes + s.n - 4096, 0, 4096);
    help_result r = run(s.bytes, s.n, false);
    CHECK_MSG(r.failed && strstr(r.error, "cut short or damaged: its last "), "%s", r.error);
    help_free(&r);
}

static void a_missing_end_is_an_error(void)
{
    uint64_t seed = check_seed("cut FLAC");
    for (int i = 0; i < 6; i++) {
        help_result r = run(one.bytes, one.n / 4 + check_below(&seed, one.n / 2), i % 2);
        CHECK_MSG(r.failed && !strncmp(r.error, "cut short: ", 11), "%s", r.error);
        CHECK(r.n > 0 && memcmp(r.values, expected, r.n * sizeof(float)) == 0);
        help_free(&r);
    }
}

int main(void)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < FRAMES; i++) {
        wave[i] = (short)(16000 * sin((double)i / 9) + (double)check_below(&seed, 4000));
        expected[i] = expected[FRAMES + i] = (float)wave[i] / 32768;
    }
    encode(&one, RATE, 1);
    RUN(a_file_and_a_pipe_give_what_libsndfile_does);
    RUN(chained_ogg_is_read_to_the_end);
    RUN(a_total_that_is_too_small_ends_nothing);
    RUN(joined_files_are_read_one_after_the_other);
    RUN(a_tag_may_come_first);
    RUN(damage_is_a_gap);
    RUN(a_jump_of_numbers_is_bounded);
    RUN(joined_files_may_differ_in_block_size);
    RUN(a_damaged_end_is_said);
    RUN(a_missing_end_is_an_error);
    return check_done();
}
