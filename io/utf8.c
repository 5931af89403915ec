#include "io/utf8.h"

#include <string.h>

size_t utf8_length(const unsigned char *b, size_t n)
{
    size_t length = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    if (b[0] < 0xc2 || b[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++) {
        unsigned char low = 0x80, high = 0xbf;
        if (i >= n) return n + 1;
        if (i == 1 && b[0] == 0xe0) low = 0xa0;  /* overlong */
        if (i == 1 && b[0] == 0xed) high = 0x9f; /* surrogates */
        if (i == 1 && b[0] == 0xf0) low = 0x90;
        if (i == 1 && b[0] == 0xf4) high = 0x8f;
        if (b[i] < low || b[i] > high) return 0;
    }
    return length;
}

size_t utf8_first(const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    const size_t left = strnlen(string, 4);
    const size_t n = *s < 0x80 ? 1 : utf8_length(s, left);
    return n <= left ? n : 0;
}
