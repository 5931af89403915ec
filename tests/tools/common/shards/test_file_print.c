/* tools/common/shards/file_print.c: which changes of a file are seen. */
#include "tools/common/shards/file_print.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check.h"

static char path[] = "/tmp/file_print.XXXXXX";

/* A file of n bytes, one of which is another, changed at time `at`. */
static void write_file(size_t n, size_t other, time_t at)
{
    const struct timespec times[2] = {{.tv_sec = at}, {.tv_sec = at}};
    FILE *file = fopen(path, "w");
    for (size_t i = 0; i < n; i++) putc(i == other ? 1 : (int)(i % 251), file);
    CHECK(fclose(file) == 0);
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static void print_of(char print[SHARD_FILE], size_t n, size_t other, time_t at)
{
    write_file(n, other, at);
    CHECK(file_print(print, path) == 0);
}

static void size_time_and_bytes_are_seen(void)
{
    static const size_t sizes[] = {0, 1, 65536, 1 << 20, (1 << 20) + 1, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char before[SHARD_FILE], after[SHARD_FILE];
        const size_t n = sizes[i];
        print_of(before, n, SIZE_MAX, 1000);
        print_of(after, n, SIZE_MAX, 1000);
        CHECK(strcmp(before, after) == 0);
        print_of(after, n, SIZE_MAX, 1001);
        CHECK(strcmp(before, after) != 0);
        print_of(after, n + 1, SIZE_MAX, 1000);
        CHECK(strcmp(before, after) != 0);
        if (n == 0) continue;
        print_of(after, n, 0, 1000);
        CHECK(strcmp(before, after) != 0);
        print_of(after, n, n - 1, 1000);
        CHECK(strcmp(before, after) != 0 || (n - 1) % 251 == 1);
    }
}

/* The middle of a file is seen up to 1 MiB, as the header says. */
static void small_files_are_seen_whole(void)
{
    char before[SHARD_FILE], after[SHARD_FILE];
    uint64_t random = check_seed("changed bytes");
    print_of(before, 1 << 20, SIZE_MAX, 1000);
    for (int i = 0; i < 5; i++) {
        size_t at = check_below(&random, 1 << 20);
        if (at % 251 == 1) at++;
        print_of(after, 1 << 20, at, 1000);
        CHECK_MSG(strcmp(before, after) != 0, "byte %zu", at);
    }
}

static void sums_see_all_bytes(void)
{
    uint32_t sum = 0, other = 0;
    write_file(3000000, SIZE_MAX, 1000);
    CHECK(file_sum(&sum, path) == 0);
    write_file(3000000, 1234567, 1000);
    CHECK(file_sum(&other, path) == 0 && sum != other);
}

static void only_files_have_prints(void)
{
    char print[SHARD_FILE];
    uint32_t sum = 0;
    CHECK(file_print(print, "/tmp") == EINVAL && file_sum(&sum, "/tmp") == EINVAL);
    CHECK(file_print(print, "/nothing/there") == ENOENT);
}

int main(void)
{
    const int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    RUN(size_time_and_bytes_are_seen);
    RUN(small_files_are_seen_whole);
    RUN(sums_see_all_bytes);
    RUN(only_files_have_prints);
    unlink(path);
    return check_done();
}
