#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
#include <sys/stat.h>

#include "tests/io/source_help.h"

enum { FRAMES = 30000, RATE = 16000, LIMIT = 1 << 20 };

typedef struct {
    const char *name;
    int format;
    unsigned char bytes[LIMIT];
    size_t n;
} sound;

static float wave[FRAMES];

/* Make a sound file in memory. */
static sound *encode(const char *name, int format)
{
    static sound s;
    s = (sound){.name = name, .format = format};
    SF_INFO info = {.samplerate = RATE, .channels = 1, .format = format};
    const char *path = help_file("", 0);
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    CHECK_MSG(file != NULL, "%s: %s", name, sf_strerror(NULL));
    if (!file) return &s;
    CHECK(sf_write_float(file, wave, FRAMES) == FRAMES);
    sf_close(file);
    int fd = open(path, O_RDONLY);
    for (ssize_t got = 1; got > 0; s.n += got > 0 ? (size_t)got : 0)
        got = fd_read(fd, -1, s.bytes + s.n, LIMIT - s.n);
    close(fd);
    unlink(path);
    return &s;
}

/* The same file, read by libsndfile alone. */
static size_t decode(const sound *s, float *values)
{
    SF_INFO info = {0};
    const char *path = help_file(s->bytes, s->n);
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    sf_count_t n = file ? sf_readf_float(file, values, 2 * FRAMES) : 0;
    if (file) sf_close(file);
    unlink(path);
    return (size_t)n;
}

static help_result run(const sound *s, size_t n, size_t piece, bool by_pipe)
{
    source_options o = help_options(SOURCE_AUTO);
    help_input in = {s->bytes, n, piece, by_pipe};
    return help_run(&in, &o);
}

static const struct {
    const char *name;
    int format;
    bool piped;
} kinds[] = {
    {"AIFF", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, true},
    {"AIFF s32", SF_FORMAT_AIFF | SF_FORMAT_PCM_32, true},
    {"AU f64", SF_FORMAT_AU | SF_FORMAT_DOUBLE, true},
    {"AIFF float", SF_FORMAT_AIFF | SF_FORMAT_FLOAT, true},
    {"AIFF-C IMA", SF_FORMAT_AIFF | SF_FORMAT_IMA_ADPCM, true},
    {"AU", SF_FORMAT_AU | SF_FORMAT_PCM_24, true},
    {"AU little", SF_FORMAT_AU | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE, true},
    {"W64", SF_FORMAT_W64 | SF_FORMAT_PCM_16, true},
    {"Ogg Vorbis", SF_FORMAT_OGG | SF_FORMAT_VORBIS, true},
    {"Ogg Opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, true},
    {"MP3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, true},
    {"FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, true},
    {"CAF", SF_FORMAT_CAF | SF_FORMAT_PCM_16, false},
    {"CAF ALAC", SF_FORMAT_CAF | SF_FORMAT_ALAC_16, false},
    {"RF64", SF_FORMAT_RF64 | SF_FORMAT_PCM_16, true},
    {"WAV mu-law", SF_FORMAT_WAV | SF_FORMAT_ULAW, false},
    {"WAV IMA", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, false},
    {"VOC", SF_FORMAT_VOC | SF_FORMAT_PCM_16, false},
    {"NIST", SF_FORMAT_NIST | SF_FORMAT_PCM_16, false},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void files_are_read_as_libsndfile_does(void)
{
    static float expected[2 * FRAMES];
    for (size_t i = 0; i < KINDS; i++) {
        const sound *s = encode(kinds[i].name, kinds[i].format);
        size_t n = decode(s, expected);
        help_result r = run(s, s->n, 0, false);
        CHECK_MSG(r.opened && !r.failed && r.n == n && n >= FRAMES, "%s: %zu of %zu %s", s->name,
                  r.n, n, r.error);
        if (r.n == n) CHECK(memcmp(r.values, expected, n * sizeof *expected) == 0);
        bool same_rate = r.info.rate_hz == RATE || (s->format & SF_FORMAT_OPUS) == SF_FORMAT_OPUS;
        CHECK(same_rate && r.info.audio && r.info.rate_known && !r.info.live);
        CHECK(r.info.frames == n);
        help_free(&r);
    }
}

static void pipes_give_what_files_give(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (!kinds[i].piped) continue;
        const sound *s = encode(kinds[i].name, kinds[i].format);
        help_result file = run(s, s->n, 0, false);
        for (size_t piece = 0; piece <= 7; piece += 7) {
            help_result r = run(s, s->n, piece, true);
            CHECK_MSG(r.opened && !r.failed && r.n == file.n, "%s: %zu of %zu %s", s->name, r.n,
                      file.n, r.error);
            if (r.n == file.n) CHECK(memcmp(r.values, file.values, r.n * sizeof(float)) == 0);
            CHECK(r.info.live);
            help_free(&r);
        }
        help_free(&file);
    }
}

static void formats_that_need_a_file_are_refused_from_pipes(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].piped) continue;
        const sound *s = encode(kinds[i].name, kinds[i].format);
        help_result r = run(s, s->n, 0, true);
        CHECK_MSG(!r.opened && strstr(r.error, "cannot be read from a pipe") &&
                      strstr(r.error, "ffmpeg -i FILE -f wav -"),
                  "%s: %s", s->name, r.error);
        help_free(&r);
    }
}

