#include "io/escape.h"

#include <stdio.h>
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

/* Only characters below U+10000 are escaped: others, of four bytes, give 0. */
static unsigned code_point(const unsigned char *s, size_t n)
{
    if (n == 2) return (s[0] & 0x1fU) << 6 | (s[1] & 0x3fU);
    if (n == 3) return (s[0] & 0x0fU) << 12 | (s[1] & 0x3fU) << 6 | (s[2] & 0x3fU);
    return 0;
}

/* C1 controls; direction marks; separators, embeddings and overrides; isolates. */
static bool is_control(unsigned c)
{
    return (c >= 0x80 && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static void escape_byte(unsigned char byte, char out[ESCAPE_SIZE])
{
    if (byte == '\t' || byte == '\n' || byte == '\r')
        strcpy(out, byte == '\t' ? "\\t" : byte == '\n' ? "\\n" : "\\r");
    else
        snprintf(out, ESCAPE_SIZE, "\\x%02x", byte);
}

size_t escape_next(const char *text, char out[ESCAPE_SIZE])
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t n = utf8_first(text);
    if (n == 0 || *s < 0x20 || *s == 0x7f) {
        escape_byte(*s, out);
        return 1;
    }
    if (is_control(code_point(s, n))) {
        snprintf(out, ESCAPE_SIZE, "\\u%04x", code_point(s, n));
    } else {
        memcpy(out, text, n);
        out[n] = '\0';
    }
    return n;
}

bool escape_is_needed(const char *text)
{
    char shown[ESCAPE_SIZE];
    size_t n = 0;
    for (; *text; text += n) {
        n = escape_next(text, shown);
        if (strlen(shown) != n) return true;
    }
    return false;
}

size_t quotes_join(char *text, size_t n)
{
    char *to = memchr(text, '"', n);
    if (!to) return n;
    for (const char *from = to, *end = text + n; from < end; from++) {
        *to++ = *from;
        from += *from == '"';
    }
    return (size_t)(to - text);
}
