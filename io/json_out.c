/*
 * JSON Lines (RFC 8259): one object a match. Names are bytes to us, so whatever is not
 * UTF-8 becomes U+FFFD, one for each byte that begins no valid sequence.
 */
#include <inttypes.h>
#include <math.h>

#include "io/writer.h"

/* Bytes of the valid UTF-8 sequence at s, 0 if there is none (Unicode, table 3-7: no
 * overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t utf8_length(const unsigned char *s)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t n;
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        n = 2;
    } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
        n = 3;
        if (s[0] == 0xe0) low = 0xa0;
        if (s[0] == 0xed) high = 0x9f;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        n = 4;
        if (s[0] == 0xf0) low = 0x90;
        if (s[0] == 0xf4) high = 0x8f;
    } else {
        return 0;
    }
    if (s[1] < low || s[1] > high) return 0;
    for (size_t i = 2; i < n; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf) return 0;
    }
    return n;
}

static void string(text_buffer *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    text_add_string(out, "\"");
    while (*s) {
        size_t n = utf8_length(s);
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

/* Times are numbers in seconds and samples, else strings; a time that is not finite: null. */
static void time_value(text_buffer *out, time_style style, const char *time)
{
    if (time[0] == 'n')
        text_add_string(out, "null");
    else if (style == TIME_SECONDS || style == TIME_SAMPLES)
        text_add_string(out, time);
    else
        string(out, time);
}

static void number(text_buffer *out, double value)
{
    if (isfinite(value))
        text_add_format(out, "%.9g", value);
    else
        text_add_string(out, "null");
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char time[TIME_TEXT_SIZE];
    text_add_string(out, "{\"file\":");
    string(out, m->file);
    text_add_string(out, ",\"label\":");
    string(out, m->label);
    text_add_string(out, ",\"start\":");
    writer_start_text(time, style->times, m);
    time_value(out, style->times, time);
    text_add_string(out, ",\"end\":");
    writer_end_text(time, style->times, m);
    time_value(out, style->times, time);
    text_add_format(out,
                    ",\"start_sample\":%" PRIu64 ",\"end_sample\":%" PRIu64 ",\"score\":", m->start,
                    m->end);
    number(out, m->score);
    text_add_string(out, ",\"threshold\":");
    number(out, m->threshold);
    if (m->live) {
        writer_start_text(time, TIME_CLOCK, m);
        text_add_string(out, ",\"clock\":");
        string(out, time);
    }
    text_add_string(out, "}\n");
}

const writer_ops writer_json = {.name = "json", .match = match};
