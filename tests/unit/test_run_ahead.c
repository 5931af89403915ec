/* filter/run_ahead.c: what a thread reads ahead is what source_gather gives, piece for piece. */
#include "filter/run_ahead.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tests/check.h"

enum { N = 1200000, PIECE = 500000 };

static uint64_t seed;
static char path[] = "/tmp/test_run_ahead.XXXXXX";
static float expected[N];

/* N floats, and a byte too many. */
static void write_file(void)
{
    uint64_t random = seed;
    strcpy(strrchr(path, '.'), ".XXXXXX");
    const int fd = mkstemp(path);
    for (size_t i = 0; i < N; i++) expected[i] = (float)check_below(&random, 1000);
    if (fd < 0 || write(fd, expected, sizeof expected) != sizeof expected) abort();
    if (write(fd, "x", 1) != 1 || close(fd)) abort();
}

static source *open_file(void)
{
    char error[256];
    const source_options options = {.format = SOURCE_F32, .wake_fd = -1};
    source *src = source_open(path, &options, error, sizeof error);
    if (!src) abort();
    return src;
}

/* Reads all of it, by so many threads, and, once something has been read, does `meanwhile`. How
 * many samples came, all of them right; the last call gave *last, with these words. */
static size_t read_all(size_t threads, void (*meanwhile)(void), ssize_t *last, char *words)
{
    float *frames = malloc(PIECE * sizeof *frames);
    source *src = open_file();
    run_ahead *ahead = ahead_create(src, PIECE, threads);
    if (!frames || !ahead) abort();
    size_t at = 0;
    ssize_t got = source_gather(src, frames, NULL, 1000);
    if (meanwhile) meanwhile();
    for (size_t most = 200000; got > 0; most = (most * 3 + 1) % PIECE + 1) {
        ahead_start(ahead, most);
        CHECK(at + (size_t)got <= N);
        CHECK(memcmp(frames, expected + at, (size_t)got * sizeof *frames) == 0);
        at += (size_t)got;
        got = ahead_wait(ahead, &frames);
        CHECK(got <= (ssize_t)most);
    }
    *last = got;
    strcpy(words, source_error(src));
    ahead_destroy(ahead);
    source_close(src);
    free(frames);
    return at;
}

static const size_t threads_tried[] = {1, 2, 5};
enum { TRIED = sizeof threads_tried / sizeof *threads_tried };

static void pieces_are_those_of_the_file(void)
{
    write_file();
    for (size_t i = 0; i < TRIED; i++) {
        ssize_t last;
        char words[256];
        CHECK(read_all(threads_tried[i], NULL, &last, words) == N && last == -1);
        CHECK(!strcmp(words, "input ends inside a sample (1 byte left over)"));
    }
    unlink(path);
}

/* Whole samples that are there when they are read are given out, and no others. */
static void shorten(void)
{
    if (truncate(path, (off_t)(N - 300000) * (off_t)sizeof(float))) abort();
}

static void lengthen(void)
{
    if (truncate(path, (off_t)(N - 100000) * (off_t)sizeof(float))) abort();
}

static void a_file_that_changes_is_read_as_it_is(void)
{
    for (size_t i = 0; i < TRIED; i++) {
        ssize_t last;
        char words[256];
        write_file();
        CHECK(read_all(threads_tried[i], shorten, &last, words) == N - 300000 && last == 0);
        unlink(path);
        write_file();
        memset(expected + N - 300000, 0, 200000 * sizeof *expected); /* the new end is zeros */
        shorten();
        CHECK(read_all(threads_tried[i], lengthen, &last, words) == N - 100000 && last == 0);
        unlink(path);
    }
}

/* ---- a disk that fails ---- */

enum { BAD = 3000001 }; /* the first byte that cannot be read */

static ssize_t failing_pread(int fd, void *bytes, size_t size, off_t offset)
{
    if (offset >= BAD) {
        errno = EIO;
        return -1;
    }
    if (offset % 3 == 1) errno = EINTR;
    if (offset % 3 == 1 && size > 1) size = 1; /* short, too */
    return pread(fd, bytes, offset + (off_t)size > BAD ? (size_t)(BAD - offset) : size, offset);
}

static ssize_t failing_read(int fd, void *bytes, size_t size)
{
    const off_t offset = lseek(fd, 0, SEEK_CUR);
    const ssize_t got = failing_pread(fd, bytes, size, offset);
    if (got > 0 && lseek(fd, got, SEEK_CUR) < 0) abort();
    return got;
}

static void what_lies_before_a_bad_place_is_given_out(void)
{
    static const fd_calls bad = {
        .read = failing_read, .write = write, .poll = poll, .pread = failing_pread};
    write_file();
    for (size_t i = 0; i < TRIED; i++) {
        ssize_t last;
        char words[256];
        fd_set_calls(&bad);
        CHECK(read_all(threads_tried[i], NULL, &last, words) == BAD / sizeof(float) && last == -1);
        fd_set_calls(NULL);
        CHECK(!strcmp(words, strerror(EIO)));
    }
    unlink(path);
}

static void what_was_never_used_ends(void)
{
    write_file();
    source *src = open_file();
    ahead_destroy(NULL);
    ahead_destroy(ahead_create(src, 1, 1));
    ahead_destroy(ahead_create(src, 1, 3));
    source_close(src);
    unlink(path);
}

int main(void)
{
    seed = check_seed("test_run_ahead");
    RUN(pieces_are_those_of_the_file);
    RUN(a_file_that_changes_is_read_as_it_is);
    RUN(what_lies_before_a_bad_place_is_given_out);
    RUN(what_was_never_used_ends);
    return check_done();
}
