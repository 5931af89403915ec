/*
 * characters.h - characters of UTF-8 as the letters of a search, which are bytes.
 *
 *     patterns   "naïve", "café"    their characters become 1, 2, 3 ...
 *     text       n a ï v e !        1 2 3 4 5 0      0: a character of no pattern
 *
 * A character is a code point (Unicode 15, RFC 3629). A byte that is none is a letter for itself,
 * and matches nothing.
 */
#ifndef TOOLS_SIGREP_TEXT_CHARACTERS_H
#define TOOLS_SIGREP_TEXT_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CHARACTERS_MOST = 255, /* different ones of all patterns */
    CHARACTER_SLOTS = 1024 /* of the table: a power of 2, so that most are empty */
};

typedef struct {
    uint32_t code[CHARACTER_SLOTS]; /* code point + 1; 0: an empty slot */
    unsigned char letter[CHARACTER_SLOTS];
    unsigned n; /* characters */
    bool ignore_case;
} character_set;

/* Turn a pattern of n bytes into letters, in place; *n becomes their number. NULL, or why that
 * cannot be. */
const char *characters_add(character_set *set, unsigned char *pattern, size_t *n);

/* Turn up to `most` characters of bytes[0..n) into letters; *taken becomes their bytes. Of an
 * incomplete last one nothing is taken, unless `end`. *odd becomes the first letter that is no
 * UTF-8, SIZE_MAX if all are. Returns the number of letters. */
size_t characters_read(const character_set *set, const unsigned char *bytes, size_t n, bool end,
                       unsigned char *to, size_t most, size_t *taken, size_t *odd);

#endif
