/*
 * json_out.c - JSON Lines (RFC 8259): one object a match. File names and labels are bytes, so each
 * byte that begins no valid UTF-8 sequence becomes U+FFFD.
 */
#include <inttypes.h>
#include <math.h>

#include "io/utf8.h"
#include "io/writer.h"

static void string(text_buffer *out, const char *text)
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

/* Seconds and samples are numbers, other styles strings. A time that is not finite is null. */
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

/* Each pair as the template's frame and the first sample of the stream's. */
static void path(text_buffer *out, const writer_match *m)
{
    text_add_string(out, ",\"path\":[");
    for (size_t i = 0; i < m->n_pairs; i++)
        text_add_format(out, "%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "", m->path[i].template_frame,
                        m->path[i].start);
    text_add_string(out, "]");
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
    if (m->path) path(out, m);
    text_add_string(out, "}\n");
}

const writer_ops writer_json = {.name = "json", .match = match};
