#include "tools/sigrep-text/dna.h"

enum { A = 1, C = 2, G = 4, T = 8 };

static const unsigned char bases[256] = {
    ['A'] = A,         ['C'] = C,         ['G'] = G,         ['T'] = T,
    ['U'] = T,         ['R'] = A | G,     ['Y'] = C | T,     ['S'] = C | G,
    ['W'] = A | T,     ['K'] = G | T,     ['M'] = A | C,     ['B'] = C | G | T,
    ['D'] = A | G | T, ['H'] = A | C | T, ['V'] = A | C | G, ['N'] = A | C | G | T,
};

static unsigned char bases_of(unsigned char letter)
{
    return bases[letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter];
}

bool dna_is_code(unsigned char letter)
{
    return bases_of(letter) != 0;
}

bool dna_same(unsigned char x, unsigned char y)
{
    return bases_of(y) && !(bases_of(y) & ~bases_of(x));
}

/* The code of the complements of the letter's bases, in upper case. */
static unsigned char complement(unsigned char letter)
{
    static const char codes[] = "-ACMGRSVTWYHKDBN"; /* by the sets of bases */
    const unsigned b = bases_of(letter);
    return (unsigned char)codes[(b & A) << 3 | (b & C) << 1 | (b & G) >> 1 | (b & T) >> 3];
}

bool dna_reverse_complement(const char *x, size_t n, char *out)
{
    bool is_same = true;
    for (size_t i = 0; i < n; i++) {
        out[i] = (char)complement((unsigned char)x[n - 1 - i]);
        is_same &= bases_of((unsigned char)out[i]) == bases_of((unsigned char)x[i]);
    }
    return is_same;
}
