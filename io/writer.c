#include "io/writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"

/* Make room for n more bytes and a NUL. */
static bool reserve(text_buffer *text, size_t n)
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
    if (n == 0 || !reserve(text, n)) return;
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
    else if (reserve(text, (size_t)n)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void text_add_escaped(text_buffer *text, const char *string)
{
    for (const char *c = string; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '\t') {
            text_add(text, "\\t", 2);
        } else if (byte == '\n') {
            text_add(text, "\\n", 2);
        } else if (byte == '\r') {
            text_add(text, "\\r", 2);
        } else if (byte < 0x20 || byte == 0x7f) {
            text_add_format(text, "\\x%02x", byte);
        } else {
            text_add(text, c, 1);
        }
    }
}

const writer_ops *writer_find(const char *name)
{
    static const writer_ops *const all[] = {&writer_text, &writer_json, &writer_csv,
                                            &writer_labels};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i]->name, name) == 0) return all[i];
    }
    return NULL;
}

void writer_init(writer *w, const writer_ops *ops, writer_style style, int fd)
{
    *w = (writer){.ops = ops, .style = style, .fd = fd};
}

void writer_free(writer *w)
{
    free(w->out.data);
    w->out = (text_buffer){0};
}

void writer_begin(writer *w)
{
    if (w->ops->header) w->ops->header(&w->out);
}

void writer_add(writer *w, const writer_match *match)
{
    w->ops->match(&w->out, &w->style, match);
}

void writer_end(writer *w)
{
    if (w->ops->end) w->ops->end(&w->out);
}

int writer_flush(writer *w)
{
    if (w->out.failed) return ENOMEM;
    if (w->out.length == 0) return 0;
    size_t n = w->out.length;
    w->out.length = 0;
    return fd_write_all(w->fd, w->out.data, n);
}

void writer_start_text(char out[TIME_TEXT_SIZE], time_style style, const writer_match *match)
{
    time_point point = {.sample = match->start, .seconds = match->start_s};
    time_format(out, style, &match->scale, point);
}

void writer_end_text(char out[TIME_TEXT_SIZE], time_style style, const writer_match *match)
{
    time_point point = {.sample = match->end, .seconds = match->end_s};
    time_format(out, style, &match->scale, point);
}
