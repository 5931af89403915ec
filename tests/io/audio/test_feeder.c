#include <errno.h>
#include <fcntl.h>

#include "io/audio/feeder.h"
#include "tests/io/source_help.h"

/* An input over the read end of a pipe, opened as standard input. */
static input open_pipe(int ends[2], int wake_fd)
{
    char error[256];
    input in;
    int saved = dup(STDIN_FILENO);
    CHECK(pipe(ends) == 0);
    dup2(ends[0], STDIN_FILENO);
    CHECK(input_open(&in, "-", wake_fd, error, sizeof error));
    in.fd = ends[0];
    dup2(saved, STDIN_FILENO);
    close(saved);
    return in;
}

static void buffered_bytes_come_first(void)
{
    int ends[2], out;
    char got[16] = "";
    feeder f;
    declared_size p;
    input in = open_pipe(ends, -1);
    declared_size_init(&p, DETECT_OTHER);
    CHECK(fd_write_all(ends[1], "abc", 3) == 0 && input_need(&in, 3));
    CHECK(feeder_start(&f, &in, &p, &out) == 0);
    CHECK(fd_write_all(ends[1], "def", 3) == 0);
    close(ends[1]);
    size_t n = 0;
    for (ssize_t k; (k = read(out, got + n, sizeof got - n)) > 0;) n += (size_t)k;
    CHECK(n == 6 && memcmp(got, "abcdef", 6) == 0);
    CHECK(feeder_ended(&f));
    close(out);
    feeder_stop(&f);
    CHECK(in.ended && !in.woken && in.consumed == 6 && p.position == 6);
    close(ends[0]);
    input_close(&in);
}

static void a_wake_ends_it(void)
{
    int ends[2], wake[2], out;
    char got[1];
    feeder f;
    declared_size p;
    CHECK(pipe(wake) == 0);
    input in = open_pipe(ends, wake[0]);
    declared_size_init(&p, DETECT_OTHER);
    CHECK(feeder_start(&f, &in, &p, &out) == 0);
    CHECK(write(wake[1], "!", 1) == 1);
    CHECK(read(out, got, 1) == 0);
    CHECK(feeder_ended(&f) && in.woken && !in.ended);
    close(out);
    feeder_stop(&f);
    close(ends[0]);
    close(ends[1]);
    close(wake[0]);
    close(wake[1]);
    input_close(&in);
}

static void a_reader_that_goes_ends_it(void)
{
    int ends[2], out;
    feeder f;
    declared_size p;
    input in = open_pipe(ends, -1);
    declared_size_init(&p, DETECT_OTHER);
    CHECK(feeder_start(&f, &in, &p, &out) == 0);
    close(out);
    feeder_stop(&f);
    CHECK(feeder_ended(&f) && !in.ended && !in.woken && !in.failure);
    close(ends[0]);
    close(ends[1]);
    input_close(&in);
}

/* More bytes than the pipe holds: the thread waits for room, and gets EPIPE. */
static void a_reader_that_goes_is_no_failure(void)
{
    static const char bytes[500000];
    char error[256], got[1];
    int out;
    feeder f;
    declared_size p;
    input in;
    const char *path = help_file(bytes, sizeof bytes);
    CHECK(input_open(&in, path, -1, error, sizeof error));
    declared_size_init(&p, DETECT_OTHER);
    CHECK(feeder_start(&f, &in, &p, &out) == 0);
    CHECK(read(out, got, 1) == 1);
    close(out);
    feeder_stop(&f);
    CHECK(!in.ended && !in.failure);
    input_close(&in);
    unlink(path);
}

static ssize_t broken_read(int fd, void *bytes, size_t size)
{
    (void)fd, (void)bytes, (void)size;
    errno = EIO;
    return -1;
}

static void a_failure_stays(void)
{
    const fd_calls calls = {.read = broken_read, .write = write, .poll = poll};
    int ends[2], out;
    char got[1];
    feeder f;
    declared_size p;
    input in = open_pipe(ends, -1);
    declared_size_init(&p, DETECT_OTHER);
    CHECK(write(ends[1], "x", 1) == 1);
    fd_set_calls(&calls);
    CHECK(feeder_start(&f, &in, &p, &out) == 0);
    CHECK(read(out, got, 1) == 0);
    CHECK(feeder_ended(&f) && in.failure == EIO);
    close(out);
    feeder_stop(&f);
    fd_set_calls(NULL);
    close(ends[0]);
    close(ends[1]);
    input_close(&in);
}

int main(void)
{
    RUN(buffered_bytes_come_first);
    RUN(a_wake_ends_it);
    RUN(a_reader_that_goes_ends_it);
    RUN(a_reader_that_goes_is_no_failure);
    RUN(a_failure_stays);
    return check_done();
}
