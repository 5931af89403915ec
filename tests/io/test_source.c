#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/io/source_help.h"

static bool refuses(const char *path, const char *reason)
{
    source_options o = help_options(SOURCE_AUTO);
    char error[256] = "";
    source *src = source_open(path, &o, error, sizeof error);
    bool good = !src && strcmp(error, reason) == 0;
    if (!good) fprintf(stderr, "%s\n", error);
    source_close(src);
    return good;
}

static void other_things_are_refused(void)
{
    CHECK(refuses("/", "is a directory"));
    CHECK(refuses("/nonexistent/x", "No such file or directory"));
    CHECK(refuses("", "No such file or directory"));
    CHECK(refuses("/dev/null", "is empty: no samples"));
    source_options o = help_options(SOURCE_AUTO);
    CHECK(help_gives(&o, "", "!! is empty: no samples"));
}

static void closing_nothing_is_allowed(void)
{
    source_close(NULL);
    CHECK(true);
}

static void the_format_is_found_or_forced(void)
{
    source_options o = help_options(SOURCE_AUTO);
    CHECK(help_gives(&o, "1 2\n", "1 2"));
    CHECK(help_gives_bytes(&o, "\0\0\x80\x3f", 4,
                           "1 ~ its bytes show no format: read as raw f32; give -f f32, or the "
                           "right format"));
    o.format = SOURCE_U8;
    CHECK(help_gives(&o, "\x80@", "0 | -0.5"));
    o.format = SOURCE_TEXT;
    CHECK(help_gives_bytes(&o, "RIFF\0\0\0\0WAVE", 12, "!! has no line of numbers"));
}

/* Standard input need not be at the start of its file. */
static void a_file_goes_on_where_it_was_left(void)
{
    static const char bytes[] = "xyz\n1\n2\n";
    const char *path = help_file(bytes, sizeof bytes - 1);
    int saved = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    source_options o = help_options(SOURCE_AUTO);
    CHECK(lseek(fd, 4, SEEK_SET) == 4);
    dup2(fd, STDIN_FILENO);
    help_result r = help_read("-", &o);
    CHECK(strcmp(help_words(&r, false), "1 | 2") == 0);
    CHECK(!r.info.live);
    help_free(&r);
    CHECK(lseek(fd, 4, SEEK_SET) == 4);
    o.format = SOURCE_U8;
    r = help_read("-", &o);
    CHECK(r.n == 4 && r.info.frames == 4);
    help_free(&r);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(fd);
    unlink(path);
}

/* A FIFO without a writer neither blocks for ever nor is empty. */
static void a_fifo_waits_for_its_writer(void)
{
    char path[4096];
    int wake[2];
    snprintf(path, sizeof path, "%s", help_file("", 0));
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0 && pipe(wake) == 0);
    CHECK(write(wake[1], "!", 1) == 1);
    source_options o = help_options(SOURCE_AUTO);
    o.wake_fd = wake[0];
    help_result r = help_read(path, &o);
    CHECK(!r.opened && strcmp(r.error, "interrupted before the first sample") == 0);
    o.wake_fd = -1;
    int keep = open(path, O_RDWR);
    CHECK(write(keep, "5\n", 2) == 2);
    char error[256];
    float x;
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src && source_get_info(src).live);
    CHECK(source_read(src, &x, NULL, 1) == 1 && x == 5);
    close(keep);
    CHECK(source_read(src, &x, NULL, 1) == 0);
    source_close(src);
    close(wake[0]);
    close(wake[1]);
    unlink(path);
}

/* The k-th read fails, or every one is interrupted first. */
static int failing_read, reads;

static ssize_t faulty_read(int fd, void *bytes, size_t size)
{
    reads++;
    if (failing_read < 0 && reads % 2) {
        errno = EINTR;
        return -1;
    }
    if (reads == failing_read) {
        errno = EIO;
        return -1;
    }
    return read(fd, bytes, size < 3 ? size : 3);
}

static help_result read_faulty(const char *path, const source_options *o, int fail)
{
    const fd_calls calls = {.read = faulty_read, .write = write, .poll = poll};
    failing_read = fail;
    reads = 0;
    fd_set_calls(&calls);
    help_result r = help_read(path, o);
    fd_set_calls(NULL);
    return r;
}

