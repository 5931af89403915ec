#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/input.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep-text/options.h"

/* ---- patterns as they are given ---- */

/* Append an element to an array of *n elements of `size` bytes. NULL: out of memory. */
static void *grow(void *array, size_t *n, size_t size)
{
    void *grown = realloc(array, (*n + 1) * size);
    if (grown) ++*n;
    return grown;
}

/* Add a copy of the pattern. */
static const char *add(text_options *o, const char *letters, given_pattern given)
{
    given.letters = malloc(given.n + 1);
    given_pattern *grown =
        given.letters ? grow(o->patterns, &o->n_patterns, sizeof *o->patterns) : NULL;
    if (!grown) {
        free(given.letters);
        return "out of memory";
    }
    memcpy(given.letters, letters, given.n);
    o->patterns = grown;
    grown[o->n_patterns - 1] = given;
    return NULL;
}

const char *patterns_add(void *options, const char *pattern)
{
    return add(options, pattern, (given_pattern){.n = strlen(pattern)});
}

/* Read all of a file into text->data. */
static const char *read_file(text_buffer *text, const char *path)
{
    static char reason[256];
    input in;
    if (!input_open(&in, path, -1, reason, sizeof reason)) return reason;
    while (input_more(&in)) {
        text_add(text, (const char *)input_bytes(&in), input_have(&in));
        input_consume(&in, input_have(&in));
    }
    const char *wrong = in.failure ? strerror(in.failure) : text->failed ? "out of memory" : NULL;
    input_close(&in);
    return wrong;
}

const char *patterns_add_file(void *options, const char *path)
{
    text_options *o = options;
    text_buffer text = {0};
    const char *wrong = read_file(&text, path);
    if (!wrong && text.length == 0) wrong = "no pattern is in it";
    o->stdin_reads += strcmp(path, "-") == 0;
    given_pattern given = {.file = path, .line = 1};
    for (size_t at = 0; at < text.length && !wrong; at += given.n + 1, given.line++) {
        const char *line = text.data + at, *end = memchr(line, '\n', text.length - at);
        given.n = end ? (size_t)(end - line) : text.length - at;
        wrong = add(o, line, given);
    }
    free(text.data);
    return wrong;
}

/* A pattern in a message: its beginning. */
static const char *shown(const given_pattern *g, char out[64])
{
    const int n = g->n < 40 ? (int)g->n : 40;
    snprintf(out, 64, "%.*s%s", n, g->letters, g->n > 40 ? "..." : "");
    return out;
}

/* Why is the pattern refused? Reports it. */
static bool is_good(const text_options *o, const given_pattern *g)
{
    char name[64], line[32] = "";
    if (g->file) snprintf(line, sizeof line, "line %zu: ", g->line);
    if (g->n == 0)
        report_of(g->file, "%sa pattern is empty", line);
    else if (memchr(g->letters, '\n', g->n))
        report("a pattern has a newline: give several patterns by -e, or as lines of -f FILE");
    else if (memchr(g->letters, 0, g->n))
        report_of(g->file, "%sa pattern has a NUL byte", line);
    else if (g->n > SIGREP_TEXT_MAX_LENGTH)
        report_of(g->file, "%sa pattern has %zu letters, more than %zu", line, g->n,
                  SIGREP_TEXT_MAX_LENGTH);
    else if (o->edits >= g->n)
        report_of(shown(g, name),
                  "-k %" PRIu64
                  ": the pattern has %zu letter%s, so nothing at all would be a match; "
                  "give fewer edits",
                  o->edits, g->n, g->n == 1 ? "" : "s");
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
    if (!o->dna && !o->ignore_case) return NULL;
    for (size_t i = 0; i < sizeof same; i++) {
        const unsigned char x = (unsigned char)(i / 256), y = (unsigned char)(i % 256);
        same[i] = o->dna ? dna_same(x, y) : tolower(x) == tolower(y);
    }
    return same;
}

/* Add letters[0..n) with the pattern's label and `strand`. */
static bool compile(pattern_list *list, const given_pattern *g, const char *letters,
                    const char *strand)
{
    text_buffer memory = {0};
    sigrep_text_pattern *items = grow(list->items, &list->n, sizeof *list->items);
    if (!items) return report_no_memory(NULL);
    list->items = items;
    text_add(&memory, letters, g->n);
    text_add(&memory, g->letters, g->n);
    text_add(&memory, strand, strlen(strand) + 1);
    items[list->n - 1] = (sigrep_text_pattern){.letters = memory.data, .length = g->n};
    return !memory.failed || report_no_memory(NULL);
}

static bool compile_strands(pattern_list *list, const given_pattern *g)
{
    char *reverse = malloc(g->n);
    if (!reverse) return report_no_memory(NULL);
    const bool is_palindrome = reverse_complement(g->letters, g->n, reverse);
    const bool good =
        compile(list, g, g->letters, "(+)") && (is_palindrome || compile(list, g, reverse, "(-)"));
    free(reverse);
    return good;
}

bool patterns_compile(pattern_list *list, const text_options *o)
{
    bool good = true;
    *list = (pattern_list){0};
    for (size_t i = 0; i < o->n_patterns && good; i++) {
        const given_pattern *g = &o->patterns[i];
        good = is_good(o, g) && (!o->dna || is_dna(g));
        if (good) good = o->dna ? compile_strands(list, g) : compile(list, g, g->letters, "");
    }
    return good;
}

void patterns_free(pattern_list *list)
{
    for (size_t i = 0; i < list->n; i++) free((void *)list->items[i].letters);
    free(list->items);
    *list = (pattern_list){0};
}

const char *patterns_label(const pattern_list *list, size_t i)
{
    return (const char *)list->items[i].letters + list->items[i].length;
}

void text_options_free(text_options *o)
{
    for (size_t i = 0; i < o->n_patterns; i++) free(o->patterns[i].letters);
    free(o->patterns);
    *o = (text_options){0};
}
