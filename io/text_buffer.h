/*
 * text_buffer.h - text that grows, for lines that are to leave whole. Zero one to begin; the owner
 * frees `data`. After a failed allocation `failed` stays set and nothing is added.
 */
#ifndef IO_TEXT_BUFFER_H
#define IO_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *data; /* length bytes, no NUL behind them; NULL: none yet */
    size_t length, capacity;
    bool failed;
} text_buffer;

void text_add(text_buffer *text, const char *data, size_t n);
void text_add_string(text_buffer *text, const char *string);
void text_add_format(text_buffer *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `string` with control characters as \t, \n, \r or \xNN. */
void text_add_escaped(text_buffer *text, const char *string);

#endif
