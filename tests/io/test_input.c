#include <errno.h>
#include <fcntl.h>

#include "io/input.h"
#include "tests/io/source_help.h"

enum { BYTES = 500000 };

static unsigned char bytes[BYTES];

static input open_file(size_t n)
{
    char error[256];
    input in;
    const char *path = help_file(bytes, n);
    CHECK(input_open(&in, path, -1, error, sizeof error));
    unlink(path);
    return in;
}

static void everything_comes_through_in_order(void)
{
    uint64_t seed = check_seed("input");
    input in = open_file(BYTES);
    size_t at = 0;
    while (input_need(&in, 1)) {
        size_t n = 1 + check_below(&seed, 70000);
        if (check_below(&seed, 2) && input_need(&in, n)) CHECK(input_have(&in) >= n);
        if (n > input_have(&in)) n = input_have(&in);
        CHECK(memcmp(input_bytes(&in), bytes + at, n) == 0);
        input_consume(&in, n);
        at += n;
        CHECK(in.consumed == at && input_left(&in) == BYTES - at);
    }
    CHECK(at == BYTES && in.ended && !in.woken && !in.failure);
    CHECK(!input_more(&in));
    input_close(&in);
}

static void a_whole_buffer_can_be_asked_for(void)
{
    input in = open_file(BYTES);
    CHECK(input_need(&in, 1));
    input_consume(&in, 1);
    CHECK(input_need(&in, INPUT_CAPACITY));
    CHECK(memcmp(input_bytes(&in), bytes + 1, INPUT_CAPACITY) == 0);
    input_close(&in);
    in = open_file(10);
    CHECK(!input_need(&in, 11) && input_have(&in) == 10);
    input_close(&in);
}

static void bytes_are_skipped(void)
{
    input in = open_file(BYTES);
    CHECK(input_skip(&in, 0) && in.consumed == 0);
    CHECK(input_skip(&in, 300001) && in.consumed == 300001);
    CHECK(input_need(&in, 3) && memcmp(input_bytes(&in), bytes + 300001, 3) == 0);
    CHECK(!input_skip(&in, BYTES));
    CHECK(in.consumed == BYTES);
    input_close(&in);
}

static void looking_ahead_disturbs_nothing(void)
{
    unsigned char part[100];
    input in = open_file(BYTES);
    CHECK(input_need(&in, 50));
    size_t have = input_have(&in);
    CHECK(input_read_at(&in, 400000, part, 100) == 100);
    CHECK(memcmp(part, bytes + 400000, 100) == 0);
    CHECK(input_read_at(&in, BYTES - 10, part, 100) == 10);
    CHECK(input_read_at(&in, BYTES + 10, part, 100) == 0 && !in.failure);
    CHECK(input_resume(&in));
    CHECK(input_skip(&in, have) && input_need(&in, 10));
    CHECK(memcmp(input_bytes(&in), bytes + have, 10) == 0);
    input_close(&in);
}

static void more_is_not_waited_for(void)
{
    int ends[2], saved = dup(STDIN_FILENO);
    char error[256], got[8];
    input in;
    if (pipe(ends) != 0) abort();
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK(input_open(&in, "-", -1, error, sizeof error));
    CHECK(!input_more_within(&in, 0) && input_have(&in) == 0);
    CHECK(input_read_direct(&in, got, sizeof got, false) == 0);
    CHECK(!in.ended && !in.woken && !in.failure);
    CHECK(write(ends[1], "xy", 2) == 2);
    CHECK(input_read_direct(&in, got, sizeof got, false) == 2 && memcmp(got, "xy", 2) == 0);
    CHECK(write(ends[1], "abc", 3) == 3);
    CHECK(input_more_within(&in, 0) && input_have(&in) == 3);
    CHECK(!input_more_within(&in, 1) && input_have(&in) == 3 && !in.ended);
    close(ends[1]);
    CHECK(!input_more_within(&in, 0) && in.ended);
    input_close(&in);
    if (saved >= 0) dup2(saved, STDIN_FILENO);
    if (saved >= 0) close(saved);
}

/* A whole file by direct reads; the last bytes of each are unread. */
static void direct_reads_can_be_unread(void)
{
    unsigned char got[BYTES];
    input in = open_file(BYTES);
    size_t at = 0;
    while (at < BYTES) {
        size_t n = input_read_direct(&in, got + at, 1000, true);
        CHECK(n > 0 && in.consumed == at + n);
        if (!n) break;
        size_t back = n > 7 ? 3 : 0;
        input_unread(&in, got + at + n - back, back);
        at += n - back;
        CHECK(in.consumed == at && input_have(&in) == back);
        CHECK(memcmp(input_bytes(&in), bytes + at, back) == 0);
        memcpy(got + at, input_bytes(&in), back);
        input_consume(&in, back);
        at += back;
    }
    CHECK(memcmp(got, bytes, BYTES) == 0);
    CHECK(input_read_direct(&in, got, 1, true) == 0 && in.ended && input_left(&in) == 0);
    input_close(&in);
}

/* Peek anywhere and skip, with and without buffered bytes. */
static void peeked_bytes_can_be_skipped(void)
{
    unsigned char got[BYTES];
    uint64_t random = 1;
    input in = open_file(BYTES);
    size_t at = 0;
    while (at < BYTES) {
        const size_t n = check_below(&random, BYTES - at < 2000 ? BYTES - at + 1 : 2000);
        if (check_below(&random, 3) == 0) CHECK(input_need(&in, 1));
        CHECK(input_peek(&in, n / 3, got, BYTES) == BYTES - at - n / 3);
        CHECK(memcmp(got, bytes + at + n / 3, BYTES - at - n / 3) == 0);
        CHECK(in.consumed == at && input_skip(&in, n));
        at += n;
        CHECK(in.consumed == at && input_left(&in) == BYTES - at);
        CHECK(lseek(in.fd, 0, SEEK_CUR) == (off_t)(at + input_have(&in)));
    }
    CHECK(input_peek(&in, 0, got, 1) == 0 && !in.ended && !input_need(&in, 1) && in.ended);
    input_close(&in);
}

static void kinds_of_files(void)
{
    char error[256] = "";
    input in;
    CHECK(!input_open(&in, "/", -1, error, sizeof error));
    CHECK(strcmp(error, "is a directory") == 0);
    CHECK(!input_open(&in, "/nonexistent", -1, error, sizeof error));
    CHECK(strcmp(error, strerror(ENOENT)) == 0);
    CHECK(input_open(&in, "/dev/null", -1, error, sizeof error));
    CHECK(!in.regular && !input_need(&in, 1) && in.ended);
    input_close(&in);
    in = open_file(5);
    CHECK(in.regular && in.size == 5 && in.start == 0 && in.owns_fd);
    input_close(&in);
}

int main(void)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (unsigned char)check_random(&seed);
    RUN(everything_comes_through_in_order);
    RUN(a_whole_buffer_can_be_asked_for);
    RUN(bytes_are_skipped);
    RUN(looking_ahead_disturbs_nothing);
    RUN(more_is_not_waited_for);
    RUN(direct_reads_can_be_unread);
    RUN(peeked_bytes_can_be_skipped);
    RUN(kinds_of_files);
    return check_done();
}