static void a_read_error_ends_every_format(void)
{
    static const struct {
        source_format format;
        const char *bytes;
        size_t n;
    } inputs[] = {
        {SOURCE_AUTO, "12345\n2\n3\n", 10},
        {SOURCE_TEXT, "1,2\n3,4\n", 8},
        {SOURCE_S16, "\0\1\2\3\4\5\6\7", 8},
        {SOURCE_AUTO,
         "RIFF\x2c\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\0\1\0\0\0\2\0\0\2\0\20\0data\10\0\0\0"
         "\0\1\2\3\4\5\6\7",
         52},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const char *path = help_file(inputs[i].bytes, inputs[i].n);
        source_options o = help_options(inputs[i].format);
        help_result whole = read_faulty(path, &o, 0);
        int total = reads;
        CHECK(whole.opened && !whole.failed && whole.n > 0 && total > 2);
        help_result interrupted = read_faulty(path, &o, -1);
        CHECK(interrupted.n == whole.n && !interrupted.failed);
        for (int k = 1; k <= total; k++) {
            help_result r = read_faulty(path, &o, k);
            CHECK_MSG(!r.opened || r.failed, "input %zu, read %d", i, k);
            CHECK(strcmp(r.error, strerror(EIO)) == 0);
            CHECK(r.n <= whole.n);
            if (r.n) CHECK(memcmp(r.values, whole.values, r.n * sizeof(float)) == 0);
            help_free(&r);
        }
        help_free(&whole);
        help_free(&interrupted);
        unlink(path);
    }
}

/* After a wake: complete frames, no half line, no report of a cut. */
static void a_wake_is_a_good_end(void)
{
    static const struct {
        source_format format;
        const char *bytes;
        size_t n;
        float first;
    } inputs[] = {
        {SOURCE_TEXT, "1\n23", 4, 1},
        {SOURCE_U8, "\xc0", 1, 0.5f},
        {SOURCE_S16, "\0\x40\1", 3, 0.5f},
        {SOURCE_AUTO,
         "RIFF\x2c\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\0\1\0\0\0\2\0\0\2\0\20\0data\10\0\0\0"
         "\0\x40\2",
         47, 0.5f},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        int ends[2], wake[2], saved = dup(STDIN_FILENO);
        char error[256];
        float x[4];
        CHECK(pipe(ends) == 0 && pipe(wake) == 0);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        CHECK(write(ends[1], inputs[i].bytes, inputs[i].n) == (ssize_t)inputs[i].n);
        source_options o = help_options(inputs[i].format);
        o.wake_fd = wake[0];
        source *src = source_open("-", &o, error, sizeof error);
        CHECK(src && source_read(src, x, NULL, 4) == 1 && x[0] == inputs[i].first);
        CHECK(write(wake[1], "!", 1) == 1);
        CHECK_MSG(src && source_read(src, x, NULL, 4) == 0, "input %zu", i);
        source_close(src);
        close(ends[1]);
        close(wake[0]);
        close(wake[1]);
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void a_read_of_nothing_gives_nothing(void)
{
    const char *path = help_file("1\n", 2);
    source_options o = help_options(SOURCE_AUTO);
    char error[256];
    float x;
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(source_read(src, &x, NULL, 0) == 0);
    CHECK(source_read(src, &x, NULL, 1) == 1 && x == 1);
    CHECK(source_read(src, &x, NULL, 1) == 0);
    CHECK(source_read(src, &x, NULL, 1) == 0);
    CHECK(source_warning(src) == NULL);
    source_close(src);
    unlink(path);
}

/* source_read_at needs plain samples of a file, all channels, and no end or wake yet. */
static void a_file_says_how_far_it_is_read(void)
{
    enum { LINES = 1 << 18 };
    static char bytes[2 * LINES];
    static float values[LINES];
    char error[256];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = i % 2 ? '\n' : '7';
    const char *path = help_file(bytes, sizeof bytes);
    const source_options o = {.format = SOURCE_TEXT, .wake_fd = -1};
    source *src = source_open(path, &o, error, sizeof error);
    CHECK(src && source_read(src, values, NULL, 1) == 1);
    const double first = src ? source_part_read(src) : -1;
    CHECK(first > 0 && first < 1);
    while (src && source_read(src, values, NULL, LINES) > 0) {}
    CHECK(src && source_part_read(src) == 1);
    source_close(src);
    unlink(path);
    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], "1\n2\n", 4) == 4);
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    close(ends[1]);
    src = source_open(name, &o, error, sizeof error);
    CHECK(src && source_part_read(src) < 0);
    source_close(src);
    close(ends[0]);
}