/* Every format that declares its length, cut anywhere after its header, from a file and a pipe: an
 * error, and before it the frames with which the whole file begins. */
static void a_missing_end_is_an_error(void)
{
    uint64_t seed = check_seed("cut sounds");
    for (size_t i = 0; i < KINDS; i++) {
        const sound *s = encode(kinds[i].name, kinds[i].format);
        if (strcmp(s->name, "VOC") == 0 || strcmp(s->name, "NIST") == 0) continue;
        help_result whole = run(s, s->n, 0, false);
        for (int k = 0; k < 6; k++) {
            size_t n = k == 0 ? s->n - 600 : s->n / 2 + check_below(&seed, s->n / 2 - 600);
            bool by_pipe = kinds[i].piped && k % 2;
            help_result r = run(s, n, 0, by_pipe);
            CHECK_MSG(!r.opened || r.failed, "%s: %zu of %zu bytes, %zu frames, pipe %d", s->name,
                      n, s->n, r.n, by_pipe);
            CHECK_MSG(strstr(r.error, "cut short") != NULL, "%s: %s", s->name, r.error);
            /* Half is enough: bit rates vary, and libsndfile fills cut blocks. */
            size_t sure = whole.n * (n / 2) / s->n;
            bool pages = strncmp(s->name, "Ogg", 3) == 0; /* of a second or more */
            if (sure > r.n) sure = r.n;
            CHECK_MSG(!r.opened || r.n > sure || pages, "%s: %zu frames", s->name, r.n);
            CHECK_MSG(r.opened || pages || strncmp(s->name, "CAF", 3) == 0, "%s: %s", s->name,
                      r.error);
            if (r.n > 0) CHECK(memcmp(r.values, whole.values, sure * sizeof(float)) == 0);
            help_free(&r);
        }
        help_free(&whole);
    }
}

static bool is_cut_after(const sound *s, size_t missing, bool by_pipe, const char *words)
{
    help_result r = run(s, s->n - missing, 0, by_pipe);
    const bool good = r.failed && strcmp(r.error, words) == 0;
    if (!good) fprintf(stderr, "%s: %s\n", s->name, r.error);
    help_free(&r);
    return good;
}

/* Regression: files counted bytes, pipes frames. */
static void a_cut_file_reports_how_much_is_there(void)
{
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        const sound *s = encode("AIFF", SF_FORMAT_AIFF | SF_FORMAT_PCM_16);
        CHECK(is_cut_after(s, 2000, by_pipe, "cut short: 29000 of 30000 frames"));
        s = encode("AU", SF_FORMAT_AU | SF_FORMAT_PCM_24);
        CHECK(is_cut_after(s, 3000, by_pipe, "cut short: 29000 of 30000 frames"));
        s = encode("AU", SF_FORMAT_AU | SF_FORMAT_ULAW);
        CHECK(is_cut_after(s, 1000, by_pipe, "cut short: 29000 of 30000 frames"));
    }
    const sound *s = encode("WAV", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM); /* blocks */
    help_result r = run(s, s->n - 600, 0, false);
    CHECK(r.failed && strstr(r.error, " bytes of samples"));
    help_free(&r);
}

