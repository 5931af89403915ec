#include "kernels/strings/pattern.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t words[4];
} byte_set;

static void add_byte(byte_set *set, unsigned byte)
{
    set->words[byte / 64] |= (uint64_t)1 << (byte % 64);
}

/* Letters of a text that match different letters of the pattern. */
typedef struct {
    unsigned char letters[256];
    size_t n;
} letter_kinds;

/* The first letter that matches the same kinds of rows as y does. Add y, if it is y. */
static unsigned first_alike(letter_kinds *kinds, const byte_set matches[256], unsigned y)
{
    for (size_t i = 0; i < kinds->n; i++)
        if (memcmp(&matches[kinds->letters[i]], &matches[y], sizeof matches[y]) == 0)
            return kinds->letters[i];
    kinds->letters[kinds->n++] = (unsigned char)y;
    return y;
}

/* Rows of the pattern's letter x are the next kind. Add it to those of each letter it matches. */
static void add_kind(string_pattern *p, unsigned x, const unsigned char *same, byte_set kinds[256])
{
    const unsigned first = same ? 0 : x, end = same ? 256 : x + 1;
    uint32_t n = p->n_kinds > 0 ? p->matched_end[p->n_kinds - 1] : 0;
    for (unsigned y = first; y < end; y++) {
        if (!string_same(same, (unsigned char)x, (unsigned char)y)) continue;
        p->matched[n++] = (unsigned char)y;
        add_byte(&kinds[y], (unsigned)p->n_kinds);
    }
    p->matched_end[p->n_kinds++] = n;
}

/* Number the kinds of rows, in the order of their first rows, and find those that each letter of a
 * text matches. false: out of memory. */
static bool set_kinds(string_pattern *p, const unsigned char *x, const unsigned char *same,
                      byte_set kinds[256])
{
    unsigned char kind_of[256];
    bool is_numbered[256] = {false};
    p->kinds = malloc(p->m);
    p->matched = malloc(256 * 256);
    if (!p->kinds || !p->matched) return false;
    for (size_t i = 0; i < p->m; i++) {
        if (!is_numbered[x[i]]) {
            is_numbered[x[i]] = true;
            kind_of[x[i]] = (unsigned char)p->n_kinds;
            add_kind(p, x[i], same, kinds);
        }
        p->kinds[i] = kind_of[x[i]];
    }
    const uint32_t n = p->matched_end[p->n_kinds - 1];
    unsigned char *matched = realloc(p->matched, n > 0 ? n : 1);
    if (matched) p->matched = matched;
    return true;
}

/* Make the bits of each letter, so far of the rows before row 1. Letters that match the same kinds
 * share them. false: out of memory. */
static bool make_bits(string_pattern *p, const byte_set kinds[256], uint64_t *bits[256])
{
    letter_kinds different = {.n = 0};
    unsigned first[256];
    for (unsigned y = 0; y < 256; y++) first[y] = first_alike(&different, kinds, y);
    uint64_t *next = p->memory = calloc(different.n * p->words, sizeof *p->memory);
    if (!p->memory) return false;
    for (unsigned y = 0; y < 256; y++) {
        p->bits[y] = bits[y] = first[y] < y ? bits[first[y]] : next;
        if (first[y] < y) continue;
        *next = ((uint64_t)1 << string_padding(p)) - 1;
        next += p->words;
    }
    return true;
}

/* Set the row's bit of each letter that it matches. */
static void set_row(const string_pattern *p, size_t i, uint64_t *const bits[256])
{
    const size_t kind = p->kinds[i], row = string_padding(p) + i;
    const unsigned char *end = p->matched + p->matched_end[kind];
    for (const unsigned char *y = p->matched + (kind > 0 ? p->matched_end[kind - 1] : 0); y < end;
         y++)
        bits[*y][row / STRING_WORD] |= (uint64_t)1 << (row % STRING_WORD);
}

bool string_pattern_init(string_pattern *p, const unsigned char *x, size_t m, size_t edits,
                         const unsigned char *same)
{
    byte_set kinds[256] = {{{0}}};
    uint64_t *bits[256];
    *p = (string_pattern){.m = m, .edits = edits, .words = (m + STRING_WORD - 1) / STRING_WORD};
    if (!set_kinds(p, x, same, kinds) || !make_bits(p, kinds, bits)) return false;
    for (size_t i = 0; i < m; i++) set_row(p, i, bits);
    return true;
}

void string_pattern_free(string_pattern *p)
{
    free(p->memory);
    free(p->kinds);
    free(p->matched);
    *p = (string_pattern){0};
}
