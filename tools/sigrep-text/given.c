/*
 * given.c - patterns as they are given: on the command line, as lines of a file, or as records.
 *
 *     -e P           a pattern
 *     -f FILE        a place for its patterns; they are read when all options are known
 */
#include <ctype.h>
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

/* Read all of a file, unpacked, into text->data. NULL, or why that cannot be. */
static const char *read_file(text_buffer *text, const char *path, letters *l)
{
    letters_event event = LETTERS_SOME;
    if (!letters_open(l, path, -1, (letters_options){0})) return l->error;
    while (event == LETTERS_SOME && text_reserve(text, PIECE)) {
        size_t n;
        event = letters_read(l, (unsigned char *)text->data + text->length, PIECE, &n, true);
        text->length += n;
    }
    letters_close(l);
    if (event == LETTERS_FAILED) return l->error;
    return text->failed ? "out of memory" : NULL;
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

static const char *add_lines(text_options *o, const text_buffer *text, size_t at, const char *path)
{
    const char *wrong = NULL;
    for (size_t number = 1; at < text->length && !wrong; number++) {
        const line_place line = line_at(text, at);
        const given_pattern given = {.n = line.end - at, .file = path, .line = number};
        wrong = add(o, text->data + at, given);
        at = line.next;
    }
    return wrong;
}

/* The first word behind > or @ in a header. NULL: out of memory. */
static char *name_in(const char *line, size_t n)
{
    size_t begin = 1, end;
    while (begin < n && isspace((unsigned char)line[begin])) begin++;
    for (end = begin; end < n && !isspace((unsigned char)line[end]);) end++;
    return copy(line + begin, end - begin);
}

/* Append the letters of a line to the last pattern. */
static const char *append(text_options *o, const char *line, size_t n)
{
    given_pattern *last = &o->patterns[o->n_patterns - 1];
    char *grown = realloc(last->letters, last->n + n + 1);
    if (!grown) return "out of memory";
    last->letters = grown;
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)line[i])) grown[last->n++] = line[i];
    grown[last->n] = 0;
    return NULL;
}

/* The letters of a line, without white space. */
static size_t count_letters(const char *line, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += !isspace((unsigned char)line[i]);
    return count;
}

/* What was read of a file of records. */
typedef struct {
    char mark;        /* begins a record: > in FASTA, @ in FASTQ */
    size_t first;     /* pattern of the file */
    bool lacks_plus;  /* the record is of FASTQ, and its line of + is to come */
    size_t qualities; /* of FASTQ, which are to come: any of them may be a mark */
} record_file;

static const char *begin_record(text_options *o, const char *line, size_t n, given_pattern place)
{
    const char *wrong = add(o, "", place);
    if (wrong) return wrong;
    char *name = name_in(line, n);
    if (!name) return "out of memory";
    if (*name)
        o->patterns[o->n_patterns - 1].name = name;
    else
        free(name);
    return NULL;
}

/* A line that begins no record. Blank lines may come before the first. */
static const char *add_to_record(text_options *o, record_file *r, const char *line, size_t n)
{
    if (o->n_patterns == r->first) return NULL;
    if (r->mark == '@' && !r->lacks_plus) {
        const size_t some = count_letters(line, n);
        if (some > r->qualities) return "a record has more qualities than letters";
        r->qualities -= some;
        return NULL;
    }
    if (!r->lacks_plus || n == 0 || *line != '+') return append(o, line, n);
    r->qualities = o->patterns[o->n_patterns - 1].n;
    r->lacks_plus = false;
    return NULL;
}

static const char *add_records(text_options *o, const text_buffer *text, size_t at, char mark,
                               const char *path)
{
    const char *wrong = NULL;
    record_file r = {.mark = mark, .first = o->n_patterns};
    for (size_t number = 1; at < text->length && !wrong; number++) {
        const line_place line = line_at(text, at);
        const char *bytes = text->data + at;
        const size_t n = line.end - at;
        at = line.next;
        if (n == 0 || *bytes != mark || r.qualities > 0) {
            wrong = add_to_record(o, &r, bytes, n);
            continue;
        }
        if (r.lacks_plus) break;
        r.lacks_plus = mark == '@';
        wrong = begin_record(o, bytes, n, (given_pattern){.file = path, .line = number});
    }
    if (!wrong && r.lacks_plus) return "a record has no line of +";
    if (!wrong && r.qualities > 0) return "a record has fewer qualities than letters";
    return wrong;
}

/* Add the patterns of a file, behind all others. */
static const char *add_file(text_options *o, const char *path)
{
    static letters l; /* large */
    static const char byte_order[] = "\xef\xbb\xbf";
    text_buffer text = {0};
    const char *wrong = read_file(&text, path, &l);
    size_t at = 0;
    if (text.length >= 3 && memcmp(text.data, byte_order, 3) == 0) at = 3;
    if (!wrong && at == text.length) wrong = "no pattern is in it";
    size_t first = at; /* byte that is not blank */
    while (first < text.length && isspace((unsigned char)text.data[first])) first++;
    const bool may_have_records = o->fasta || o->alphabet == ALPHABET_DNA;
    const char mark = may_have_records && first < text.length ? text.data[first] : 0;
    if (!wrong && (mark == '>' || mark == '@'))
        wrong = add_records(o, &text, at, mark, path);
    else if (!wrong)
        wrong = add_lines(o, &text, at, path);
    free(text.data);
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
