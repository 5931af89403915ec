#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tests/check.h"

/* A script for the next calls. > 0: at most that many bytes; < 0: fail with -errno; 0, and after
 * the end of the script: the real call. */
static const int *script;
static size_t script_left;

static int next_step(void)
{
    if (script_left == 0) return 0;
    script_left--;
    return *script++;
}

static ssize_t scripted_read(int fd, void *bytes, size_t size)
{
    int step = next_step();
    if (step < 0) {
        errno = -step;
        return -1;
    }
    return read(fd, bytes, step > 0 && (size_t)step < size ? (size_t)step : size);
}

static ssize_t scripted_write(int fd, const void *bytes, size_t size)
{
    int step = next_step();
    if (step < 0) {
        errno = -step;
        return -1;
    }
    return write(fd, bytes, step > 0 && (size_t)step < size ? (size_t)step : size);
}

static int failing_polls;

static int interrupted_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    if (failing_polls > 0) {
        failing_polls--;
        errno = EINTR;
        return -1;
    }
    return poll(fds, n, timeout_ms);
}

static int broken_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    (void)fds, (void)n, (void)timeout_ms;
    errno = ENOMEM;
    return -1;
}

static const fd_calls scripted = {
    .read = scripted_read, .write = scripted_write, .poll = interrupted_poll};

static void follow(const int *steps, size_t n)
{
    script = steps;
    script_left = n;
    fd_set_calls(&scripted);
}

static void close_both(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static void reads_what_is_there_and_then_the_end(void)
{
    int ends[2];
    char got[8] = "";
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "abc", 3) == 3);
    CHECK(fd_read(ends[0], -1, got, sizeof got) == 3);
    CHECK(memcmp(got, "abc", 3) == 0);
    close(ends[1]);
    CHECK(fd_read(ends[0], -1, got, sizeof got) == FD_END);
    close(ends[0]);
}

static void an_interrupted_read_goes_on(void)
{
    const int steps[] = {-EINTR, -EAGAIN, -EINTR, 1, 0};
    int ends[2];
    char got[8];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "abc", 3) == 3);
    follow(steps, 5);
    failing_polls = 3;
    CHECK(fd_read(ends[0], -1, got, sizeof got) == 1);
    CHECK(fd_read(ends[0], -1, got + 1, sizeof got - 1) == 2);
    fd_set_calls(NULL);
    CHECK(script_left == 0 && failing_polls == 0);
    CHECK(memcmp(got, "abc", 3) == 0);
    close_both(ends);
}

static void a_failing_read_gives_its_errno(void)
{
    const int steps[] = {0, -EIO};
    int ends[2];
    char got[1];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "ab", 2) == 2);
    follow(steps, 2);
    CHECK(fd_read(ends[0], -1, got, 1) == 1);
    errno = 0;
    CHECK(fd_read(ends[0], -1, got, 1) == FD_FAILED && errno == EIO);
    fd_set_calls(NULL);
    close_both(ends);
}

/* One byte at a time, interrupted at every third one; byte 5 cannot be read. */
static ssize_t poor_pread(int fd, void *bytes, size_t size, off_t offset)
{
    static int calls;
    (void)fd, (void)size;
    errno = offset == 5 ? EIO : EINTR;
    if (offset == 5 || ++calls % 3 == 0) return -1;
    *(char *)bytes = (char)('a' + offset);
    return offset < 8;
}

static void a_place_of_a_file_is_read_without_moving(void)
{
    const fd_calls calls = {.read = read, .write = write, .poll = poll, .pread = poor_pread};
    char got[9] = "";
    FILE *file = tmpfile();
    if (!file || fputs("abcdefgh", file) < 0 || fflush(file)) abort();
    const int fd = fileno(file);
    CHECK(lseek(fd, 1, SEEK_SET) == 1);
    CHECK(fd_read_at(fd, got, 3, 4) == 3 && memcmp(got, "efg", 3) == 0);
    CHECK(fd_read_at(fd, got, 9, 6) == 2 && memcmp(got, "gh", 2) == 0);
    CHECK(fd_read_at(fd, got, 1, 8) == 0 && fd_read_at(fd, got, 0, 0) == 0);
    CHECK(fd_read_at(-1, got, 1, 0) == 0);
    CHECK(lseek(fd, 0, SEEK_CUR) == 1);
    fd_set_calls(&calls);
    CHECK(fd_read_at(fd, got, 5, 0) == 5 && memcmp(got, "abcde", 5) == 0);
    CHECK(fd_read_at(fd, got, 6, 2) == 3 && memcmp(got, "cde", 3) == 0);
    CHECK(fd_read_at(fd, got, 6, 6) == 2 && memcmp(got, "gh", 2) == 0);
    fd_set_calls(NULL);
    fclose(file);
}

static void a_failing_poll_gives_its_errno(void)
{
    const fd_calls calls = {.read = read, .write = write, .poll = broken_poll};
    char got[1];
    fd_set_calls(&calls);
    errno = 0;
    CHECK(fd_read(STDIN_FILENO, -1, got, 1) == FD_FAILED && errno == ENOMEM);
    fd_set_calls(NULL);
}

static void a_wake_comes_before_bytes(void)
{
    int ends[2], wake[2];
    char got[4];
    CHECK(pipe(ends) == 0 && pipe(wake) == 0);
    CHECK(write(ends[1], "a", 1) == 1);
    CHECK(fd_read(ends[0], wake[0], got, 1) == 1);
    CHECK(write(ends[1], "b", 1) == 1);
    CHECK(write(wake[1], "!", 1) == 1);
    CHECK(fd_read(ends[0], wake[0], got, 1) == FD_WOKEN);
    CHECK(fd_read(ends[0], wake[0], got, 1) == FD_WOKEN);
    close_both(ends);
    close_both(wake);
}

