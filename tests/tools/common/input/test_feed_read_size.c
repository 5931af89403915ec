/* tools/common/input/feed.c: reads are multiples of a push, of bounded memory. */
#include "tests/check.h"
#include "tools/common/input/feed.h"

static void a_long_push_is_a_read(void)
{
    CHECK(read_size(64512, 1) == 64512); /* not_65536_of_64512: the rest was a push of its own */
    CHECK(read_size(1 << 20, 1) == 1 << 20);
    CHECK(read_size(1 << 16, 64) == 1 << 16);
}

static void short_pushes_are_read_together(void)
{
    CHECK(read_size(1, 1) == 1 << 15);
    CHECK(read_size(1024, 1) == 1 << 15);
    CHECK(read_size(1000, 1) == 33000);
    CHECK(read_size(32767, 1) == 2 * 32767);
}

static void much_memory_is_not_taken(void)
{
    CHECK(read_size((1 << 20) + 1, 1) == 1 << 20);
    CHECK(read_size((size_t)1 << 40, 1) == 1 << 20);
    CHECK(read_size(1 << 20, 8) == 1 << 19);
    CHECK(read_size(1, 4096) == 1024);
    CHECK(read_size(1000, 4096) == 1000);
    CHECK(read_size(1025, 4096) == 1024);
    CHECK(read_size(600, 4096) == 600);
}

int main(void)
{
    RUN(a_long_push_is_a_read);
    RUN(short_pushes_are_read_together);
    RUN(much_memory_is_not_taken);
    return check_done();
}
