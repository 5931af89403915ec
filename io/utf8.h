/* utf8.h - UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, up to U+10FFFF. */
#ifndef IO_UTF8_H
#define IO_UTF8_H

#include <stddef.h>

/* Bytes of the multi-byte sequence at b, of n >= 1 bytes. n + 1: a valid sequence that is
 * incomplete. 0: none, such as ASCII. */
size_t utf8_length(const unsigned char *b, size_t n);

/* Bytes of the first character of a string that is not empty. 0: it begins with no UTF-8. */
size_t utf8_first(const char *string);

#endif
