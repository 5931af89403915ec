/* io/audio/mpeg.c: MP3 as it comes, with tags, joined, in mid-stream, damaged, in WAV. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>

#include "io/audio/mpeg_header.h"
#include "tests/io/source_help.h"

enum { FRAMES = 100000, LIMIT = 1 << 20 };

static unsigned char sound[LIMIT];
static size_t sound_size;

/* Noise whose loudness `varies`, or not: and so does the bit rate. */
static void encode(bool varies)
{
    int mode = SF_BITRATE_MODE_VARIABLE;
    static float wave[FRAMES];
    SF_INFO info = {.samplerate = 16000, .channels = 1};
    info.format = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;
    uint64_t seed = 1;
    for (size_t i = 0; i < FRAMES; i++) {
        const float level = varies && i / 3000 % 2 ? 0.002f : 0.2f;
        wave[i] = level * (float)check_below(&seed, 1000) / 1000.0f;
    }
    const char *path = help_file("", 0);
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (varies) sf_command(file, SFC_SET_BITRATE_MODE, &mode, sizeof mode);
    CHECK(file && sf_write_float(file, wave, FRAMES) == FRAMES);
    sf_close(file);
    int fd = open(path, O_RDONLY);
    sound_size = 0;
    for (ssize_t n; (n = read(fd, sound + sound_size, LIMIT - sound_size)) > 0;)
        sound_size += (size_t)n;
    close(fd);
    unlink(path);
}

static help_result run(const void *bytes, size_t n, size_t piece, bool by_pipe)
{
    source_options o = help_options(SOURCE_AUTO);
    help_input in = {bytes, n, piece, by_pipe};
    return help_run(&in, &o);
}

static bool same(const help_result *a, const help_result *b)
{
    return a->n == b->n && !a->failed && !b->failed &&
           memcmp(a->values, b->values, a->n * sizeof(float)) == 0;
}

/* An ID3v2 tag larger than any buffer, zeros after it, and an ID3v1 tag at the end. */
static void tags_change_nothing(void)
{
    static unsigned char tagged[2 * LIMIT];
    enum { TAG = 300000, ZEROS = 1000 };
    memcpy(tagged, "ID3\4\0\0", 6);
    for (int i = 0; i < 4; i++) tagged[6 + i] = TAG >> (7 * (3 - i)) & 127;
    memset(tagged + 10, 0xff, TAG);
    size_t n = 10 + TAG + ZEROS;
    memcpy(tagged + n, sound, sound_size);
    n += sound_size;
    memset(tagged + n, ' ', 128);
    memcpy(tagged + n, "TAG", 3);
    n += 128;
    help_result plain = run(sound, sound_size, 0, false);
    CHECK_MSG(plain.n == FRAMES && !plain.failed, "%zu %s", plain.n, plain.error);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        help_result r = run(tagged, n, 0, by_pipe);
        CHECK_MSG(same(&plain, &r), "%zu %s", r.n, r.error);
        help_free(&r);
        r = run(sound, sound_size, 1001, by_pipe);
        CHECK_MSG(same(&plain, &r), "%zu %s", r.n, r.error);
        help_free(&r);
    }
    help_free(&plain);
}

static void something_else_after_a_tag_is_refused(void)
{
    static const char bytes[] = "ID3\4\0\0\0\0\0\4abcdfLaX\1\1\1\1";
    help_result r = run(bytes, sizeof bytes - 1, 0, false);
    CHECK(!r.opened && strcmp(r.error, "holds no MP3 frames") == 0);
    help_free(&r);
    r = run(bytes, 12, 0, true);
    CHECK(!r.opened && strcmp(r.error, "holds no MP3 frames") == 0);
    help_free(&r);
}

static void cut_anywhere_is_an_error(void)
{
    uint64_t seed = check_seed("cut MP3");
    help_result whole = run(sound, sound_size, 0, false);
    for (int i = 0; i < 10; i++) {
        size_t n = sound_size / 4 + check_below(&seed, sound_size / 2);
        help_result r = run(sound, n, 0, i & 1);
        CHECK_MSG(r.failed && strncmp(r.error, "cut short", 9) == 0, "%zu: %s", n, r.error);
        CHECK_MSG(r.n > whole.n / 8, "%zu bytes, %zu frames", n, r.n);
        CHECK(memcmp(r.values, whole.values, r.n / 2 * sizeof(float)) == 0);
        help_free(&r);
    }
    help_free(&whole);
}

/* Two MP3 with counts: each without its encoder's delay. The bug: the second was not read. */
static void joined_files_are_read_one_after_the_other(void)
{
    static unsigned char twice[2 * LIMIT];
    memcpy(twice, sound, sound_size);
    memcpy(twice + sound_size, sound, sound_size);
    help_result r = run(twice, 2 * sound_size, 0, false);
    CHECK_MSG(r.n == 2 * FRAMES && !r.failed && !r.warnings[0], "%zu %s", r.n, r.error);
    CHECK(memcmp(r.values, r.values + FRAMES, FRAMES * sizeof(float)) == 0);
    help_free(&r);
}

