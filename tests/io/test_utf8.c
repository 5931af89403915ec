#include "io/utf8.h"

#include <stdint.h>

#include "check.h"

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
    RUN(every_character_is_known_and_its_beginning);
    RUN(nothing_else_is_one);
    RUN(long_ones_end_at_the_last_code_point);
    RUN(the_first_of_a_string_never_passes_its_end);
    return check_done();
}
