/* plain.c - these loops become vectors: see the flags of this file in the Makefile. */
#include "tools/sigrep-text/plain.h"

static unsigned char least(unsigned char a, unsigned char b)
{
    return a < b ? a : b;
}

/* 0 if the byte is one of the bases. Minima of differences become vectors; comparisons become a
 * table of bits. */
static unsigned char unlike_bases(unsigned char byte)
{
    const unsigned char base = byte | 0x20; /* of A to Z, the lower case */
    unsigned char unlike = base ^ 'a';
    unlike = least(unlike, base ^ 'c');
    unlike = least(unlike, base ^ 'g');
    unlike = least(unlike, base ^ 't');
    return least(unlike, base ^ 'n');
}

static bool are_bases(const unsigned char *letters, size_t n)
{
    unsigned char other = 0;
    for (size_t i = 0; i < n; i++) other |= unlike_bases(letters[i]);
    return !other;
}

static bool are_visible(const unsigned char *letters, size_t n)
{
    unsigned char other = 0;
    for (size_t i = 0; i < n; i++) other |= letters[i] <= ' ';
    return !other;
}

bool plain_letters(const unsigned char *letters, size_t n, bool dna)
{
    return dna ? are_bases(letters, n) : are_visible(letters, n);
}
