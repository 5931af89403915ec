/*
 * source_gather over a fake pipe and a fake clock. A script alone decides what comes, and when.
 */
#include <errno.h>

#include "io/input.h"
#include "tests/io/source_help.h"

/* The result of the next wait for bytes, after ms milliseconds of the clock. */
typedef struct {
    enum { COMES, NOTHING, SIGNAL_ONLY, WAKE, ENDS, FAILS } what;
    const void *bytes;
    size_t n;
    double ms;
} step;

enum { WAKE_FD = 12345, MOST = INPUT_CAPACITY };
static const step *script;
static size_t steps_left;
static step current; /* COMES with bytes that were not read yet, ENDS, FAILS */
static double clock_ms;
static int last_timeout, waits_for_ever;
static size_t room = 1000; /* frames a call; from INPUT_CAPACITY bytes on, reads are direct */
static float frames[MOST];
static exact_time times[MOST];

static int64_t fake_now(void)
{
    return (int64_t)(clock_ms * 1e6);
}

/* Every wait uses the next step of the script; after its end the pipe is closed. */
static int fake_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    CHECK(n == 3 && fds[1].fd == WAKE_FD);
    for (nfds_t i = 0; i < n; i++) fds[i].revents = 0;
    last_timeout = timeout_ms;
    waits_for_ever += timeout_ms < 0;
    current = steps_left ? *script : (step){.what = ENDS};
    if (steps_left) script++, steps_left--;
    clock_ms += current.ms;
    if (current.what == NOTHING) return 0;
    if (current.what == SIGNAL_ONLY) {
        errno = EINTR;
        return -1;
    }
    fds[current.what == WAKE].revents = POLLIN;
    return 1;
}

static ssize_t fake_read(int fd, void *bytes, size_t size)
{
    (void)fd;
    if (current.what == FAILS) {
        errno = EIO;
        return -1;
    }
    if (current.what != COMES) return 0;
    CHECK(current.n <= size);
    memcpy(bytes, current.bytes, current.n);
    return (ssize_t)current.n;
}

static source *begin(source_format format, const step *steps, size_t n)
{
    static const fd_calls calls = {
        .read = fake_read, .write = write, .poll = fake_poll, .now_ns = fake_now};
    source_options how = {.format = format, .wake_fd = WAKE_FD, .skip_bad = true};
    char why[256];
    script = steps;
    steps_left = n;
    waits_for_ever = 0;
    fd_set_calls(&calls);
    source *src = source_open("/dev/null", &how, why, sizeof why);
    CHECK_MSG(src != NULL, "%s", why);
    if (!src) exit(1);
    return src;
}

#define BEGIN(format, steps) begin(format, steps, sizeof steps / sizeof *steps)

static void end(source *src)
{
    source_close(src);
    fd_set_calls(NULL);
}

static bool gives(source *src, ssize_t n, const float *values)
{
    ssize_t got = source_gather(src, frames, times, room);
    if (got != n) fprintf(stderr, "%zd frames instead of %zd\n", got, n);
    return got == n && (n <= 0 || memcmp(frames, values, (size_t)n * sizeof *values) == 0);
}

