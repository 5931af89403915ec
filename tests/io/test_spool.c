#include "io/spool.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { LIMIT = 1000, SIZE = 700001 };

static unsigned char byte_at(uint64_t i)
{
    return (unsigned char)((i * 2654435761u) >> 13);
}

/* Append [from, from + n) of the pattern. */
static int append(spool *s, uint64_t from, size_t n)
{
    static unsigned char bytes[SIZE];
    for (size_t i = 0; i < n; i++) bytes[i] = byte_at(from + i);
    return spool_append(s, bytes, n);
}

static bool reads(spool *s, uint64_t from, size_t n)
{
    static unsigned char bytes[SIZE];
    if (spool_read(s, from, bytes, n)) return false;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != byte_at(from + i)) return false;
    }
    return true;
}

static void bytes_come_back_from_memory_file_and_buffer(void)
{
    uint64_t state = check_seed("bytes_come_back_from_memory_file_and_buffer");
    spool *s = spool_create(LIMIT);
    for (uint64_t at = 0; at < SIZE;) {
        size_t n = 1 + check_below(&state, check_below(&state, 10) ? 900 : 300000);
        if (n > SIZE - at) n = (size_t)(SIZE - at);
        CHECK(append(s, at, n) == 0);
        at += n;
        CHECK(spool_size(s) == at);
    }
    CHECK(reads(s, 0, SIZE));
    CHECK(reads(s, LIMIT - 1, 2) && reads(s, LIMIT, 1) && reads(s, SIZE - 1, 1));
    for (int i = 0; i < 300; i++) {
        size_t from = check_below(&state, SIZE);
        CHECK(reads(s, from, check_below(&state, SIZE - from + 1)));
    }
    CHECK(!reads(s, SIZE, 1) && !reads(s, 0, SIZE + 1) && !reads(s, UINT64_MAX, 2));
    CHECK(strcmp(spool_error(s), "read beyond the end of the stored samples") == 0);
    spool_destroy(s);
}

static void cleared_it_is_as_new(void)
{
    spool *s = spool_create(LIMIT);
    for (int round = 0; round < 3; round++) {
        CHECK(append(s, 0, 500000) == 0 && reads(s, 250000, 250000));
        CHECK(spool_clear(s) == 0 && spool_size(s) == 0 && !reads(s, 0, 1));
        CHECK(append(s, 0, 10) == 0 && reads(s, 0, 10));
        CHECK(spool_clear(s) == 0);
    }
    spool_destroy(s);
}

static void as_a_store_it_counts_frames(void)
{
    spool *s = spool_create(10 * sizeof(float));
    sigrep_store store = spool_as_store(s);
    float frames[60], back[9];
    for (int i = 0; i < 60; i++) frames[i] = (float)i;
    CHECK(store.append(store.user, frames, 20, 3) == 0);
    CHECK(store.read(store.user, 2, back, 3, 3) == 0 && back[0] == 6 && back[8] == 14);
    CHECK(store.read(store.user, 18, back, 3, 3) != 0);
    CHECK(store.clear(store.user) == 0 && store.read(store.user, 0, back, 1, 1) != 0);
    spool_destroy(s);
}

static void nothing_is_left_in_the_folder(void)
{
    char folder[] = "spool-test-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    setenv("TMPDIR", folder, 1);
    spool *s = spool_create(0);
    CHECK(append(s, 0, 300000) == 0);
    DIR *d = opendir(folder);
    int entries = 0;
    while (d && readdir(d)) entries++;
    CHECK(entries == 2); /* . and .. */
    if (d) closedir(d);
    spool_destroy(s);
    CHECK(rmdir(folder) == 0);
    unsetenv("TMPDIR");
}

static void a_bad_folder_is_reported(void)
{
    setenv("TMPDIR", "/nonexistent", 1);
    spool *s = spool_create(LIMIT);
    CHECK(append(s, 0, LIMIT) == 0);
    CHECK(append(s, 0, 1) != 0);
    CHECK(strcmp(spool_error(s), "temporary file in /nonexistent: No such file or directory; "
                                 "TMPDIR sets another folder") == 0);
    spool_destroy(s);
    unsetenv("TMPDIR");
}

static void a_full_disk_is_reported(void)
{
    struct rlimit old, small;
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    small = old;
    small.rlim_cur = 300000;
    signal(SIGXFSZ, SIG_IGN);
    spool *s = spool_create(LIMIT);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    int failed = 0;
    for (int i = 0; i < 10 && !failed; i++) failed = append(s, 0, 100000);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(failed && strstr(spool_error(s), ": File too large"));
    CHECK(reads(s, 0, LIMIT));
    spool_destroy(s);
}

int main(void)
{
    RUN(bytes_come_back_from_memory_file_and_buffer);
    RUN(cleared_it_is_as_new);
    RUN(as_a_store_it_counts_frames);
    RUN(nothing_is_left_in_the_folder);
    RUN(a_bad_folder_is_reported);
    RUN(a_full_disk_is_reported);
    return check_done();
}
