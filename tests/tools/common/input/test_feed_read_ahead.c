/* tools/common/input/feed.c: what a thread reads ahead is what source_gather gives, piece for
 * piece.
 */
#include "tools/common/input/feed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

enum { N = 100000, PIECE = 7000 };

static uint64_t seed;
static char path[] = "/tmp/test_read_ahead.XXXXXX";

/* N floats, and a byte too many. */
static void write_file(float *values)
{
    uint64_t random = seed;
    const int fd = mkstemp(path);
    for (size_t i = 0; i < N; i++) values[i] = (float)check_below(&random, 1000);
    if (fd < 0 || write(fd, values, N * sizeof *values) != N * sizeof *values) abort();
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

static void pieces_are_those_of_the_file(void)
{
    static float expected[N];
    float *frames = malloc(PIECE * sizeof *frames);
    read_ahead *ahead = read_ahead_create(PIECE, false);
    if (!frames || !ahead) abort();
    write_file(expected);
    source *src = open_file();
    size_t at = 0;
    ssize_t got = source_gather(src, frames, NULL, PIECE);
    for (size_t most = 1; got > 0; most = (most * 3 + 1) % PIECE + 1) {
        read_ahead_start(ahead, src, most);
        CHECK(at + (size_t)got <= N);
        CHECK(memcmp(frames, expected + at, (size_t)got * sizeof *frames) == 0);
        at += (size_t)got;
        frames = read_ahead_wait(ahead, frames, &got);
        CHECK(got <= (ssize_t)most);
    }
    CHECK(at == N && got == -1);
    CHECK(!strcmp(source_error(src), "input ends inside a sample (1 byte left over)"));
    source_close(src);
    read_ahead_destroy(ahead);
    free(frames);
    unlink(path);
}

static void what_was_never_used_ends(void)
{
    read_ahead *a = read_ahead_create(1, true);
    CHECK(a);
    read_ahead_destroy(a);
    read_ahead_destroy(NULL);
}

int main(void)
{
    seed = check_seed("test_feed_read_ahead");
    RUN(pieces_are_those_of_the_file);
    RUN(what_was_never_used_ends);
    return check_done();
}