/* How many values from `begin` on are gaps, and how many others differ from the sound? */
static size_t compare(const help_result *r, size_t begin, const help_result *whole, size_t from,
                      size_t *wrong)
{
    size_t lost = 0;
    *wrong = 0;
    for (size_t t = begin; t < r->n && from + t - begin < whole->n; t++) {
        lost += isnan(r->values[t]) != 0;
        *wrong += fabsf(r->values[t] - whole->values[from + t - begin]) > 1e-6F;
    }
    return lost;
}

/* The bug: what a radio sends from the middle of a frame was taken for raw f32. */
static void a_stream_from_the_middle_of_a_frame_is_known(void)
{
    static unsigned char tagged[LIMIT];
    memcpy(tagged, "ID3\3\0\0\0\0\0\12\0\0\0\0\0\0\0\0\0\0", 20);
    memcpy(tagged + 20, sound + 3001, sound_size - 3001);
    help_result whole = run(sound, sound_size, 0, false);
    for (int tag = 0; tag <= 1; tag++) {
        const unsigned char *bytes = tag ? tagged : sound + 3001;
        help_result r = run(bytes, sound_size - 3001 + (tag ? 20 : 0), 0, tag);
        CHECK_MSG(r.opened && !r.failed && !r.warnings[0] && r.n > FRAMES / 2, "%zu %s", r.n,
                  r.error);
        size_t best = 0, least = r.n, wrong;
        for (size_t from = 0; from < 20000 && least > 1000; from++)
            if (fabsf(r.values[5000] - whole.values[from + 5000]) < 1e-6F) {
                compare(&r, 5000, &whole, from + 5000, &wrong);
                if (wrong < least) least = wrong, best = from;
            }
        CHECK_MSG(least < 1000, "%zu differ from frame %zu on", least, best);
        help_free(&r);
    }
    help_free(&whole);
}

/* The bugs: all after the damage was lost, and libmpg123 wrote to stderr; "ID3" in the damage was
 * taken for a tag of many megabytes. */
static void damage_is_a_gap(void)
{
    static unsigned char damaged[LIMIT];
    uint64_t seed = check_seed("damaged MP3");
    help_result whole = run(sound, sound_size, 0, false);
    for (int zeros = 0; zeros <= 1; zeros++) {
        memcpy(damaged, sound, sound_size);
        for (size_t i = sound_size / 2; i < sound_size / 2 + 4096; i++)
            damaged[i] = zeros ? 0 : (unsigned char)check_random(&seed);
        memcpy(damaged + sound_size / 2 + 315, "ID3\x7d\5\x85\x34\x58\x8a\x44", 10);
        help_result r = run(damaged, sound_size, 0, zeros);
        size_t wrong;
        const size_t lost = compare(&r, 0, &whole, 0, &wrong);
        CHECK_MSG(!r.failed && r.n >= FRAMES && r.n < FRAMES + 1152, "%zu %s", r.n, r.error);
        CHECK_MSG(lost > 4000 && lost < 40000 && wrong == 0, "%zu lost, %zu wrong", lost, wrong);
        CHECK_MSG(strstr(r.warnings, "damaged at "), "%s", r.warnings);
        help_free(&r);
    }
    help_free(&whole);
}

/* Regression: a read after the end reported the gaps again. */
static void gaps_are_summed_up_once(void)
{
    static unsigned char damaged[LIMIT];
    static float frames[FRAMES];
    unsigned sums = 0;
    memcpy(damaged, sound, sound_size);
    memset(damaged + sound_size / 3, 0, 4096);
    memset(damaged + sound_size / 3 * 2, 0, 4096);
    const char *path = help_file(damaged, sound_size);
    char error[64];
    const source_options o = help_options(SOURCE_AUTO);
    source *src = source_open(path, &o, error, sizeof error);
    for (int ends = 0; src && ends < 3;) {
        ends += source_gather(src, frames, NULL, FRAMES) == 0;
        for (const char *warning; (warning = source_warning(src));)
            sums += strstr(warning, "damaged in 2 places") != NULL;
    }
    CHECK_MSG(sums == 1, "%u", sums);
    source_close(src);
    unlink(path);
}

/* The bug: of a variable bit rate the frames after the gap were early or late by some frames. */
static void a_gap_of_a_variable_bit_rate_has_its_length(void)
{
    static unsigned char steady[LIMIT], damaged[LIMIT];
    const size_t steady_size = sound_size;
    memcpy(steady, sound, sound_size);
    encode(true);
    help_result whole = run(sound, sound_size, 0, false);
    for (size_t at = sound_size / 4; at < sound_size * 3 / 4; at += sound_size / 10) {
        memcpy(damaged, sound, sound_size);
        memset(damaged + at, 0, 4096);
        help_result r = run(damaged, sound_size, 0, false);
        size_t wrong;
        const size_t lost = compare(&r, 0, &whole, 0, &wrong);
        CHECK_MSG(!r.failed && lost > 0 && wrong == 0, "%zu lost, %zu wrong", lost, wrong);
        help_free(&r);
    }
    help_free(&whole);
    memcpy(sound, steady, steady_size);
    sound_size = steady_size;
}

