#include "io/kept_lines.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static bool takes(kept_lines *k, size_t n, const char *expected)
{
    text_buffer to = {0};
    const bool good = kept_lines_take(k, n, &to) && to.length == strlen(expected) &&
                      memcmp(to.data ? to.data : "", expected, to.length) == 0;
    free(to.data);
    return good;
}

static void lines_are_taken_in_order(void)
{
    kept_lines k = {0};
    CHECK(takes(&k, 1, ""));
    kept_lines_add(&k, "1,2", 3);
    kept_lines_add(&k, "", 0);
    kept_lines_add(&k, "3\r", 2);
    CHECK(takes(&k, 1, "1,2\n") && takes(&k, 0, "") && takes(&k, 2, "\n3\r\n") && takes(&k, 1, ""));
    kept_lines_add(&k, "4", 1);
    CHECK(takes(&k, 1, "4\n"));
    kept_lines_free(&k);
}

static void comments_are_dropped_and_the_header_is_apart(void)
{
    kept_lines k = {0};
    kept_lines_add(&k, "# nothing", 9);
    kept_lines_drop_last(&k);
    kept_lines_add(&k, "time,x", 6);
    kept_lines_make_header(&k);
    kept_lines_add(&k, "1,2", 3);
    kept_lines_add(&k, "", 0);
    kept_lines_drop_last(&k);
    CHECK(takes(&k, 9, "1,2\n"));
    CHECK(k.header.length == 7 && memcmp(k.header.data, "time,x\n", 7) == 0);
    kept_lines_free(&k);
}

static void lines_are_passed_on_one_by_one(void)
{
    kept_lines a = {0}, b = {0};
    kept_lines_add(&a, "x", 1);
    kept_lines_make_header(&a);
    kept_lines_add(&a, "1", 1);
    kept_lines_add(&a, "3", 1);
    CHECK(kept_lines_pass(&a, &b));
    kept_lines_add(&b, "", 0); /* a frame that is made up */
    CHECK(kept_lines_pass(&a, &b) && kept_lines_pass(&a, &b));
    CHECK(takes(&b, 9, "1\n\n3\n") && takes(&a, 9, ""));
    CHECK(b.header.length == 2 && memcmp(b.header.data, "x\n", 2) == 0);
    kept_lines_free(&a);
    kept_lines_free(&b);
}

static void many_lines_need_no_more_memory(void)
{
    kept_lines k = {0};
    char line[32];
    for (int i = 0; i < 100000; i++) {
        snprintf(line, sizeof line, "%d", i);
        kept_lines_add(&k, line, strlen(line));
        if (i == 0) continue; /* one always waits */
        snprintf(line, sizeof line, "%d\n", i - 1);
        CHECK(takes(&k, 1, line));
    }
    CHECK(k.text.capacity < 1 << 18);
    kept_lines_free(&k);
}

int main(void)
{
    RUN(lines_are_taken_in_order);
    RUN(comments_are_dropped_and_the_header_is_apart);
    RUN(lines_are_passed_on_one_by_one);
    RUN(many_lines_need_no_more_memory);
    return check_done();
}