static void parts_are_for_plain_files(void)
{
    static const char bytes[] = "1 2 3 4 5 6 7 8\n";
    static const struct {
        source_format format;
        size_t channels;
        channel_choice choice;
        uint64_t left;
    } cases[] = {{SOURCE_F32, 1, CHANNEL_EACH, 4},  {SOURCE_S16, 2, CHANNEL_EACH, 4},
                 {SOURCE_S24, 5, CHANNEL_EACH, 1},  {SOURCE_S16, 2, CHANNEL_MIX, 0},
                 {SOURCE_TEXT, 0, CHANNEL_EACH, 0}, {SOURCE_F64, 3, CHANNEL_EACH, 0},
                 {SOURCE_U8, 1, CHANNEL_MIX, 16}};
    const char *path = help_file(bytes, 16);
    char error[256];
    int ends[2];
    CHECK(pipe(ends) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        source_options o = help_options(cases[i].format);
        o.channels = cases[i].channels;
        o.choice = cases[i].choice;
        o.wake_fd = ends[0];
        source *src = source_open(path, &o, error, sizeof error);
        CHECK(src && source_frames_left(src) == cases[i].left);
        if (src && i + 1 == sizeof cases / sizeof *cases) {
            CHECK(write(ends[1], "!", 1) == 1);
            CHECK(source_frames_left(src) == 0);
        }
        source_close(src);
    }
    close(ends[0]);
    close(ends[1]);
    unlink(path);
}

/* Two channels of which the second one, or the mean, is read. */
static void frames_before_the_choice_are_kept(void)
{
    static const struct {
        source_format format;
        channel_choice choice;
        bool is_wide;
        unsigned bits;
    } cases[] = {{SOURCE_S16, CHANNEL_ONE, false, 16}, {SOURCE_S16, CHANNEL_MIX, false, 16},
                 {SOURCE_U8, CHANNEL_EACH, false, 8},  {SOURCE_S32, CHANNEL_ONE, true, 32},
                 {SOURCE_F32, CHANNEL_ONE, false, 0},  {SOURCE_F64, CHANNEL_EACH, true, 0},
                 {SOURCE_ULAW, CHANNEL_MIX, false, 16}};
    const char *path = help_file("\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20"
                                 "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20",
                                 32);
    char error[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        source_options o = help_options(cases[i].format);
        double all[64], chosen[64];
        o.channels = o.channel = 2;
        o.choice = CHANNEL_EACH;
        source *src = source_open(path, &o, error, sizeof error);
        const ssize_t n = source_read_doubles(src, all, NULL, 32);
        CHECK(n > 0 && !source_native(src));
        source_close(src);
        o.choice = cases[i].choice;
        o.keep_native = true;
        src = source_open(path, &o, error, sizeof error);
        const source_info info = source_get_info(src);
        CHECK(info.native_channels == 2 && info.is_wide == cases[i].is_wide);
        CHECK(info.integer_bits == cases[i].bits);
        CHECK(source_read_doubles(src, chosen, NULL, 1) == 1); /* only the last read is kept */
        CHECK(source_gather_doubles(src, chosen, NULL, 32) == n - 1);
        const float *narrow = source_native(src);
        const double *wide = source_native(src);
        for (size_t k = 0; k < 2 * ((size_t)n - 1); k++)
            CHECK((info.is_wide ? wide[k] : (double)narrow[k]) == all[2 + k]);
        source_close(src);
    }
}

int main(void)
{
    RUN(other_things_are_refused);
    RUN(closing_nothing_is_allowed);
    RUN(the_format_is_found_or_forced);
    RUN(a_file_goes_on_where_it_was_left);
    RUN(a_fifo_waits_for_its_writer);
    RUN(a_read_error_ends_every_format);
    RUN(a_wake_is_a_good_end);
    RUN(a_file_says_how_far_it_is_read);
    RUN(parts_are_for_plain_files);
    RUN(a_read_of_nothing_gives_nothing);
    RUN(frames_before_the_choice_are_kept);
    return check_done();
}