/* An MP3 that does not declare its length. */
static void an_mp3_of_unknown_length_is_read_to_its_end(void)
{
    sound *s = encode("MP3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III);
    size_t second = 4;
    while (second + 2 < s->n && memcmp(s->bytes + second, s->bytes, 2) != 0) second++;
    memmove(s->bytes, s->bytes + second, s->n - second);
    help_result r = run(s, s->n - second, 0, false);
    CHECK_MSG(r.n >= FRAMES && !r.failed, "%zu %s", r.n, r.error);
    help_free(&r);
}

/* Sizes that a writer to a pipe cannot know: sox fills in nearly 2 GiB. */
static void placeholder_sizes_declare_nothing(void)
{
    sound *s = encode("AU", SF_FORMAT_AU | SF_FORMAT_PCM_16);
    memset(s->bytes + 8, 0xff, 4);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        help_result r = run(s, s->n, 0, by_pipe);
        CHECK_MSG(!r.failed && r.n == FRAMES, "%zu %s", r.n, r.error);
        help_free(&r);
    }
    s = encode("AIFF", SF_FORMAT_AIFF | SF_FORMAT_PCM_16);
    size_t at = 12;
    while (at < 200 && memcmp(s->bytes + at, "SSND", 4) != 0) at++;
    memcpy(s->bytes + at + 4, "\x7f\0\0\x08", 4);
    size_t comm = 12;
    while (comm < 200 && memcmp(s->bytes + comm, "COMM", 4) != 0) comm++;
    memcpy(s->bytes + comm + 10, "\x3f\x80\0\0", 4);
    for (int by_pipe = 0; by_pipe <= 1; by_pipe++) {
        help_result r = run(s, s->n, 0, by_pipe);
        CHECK_MSG(!r.failed && r.n == FRAMES, "%zu %s", r.n, r.error);
        help_free(&r);
    }
}

/* Two files in one, as `cat` makes it. The bug: the second was dropped, with status 0 or 1. FLAC
 * and MP3 are read on. Not VOC and NIST: only libsndfile knows where they end. */
static void a_second_file_is_reported(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        sound *s = encode(kinds[i].name, kinds[i].format);
        if (!strcmp(s->name, "FLAC") || !strcmp(s->name, "MP3")) continue;
        if (!strcmp(s->name, "VOC") || !strcmp(s->name, "NIST")) continue;
        help_result whole = run(s, s->n, 0, false);
        memcpy(s->bytes + s->n, s->bytes, s->n);
        for (int by_pipe = 0; by_pipe <= kinds[i].piped; by_pipe++) {
            help_result r = run(s, 2 * s->n, 0, by_pipe);
            CHECK_MSG(!r.opened || (r.failed && r.n >= whole.n), "%s: %zu %s", s->name, r.n,
                      r.error);
            CHECK(r.error[0]);
            help_free(&r);
        }
        help_free(&whole);
    }
}

static void garbage_after_a_header_is_refused(void)
{
    static const struct {
        const char *header;
        size_t n;
    } heads[] = {{"OggS\0", 5}, {"caff\0\1", 6}, {"FORM\0\0\1\0AIFF", 12}};
    static char bytes[2000];
    uint64_t seed = check_seed("garbage");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (char)check_random(&seed);
        memcpy(bytes, heads[i].header, heads[i].n);
        source_options o = help_options(SOURCE_AUTO);
        help_input in = {bytes, sizeof bytes, 0, false};
        help_result r = help_run(&in, &o);
        CHECK_MSG(!r.opened && strstr(r.error, "cannot be read as"), "%s", r.error);
        help_free(&r);
    }
}