static void a_closed_read_end_is_seen(void)
{
    int ends[2], peer[2];
    CHECK(pipe(ends) == 0 && pipe(peer) == 0);
    CHECK(write(ends[1], "a", 1) == 1);
    CHECK(fd_wait(ends[0], -1, peer[1]) == FD_READY);
    close(peer[0]);
    CHECK(fd_wait(ends[0], -1, peer[1]) == FD_PEER_GONE);
    close(peer[1]);
    close_both(ends);
}

static void is_ready_does_not_wait(void)
{
    int ends[2];
    if (pipe(ends) != 0) abort();
    CHECK(!fd_is_ready(-1) && !fd_is_ready(ends[0]));
    CHECK(write(ends[1], "x", 1) == 1 && fd_is_ready(ends[0]));
    failing_polls = 2;
    fd_set_calls(&scripted);
    CHECK(fd_is_ready(ends[0]) && failing_polls == 0);
    fd_set_calls(NULL);
    close(ends[1]);
    close(ends[0]);
}

static void a_read_times_out(void)
{
    int ends[2], wake[2];
    char got[4];
    if (pipe(ends) != 0 || pipe(wake) != 0) abort();
    CHECK(fd_read_within(ends[0], wake[0], got, 4, 0) == FD_TIMEOUT);
    CHECK(fd_read_within(ends[0], wake[0], got, 4, 1) == FD_TIMEOUT);
    CHECK(write(ends[1], "abc", 3) == 3);
    failing_polls = 2;
    fd_set_calls(&scripted);
    CHECK(fd_read_within(ends[0], wake[0], got, 4, 0) == 3 && memcmp(got, "abc", 3) == 0);
    CHECK(failing_polls == 0);
    fd_set_calls(NULL);
    close(ends[1]);
    CHECK(fd_read_within(ends[0], wake[0], got, 4, 0) == FD_END);
    CHECK(write(wake[1], "!", 1) == 1);
    CHECK(fd_read_within(ends[0], wake[0], got, 4, 0) == FD_WOKEN);
    close(ends[0]);
    close_both(wake);
}

static int64_t stopped_clock(void)
{
    return 42;
}

static void the_clock_goes_forward(void)
{
    const fd_calls calls = {.read = read, .write = write, .poll = poll, .now_ns = stopped_clock};
    int64_t before = fd_now_ns();
    CHECK(before > 0 && fd_now_ns() >= before);
    fd_set_calls(&calls);
    CHECK(fd_now_ns() == 42);
    fd_set_calls(NULL);
}

/* How far it goes depends on the system: more than a page fits, and the content stays. */
static void a_wider_pipe_holds_what_it_held(void)
{
    static char bytes[1 << 16], got[1 << 16];
    int ends[2];
    if (pipe(ends) != 0) abort();
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * i % 251);
    CHECK(write(ends[1], bytes, 4000) == 4000);
    fd_widen_pipe(ends[0]);
    fd_widen_pipe(ends[0]);
    CHECK(write(ends[1], bytes + 4000, 30000) == 30000);
    CHECK(read(ends[0], got, sizeof got) == 34000 && memcmp(got, bytes, 34000) == 0);
    close_both(ends);
    fd_widen_pipe(-1);
}

static void writes_everything(void)
{
    const int steps[] = {-EINTR, 1, 2, -EINTR, 3, 0};
    int ends[2];
    char got[16] = "";
    CHECK(pipe(ends) == 0);
    follow(steps, 6);
    CHECK(fd_write_all(ends[1], "0123456789", 10) == 0);
    fd_set_calls(NULL);
    CHECK(script_left == 0);
    CHECK(read(ends[0], got, sizeof got) == 10 && strcmp(got, "0123456789") == 0);
    close_both(ends);
}

static void a_full_pipe_that_does_not_block_is_waited_for(void)
{
    const int steps[] = {-EAGAIN, 0};
    int ends[2];
    char got[4] = "";
    CHECK(pipe(ends) == 0);
    CHECK(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    follow(steps, 2);
    CHECK(fd_write_all(ends[1], "ab", 2) == 0);
    fd_set_calls(NULL);
    CHECK(read(ends[0], got, sizeof got) == 2);
    close_both(ends);
}

static void a_failing_write_gives_its_errno(void)
{
    const int steps[] = {1, -ENOSPC};
    int ends[2];
    CHECK(pipe(ends) == 0);
    follow(steps, 2);
    CHECK(fd_write_all(ends[1], "abc", 3) == ENOSPC);
    fd_set_calls(NULL);
    close_both(ends);
}

int main(void)
{
    RUN(reads_what_is_there_and_then_the_end);
    RUN(an_interrupted_read_goes_on);
    RUN(a_failing_read_gives_its_errno);
    RUN(a_place_of_a_file_is_read_without_moving);
    RUN(a_failing_poll_gives_its_errno);
    RUN(a_wake_comes_before_bytes);
    RUN(a_closed_read_end_is_seen);
    RUN(is_ready_does_not_wait);
    RUN(a_read_times_out);
    RUN(the_clock_goes_forward);
    RUN(a_wider_pipe_holds_what_it_held);
    RUN(writes_everything);
    RUN(a_full_pipe_that_does_not_block_is_waited_for);
    RUN(a_failing_write_gives_its_errno);
    return check_done();
}
