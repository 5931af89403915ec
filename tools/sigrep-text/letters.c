#include "tools/sigrep-text/letters.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/sigrep-text/options.h"

/* Bytes among letters. */
typedef enum { LETTER, ODD_LETTER, BLANK } byte_kind;

static bool fail(letters *l, const char *reason)
{
    snprintf(l->error, sizeof l->error, "%s", reason);
    return false;
}

static letters_event fail_record(letters *l, const char *reason)
{
    snprintf(l->error, sizeof l->error, "record %.100s %s", l->record, reason);
    return LETTERS_FAILED;
}

/* If the bytes are packed, unpack them from now on. */
static bool unpack_input(letters *l)
{
    input *in = &l->in;
    unpack_kind kind;
    while ((kind = unpack_detect(input_bytes(in), input_have(in), in->ended)) == UNPACK_WAITING)
        if (!input_more(in) && !in->ended) return true; /* letters_read reports it */
    if (kind == UNPACK_NONE || input_unpack(in, kind)) return true;
    return fail(l, "out of memory");
}

/* Is this a text that can be read? */
static bool begin(letters *l)
{
    const letters_options *o = &l->options;
    if (o->patterns)
        l->kind = text_start_patterns(&l->in, o->fasta);
    else
        l->kind = text_start(&l->in, o->fasta, o->dna, l->error, sizeof l->error);
    return l->kind != TEXT_REFUSED;
}

static void judge_bytes(letters *l)
{
    for (unsigned i = 0; i < sizeof l->bytes; i++) {
        const unsigned char byte = (unsigned char)i;
        const bool is_odd = l->options.dna && !patterns_is_code(byte) && !patterns_is_gap(byte);
        l->bytes[i] = isspace(byte) ? BLANK : is_odd ? ODD_LETTER : LETTER;
    }
}

bool letters_open(letters *l, const char *path, int wake_fd, letters_options options)
{
    *l = (letters){.options = options, .odd_letter = -1};
    judge_bytes(l);
    if (!input_open(&l->in, path, wake_fd, l->error, sizeof l->error)) return false;
    if (unpack_input(l) && begin(l)) return true;
    letters_close(l);
    return false;
}

void letters_close(letters *l)
{
    input_close(&l->in);
}

/* A header is complete. */
static void begin_letters(letters *l)
{
    l->place = IN_LETTERS;
    l->is_in_line = false;
}

/* The input has stopped. */
static letters_event stopped(letters *l)
{
    const input *in = &l->in;
    if (in->failure) fail(l, strerror(in->failure));
    if (in->fault) fail(l, in->fault);
    if (in->failure || in->fault) return LETTERS_FAILED;
    if (l->place == IN_HEADER && in->ended) { /* a line without an end */
        begin_letters(l);
        return LETTERS_RECORD;
    }
    const bool is_whole = l->place == IN_QUALITIES && l->n_qualities == l->n_letters;
    if (l->kind == TEXT_FASTQ && in->ended && l->has_record && !is_whole)
        return fail_record(l, "is cut short: it has fewer qualities than letters");
    return LETTERS_END;
}

/* Buffer bytes, if none are there. LETTERS_SOME: there are. */
static letters_event need_bytes(letters *l, bool wait)
{
    if (input_have(&l->in) > 0) return LETTERS_SOME;
    if (wait ? input_more(&l->in) : input_more_within(&l->in, 0)) return LETTERS_SOME;
    return input_has_stopped(&l->in) ? stopped(l) : LETTERS_LATER;
}

