#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-text/options.h"

/* A pattern in a message: its beginning, in whole characters. */
static const char *shown(const given_pattern *g, char out[64])
{
    int n = g->n < 40 ? (int)g->n : 40;
    while (n > 36 && ((unsigned char)g->letters[n] & 0xc0) == 0x80) n--;
    snprintf(out, 64, "%.*s%s", n, g->letters, g->n > 40 ? "..." : "");
    return out;
}

/* Why is the pattern refused? Reports it. */
static bool is_good(const given_pattern *g)
{
    char place[32] = "";
    if (g->file) snprintf(place, sizeof place, "%s %zu: ", g->unit, g->number);
    if (g->n == 0)
        report_of(g->file, "%sa pattern is empty", place);
    else if (memchr(g->letters, '\n', g->n))
        report("a pattern has a newline: give several patterns by -e, or as lines of -f FILE");
    else if (memchr(g->letters, 0, g->n))
        report_of(g->file, "%sa pattern has a NUL byte", place);
    else if (g->n > SIGREP_TEXT_MAX_LENGTH)
        report_of(g->file, "%sa pattern has %zu letters, more than %zu", place, g->n,
                  SIGREP_TEXT_MAX_LENGTH);
    else
        return true;
    return false;
}

/* Of n letters, the edits of a match. */
static size_t edits_of(const text_options *o, size_t n)
{
    return o->rate == UINT64_MAX ? (size_t)o->edits : (size_t)(n * o->rate / 10000);
}

/* Do so few edits make a match of the pattern's n letters? */
static bool has_few_edits(const text_options *o, const given_pattern *g, size_t n)
{
    char name[64];
    const size_t edits = edits_of(o, n);
    const size_t over = o->overhang ? (size_t)(n * o->overhang + 99) / 100 : n;
    if (edits >= n)
        report_of(shown(g, name),
                  "-k %zu: the pattern has %zu letter%s, so nothing at all would be a match; "
                  "give fewer edits",
                  edits, n, n == 1 ? "" : "s");
    else if (edits >= over)
        report_of(shown(g, name),
                  "-k %zu: at %" PRIu64 "%% of an edit a letter the whole pattern may hang over; "
                  "give fewer edits, or a higher --overhang",
                  edits, o->overhang);
    else
        return true;
    return false;
}

/* ---- the letters of DNA: IUPAC codes (Cornish-Bowden 1985), in either case; U is T ----
 *
 *     A C G T    R AG   Y CT   S CG   W AT   K GT   M AC    B CGT   D AGT   H ACT   V ACG    N ACGT
 */

enum { A = 1, C = 2, G = 4, T = 8 };

static const unsigned char bases[256] = {
    ['A'] = A,         ['C'] = C,         ['G'] = G,         ['T'] = T,
    ['U'] = T,         ['R'] = A | G,     ['Y'] = C | T,     ['S'] = C | G,
    ['W'] = A | T,     ['K'] = G | T,     ['M'] = A | C,     ['B'] = C | G | T,
    ['D'] = A | G | T, ['H'] = A | C | T, ['V'] = A | C | G, ['N'] = A | C | G | T,
};

static unsigned char bases_of(unsigned char letter)
{
    return bases[toupper(letter)];
}

bool patterns_is_code(unsigned char letter)
{
    return bases_of(letter) != 0;
}

bool patterns_is_gap(unsigned char letter)
{
    return memchr("-.*", letter, 3) != NULL;
}

/* Is each base that y stands for one that x stands for? */
static bool dna_same(unsigned char x, unsigned char y)
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

/* Write the reverse complement of x[0..n) into out[0..n). Returns whether it is x, but for case. */
static bool reverse_complement(const char *x, size_t n, char *out)
{
    bool is_same = true;
    for (size_t i = 0; i < n; i++) {
        out[i] = (char)complement((unsigned char)x[n - 1 - i]);
        is_same &= bases_of((unsigned char)out[i]) == bases_of((unsigned char)x[i]);
    }
    return is_same;
}

