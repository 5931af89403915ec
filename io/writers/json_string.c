#include "io/writers/json_string.h"

#include "io/utf8.h"

void json_add_string(text_buffer *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    text_add_string(out, "\"");
    while (*s) {
        size_t n = utf8_first((const char *)s);
        if (n == 0) {
            text_add_string(out, "\\ufffd");
            n = 1;
        } else if (*s == '"' || *s == '\\') {
            text_add_format(out, "\\%c", *s);
        } else if (*s == '\n' || *s == '\t' || *s == '\r') {
            text_add_string(out, *s == '\n' ? "\\n" : *s == '\t' ? "\\t" : "\\r");
        } else if (*s < 0x20 || *s == 0x7f) {
            text_add_format(out, "\\u%04x", *s);
        } else {
            text_add(out, (const char *)s, n);
        }
        s += n;
    }
    text_add_string(out, "\"");
}
