/*
 * tools/common/input/feed.c: a file that is read straight into the search gives the matches of
 * its samples. If it ends early, grows or fails meanwhile, the words are those of source_read. On
 * the CPU, and on a made-up GPU (tests/support/fake_cuda.h).
 */
#include "tools/common/input/feed.h"

#include <errno.h>
#include <string.h>

#include "tests/io/source_help.h"
#include "tests/support/collect.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA
static const char device[] = "cuda";
#else
static const char device[] = "cpu";
#endif

enum { N = 1000000, SHORT = N - 300000, PIECE = 200000, M = 5, THREADS = 3 };

static float y[N];
static const float x[M] = {3, 1, 4, 1, 5};
static const char *path;

static void make_stream(uint64_t seed)
{
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&seed, 100);
    for (size_t at = 0; at + M < N; at += 1 + check_below(&seed, 5000)) memcpy(y + at, x, sizeof x);
}

static sigrep *create(const char *on, size_t threads, collection *got)
{
    const sigrep_template searched = {
        .size = sizeof(sigrep_template), .samples = x, .length = M, .threshold = 0.1};
    sigrep_config config;
    sigrep *session;
    collect_begin(got, 1);
    sigrep_config_init(&config, sizeof config);
    config.templates = &searched;
    config.n_templates = 1;
    config.device = on;
    config.chunk = 150000;
    config.threads = threads;
    config.on_match = collect_match;
    config.user = got;
    if (sigrep_create(&session, &config, NULL)) abort();
    return session;
}

/* As the program reads: fill what can be filled, and feed the rest. Once something has been taken,
 * `meanwhile` is done. How many samples came, and how many of them were filled. */
static size_t search_file(size_t threads, void (*meanwhile)(void), collection *got, char *words,
                          size_t *filled)
{
    const source_options options = help_options(SOURCE_F32);
    float *frames = malloc(PIECE * sizeof *frames);
    source *src = source_open(path, &options, words, 256);
    sigrep *session = create(device, threads, got);
    size_t all = 0;
    if (!frames || !src) abort();
    for (ssize_t n = 1; n > 0; all += n > 0 ? (size_t)n : 0) {
        size_t taken;
        CHECK(!fill_from_file(session, src, PIECE, &taken));
        *filled += taken;
        n = (ssize_t)taken;
        if (taken && meanwhile && all == 0) meanwhile();
        if (taken) continue;
        n = source_gather(src, frames, NULL, PIECE);
        if (n > 0) CHECK(!sigrep_feed(session, frames, (size_t)n));
    }
    CHECK(!sigrep_finish(session));
    strcpy(words, source_error(src));
    sigrep_destroy(session);
    source_close(src);
    free(frames);
    return all;
}

static collection expect(size_t n)
{
    collection want;
    sigrep *session = create("cpu", 1, &want);
    CHECK(!sigrep_push(session, y, n) && !sigrep_finish(session));
    sigrep_destroy(session);
    return want;
}

/* The first n samples are searched, by one thread and by several; the input ends with `end`. */
static void check(const char *bytes, size_t size, size_t n, const char *end)
{
    collection want = expect(n);
    CHECK(want.n > 50);
    for (size_t threads = 1; threads <= THREADS; threads++) {
        char words[256];
        collection got;
        size_t filled = 0;
        if (bytes) path = help_file(bytes, size);
        CHECK(search_file(threads, NULL, &got, words, &filled) == n);
        CHECK_MSG(!strcmp(words, end), "%s", words);
        CHECK(collect_equal(&want, &got) && filled > 0);
        collect_free(&got);
        if (bytes) unlink(path);
    }
    collect_free(&want);
}

static void a_whole_file(void)
{
    check((const char *)y, sizeof y, N, "");
}

static void a_file_that_ends_inside_a_sample(void)
{
    check((const char *)y, 4 * SHORT + 3, SHORT, "input ends inside a sample (3 bytes left over)");
}

static void cut_to(size_t bytes)
{
    if (truncate(path, (off_t)bytes)) abort();
}

static void cut(void)
{
    cut_to(4 * SHORT);
}

static void cut_inside_a_sample(void)
{
    cut_to(4 * SHORT + 1);
}

static void a_file_that_is_cut_while_it_is_read(void)
{
    static void (*const cuts[])(void) = {cut, cut_inside_a_sample};
    static const char *const ends[] = {"", "input ends inside a sample (1 byte left over)"};
    for (size_t i = 0; i < 2; i++) {
        collection want = expect(SHORT), got;
        char words[256];
        size_t filled = 0;
        path = help_file(y, sizeof y);
        CHECK(search_file(THREADS, cuts[i], &got, words, &filled) == SHORT && filled > 0);
        CHECK(!strcmp(words, ends[i]) && collect_equal(&want, &got));
        collect_free(&want);
        collect_free(&got);
        unlink(path);
    }
}

static void grow(void)
{
    FILE *file = fopen(path, "ab");
    if (!file || fwrite(y + SHORT, sizeof *y, N - SHORT, file) != N - SHORT || fclose(file))
        abort();
}

static void a_file_that_grows_while_it_is_read(void)
{
    collection want = expect(N), got;
    char words[256];
    size_t filled = 0;
    path = help_file(y, SHORT * sizeof *y);
    CHECK(search_file(THREADS, grow, &got, words, &filled) == N && filled > 0);
    CHECK(!*words && collect_equal(&want, &got));
    collect_free(&want);
    collect_free(&got);
    unlink(path);
}

/* ---- a disk that fails ---- */

enum { BAD = 4 * SHORT + 2 }; /* the first byte that cannot be read */

static ssize_t bad_pread(int fd, void *bytes, size_t size, off_t offset)
{
    errno = EIO;
    if (offset >= BAD) return -1;
    return pread(fd, bytes, offset + (off_t)size > BAD ? (size_t)(BAD - offset) : size, offset);
}

static ssize_t bad_read(int fd, void *bytes, size_t size)
{
    const off_t offset = lseek(fd, 0, SEEK_CUR);
    const ssize_t got = bad_pread(fd, bytes, size, offset);
    if (got > 0 && lseek(fd, got, SEEK_CUR) < 0) abort();
    return got;
}

static void a_disk_that_fails(void)
{
    static const fd_calls bad = {
        .read = bad_read, .write = write, .poll = poll, .pread = bad_pread};
    path = help_file(y, sizeof y);
    fd_set_calls(&bad);
    check(NULL, 0, SHORT, strerror(EIO));
    fd_set_calls(NULL);
    unlink(path);
}

int main(void)
{
    make_stream(check_seed("test_feed_from_file"));
#ifdef TESTS_CUDA
    fake_cuda_begin();
#endif
    RUN(a_whole_file);
    RUN(a_file_that_ends_inside_a_sample);
    RUN(a_file_that_is_cut_while_it_is_read);
    RUN(a_file_that_grows_while_it_is_read);
    RUN(a_disk_that_fails);
    return check_done();
}
