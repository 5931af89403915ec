/*
 * given.c - patterns as they are given: on the command line, as lines of a file, or as records.
 *
 *     -e P           a pattern
 *     -f FILE        a place for its patterns; they are read when all options are known
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sigrep-text/letters.h"
#include "tools/sigrep-text/options.h"

enum { PIECE = 1 << 16 /* bytes of a read */ };

static char *copy(const char *bytes, size_t n)
{
    char *to = malloc(n + 1);
    if (!to) return NULL;
    memcpy(to, bytes, n);
    to[n] = 0;
    return to;
}

/* Add a copy of the pattern. */
static const char *add(text_options *o, const char *pattern, given_pattern given)
{
    given.letters = copy(pattern, given.n);
    given_pattern *grown =
        given.letters ? realloc(o->patterns, (o->n_patterns + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(given.letters);
        return "out of memory";
    }
    o->patterns = grown;
    grown[o->n_patterns++] = given;
    return NULL;
}

const char *patterns_add(void *options, const char *pattern)
{
    return add(options, pattern, (given_pattern){.n = strlen(pattern)});
}

const char *patterns_add_file(void *options, const char *path)
{
    text_options *o = options;
    o->stdin_reads += strcmp(path, "-") == 0;
    return add(o, "", (given_pattern){.file = path});
}

/* A line of a file: bytes [at, end); the next one begins at `next`. */
typedef struct {
    size_t at, end, next;
} line_place;

/* A line ends with \n or \r\n. */
static line_place line_at(const text_buffer *text, size_t at)
{
    const char *newline = memchr(text->data + at, '\n', text->length - at);
    line_place line = {.at = at, .end = text->length, .next = text->length};
    if (newline) line.end = (size_t)(newline - text->data);
    if (newline) line.next = line.end + 1;
    if (line.end > at && text->data[line.end - 1] == '\r') line.end--;
    return line;
}

/* Read all letters. false: l->error has why that cannot be. */
static bool read_all(text_buffer *text, letters *l)
{
    letters_event event = LETTERS_SOME;
    while (event == LETTERS_SOME && text_reserve(text, PIECE)) {
        size_t n;
        event = letters_read(l, (unsigned char *)text->data + text->length, PIECE, &n, true);
        text->length += n;
    }
    if (text->failed) snprintf(l->error, sizeof l->error, "out of memory");
    return event != LETTERS_FAILED && !text->failed;
}

static const char *add_lines(text_options *o, letters *l, const char *path)
{
    text_buffer text = {0};
    const char *wrong = read_all(&text, l) ? NULL : l->error;
    if (!wrong && text.length == 0) wrong = "no pattern is in it";
    size_t at = 0;
    for (size_t number = 1; at < text.length && !wrong; number++) {
        const line_place line = line_at(&text, at);
        const given_pattern given = {
            .n = line.end - at, .file = path, .unit = "line", .number = number};
        wrong = add(o, text.data + at, given);
        at = line.next;
    }
    free(text.data);
    return wrong;
}

static const char *begin_record(text_options *o, const char *name, given_pattern place)
{
    const char *wrong = add(o, "", place);
    if (wrong || !*name) return wrong;
    char *own = o->patterns[o->n_patterns - 1].name = copy(name, strlen(name));
    return own ? NULL : "out of memory";
}

/* Append letters to the last pattern. */
static const char *append(text_options *o, const unsigned char *more, size_t n)
{
    given_pattern *last = &o->patterns[o->n_patterns - 1];
    char *grown = realloc(last->letters, last->n + n + 1);
    if (!grown) return "out of memory";
    last->letters = grown;
    memcpy(grown + last->n, more, n);
    last->n += n;
    grown[last->n] = 0;
    return NULL;
}

static const char *add_records(text_options *o, letters *l, const char *path)
{
    unsigned char piece[PIECE];
    given_pattern place = {.file = path, .unit = "record"};
    const char *wrong = NULL;
    letters_event event;
    size_t n;
    while (!wrong && (event = letters_read(l, piece, PIECE, &n, true)) != LETTERS_END) {
        if (event == LETTERS_FAILED) return l->error;
        place.number += event == LETTERS_RECORD;
        wrong = event == LETTERS_RECORD ? begin_record(o, l->record, place) : append(o, piece, n);
    }
    return wrong;
}

/* Add the patterns of a file, behind all others. */
static const char *add_file(text_options *o, const char *path)
{
    static letters l; /* large */
    const bool may_have_records = o->fasta || o->alphabet == ALPHABET_DNA;
    const letters_options how = {.patterns = true, .fasta = may_have_records};
    if (!letters_open(&l, path, -1, how)) return l.error;
    const char *wrong = l.kind == TEXT_BYTES ? add_lines(o, &l, path) : add_records(o, &l, path);
    letters_close(&l);
    return wrong;
}

bool patterns_load(text_options *o, char *error, size_t size)
{
    given_pattern *given = o->patterns;
    const size_t n = o->n_patterns;
    const char *wrong = NULL;
    o->patterns = NULL;
    o->n_patterns = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_file = given[i].file != NULL;
        if (!wrong)
            wrong = is_file ? add_file(o, given[i].file) : patterns_add(o, given[i].letters);
        if (wrong && !*error)
            snprintf(error, size, "--%s '%s': %s", is_file ? "file" : "pattern",
                     is_file ? given[i].file : given[i].letters, wrong);
        free(given[i].letters);
    }
    free(given);
    return !wrong;
}

void text_options_free(text_options *o)
{
    for (size_t i = 0; i < o->n_patterns; i++) {
        free(o->patterns[i].letters);
        free(o->patterns[i].name);
    }
    free(o->patterns);
    *o = (text_options){0};
}