/* Closing while the feeder waits for input, and while it waits for room in its pipe. */
static void closing_early_waits_for_nobody(void)
{
    const sound *s = encode("AU", SF_FORMAT_AU | SF_FORMAT_FLOAT);
    for (size_t n = 2000; n <= 100000; n += 98000) {
        int ends[2], saved = dup(STDIN_FILENO);
        char error[256];
        float x[10];
        CHECK(pipe(ends) == 0);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        help_input in = {s->bytes, n, 0, true};
        help_writer writer = {&in, dup(ends[1])};
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, help_write, &writer) == 0);
        source_options o = help_options(SOURCE_AUTO);
        source *src = source_open("-", &o, error, sizeof error);
        CHECK(src && source_read(src, x, NULL, 10) == 10);
        source_close(src);
        dup2(saved, STDIN_FILENO);
        pthread_join(thread, NULL);
        close(saved);
        close(ends[1]);
    }
}

static void a_wake_is_a_good_end(void)
{
    const sound *s = encode("AU", SF_FORMAT_AU | SF_FORMAT_PCM_16);
    int ends[2], wake[2], saved = dup(STDIN_FILENO);
    char error[256];
    static float x[FRAMES];
    CHECK(pipe(ends) == 0 && pipe(wake) == 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK(fd_write_all(ends[1], s->bytes, 4024) == 0);
    source_options o = help_options(SOURCE_AUTO);
    o.wake_fd = wake[0];
    source *src = source_open("-", &o, error, sizeof error);
    CHECK(src && source_read(src, x, NULL, 10) == 10);
    CHECK(write(wake[1], "!", 1) == 1);
    ssize_t n = 1, given = 10;
    for (; src && n > 0; given += n) n = source_read(src, x, NULL, FRAMES);
    CHECK(n == 0 && given <= 2000);
    source_close(src);
    src = source_open("-", &o, error, sizeof error);
    CHECK(!src && strcmp(error, "interrupted before the first sample") == 0);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[1]);
    close(wake[0]);
    close(wake[1]);
}

static int reads, failing_read;

static ssize_t faulty_read(int fd, void *bytes, size_t size)
{
    if (++reads == failing_read) {
        errno = EIO;
        return -1;
    }
    return read(fd, bytes, size);
}

static void a_read_error_is_reported(void)
{
    const fd_calls calls = {.read = faulty_read, .write = write, .poll = poll};
    for (size_t i = 0; i < KINDS; i++) {
        const sound *s = encode(kinds[i].name, kinds[i].format);
        const char *path = help_file(s->bytes, s->n);
        source_options o = help_options(SOURCE_AUTO);
        for (failing_read = 1; failing_read <= 12; failing_read++) {
            reads = 0;
            fd_set_calls(&calls);
            help_result r = help_read(path, &o);
            fd_set_calls(NULL);
            bool reported = (!r.opened || r.failed) && strcmp(r.error, strerror(EIO)) == 0;
            CHECK_MSG(reported || reads < failing_read, "%s, read %d: %s", s->name, failing_read,
                      r.error);
            help_free(&r);
        }
        unlink(path);
    }
}

/* Of the feeder's pipe every read succeeds. */
static ssize_t faulty_short_read(int fd, void *bytes, size_t size)
{
    struct stat st;
    const bool is_feeders = fd != STDIN_FILENO && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
    return is_feeders ? read(fd, bytes, size) : faulty_read(fd, bytes, size < 1000 ? size : 1000);
}

/* libsndfile makes up the frames of an ADPCM block that it cannot read. */
static void no_frame_is_made_up_after_a_read_error(void)
{
    static float whole[2 * FRAMES];
    const fd_calls calls = {.read = faulty_short_read, .write = write, .poll = poll};
    size_t failed[2] = {0}, given[2] = {0};
    for (size_t i = 0; i < 2 * KINDS; i++) {
        const bool by_pipe = i % 2;
        if (by_pipe && !kinds[i / 2].piped) continue;
        const sound *s = encode(kinds[i / 2].name, kinds[i / 2].format);
        const size_t n = decode(s, whole);
        bool has_failed = true;
        for (failing_read = 1; has_failed; failing_read += 3) {
            reads = 0;
            fd_set_calls(&calls);
            help_result r = run(s, s->n, 0, by_pipe);
            fd_set_calls(NULL);
            has_failed = reads >= failing_read;
            failed[by_pipe] += has_failed;
            given[by_pipe] += r.n;
            CHECK_MSG(!has_failed || !r.opened || r.failed, "%s, read %d", s->name, failing_read);
            CHECK_MSG(r.n <= n && (r.n == 0 || !memcmp(r.values, whole, r.n * sizeof *whole)),
                      "%s, read %d", s->name, failing_read);
            help_free(&r);
        }
    }
    CHECK(failed[0] > 100 && given[0] > FRAMES && failed[1] > 100 && given[1] > FRAMES);
}

