/* utf8.h - which bytes are UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above
 * U+10FFFF. */
#ifndef IO_UTF8_H
#define IO_UTF8_H

#include <stddef.h>

/* The length of the sequence of several bytes at b, which has n >= 1; n + 1 where they are a good
 * beginning of one, 0 where they are none. ASCII is none. */
size_t utf8_length(const unsigned char *b, size_t n);

#endif
