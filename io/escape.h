/*
 * escape.h - text of others, such as names and labels, made safe for a terminal and for a line.
 *
 * Escaped are: control characters (C0, DEL, C1), marks and overrides of the writing direction, line
 * and paragraph separators, and bytes that are not UTF-8. All else is left as it is, backslashes
 * included. Besides, what quotes and UTF-8 are.
 */
#ifndef IO_ESCAPE_H
#define IO_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

enum { ESCAPE_SIZE = 8 }; /* bytes */

/* The first character of `text`, which is not empty, as a string: itself, or \t, \n, \r, \xNN for a
 * byte, \uNNNN for a character. Returns the bytes of `text` that it takes. */
size_t escape_next(const char *text, char out[ESCAPE_SIZE]);

/* Is any character of the text escaped? */
bool escape_is_needed(const char *text);

/* What stands within double quotes, in place: two of them are one (RFC 4180, 2.7). Returns the
 * bytes that remain of n. */
size_t quotes_join(char *text, size_t n);

/* UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, up to U+10FFFF. Bytes of the
 * multi-byte sequence at b, of n >= 1 bytes. n + 1: a valid sequence that is incomplete. 0: none,
 * such as ASCII. */
size_t utf8_length(const unsigned char *b, size_t n);

/* Bytes of the first character of a string that is not empty. 0: it begins with no UTF-8. */
size_t utf8_first(const char *string);

#endif
