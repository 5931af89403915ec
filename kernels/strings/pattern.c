#include "kernels/strings/pattern.h"

#include <stdlib.h>

/* Which letters a pattern has, each once. */
typedef struct {
    unsigned char letters[256];
    size_t n;
} letter_set;

static letter_set letters_of(const unsigned char *x, size_t m)
{
    bool occurs[256] = {false};
    letter_set set = {.n = 0};
    for (size_t i = 0; i < m; i++) occurs[x[i]] = true;
    for (unsigned y = 0; y < 256; y++)
        if (occurs[y]) set.letters[set.n++] = (unsigned char)y;
    return set;
}

/* The first letter of a text that matches the same letters of the pattern as y does. */
static unsigned char first_alike(const letter_set *of, const unsigned char *same, unsigned char y)
{
    for (unsigned char f = 0;; f++) {
        size_t i = 0;
        while (i < of->n &&
               string_same(same, of->letters[i], f) == string_same(same, of->letters[i], y))
            i++;
        if (i == of->n) return f;
    }
}

/* The bits of letter y. */
static void set_bits(const string_pattern *p, uint64_t *bits, const unsigned char *x,
                     const unsigned char *same, unsigned char y)
{
    const size_t padding = string_padding(p);
    for (size_t i = 0; i < padding + p->m; i++) {
        const uint64_t bit = i < padding || string_same(same, x[i - padding], y);
        bits[i / STRING_WORD] |= bit << (i % STRING_WORD);
    }
}

bool string_pattern_init(string_pattern *p, const unsigned char *x, size_t m, size_t edits,
                         const unsigned char *same)
{
    const letter_set letters = letters_of(x, m);
    unsigned char first[256];
    size_t n_different = 0;
    for (unsigned y = 0; y < 256; y++) {
        first[y] = first_alike(&letters, same, (unsigned char)y);
        n_different += first[y] == y;
    }
    *p = (string_pattern){.m = m, .edits = edits, .words = (m + STRING_WORD - 1) / STRING_WORD};
    p->memory = calloc(n_different * p->words, sizeof *p->memory);
    uint64_t *next = p->memory;
    for (unsigned y = 0; y < 256 && p->memory; y++) {
        p->bits[y] = p->bits[first[y]];
        if (first[y] != y) continue;
        set_bits(p, next, x, same, (unsigned char)y);
        p->bits[y] = next;
        next += p->words;
    }
    return p->memory != NULL;
}

void string_pattern_free(string_pattern *p)
{
    free(p->memory);
    *p = (string_pattern){0};
}
