#include "io/escape.h"

#include <stdint.h>
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

/* UTF-8 of a code point above ASCII, by the table of RFC 3629; surrogates too. */
static size_t encode(uint32_t c, unsigned char *b)
{
    const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; c >>= 6) b[i] = (unsigned char)(0x80 | (c & 0x3f));
    b[0] = (unsigned char)(first[n] | c);
    return n;
}

static void every_character_is_known_and_its_beginning(void)
{
    size_t wrong = 0;
    for (uint32_t c = 0x80; c < 0x110000; c++) {
        unsigned char b[4];
        const size_t n = encode(c, b);
        const bool surrogate = c >= 0xd800 && c < 0xe000;
        wrong += utf8_length(b, n) != (surrogate ? 0 : n);
        for (size_t cut = 1; cut < n && !surrogate; cut++) wrong += utf8_length(b, cut) != cut + 1;
    }
    CHECK(wrong == 0);
}

/* Every sequence of two or three bytes that is accepted is one that encoding gives. */
static void nothing_else_is_one(void)
{
    size_t two = 0, three = 0;
    for (uint32_t bits = 0; bits < 1 << 24; bits++) {
        const unsigned char b[] = {(unsigned char)(bits >> 16), (unsigned char)(bits >> 8),
                                   (unsigned char)bits};
        const size_t n = utf8_length(b, 3);
        two += n == 2;
        three += n == 3;
    }
    CHECK(two == (0x800 - 0x80) * 256);
    CHECK(three == 0x10000 - 0x800 - 0x800);
}

static void long_ones_end_at_the_last_code_point(void)
{
    static const unsigned char beyond[] = {0xf4, 0x90, 0x80, 0x80}, overlong[] = {0xf0, 0x8f};
    static const unsigned char five[] = {0xf8, 0x88, 0x80, 0x80, 0x80}, ascii[] = {'a'};
    CHECK(utf8_length(beyond, 4) == 0 && utf8_length(overlong, 2) == 0);
    CHECK(utf8_length(five, 5) == 0 && utf8_length(ascii, 1) == 0);
}

static void the_first_of_a_string_never_passes_its_end(void)
{
    CHECK(utf8_first("a\xc3") == 1 && utf8_first("\xc3\xa4") == 2);
    CHECK(utf8_first("\xe2\x82\xac") == 3 && utf8_first("\xf0\x9f\x90\x8b!") == 4);
    CHECK(utf8_first("\xc3") == 0 && utf8_first("\xe2\x82") == 0 && utf8_first("\xff") == 0);
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
    RUN(every_character_is_known_and_its_beginning);
    RUN(nothing_else_is_one);
    RUN(long_ones_end_at_the_last_code_point);
    RUN(the_first_of_a_string_never_passes_its_end);
    return check_done();
}