static bool is_dna(const given_pattern *g)
{
    char name[64];
    for (size_t i = 0; i < g->n; i++) {
        const unsigned char letter = (unsigned char)g->letters[i];
        if (patterns_is_code(letter)) continue;
        if (letter > 0x20 && letter < 0x7f)
            report_of(shown(g, name), "'%c', letter %zu, is no IUPAC code of DNA", letter, i + 1);
        else
            report_of(shown(g, name), "byte 0x%02x, letter %zu, is no IUPAC code of DNA", letter,
                      i + 1);
        return false;
    }
    return true;
}

/* ---- patterns as the library takes them ---- */

const unsigned char *patterns_same(const text_options *o)
{
    static unsigned char same[256 * 256];
    const bool dna = o->alphabet == ALPHABET_DNA;
    if (!dna && (!o->ignore_case || o->alphabet == ALPHABET_UTF8)) return NULL;
    for (unsigned x = 0; x < 256; x++) {
        if (dna && !bases_of((unsigned char)x)) continue; /* it matches nothing */
        for (unsigned y = 0; y < 256; y++)
            same[256 * x + y] = dna ? dna_same((unsigned char)x, (unsigned char)y)
                                    : tolower((int)x) == tolower((int)y);
    }
    return same;
}

/* Room for one more pattern. false: out of memory, which is reported. */
static bool grow(pattern_list *list)
{
    const size_t n = list->n + 1;
    sigrep_text_pattern *items = realloc(list->items, n * sizeof *items);
    if (items) list->items = items;
    pattern_info *infos = realloc(list->infos, n * sizeof *infos);
    if (infos) list->infos = infos;
    return (items && infos) || report_no_memory(NULL);
}

/* Add letters[0..n), which become the list's. */
static bool compile(pattern_list *list, const text_options *o, size_t given, char *letters,
                    size_t n, char strand)
{
    const given_pattern *g = &o->patterns[given];
    if (!grow(list)) {
        free(letters);
        return false;
    }
    list->infos[list->n] =
        (pattern_info){.label = g->name ? g->name : g->letters, .strand = strand, .given = given};
    list->items[list->n++] = (sigrep_text_pattern){
        .letters = letters, .length = n, .edits = edits_of(o, n), .reversed = strand == '-'};
    return has_few_edits(o, g, n);
}

static char *copy_of(const given_pattern *g)
{
    char *letters = malloc(g->n + 1);
    if (letters)
        memcpy(letters, g->letters, g->n + 1);
    else
        report_no_memory(NULL);
    return letters;
}

static bool compile_strands(pattern_list *list, const text_options *o, size_t given)
{
    const given_pattern *g = &o->patterns[given];
    char *forward = copy_of(g), *reverse = copy_of(g);
    if (!forward || !reverse || !is_dna(g)) {
        free(forward);
        free(reverse);
        return false;
    }
    const bool is_palindrome = reverse_complement(g->letters, g->n, reverse);
    const bool good = compile(list, o, given, forward, g->n, '+');
    if (good && !is_palindrome) return compile(list, o, given, reverse, g->n, '-');
    free(reverse);
    return good;
}

static bool compile_characters(pattern_list *list, const text_options *o, size_t given)
{
    char name[64];
    const given_pattern *g = &o->patterns[given];
    size_t n = g->n;
    char *letters = copy_of(g);
    if (!letters) return false;
    const char *wrong = characters_add(&list->characters, (unsigned char *)letters, &n);
    if (!wrong) return compile(list, o, given, letters, n, '.');
    report_of(shown(g, name), "%s", wrong);
    free(letters);
    return false;
}

static bool compile_bytes(pattern_list *list, const text_options *o, size_t given)
{
    char *letters = copy_of(&o->patterns[given]);
    return letters && compile(list, o, given, letters, o->patterns[given].n, '.');
}

bool patterns_compile(pattern_list *list, const text_options *o)
{
    bool good = true;
    *list = (pattern_list){.characters = {.ignore_case = o->ignore_case}};
    for (size_t i = 0; i < o->n_patterns && good; i++)
        good = is_good(&o->patterns[i]) &&
               (o->alphabet == ALPHABET_DNA    ? compile_strands(list, o, i)
                : o->alphabet == ALPHABET_UTF8 ? compile_characters(list, o, i)
                                               : compile_bytes(list, o, i));
    return good;
}

void patterns_free(pattern_list *list)
{
    for (size_t i = 0; i < list->n; i++) free((void *)list->items[i].letters);
    free(list->items);
    free(list->infos);
    *list = (pattern_list){0};
}
