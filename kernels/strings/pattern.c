#include "kernels/strings/pattern.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char matches[256][256]; /* [y][x]: 1 if a letter x of the pattern matches y */
    unsigned char first[256];        /* the first letter that matches the same ones as y */
    size_t n_different;
} letter_table;

static void compare_letters(letter_table *table, const unsigned char *x, size_t m,
                            const unsigned char *same)
{
    bool occurs[256] = {false};
    for (size_t i = 0; i < m; i++) occurs[x[i]] = true;
    memset(table, 0, sizeof *table);
    for (unsigned y = 0; y < 256; y++) {
        for (unsigned i = 0; i < 256; i++)
            table->matches[y][i] =
                occurs[i] && string_same(same, (unsigned char)i, (unsigned char)y);
        unsigned f = 0;
        while (memcmp(table->matches[f], table->matches[y], 256) != 0) f++;
        table->first[y] = (unsigned char)f;
        table->n_different += f == y;
    }
}

/* The bits of a letter that matches these. */
static void set_bits(const string_pattern *p, uint64_t *bits, const unsigned char *x,
                     const unsigned char matches[256])
{
    const size_t padding = string_padding(p);
    memset(bits, 0, p->words * sizeof *bits);
    for (size_t i = 0; i < padding + p->m; i++) {
        const uint64_t bit = i < padding || matches[x[i - padding]];
        bits[i / STRING_WORD] |= bit << (i % STRING_WORD);
    }
}

bool string_pattern_init(string_pattern *p, const unsigned char *x, size_t m, size_t edits,
                         const unsigned char *same)
{
    letter_table *table = malloc(sizeof *table);
    *p = (string_pattern){.m = m, .edits = edits, .words = (m + STRING_WORD - 1) / STRING_WORD};
    if (table) compare_letters(table, x, m, same);
    if (table) p->memory = calloc(table->n_different * p->words, sizeof *p->memory);
    uint64_t *next = p->memory;
    for (unsigned y = 0; y < 256 && p->memory; y++) {
        p->bits[y] = p->bits[table->first[y]];
        if (table->first[y] != y) continue;
        set_bits(p, next, x, table->matches[y]);
        p->bits[y] = next;
        next += p->words;
    }
    free(table);
    return p->memory != NULL;
}

void string_pattern_free(string_pattern *p)
{
    free(p->memory);
    *p = (string_pattern){0};
}
