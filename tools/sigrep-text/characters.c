#include "tools/sigrep-text/characters.h"

#include <string.h>

#include "io/escape.h"

/* The code point of a valid sequence of UTF-8. */
static uint32_t decode(const unsigned char *b, size_t length)
{
    if (length == 1) return b[0];
    uint32_t code = b[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) code = code << 6 | (b[i] & 0x3fu);
    return code;
}

static uint32_t folded(const character_set *set, uint32_t code)
{
    return set->ignore_case && code >= 'A' && code <= 'Z' ? code | 0x20 : code;
}

/* The slot of a code point, or the empty one where it belongs. */
static size_t slot_of(const character_set *set, uint32_t code)
{
    size_t slot = code * 2654435761u % CHARACTER_SLOTS;
    while (set->code[slot] && set->code[slot] != code + 1) slot = (slot + 1) % CHARACTER_SLOTS;
    return slot;
}

/* Bytes of the first of n characters: 0: it is no UTF-8; n + 1: it is incomplete. */
static size_t length_of(const unsigned char *bytes, size_t n)
{
    return bytes[0] < 0x80 ? 1 : utf8_length(bytes, n);
}

/* The letter of a code point; 0: there are too many. */
static unsigned char letter_for(character_set *set, uint32_t code)
{
    const size_t slot = slot_of(set, code);
    if (set->code[slot] == 0 && set->n < CHARACTERS_MOST) {
        set->code[slot] = code + 1;
        set->letter[slot] = (unsigned char)++set->n;
    }
    return set->letter[slot];
}

const char *characters_add(character_set *set, unsigned char *pattern, size_t *n)
{
    size_t letters = 0;
    for (size_t at = 0, length; at < *n; at += length) {
        length = length_of(pattern + at, *n - at);
        if (length == 0 || length > *n - at) return "is no UTF-8";
        pattern[letters] = letter_for(set, folded(set, decode(pattern + at, length)));
        if (pattern[letters++] == 0)
            return "the patterns have more than 255 different characters: search for fewer at once";
    }
    *n = letters;
    return NULL;
}

size_t characters_read(const character_set *set, const unsigned char *bytes, size_t n, bool end,
                       unsigned char *to, size_t most, size_t *taken, size_t *odd)
{
    size_t letters = 0;
    *taken = 0;
    *odd = SIZE_MAX;
    while (*taken < n && letters < most) {
        const unsigned char *next = bytes + *taken;
        size_t length = length_of(next, n - *taken);
        if (length > n - *taken && !end) break;
        const bool is_odd = length == 0 || length > n - *taken;
        if (is_odd && *odd == SIZE_MAX) *odd = letters;
        to[letters++] = is_odd ? 0 : set->letter[slot_of(set, folded(set, decode(next, length)))];
        *taken += is_odd ? 1 : length;
    }
    return letters;
}
