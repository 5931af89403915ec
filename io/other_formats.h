/*
 * other_formats.h - what is known to be something else than samples that we read: containers,
 * archives, tables of other programs. They are refused with the command that converts them.
 */
#ifndef IO_OTHER_FORMATS_H
#define IO_OTHER_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

enum { OTHER_FORMAT_START = 184 }; /* bytes that the longest of these needs: EDF */

/* Do the first n bytes begin one of these formats? Sets *undecided if more bytes could show that.
 * JSON is not found here, since it is text. */
bool other_format_begins(const unsigned char *bytes, size_t n, bool *undecided);

/* Is text with this beginning JSON: a { or [, and not a row of names or units in brackets? Only the
 * first line of the n bytes is judged. */
bool other_format_is_json(const unsigned char *bytes, size_t n);

/* Write into reason[size] what the format is, and what to do. Up to OTHER_FORMAT_NAME bytes tell
 * more, if they are there. */
enum { OTHER_FORMAT_NAME = 30 + 256 }; /* bytes of a zip's first header, with a name */
void other_format_advise(const unsigned char *bytes, size_t n, char *reason, size_t size);

#endif