/* The bug: zeros after a frame proved it, though it ended in zeros itself: wrong samples. */
static void a_frame_that_ends_in_damage_is_no_sound(void)
{
    static unsigned char damaged[LIMIT];
    help_result whole = run(sound, sound_size, 0, false);
    for (size_t at = sound_size / 3; at < sound_size / 3 + 10 * 37; at += 37) {
        memcpy(damaged, sound, sound_size);
        memset(damaged + at, 0, 4096);
        help_result r = run(damaged, sound_size, 0, false);
        size_t wrong = 0;
        for (size_t t = 0; t < r.n && !isnan(r.values[t]); t++)
            wrong += r.values[t] != whole.values[t];
        CHECK_MSG(!r.failed && wrong == 0, "%zu wrong before the damage at byte %zu", wrong, at);
        help_free(&r);
    }
    help_free(&whole);
}

static void put(unsigned char *to, size_t n, size_t value)
{
    for (size_t i = 0; i < n; i++) to[i] = (unsigned char)(value >> 8 * i);
}

/* The bug: "cut short", since libsndfile guesses a length. */
static void mp3_in_wav_is_read_up_to_the_end_of_its_chunk(void)
{
    static unsigned char wav[LIMIT];
    enum { HEAD = 44 };
    memcpy(wav, "RIFF....WAVEfmt ", 16);
    put(wav + 16, 4, 16);
    put(wav + 20, 2, 0x55);
    put(wav + 22, 2, 1);
    put(wav + 24, 4, 16000);
    put(wav + 32, 2, 1);
    memcpy(wav + 36, "data", 4);
    put(wav + 40, 4, sound_size);
    memcpy(wav + HEAD, sound, sound_size);
    memcpy(wav + HEAD + sound_size, "LIST\4\0\0\0\xff\xfb\x90\x64", 12);
    help_result plain = run(sound, sound_size, 0, false);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        help_result r = run(wav, HEAD + sound_size + 12, 0, by_pipe);
        CHECK_MSG(same(&plain, &r), "%zu %s", r.n, r.error);
        help_free(&r);
        r = run(wav, HEAD + sound_size - 1000, 0, by_pipe);
        CHECK_MSG(r.failed && !strncmp(r.error, "cut short: ", 11), "%s", r.error);
        help_free(&r);
    }
    help_free(&plain);
}

/* The bug: another rate after a joint was dropped without a word. */
static void frames_of_another_kind_are_reported(void)
{
    static unsigned char both[2 * LIMIT];
    memcpy(both, sound, sound_size);
    for (size_t at = 0; at + 4 < sound_size;) {
        mpeg_header h;
        CHECK(mpeg_header_parse(sound + at, &h));
        memcpy(both + sound_size + at, sound + at, h.bytes);
        both[sound_size + at + 2] ^= 4; /* the rate */
        at += h.bytes;
    }
    help_result r = run(both, 2 * sound_size, 0, false);
    CHECK_MSG(r.n == FRAMES && r.failed && strstr(r.error, "are no frames like those before"),
              "%zu %s", r.n, r.error);
    help_free(&r);
}

static int failing_read, reads;

static ssize_t faulty_read(int fd, void *bytes, size_t size)
{
    if (++reads != failing_read) return read(fd, bytes, size < 1000 ? size : 1000);
    errno = EIO;
    return -1;
}

static void a_read_error_is_reported(void)
{
    const fd_calls calls = {.read = faulty_read, .write = write, .poll = poll};
    const source_options o = help_options(SOURCE_AUTO);
    static unsigned char twice[2 * LIMIT];
    memcpy(twice, sound, sound_size);
    memcpy(twice + sound_size, sound, sound_size);
    const char *path = help_file(twice, 2 * sound_size);
    failing_read = (int)(2 * sound_size / 1000) - 15;
    for (int last = failing_read + 10; failing_read < last; failing_read++) {
        reads = 0;
        fd_set_calls(&calls);
        help_result r = help_read(path, &o);
        fd_set_calls(NULL);
        CHECK_MSG(r.failed, "read %d of %d: %zu frames", failing_read, reads, r.n);
        if (reads >= failing_read) CHECK(strcmp(r.error, strerror(EIO)) == 0);
        help_free(&r);
    }
    CHECK(reads > 0);
    unlink(path);
}

int main(void)
{
    encode(false);
    RUN(tags_change_nothing);
    RUN(something_else_after_a_tag_is_refused);
    RUN(cut_anywhere_is_an_error);
    RUN(joined_files_are_read_one_after_the_other);
    RUN(a_stream_from_the_middle_of_a_frame_is_known);
    RUN(damage_is_a_gap);
    RUN(gaps_are_summed_up_once);
    RUN(a_gap_of_a_variable_bit_rate_has_its_length);
    RUN(a_frame_that_ends_in_damage_is_no_sound);
    RUN(mp3_in_wav_is_read_up_to_the_end_of_its_chunk);
    RUN(frames_of_another_kind_are_reported);
    RUN(a_read_error_is_reported);
    return check_done();
}
