/* json_string.h - any bytes as a string of JSON (RFC 8259). */
#ifndef IO_WRITERS_JSON_STRING_H
#define IO_WRITERS_JSON_STRING_H

#include "io/text_buffer.h"

/* Add `text` in quotes. File names and labels are bytes, so each byte that begins no valid UTF-8
 * sequence becomes U+FFFD. */
void json_add_string(text_buffer *out, const char *text);

#endif
