/*
 * fuzz_strings.c - sigrep-text's inputs and searches. The first byte chooses FASTA (1), DNA (2),
 * UTF-8 (4), substitutions alone (8), a reversed pattern (16) and overhang at 60 % (32), the second
 * is the size of the pieces, the third the length of the pattern, the fourth k. Then come the
 * pattern and the text, which may be packed. The text is read whole and searched by the reference,
 * and read in pieces and searched by the best kernel: both must give the same records and matches.
 */
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"
#include "tests/fuzz/cut_input.h"
#include "tools/sigrep-text/letters.h"
#include "tools/sigrep-text/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_LETTERS = 1 << 20, MOST_PATTERN = 150 };

/* FNV-1a of all that a run gave. */
static uint64_t sum;

static void mix(const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) sum = (sum ^ b[i]) * 1099511628211u;
}

static int mix_match(void *user, const sigrep_text_match *match)
{
    const size_t *edits = user;
    if (match->start >= match->end || match->end > match->final || match->distance > *edits)
        abort();
    mix(&match->start, sizeof match->start);
    mix(&match->end, sizeof match->end);
    mix(&match->final, sizeof match->final);
    mix(&match->distance, sizeof match->distance);
    return 0;
}

/* Search all letters. */
static void drain(letters *l, sigrep_text *s, size_t piece)
{
    static unsigned char text[MOST_LETTERS];
    size_t at = 0, n;
    for (letters_event event = LETTERS_SOME;;) {
        const size_t room = sizeof text - at;
        event = letters_read(l, text + at, piece < room ? piece : room, &n, true);
        if (sigrep_text_push(s, text + at, n)) abort();
        at += n;
        if (at == sizeof text || event == LETTERS_END || event == LETTERS_FAILED) break;
        if (event != LETTERS_RECORD) continue;
        if (sigrep_text_finish(s)) abort();
        mix(l->record, strlen(l->record) + 1);
        at = 0;
    }
    if (sigrep_text_finish(s)) abort();
    mix(l->error, strlen(l->error));
    mix(&l->odd_letter, sizeof l->odd_letter);
    mix(&l->odd_at, sizeof l->odd_at);
}

/* The search that the input asks for. false: its pattern is none. */
static bool create(sigrep_text **s, const uint8_t *data, const text_options *o,
                   character_set *characters, const char *kernel)
{
    static unsigned char x[MOST_PATTERN];
    static size_t edits;
    sigrep_text_pattern pattern = {.letters = x, .reversed = (data[0] & 16) != 0};
    pattern.length = 1 + data[2] % MOST_PATTERN;
    memcpy(x, data + 4, pattern.length);
    const bool is_utf8 = o->alphabet == ALPHABET_UTF8;
    if (is_utf8 && characters_add(characters, x, &pattern.length)) return false;
    const size_t m = pattern.length;
    edits = data[3] % (data[0] & 32 ? (m * 60 + 99) / 100 : m);
    const sigrep_text_config config = {.size = sizeof config,
                                       .patterns = &pattern,
                                       .n_patterns = 1,
                                       .edits = edits,
                                       .same = patterns_same(o),
                                       .on_match = mix_match,
                                       .user = &edits,
                                       .kernel = kernel,
                                       .substitutions_only = data[0] & 8,
                                       .overhang = data[0] & 32 ? 60 : 0};
    if (sigrep_text_create(s, &config, NULL)) abort();
    return true;
}

static uint64_t run(const uint8_t *data, size_t size, size_t piece, const char *kernel)
{
    static const fd_calls calls = {.read = fuzz_read, .poll = fuzz_poll};
    static letters l;
    character_set characters = {.n = 0};
    const size_t m = 1 + data[2] % MOST_PATTERN;
    const text_options o = {.alphabet = data[0] & 2   ? ALPHABET_DNA
                                        : data[0] & 4 ? ALPHABET_UTF8
                                                      : ALPHABET_BYTES};
    const letters_options how = {.fasta = data[0] & 1,
                                 .dna = o.alphabet == ALPHABET_DNA,
                                 .utf8 = o.alphabet == ALPHABET_UTF8 ? &characters : NULL};
    sigrep_text *s;
    if (size < 4 + m || !create(&s, data, &o, &characters, kernel)) return 0;
    sum = 14695981039346656037u;
    fuzz_bytes = data + 4 + m;
    fuzz_left = size - 4 - m;
    fuzz_piece = piece;
    fd_set_calls(&calls);
    if (letters_open(&l, "/dev/null", -1, how)) {
        drain(&l, s, piece);
        letters_close(&l);
    } else {
        mix(l.error, strlen(l.error));
    }
    fd_set_calls(NULL);
    sigrep_text_destroy(s);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5) return 0;
    if (run(data, size, MOST_LETTERS, "scalar") != run(data, size, 1 + data[1], NULL)) abort();
    return 0;
}
