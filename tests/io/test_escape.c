#include "io/escape.h"

#include <string.h>

#include "check.h"

/* All of a string, escaped. */
static const char *escaped(const char *text)
{
    static char all[256];
    char shown[ESCAPE_SIZE];
    all[0] = '\0';
    while (*text) {
        text += escape_next(text, shown);
        strcat(all, shown);
    }
    return all;
}

static bool is(const char *text, const char *wanted)
{
    const bool same = strcmp(escaped(text), wanted) == 0;
    if (!same) fprintf(stderr, "%s, not %s\n", escaped(text), wanted);
    return same;
}

static void ascii_controls_are_escaped(void)
{
    CHECK(is("\t\n\r\x1b[31m\x01\x1f\x7f", "\\t\\n\\r\\x1b[31m\\x01\\x1f\\x7f"));
}

static void c1_controls_are_escaped(void)
{
    CHECK(is("\xc2\x80\xc2\x9b"
             "31m\xc2\x9f",
             "\\u0080\\u009b31m\\u009f"));
}

static void marks_of_direction_are_escaped(void)
{
    CHECK(is("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "\\u061c\\u200e\\u200f"));
    CHECK(is("\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae",
             "\\u202a\\u202b\\u202c\\u202d\\u202e"));
    CHECK(is("\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", "\\u2066\\u2067\\u2068\\u2069"));
}

static void separators_of_lines_are_escaped(void)
{
    CHECK(is("a\xe2\x80\xa8\xe2\x80\xa9z", "a\\u2028\\u2029z"));
}

static void bytes_that_are_not_utf8_are_escaped(void)
{
    CHECK(is("\x80\x9b\xff", "\\x80\\x9b\\xff"));
    CHECK(is("\xc3", "\\xc3"));
    CHECK(is("\xe2\x82", "\\xe2\\x82"));
    CHECK(is("\xc0\x9b\xed\xa0\x80", "\\xc0\\x9b\\xed\\xa0\\x80"));
}

static void all_else_is_left_as_it_is(void)
{
    static const char plain[] = " ~\\x1b'\"\xc2\xa0\xc3\xa4\xd8\x9b\xd8\x9d\xe2\x80\x8d\xe2\x80\xa7"
                                "\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xe3\x82\x89\xf0\x9f\x90\x8b";
    CHECK(is(plain, plain));
}

static void a_text_is_known_that_needs_no_escape(void)
{
    CHECK(!escape_is_needed("") && !escape_is_needed("\\x1b \xc3\xa4\xf0\x9f\x90\x8b"));
    CHECK(escape_is_needed("a\tb") && escape_is_needed("a\xc2\x9b") && escape_is_needed("\xff"));
    CHECK(escape_is_needed("ab\xe2\x80\xae"));
}

/* The longest escape has six bytes and a NUL. */
static void the_size_is_enough(void)
{
    char out[ESCAPE_SIZE];
    CHECK(escape_next("\xe2\x80\xae", out) == 3 && strlen(out) < ESCAPE_SIZE);
}

int main(void)
{
    RUN(ascii_controls_are_escaped);
    RUN(c1_controls_are_escaped);
    RUN(marks_of_direction_are_escaped);
    RUN(separators_of_lines_are_escaped);
    RUN(bytes_that_are_not_utf8_are_escaped);
    RUN(all_else_is_left_as_it_is);
    RUN(a_text_is_known_that_needs_no_escape);
    RUN(the_size_is_enough);
    return check_done();
}
