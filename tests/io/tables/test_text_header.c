#include "io/tables/text_header.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static field fields[128];
static char line[1024];

static row row_of(const char *text)
{
    row r = {.separator = ',', .fields = fields};
    strcpy(line, text);
    row_parse(&r, line, strlen(line));
    return r;
}

static bool is_header(const char *text)
{
    const row r = row_of(text);
    return text_header_is(&r);
}

static void a_header_has_words_and_no_numbers(void)
{
    CHECK(is_header("x,y") && is_header("x") && is_header("\"a b\",c") && is_header("K,NA,CL"));
    CHECK(is_header("x,,y") && is_header("x\t"));
    CHECK(!is_header("x,1") && !is_header("1") && !is_header("") && !is_header(",,"));
    CHECK(!is_header("null,NA") && !is_header("nan,x"));
}

static void the_same_line_repeats_it(void)
{
    text_header h = {0};
    CHECK(!text_header_repeats(&h, "x,y", 3));
    const row r = row_of("x,y  # units: m\r");
    CHECK(text_header_keep(&h, &r, line, strlen(line)) && h.n == 2);
    CHECK(text_header_repeats(&h, "x,y", 3) && text_header_repeats(&h, "x,y \r", 5));
    CHECK(text_header_repeats(&h, "x,y#", 4) && text_header_repeats(&h, "\xef\xbb\xbfx,y", 6));
    CHECK(!text_header_repeats(&h, "x,", 2) && !text_header_repeats(&h, "", 0));
    CHECK(!text_header_repeats(&h, "x,yz", 4) && !text_header_repeats(&h, "x,y,", 4));
    CHECK(!text_header_repeats(&h, "x,y\0z", 5));
    text_header_free(&h);
    CHECK(!h.line);
}

/* Regression: a word for a lost value in the first line made all such lines vanish. */
static void a_line_that_may_be_a_row_repeats_no_header(void)
{
    static const char *const lines[] = {"timeout", "timeout,timeout", "0,1", "x,2"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        text_header h = {0};
        const row r = row_of(lines[i]);
        CHECK(text_header_keep(&h, &r, line, strlen(line)) && h.line);
        CHECK_MSG(!text_header_repeats(&h, lines[i], strlen(lines[i])), "%s", lines[i]);
        text_header_free(&h);
    }
}

static void names_are_found_whole(void)
{
    const row r = row_of("time (s), \"x\", y, x, Y");
    CHECK(text_header_find(&r, "time (s)") == 1 && text_header_find(&r, "x") == 2);
    CHECK(text_header_find(&r, "Y") == 5 && text_header_find(&r, "z") == 0);
    CHECK(text_header_find(&r, "time") == 0 && text_header_find(&r, "") == 0);
}

static void names_are_listed_as_far_as_there_is_room(void)
{
    char out[64];
    row r = row_of("a,\"b, c\",d");
    text_header_list(&r, out, sizeof out);
    CHECK(strcmp(out, "a, \"b, c\", d") == 0);
    r = row_of("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz,b,c");
    text_header_list(&r, out, sizeof out);
    CHECK(strcmp(out, "abcdefghijklmnopqrstuvwxyzabcdef, ...") == 0);
}

int main(void)
{
    RUN(a_header_has_words_and_no_numbers);
    RUN(the_same_line_repeats_it);
    RUN(a_line_that_may_be_a_row_repeats_no_header);
    RUN(names_are_found_whole);
    RUN(names_are_listed_as_far_as_there_is_room);
    return check_done();
}
