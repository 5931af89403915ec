#include "tools/sigrep-text/letters.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/sigrep-text/options.h"
#include "tools/sigrep-text/plain.h"

static bool fail(letters *l, const char *reason)
{
    snprintf(l->error, sizeof l->error, "%s", reason);
    return false;
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

static bool detect_fasta(letters *l, bool fasta, bool dna)
{
    if (!fasta && !dna) return true;
    const bool begins = input_need(&l->in, 1) && input_bytes(&l->in)[0] == '>';
    l->is_fasta = begins || fasta;
    if (begins || !fasta || input_have(&l->in) == 0) return true;
    return fail(l, "is no FASTA: it does not begin with '>'");
}

bool letters_open(letters *l, const char *path, int wake_fd, bool fasta, bool dna)
{
    *l = (letters){.warns = dna, .odd_letter = -1};
    if (!input_open(&l->in, path, wake_fd, l->error, sizeof l->error)) return false;
    if (unpack_input(l) && detect_fasta(l, fasta, dna)) return true;
    letters_close(l);
    return false;
}

void letters_close(letters *l)
{
    input_close(&l->in);
}

static letters_event stopped(letters *l)
{
    const input *in = &l->in;
    if (in->failure) fail(l, strerror(in->failure));
    if (in->fault) fail(l, in->fault);
    return in->failure || in->fault ? LETTERS_FAILED : LETTERS_END;
}

/* Buffer bytes, if none are there. LETTERS_SOME: there are. */
static letters_event need_bytes(letters *l, bool wait)
{
    if (input_have(&l->in) > 0) return LETTERS_SOME;
    if (wait ? input_more(&l->in) : input_more_within(&l->in, 0)) return LETTERS_SOME;
    return input_has_stopped(&l->in) ? stopped(l) : LETTERS_LATER;
}

/* Take the next bytes of a header. true: it is complete. */
static bool take_header(letters *l)
{
    const unsigned char *bytes = input_bytes(&l->in);
    const size_t have = input_have(&l->in);
    size_t i = 0, n = strlen(l->record);
    for (; i < have && bytes[i] != '\n'; i++) {
        l->has_name |= isspace(bytes[i]) || bytes[i] == 0;
        if (!l->has_name && n < LETTERS_NAME) l->record[n++] = (char)bytes[i];
    }
    l->record[n] = 0;
    l->is_in_header = i == have;
    input_consume(&l->in, i < have ? i + 1 : i);
    return !l->is_in_header;
}

static void note_odd(letters *l, unsigned char letter)
{
    const bool is_gap_or_stop = memchr("-.*", letter, 3) != NULL;
    if (!l->warns || l->odd_letter >= 0 || patterns_is_code(letter) || is_gap_or_stop) return;
    l->odd_letter = letter;
    l->odd_at = l->n_letters;
}

/* Copy whole lines, or parts of them, up to a header: if all letters are plain, as they mostly are,
 * none need be looked at one by one. Returns their number; 0: take them one by one. */
static size_t take_lines(letters *l, unsigned char *to, size_t most)
{
    const unsigned char *bytes = input_bytes(&l->in), *const all = bytes + input_have(&l->in);
    bool is_in_line = l->is_in_line;
    size_t n = 0;
    while (bytes < all && n < most && (is_in_line || *bytes != '>')) {
        const size_t left = (size_t)(all - bytes), room = left < most - n ? left : most - n;
        const unsigned char *end = memchr(bytes, '\n', room);
        const size_t length = end ? (size_t)(end - bytes) : room;
        is_in_line = !end;
        memcpy(to + n, bytes, length);
        bytes += end ? length + 1 : length;
        n += length;
        if (end && length > 0 && end[-1] == '\r') n--;
    }
    if (n == 0 || !plain_letters(to, n, l->warns)) return 0;
    l->is_in_line = is_in_line;
    l->n_letters += n;
    input_consume(&l->in, (size_t)(bytes - input_bytes(&l->in)));
    return n;
}

/* Copy letters up to a header. Returns their number. */
static size_t take_letters(letters *l, unsigned char *to, size_t most)
{
    const unsigned char *bytes = input_bytes(&l->in);
    const size_t have = input_have(&l->in);
    size_t i = 0, n = take_lines(l, to, most);
    if (n > 0) return n;
    for (; i < have && n < most; i++) {
        if (!l->is_in_line && bytes[i] == '>') break;
        l->is_in_line = bytes[i] != '\n';
        if (isspace(bytes[i])) continue;
        note_odd(l, bytes[i]);
        to[n++] = bytes[i];
        l->n_letters++;
    }
    input_consume(&l->in, i);
    return n;
}

static void begin_header(letters *l)
{
    input_consume(&l->in, 1);
    l->is_in_header = true;
    l->has_name = false;
    l->record[0] = 0;
    l->n_letters = 0;
}

/* letters_read of FASTA. */
static letters_event read_fasta(letters *l, unsigned char *to, size_t most, size_t *n, bool wait)
{
    letters_event event;
    while ((event = need_bytes(l, wait)) == LETTERS_SOME) {
        if (l->is_in_header) {
            if (take_header(l)) return LETTERS_RECORD;
            continue;
        }
        *n = take_letters(l, to, most);
        if (*n > 0) return LETTERS_SOME;
        if (input_have(&l->in) > 0) begin_header(l);
    }
    return event;
}

letters_event letters_read(letters *l, unsigned char *to, size_t most, size_t *n, bool wait)
{
    *n = 0;
    if (l->is_fasta) return read_fasta(l, to, most, n, wait);
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
