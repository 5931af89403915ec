/*
 * text_buffer.h - text that grows in memory. Begin with a zeroed one; the owner frees `data`. After
 * a failed allocation `failed` stays set, and further calls add nothing.
 */
#ifndef IO_TEXT_BUFFER_H
#define IO_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *data; /* `length` bytes, no NUL after them; NULL while empty */
    size_t length, capacity;
    bool failed;
} text_buffer;

/* Make room for n more bytes. false: out of memory. */
bool text_reserve(text_buffer *text, size_t n);

void text_add(text_buffer *text, const char *data, size_t n);
void text_add_string(text_buffer *text, const char *string);
void text_add_format(text_buffer *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/*
 * A score or a threshold: the shortest decimal that is not below it, and below the next score of
 * this length, a float32 divided by it. So a printed score is a threshold that its match keeps, and
 * the next worse one does not. At most 9 digits; exact numbers stay as they are.
 */
enum { SCORE_TEXT = 32 /* bytes, NUL included */ };
const char *score_text(char out[SCORE_TEXT], double score); /* returns `out` */
void text_add_score(text_buffer *text, double score);

/* The same in at most 4 digits, for people: not below it, but perhaps above the next. */
const char *score_short_text(char out[SCORE_TEXT], double score);

/* Add `string`, escaped as escape.h says. */
void text_add_escaped(text_buffer *text, const char *string);

/* Add `string` in quotes, as JSON (RFC 8259) has it. File names and labels are bytes, so each byte
 * that begins no valid UTF-8 sequence becomes U+FFFD. */
void json_add_string(text_buffer *text, const char *string);

#endif