static bool is_end_of_line(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

static void note_odd(letters *l, unsigned char letter, uint64_t at)
{
    if (l->odd_letter >= 0) return;
    l->odd_letter = letter;
    l->odd_at = at;
    memcpy(l->odd_record, l->record, sizeof l->odd_record);
}

/* ---- records ---- */

static void begin_header(letters *l)
{
    input_consume(&l->in, 1);
    l->place = IN_HEADER;
    l->name_is_over = false;
    l->record[0] = 0;
    l->n_letters = l->n_qualities = 0;
    l->has_record = true;
}

/* Take the next bytes of a header. true: it is complete. */
static bool take_header(letters *l)
{
    const unsigned char *bytes = input_bytes(&l->in);
    const size_t have = input_have(&l->in);
    size_t i = 0, n = strlen(l->record);
    for (; i < have && !is_end_of_line(bytes[i]); i++) {
        const bool is_blank = isspace(bytes[i]) || bytes[i] == 0;
        l->name_is_over |= is_blank && n > 0;
        if (!is_blank && !l->name_is_over && n < LETTERS_NAME) l->record[n++] = (char)bytes[i];
    }
    l->record[n] = 0;
    input_consume(&l->in, i < have ? i + 1 : i);
    if (i == have) return false;
    begin_letters(l);
    return true;
}

/* Does the byte, at the beginning of a line, end the letters? */
static bool ends_letters(const letters *l, unsigned char byte)
{
    return l->kind == TEXT_FASTQ ? byte == '+' || byte == '@' : byte == '>';
}

enum { GROUP = 16 /* bytes that are judged at once */ };

typedef unsigned char byte_group __attribute__((vector_size(GROUP)));

/* Are these bytes letters that are not odd? false: one may not be. */
static bool are_plain(const unsigned char *bytes, bool dna)
{
    byte_group c;
    uint64_t halves[2];
    memcpy(&c, bytes, sizeof c);
    byte_group plain = (byte_group)(c > ' ');
    c &= 0xdf; /* upper case */
    if (dna) plain = (byte_group)((c == 'A') | (c == 'C') | (c == 'G') | (c == 'T') | (c == 'N'));
    memcpy(halves, &plain, sizeof plain);
    return (halves[0] & halves[1]) == UINT64_MAX;
}

/* The number of letters at the beginning of bytes [i, end) that are not odd. */
static size_t count_plain(const letters *l, const unsigned char *bytes, size_t i, size_t end)
{
    const size_t begin = i;
    while (end - i >= GROUP && are_plain(bytes + i, l->options.dna)) i += GROUP;
    while (i < end && l->bytes[bytes[i]] == LETTER) i++;
    return i - begin;
}

/* Copy letters up to the end of them. Returns their number. */
static size_t take_letters(letters *l, unsigned char *to, size_t most)
{
    const unsigned char *bytes = input_bytes(&l->in);
    const size_t have = input_have(&l->in);
    size_t i = 0, n = 0;
    while (i < have && n < most) {
        if (!l->is_in_line && ends_letters(l, bytes[i])) break;
        const size_t plain = count_plain(l, bytes, i, have - i < most - n ? have : i + most - n);
        memcpy(to + n, bytes + i, plain);
        i += plain;
        n += plain;
        l->is_in_line |= plain > 0;
        if (i == have || n == most) break;
        const unsigned char byte = bytes[i++];
        l->is_in_line = !is_end_of_line(byte);
        if (l->bytes[byte] == BLANK) continue;
        if (l->bytes[byte] == ODD_LETTER) note_odd(l, byte, l->n_letters + n);
        to[n++] = byte;
    }
    l->n_letters += n;
    input_consume(&l->in, i);
    return n;
}

/* The line of + in FASTQ. */
static void skip_plus(letters *l)
{
    const unsigned char *bytes = input_bytes(&l->in);
    const size_t have = input_have(&l->in);
    size_t i = 0;
    while (i < have && !is_end_of_line(bytes[i])) i++;
    if (i < have) l->place = IN_QUALITIES;
    input_consume(&l->in, i);
}

/* Pass over qualities: as many as letters. true: the next byte begins a record. */
static bool skip_qualities(letters *l)
{
    const unsigned char *bytes = input_bytes(&l->in);
    const size_t have = input_have(&l->in);
    size_t i = 0;
    for (;
         have - i >= GROUP && l->n_letters - l->n_qualities >= GROUP && are_plain(bytes + i, false);
         i += GROUP)
        l->n_qualities += GROUP;
    for (; i < have; i++) {
        if (isspace(bytes[i])) continue;
        if (l->n_qualities == l->n_letters) break;
        l->n_qualities++;
    }
    input_consume(&l->in, i);
    return i < have;
}

/* The letters of a record are over, at the byte that comes next. */
static letters_event end_letters(letters *l)
{
    const unsigned char byte = input_bytes(&l->in)[0];
    if (byte == '@' && l->has_record) return fail_record(l, "has no line of +");
    if (byte == '+' && !l->has_record) return fail_record(l, "has no header");
    if (byte == '+')
        l->place = IN_PLUS;
    else
        begin_header(l);
    return LETTERS_SOME;
}

/* letters_read of records, at a byte. LETTERS_LATER: nothing to report yet. */
static letters_event take_some(letters *l, unsigned char *to, size_t most, size_t *n)
{
    switch (l->place) {
    case IN_HEADER: return take_header(l) ? LETTERS_RECORD : LETTERS_LATER;
    case IN_PLUS: skip_plus(l); return LETTERS_LATER;
    case IN_QUALITIES:
        if (!skip_qualities(l)) return LETTERS_LATER;
        if (input_bytes(&l->in)[0] != '@') return fail_record(l, "has more qualities than letters");
        begin_header(l);
        return LETTERS_LATER;
    default: break;
    }
    *n = take_letters(l, to, most);
    if (*n > 0) return LETTERS_SOME;
    if (input_have(&l->in) == 0) return LETTERS_LATER;
    return end_letters(l) == LETTERS_FAILED ? LETTERS_FAILED : LETTERS_LATER;
}

static letters_event read_records(letters *l, unsigned char *to, size_t most, size_t *n, bool wait)
{
    letters_event event;
    while ((event = need_bytes(l, wait)) == LETTERS_SOME) {
        event = take_some(l, to, most, n);
        if (event != LETTERS_LATER) break;
    }
    return event;
}

/* ---- characters and bytes ---- */

static letters_event read_characters(letters *l, unsigned char *to, size_t most, size_t *n,
                                     bool wait)
{
    letters_event event;
    while ((event = need_bytes(l, wait)) == LETTERS_SOME && *n == 0) {
        size_t taken, odd;
        *n = characters_read(l->options.utf8, input_bytes(&l->in), input_have(&l->in), l->in.ended,
                             to, most, &taken, &odd);
        if (odd != SIZE_MAX) note_odd(l, 0, l->n_letters + odd);
        l->n_letters += *n;
        input_consume(&l->in, taken);
        if (*n > 0) break;
        /* An incomplete character: more bytes, or the end. */
        if (!(wait ? input_more(&l->in) : input_more_within(&l->in, 0)) && !l->in.ended)
            return input_has_stopped(&l->in) ? stopped(l) : LETTERS_LATER;
    }
    return event;
}

letters_event letters_read(letters *l, unsigned char *to, size_t most, size_t *n, bool wait)
{
    *n = 0;
    if (l->kind != TEXT_BYTES) return read_records(l, to, most, n, wait);
    if (l->options.utf8) return read_characters(l, to, most, n, wait);
    if (input_have(&l->in) == 0) {
        *n = input_read_direct(&l->in, to, most, wait);
        if (*n > 0) return LETTERS_SOME;
        return input_has_stopped(&l->in) ? stopped(l) : LETTERS_LATER;
    }
    *n = input_have(&l->in) < most ? input_have(&l->in) : most;
    memcpy(to, input_bytes(&l->in), *n);
    input_consume(&l->in, *n);
    return LETTERS_SOME;
}
