#include "io/samples/npy_header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TYPE = 24 }; /* bytes of a type's name such as <f4, with a NUL */

typedef struct {
    const char *begin, *at, *end; /* [at, end) is left of the text */
    char *reason;
    size_t size;
    char type[TYPE]; /* "": records */
    bool has_type, has_order, has_shape;
    size_t dimensions;
} parser;

static bool fail(const parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(const parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->reason, p->size, format, args);
    va_end(args);
    return false;
}

static bool fail_here(const parser *p)
{
    return fail(p, "bad NPY header: byte %zu is not understood", (size_t)(p->at - p->begin) + 1);
}

static void skip_spaces(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')) p->at++;
}

/* Does the text go on with this word? If so, pass it. */
static bool take(parser *p, const char *word)
{
    const size_t n = strlen(word);
    skip_spaces(p);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0) return false;
    p->at += n;
    return true;
}

/* A string of printable characters in quotes, without escapes: none has any. */
static bool take_string(parser *p, char string[TYPE])
{
    skip_spaces(p);
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"')) return false;
    const char *begin = p->at + 1;
    const char *quote = memchr(begin, *p->at, (size_t)(p->end - begin));
    if (!quote || quote - begin >= TYPE) return false;
    for (const char *c = begin; c < quote; c++)
        if (*c < ' ' || *c > '~') return false;
    memcpy(string, begin, (size_t)(quote - begin));
    string[quote - begin] = '\0';
    p->at = quote + 1;
    return true;
}

/* A dimension. Python 2 wrote an L after long integers. */
static bool take_number(parser *p, uint64_t *number)
{
    skip_spaces(p);
    const char *begin = p->at;
    for (*number = 0; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++) {
        if (*number > INT64_MAX / 16) return fail(p, "bad NPY header: a dimension is too large");
        *number = 10 * *number + (uint64_t)(*p->at - '0');
    }
    if (p->at == begin) return fail_here(p);
    take(p, "L");
    return true;
}

static bool parse_shape(parser *p, npy_header *h)
{
    uint64_t number;
    h->frames = h->channels = 1;
    if (!take(p, "(")) return fail_here(p);
    for (p->dimensions = 0; !take(p, ")"); p->dimensions++) {
        if (!take_number(p, &number)) return false;
        if (p->dimensions == 0) h->frames = number;
        if (p->dimensions == 1) h->channels = number;
        if (take(p, ",")) continue;
        if (!take(p, ")")) return fail_here(p);
        p->dimensions++;
        break;
    }
    return p->has_shape = true;
}

static bool parse_order(parser *p, npy_header *h)
{
    h->is_fortran = take(p, "True");
    if (!h->is_fortran && !take(p, "False")) return fail_here(p);
    return p->has_order = true;
}

/* A list is the type of records. It ends the parsing, for nothing else can be wrong then. */
static bool parse_type(parser *p)
{
    if (take(p, "["))
        return fail(p, "holds records of several fields: save their numbers as an array of "
                       "frames x channels");
    if (!take_string(p, p->type)) return fail_here(p);
    return p->has_type = true;
}

static bool parse_entry(parser *p, npy_header *h)
{
    char key[TYPE];
    if (!take_string(p, key) || !take(p, ":")) return fail_here(p);
    if (strcmp(key, "descr") == 0) return parse_type(p);
    if (strcmp(key, "fortran_order") == 0) return parse_order(p, h);
    if (strcmp(key, "shape") == 0) return parse_shape(p, h);
    return fail(p, "bad NPY header: an unknown entry '%s'", key);
}

/* What values of a type without numbers are. */
static const char *describe(char letter)
{
    switch (letter) {
    case 'c': return "complex numbers";
    case 'O': return "Python objects";
    case 'M':
    case 'm': return "dates or times";
    case 'S':
    case 'a':
    case 'U': return "strings";
    default: return "values that are not numbers of 1 to 8 bytes";
    }
}

/* The type is an order of bytes, a letter and a width: <f4, >i2, |u1. */
static bool understand_type(const parser *p, npy_header *h)
{
    const char *t = p->type, *widths = "";
    const char letter = t[0] ? t[1] : '\0';
    const char width = letter ? t[2] : '\0';
    h->type = (pcm_type){.kind = letter == 'f'   ? PCM_FLOAT
                                 : letter == 'i' ? PCM_SIGNED
                                                 : PCM_UNSIGNED,
                         .width = (size_t)(width - '0')};
    h->big_endian = t[0] == '>';
    if (letter == 'f') widths = "248";
    if (letter == 'i' || letter == 'u') widths = "1248";
    if (letter == 'b') widths = "1";
    const bool has_order = t[0] == '<' || t[0] == '>' || (t[0] == '|' && width == '1');
    if (has_order && width && t[3] == '\0' && strchr(widths, width)) return true;
    return fail(p, "holds %s (%s): save real numbers, such as ARRAY.astype('float32')",
                describe(letter), t);
}

static bool check_shape(const parser *p, const npy_header *h)
{
    if (p->dimensions < 1 || p->dimensions > 2)
        return fail(p, "has %zu dimensions; reshape it to one, or to frames x channels",
                    p->dimensions);
    const uint64_t most = INT64_MAX / h->type.width;
    if (h->frames <= most && (h->channels == 0 || h->frames <= most / h->channels)) return true;
    return fail(p, "bad NPY header: %llu x %llu samples", (unsigned long long)h->frames,
                (unsigned long long)h->channels);
}

bool npy_header_parse(npy_header *h, const char *text, size_t n, char *reason, size_t size)
{
    parser p = {.begin = text, .at = text, .end = text + n, .reason = reason, .size = size};
    *h = (npy_header){0};
    if (!take(&p, "{")) return fail_here(&p);
    while (!take(&p, "}")) {
        if (!parse_entry(&p, h)) return false;
        if (take(&p, ",")) continue;
        if (!take(&p, "}")) return fail_here(&p);
        break;
    }
    if (!p.has_type || !p.has_order || !p.has_shape)
        return fail(&p, "bad NPY header: type, order or shape is missing");
    return understand_type(&p, h) && check_shape(&p, h);
}
