#include <errno.h>
#include <fcntl.h>
#include <sndfile.h>

#include "io/audio/mp3.h"
#include "tests/io/source_help.h"

enum { FRAMES = 100000, LIMIT = 1 << 20 };

static unsigned char sound[LIMIT];
static size_t sound_size;

static void encode(void)
{
    static float wave[FRAMES];
    SF_INFO info = {.samplerate = 16000, .channels = 1};
    info.format = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;
    uint64_t seed = 1;
    for (size_t i = 0; i < FRAMES; i++) wave[i] = 0.2f * (float)check_below(&seed, 1000) / 1000.0f;
    const char *path = help_file("", 0);
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    CHECK(file && sf_write_float(file, wave, FRAMES) == FRAMES);
    sf_close(file);
    int fd = open(path, O_RDONLY);
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
    static const char bytes[] = "ID3\4\0\0\0\0\0\4abcdfLaC\0\0\0\0";
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

static void counts_are_found(void)
{
    const char *path = help_file(sound, sound_size);
    char error[256];
    input in;
    mp3_stream m;
    CHECK(input_open(&in, path, -1, error, sizeof error));
    CHECK(mp3_begin(&m, &in));
    CHECK(m.counted && m.length == sound_size && m.base == 0);
    unsigned char part[300];
    CHECK(mp3_read_at(&m, 100, part, 300) == 300 && memcmp(part, sound + 100, 300) == 0);
    CHECK(mp3_read_at(&m, 0, part, 300) == 300 && memcmp(part, sound, 300) == 0);
    CHECK(mp3_read_at(&m, sound_size - 10, part, 300) == 10);
    CHECK(mp3_read_at(&m, sound_size, part, 300) == 0);
    input_close(&in);
    unlink(path);
}

static void a_tag_at_the_end_is_left_out(void)
{
    static unsigned char tagged[LIMIT];
    memcpy(tagged, sound, sound_size);
    memcpy(tagged + sound_size, "TAG", 3);
    const char *path = help_file(tagged, sound_size + 128);
    char error[256];
    input in;
    mp3_stream m;
    CHECK(input_open(&in, path, -1, error, sizeof error));
    CHECK(mp3_begin(&m, &in));
    unsigned char part[300];
    CHECK(mp3_read_at(&m, sound_size - 20, part, 300) == 20);
    CHECK(memcmp(part, sound + sound_size - 20, 20) == 0);
    input_close(&in);
    unlink(path);
}

static int failing_read, reads;

static ssize_t faulty_read(int fd, void *bytes, size_t size)
{
    if (++reads != failing_read) return read(fd, bytes, size < 1000 ? size : 1000);
    errno = EIO;
    return -1;
}

/* The bug: if the look at what follows the MP3 failed, the failure was not reported. */
static void a_read_error_after_the_end_is_reported(void)
{
    const fd_calls calls = {.read = faulty_read, .write = write, .poll = poll};
    const source_options o = help_options(SOURCE_AUTO);
    static unsigned char twice[2 * LIMIT];
    memcpy(twice, sound, sound_size);
    memcpy(twice + sound_size, sound, sound_size);
    const char *path = help_file(twice, 2 * sound_size);
    failing_read = (int)(sound_size / 1000) - 5;
    for (int last = failing_read + 10; failing_read < last; failing_read++) {
        reads = 0;
        fd_set_calls(&calls);
        help_result r = help_read(path, &o);
        fd_set_calls(NULL);
        CHECK_MSG(r.failed, "read %d of %d: %zu frames", failing_read, reads, r.n);
        if (reads >= failing_read) CHECK(strcmp(r.error, strerror(EIO)) == 0);
        help_free(&r);
    }
    CHECK(reads > 0 && reads < failing_read);
    unlink(path);
}

int main(void)
{
    encode();
    RUN(tags_change_nothing);
    RUN(something_else_after_a_tag_is_refused);
    RUN(cut_anywhere_is_an_error);
    RUN(counts_are_found);
    RUN(a_tag_at_the_end_is_left_out);
    RUN(a_read_error_after_the_end_is_reported);
    return check_done();
}
