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

/* Append the bytes to a list of n. Returns their number. */
static size_t list_bytes(unsigned char *list, size_t n, const byte_set *set)
{
    for (size_t w = 0; w < 4; w++)
        for (uint64_t left = set->words[w]; left; left &= left - 1)
            list[n++] = (unsigned char)(64 * w + (size_t)__builtin_ctzll(left));
    return n;
}

typedef struct {
    byte_set of_text[256];    /* letters of the pattern that match each letter of a text */
    byte_set of_pattern[256]; /* letters of a text that match each letter of the pattern */
} letter_matches;

static void add_matches(letter_matches *to, unsigned letter, const unsigned char *same)
{
    const unsigned first = same ? 0 : letter, end = same ? 256 : letter + 1;
    for (unsigned y = first; y < end; y++) {
        if (!string_same(same, (unsigned char)letter, (unsigned char)y)) continue;
        add_byte(&to->of_text[y], letter);
        add_byte(&to->of_pattern[letter], y);
    }
}

static void find_matches(letter_matches *to, const unsigned char *x, size_t m,
                         const unsigned char *same)
{
    bool occurs[256] = {false};
    for (size_t i = 0; i < m; i++) occurs[x[i]] = true;
    for (unsigned letter = 0; letter < 256; letter++)
        if (occurs[letter]) add_matches(to, letter, same);
}

/* Letters of a text that match different letters of the pattern. */
typedef struct {
    unsigned char letters[256];
    size_t n;
} letter_kinds;

/* The first letter that matches the same letters of the pattern as y does. Add y, if it is y. */
static unsigned first_alike(letter_kinds *kinds, const byte_set matches[256], unsigned y)
{
    for (size_t i = 0; i < kinds->n; i++)
        if (memcmp(&matches[kinds->letters[i]], &matches[y], sizeof matches[y]) == 0)
            return kinds->letters[i];
    kinds->letters[kinds->n++] = (unsigned char)y;
    return y;
}

/* Set the row's bit of each letter of the set. */
static void set_row(uint64_t *const bits[256], size_t row, byte_set letters)
{
    for (size_t w = 0; w < 4; w++)
        for (uint64_t left = letters.words[w]; left; left &= left - 1)
            bits[64 * w + (size_t)__builtin_ctzll(left)][row / STRING_WORD] |=
                (uint64_t)1 << (row % STRING_WORD);
}

static byte_set in_both(byte_set a, const byte_set *b)
{
    for (size_t w = 0; w < 4; w++) a.words[w] &= b->words[w];
    return a;
}

/* Number the kinds of rows, in the order of their first rows. false: out of memory. */
static bool set_kinds(string_pattern *p, const letter_matches *matches, const unsigned char *x)
{
    unsigned char kind_of[256];
    bool is_numbered[256] = {false};
    size_t n = 0;
    p->kinds = malloc(p->m);
    p->matched = malloc(256 * 256);
    if (!p->kinds || !p->matched) return false;
    for (size_t i = 0; i < p->m; i++) {
        if (!is_numbered[x[i]]) {
            n = list_bytes(p->matched, n, &matches->of_pattern[x[i]]);
            p->matched_end[p->n_kinds] = (uint32_t)n;
            kind_of[x[i]] = (unsigned char)p->n_kinds++;
            is_numbered[x[i]] = true;
        }
        p->kinds[i] = kind_of[x[i]];
    }
    unsigned char *matched = realloc(p->matched, n > 0 ? n : 1);
    if (matched) p->matched = matched;
    return true;
}

bool string_pattern_init(string_pattern *p, const unsigned char *x, size_t m, size_t edits,
                         const unsigned char *same)
{
    letter_matches matches = {0};
    letter_kinds kinds = {.n = 0};
    byte_set different = {0}; /* the same letters */
    uint64_t *bits[256] = {0};
    unsigned first[256];
    find_matches(&matches, x, m, same);
    *p = (string_pattern){.m = m, .edits = edits, .words = (m + STRING_WORD - 1) / STRING_WORD};
    for (unsigned y = 0; y < 256; y++) {
        first[y] = first_alike(&kinds, matches.of_text, y);
        if (first[y] == y) add_byte(&different, y);
    }
    uint64_t *next = p->memory = calloc(kinds.n * p->words, sizeof *p->memory);
    if (!p->memory) return false;
    for (unsigned y = 0; y < 256; y++) {
        p->bits[y] = bits[y] = first[y] < y ? bits[first[y]] : next;
        if (first[y] == y) next += p->words;
    }
    if (!set_kinds(p, &matches, x)) return false;
    for (size_t row = 0; row < string_padding(p); row++) set_row(bits, row, different);
    for (size_t i = 0; i < m; i++)
        set_row(bits, string_padding(p) + i, in_both(different, &matches.of_pattern[x[i]]));
    return true;
}

void string_pattern_free(string_pattern *p)
{
    free(p->memory);
    free(p->kinds);
    free(p->matched);
    *p = (string_pattern){0};
}
