/*
 * escape.h - text of others, such as names and labels, made safe for a terminal and for a line.
 *
 * Escaped are: control characters (C0, DEL, C1), marks and overrides of the writing direction, line
 * and paragraph separators, and bytes that are not UTF-8. All else is left as it is, backslashes
 * included.
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

#endif