/* The bug: they were gaps without a word. */
static void f64_beyond_float32_is_reported_once(void)
{
    static const double values[] = {1, 1e39, -1e300, 2};
    static const int formats[] = {SF_FORMAT_AU, SF_FORMAT_AIFF, SF_FORMAT_CAF};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        SF_INFO info = {.samplerate = RATE, .channels = 2, .format = formats[i] | SF_FORMAT_DOUBLE};
        source_options o = help_options(SOURCE_AUTO);
        o.choice = CHANNEL_EACH;
        const char *path = help_file("", 0);
        SNDFILE *file = sf_open(path, SFM_WRITE, &info);
        CHECK(file && sf_writef_double(file, values, 2) == 2);
        sf_close(file);
        help_result r = help_read(path, &o);
        CHECK(strcmp(help_words(&r, false),
                     "1 inf | -inf 2 ~ a value of 64 bits is too large for float32: a gap, as are "
                     "all such values") == 0);
        help_free(&r);
        unlink(path);
    }
}

/* Regression: wav_and_aiff_were_rounded. */
static void f64_and_s32_keep_their_digits(void)
{
    static const double meter[] = {123456789.25, 123456789.5, -0.1, 1e-300};
    static const int s32[] = {INT32_MIN, 1, 1234567891, -7};
    static const int containers[] = {SF_FORMAT_AU, SF_FORMAT_AIFF, SF_FORMAT_CAF, SF_FORMAT_W64};
    for (size_t i = 0; i < 8; i++) {
        const bool is_f64 = i % 2 == 0;
        SF_INFO info = {.samplerate = RATE, .channels = 2, .format = containers[i / 2]};
        info.format |= is_f64 ? SF_FORMAT_DOUBLE : SF_FORMAT_PCM_32;
        source_options o = help_options(SOURCE_AUTO);
        o.choice = CHANNEL_EACH;
        char error[256];
        double got[8];
        const char *path = help_file("", 0);
        SNDFILE *file = sf_open(path, SFM_WRITE, &info);
        CHECK((is_f64 ? sf_write_double(file, meter, 4) : sf_write_int(file, s32, 4)) == 4);
        sf_close(file);
        source *src = source_open(path, &o, error, sizeof error);
        CHECK(source_get_info(src).is_wide && source_read_doubles(src, got, NULL, 4) == 2);
        for (size_t k = 0; k < 4; k++) CHECK(got[k] == (is_f64 ? meter[k] : s32[k] * 0x1p-31));
        source_close(src);
        unlink(path);
    }
}

int main(void)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < FRAMES; i++)
        wave[i] = 0.3f * sinf((float)i * 0.05f) + 0.1f * (float)check_below(&seed, 1000) / 1000.0f;
    RUN(files_are_read_as_libsndfile_does);
    RUN(pipes_give_what_files_give);
    RUN(formats_that_need_a_file_are_refused_from_pipes);
    RUN(a_missing_end_is_an_error);
    RUN(a_cut_file_reports_how_much_is_there);
    RUN(an_mp3_of_unknown_length_is_read_to_its_end);
    RUN(placeholder_sizes_declare_nothing);
    RUN(a_second_file_is_reported);
    RUN(garbage_after_a_header_is_refused);
    RUN(closing_early_waits_for_nobody);
    RUN(a_wake_is_a_good_end);
    RUN(a_read_error_is_reported);
    RUN(no_frame_is_made_up_after_a_read_error);
    RUN(f64_beyond_float32_is_reported_once);
    RUN(f64_and_s32_keep_their_digits);
    return check_done();
}
