#include "io/text_buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/escape.h"

/* And for the NUL that vsnprintf writes. */
bool text_reserve(text_buffer *text, size_t n)
{
    if (text->failed) return false;
    if (text->capacity - text->length > n) return true;
    size_t capacity = text->capacity ? text->capacity : 4096;
    while (capacity - text->length <= n) {
        if (capacity > SIZE_MAX / 2) capacity = 0;
        if (capacity == 0) break;
        capacity *= 2;
    }
    char *data = capacity ? realloc(text->data, capacity) : NULL;
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_add(text_buffer *text, const char *data, size_t n)
{
    if (n == 0 || !text_reserve(text, n)) return;
    memcpy(text->data + text->length, data, n);
    text->length += n;
}

void text_add_string(text_buffer *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_add_format(text_buffer *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        text->failed = true;
    else if (text_reserve(text, (size_t)n)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

/* The least decimal of so many digits that is not below x. */
static double round_up(double x, int digits)
{
    char text[SCORE_TEXT];
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    const double nearest = strtod(text, NULL);
    const int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    if (nearest >= x) return nearest;
    snprintf(text, sizeof text, "%.*e", digits - 1, nearest + pow(10, exponent - digits + 1));
    return strtod(text, NULL);
}

const char *score_text(char out[SCORE_TEXT], double score)
{
    double up = score;
    const double most = score + fabs(score) * 0x1p-24;
    for (int digits = 1; isfinite(score) && digits <= 9; digits++) {
        up = round_up(score, digits);
        if (up == score || (up > score && up < most)) break;
    }
    snprintf(out, SCORE_TEXT, "%.9g", up);
    return out;
}

const char *score_short_text(char out[SCORE_TEXT], double score)
{
    snprintf(out, SCORE_TEXT, "%.9g", isfinite(score) ? round_up(score, 4) : score);
    return out;
}

void text_add_score(text_buffer *text, double score)
{
    char out[SCORE_TEXT];
    text_add_string(text, score_text(out, score));
}

void text_add_escaped(text_buffer *text, const char *string)
{
    char shown[ESCAPE_SIZE];
    while (*string) {
        string += escape_next(string, shown);
        text_add_string(text, shown);
    }
}

void json_add_string(text_buffer *text, const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    text_add_string(text, "\"");
    while (*s) {
        size_t n = utf8_first((const char *)s);
        if (n == 0) {
            text_add_string(text, "\\ufffd");
            n = 1;
        } else if (*s == '"' || *s == '\\') {
            text_add_format(text, "\\%c", *s);
        } else if (*s == '\n' || *s == '\t' || *s == '\r') {
            text_add_string(text, *s == '\n' ? "\\n" : *s == '\t' ? "\\t" : "\\r");
        } else if (*s < 0x20 || *s == 0x7f) {
            text_add_format(text, "\\u%04x", *s);
        } else {
            text_add(text, (const char *)s, n);
        }
        s += n;
    }
    text_add_string(text, "\"");
}