static const float v[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void fast_input_is_one_read(void)
{
    const step steps[] = {{COMES, v, 4, 50},
                          {COMES, v + 1, 8, 0},
                          {COMES, v + 3, 4, 0.9},
                          {NOTHING, NULL, 0, 1},
                          {COMES, v + 4, 8, 70}};
    source *src = BEGIN(SOURCE_F32, steps);
    CHECK(gives(src, 4, v));
    CHECK(last_timeout == 1 && waits_for_ever == 1);
    CHECK(gives(src, 2, v + 4)); /* and the end */
    CHECK(gives(src, 0, NULL) && gives(src, 0, NULL));
    end(src);
}

/* Frames come for ever without a pause, but the first one waits only for a while. */
static void a_steady_stream_is_not_held_up(void)
{
    step steps[12];
    for (size_t i = 0; i < 12; i++) steps[i] = (step){COMES, v + i, 4, 0.9};
    source *src = BEGIN(SOURCE_F32, steps);
    clock_ms = 0; /* the first sample came while opening */
    CHECK(gives(src, 7, v) && clock_ms < 6);
    CHECK(gives(src, 5, v + 7));
    CHECK(gives(src, 0, NULL));
    end(src);
}

static void no_more_than_was_asked_for(void)
{
    const step steps[] = {{COMES, v, 20, 0}, {COMES, v + 5, 16, 0}, {COMES, v + 9, 12, 0}};
    source *src = BEGIN(SOURCE_F32, steps);
    CHECK(source_gather(src, frames, NULL, 3) == 3 && frames[2] == 3);
    CHECK(waits_for_ever == 1 && steps_left == 2);
    CHECK(source_gather(src, frames, NULL, 4) == 4 && frames[0] == 4 && frames[3] == 7);
    CHECK(source_gather(src, frames, NULL, 0) == 0);
    CHECK(gives(src, 5, v + 7));
    end(src);
}

static void half_a_sample_is_not_waited_for(void)
{
    const char *bytes = (const char *)v;
    const step steps[] = {{COMES, bytes, 6, 0},
                          {NOTHING, NULL, 0, 1},
                          {COMES, bytes + 6, 1, 9},
                          {COMES, bytes + 7, 1, 9},
                          {NOTHING, NULL, 0, 1}};
    source *src = BEGIN(SOURCE_F32, steps);
    CHECK(gives(src, 1, v));
    CHECK(waits_for_ever == 1 && last_timeout == 1 && steps_left == 3);
    CHECK(gives(src, 1, v + 1));
    CHECK(gives(src, 0, NULL));
    end(src);
}

static void half_a_line_is_not_waited_for(void)
{
    const step steps[] = {{COMES, "1\n2\n3", 5, 0},
                          {NOTHING, NULL, 0, 1},
                          {COMES, "0", 1, 9},
                          {COMES, "\n4\n5", 4, 9},
                          {NOTHING, NULL, 0, 1}};
    const float later[] = {30, 4};
    source *src = BEGIN(SOURCE_TEXT, steps);
    CHECK(gives(src, 2, v) && waits_for_ever == 1);
    CHECK(gives(src, 2, later) && waits_for_ever == 3);
    CHECK(gives(src, 1, v + 4)); /* at the end it is a line */
    CHECK(gives(src, 0, NULL));
    end(src);
}

/* The frames come first, then the end. */
static void an_end_comes_after_the_samples(void)
{
    const step ends[] = {{COMES, v, 8, 0}, {COMES, v + 2, 6, 0}, {ENDS, NULL, 0, 0}};
    const step fails[] = {{COMES, v, 8, 0}, {COMES, v + 2, 6, 0}, {FAILS, NULL, 0, 0}};
    source *src = BEGIN(SOURCE_F32, ends);
    CHECK(gives(src, 3, v));
    CHECK(gives(src, -1, NULL) && strstr(source_error(src), "ends inside a sample"));
    end(src);
    src = BEGIN(SOURCE_F32, fails);
    CHECK(gives(src, 3, v));
    CHECK(gives(src, -1, NULL) && strcmp(source_error(src), strerror(EIO)) == 0);
    CHECK(gives(src, -1, NULL));
    end(src);
}

static void a_wake_ends_it_with_what_is_there(void)
{
    const step steps[] = {
        {COMES, v, 8, 0}, {COMES, v + 2, 6, 0}, {WAKE, NULL, 0, 0}, {COMES, v + 3, 4, 0}};
    source *src = BEGIN(SOURCE_F32, steps);
    CHECK(gives(src, 3, v));
    CHECK(gives(src, 0, NULL) && !source_error(src)[0] && steps_left == 1);
    end(src);
}

static void signals_alone_do_not_end_it(void)
{
    const step steps[] = {{COMES, v, 4, 0},          {SIGNAL_ONLY, NULL, 0, 0},
                          {COMES, v + 1, 4, 0},      {SIGNAL_ONLY, NULL, 0, 0},
                          {SIGNAL_ONLY, NULL, 0, 0}, {COMES, v + 2, 8, 0}};
    source *src = BEGIN(SOURCE_F32, steps);
    CHECK(gives(src, 4, v));
    CHECK(gives(src, 0, NULL));
    end(src);
}

/* Regression: direct reads did not look at the clock. */
static void direct_reads_do_the_same(void)
{
    const size_t before = room;
    room = INPUT_CAPACITY / sizeof *frames;
    fast_input_is_one_read();
    a_steady_stream_is_not_held_up();
    half_a_sample_is_not_waited_for();
    an_end_comes_after_the_samples();
    a_wake_ends_it_with_what_is_there();
    signals_alone_do_not_end_it();
    room = before;
}

/* Only a few warnings are stored until they are fetched. */
static void a_warning_is_reported_soon(void)
{
    const step steps[] = {{COMES, "1\n2\n", 4, 0}, {COMES, "x\n4\n", 4, 0}, {COMES, "5\n", 2, 0}};
    source *src = BEGIN(SOURCE_TEXT, steps);
    CHECK(source_gather(src, frames, times, room) == 4);
    CHECK(frames[1] == 2 && frames[2] != frames[2] && frames[3] == 4);
    CHECK(source_warning(src) != NULL && gives(src, 1, v + 4));
    end(src);
}

/* Nothing is waited for after the data of a WAV file. */
static void the_end_of_wav_data_is_an_end(void)
{
    static const unsigned char wav[] = "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0"
                                       "\x80\x3e\0\0\2\0\x10\0data\x08\0\0\0\0\x40\0\xc0\0\x20\0\0";
    const step steps[] = {{COMES, wav, 46, 0}, {COMES, wav + 46, 6, 0}};
    const float values[] = {0.5F, -0.5F, 0.25F, 0};
    source *src = BEGIN(SOURCE_AUTO, steps);
    CHECK(gives(src, 4, values) && steps_left == 0 && last_timeout == 1);
    CHECK(gives(src, 0, NULL));
    end(src);
}

static int64_t no_clock(void)
{
    CHECK_MSG(false, "the clock was asked");
    return 0;
}

/* A file is gathered whole, by any number of reads, without the clock. */
static void a_file_is_not_live(void)
{
    enum { N = 100000 };
    static float values[N], got[N + 1];
    static const fd_calls calls = {.read = read, .write = write, .poll = poll, .now_ns = no_clock};
    for (size_t i = 0; i < N; i++) values[i] = (float)i;
    const char *path = help_file(values, sizeof values);
    char why[256];
    source_options how = {.format = SOURCE_F32, .wake_fd = -1};
    fd_set_calls(&calls);
    source *src = source_open(path, &how, why, sizeof why);
    unlink(path);
    if (!src) exit(1);
    CHECK(sizeof values > INPUT_CAPACITY);
    CHECK(source_gather(src, got, NULL, N - 1) == N - 1);
    CHECK(source_gather(src, got + N - 1, NULL, 2) == 1);
    CHECK(memcmp(got, values, sizeof values) == 0);
    CHECK(source_gather(src, got, NULL, N) == 0);
    end(src);
}

int main(void)
{
    RUN(fast_input_is_one_read);
    RUN(a_steady_stream_is_not_held_up);
    RUN(no_more_than_was_asked_for);
    RUN(half_a_sample_is_not_waited_for);
    RUN(half_a_line_is_not_waited_for);
    RUN(an_end_comes_after_the_samples);
    RUN(a_wake_ends_it_with_what_is_there);
    RUN(signals_alone_do_not_end_it);
    RUN(direct_reads_do_the_same);
    RUN(a_warning_is_reported_soon);
    RUN(the_end_of_wav_data_is_an_end);
    RUN(a_file_is_not_live);
    return check_done();
}
