#include "io/tables/row.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double powers_of_10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { MOST_DIGITS = 18 /* digits that always fit into 64 bits */ };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Could a number continue with c: an exponent, 0x, a second point? */
static bool goes_on(char c)
{
    return c == '.' || is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Append the digits at `at` to *whole. Returns their end. */
static const char *digits(const char *at, uint64_t *whole)
{
    for (; is_digit(*at); at++) *whole = *whole * 10 + (uint64_t)(*at - '0');
    return at;
}

size_t decimal_to_double(const char *text, double *value)
{
    const bool negative = *text == '-';
    const char *begin = text + (negative || *text == '+');
    uint64_t whole = 0;
    const char *at = digits(begin, &whole);
    size_t n = (size_t)(at - begin), places = 0;
    if (*at == '.') {
        const char *fraction = at + 1;
        at = digits(fraction, &whole);
        places = (size_t)(at - fraction);
        n += places;
    }
    if (n == 0 || n > MOST_DIGITS || whole > UINT64_C(1) << 53 || goes_on(*at)) return 0;
    const double magnitude = (double)whole / powers_of_10[places];
    *value = negative ? -magnitude : magnitude;
    return (size_t)(at - text);
}

typedef struct {
    char *at, *end;     /* *end is a NUL */
    bool has_separator; /* a comma, semicolon or tab was seen in this line */
    bool only_spaces;   /* none is ahead; stored, so that a line is searched for one only once */
} cursor;

static bool is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t';
}

static void skip_spaces(cursor *c)
{
    while (c->at < c->end && *c->at == ' ') c->at++;
}

/* Cut off the comment and the blanks before it: a tab there is no empty field. Returns the number
 * of such tabs. */
static size_t trim(cursor *c)
{
    size_t tabs = 0;
    char *comment = memchr(c->at, '#', (size_t)(c->end - c->at));
    bool quoted = false;
    for (char *p = c->at; comment && p < c->end; p++) {
        if (*p == '"') quoted = !quoted;
        if (*p == '#' && !quoted) c->end = p;
    }
    while (c->end > c->at && (c->end[-1] == ' ' || c->end[-1] == '\t' || c->end[-1] == '\r'))
        tabs += *--c->end == '\t';
    *c->end = '\0';
    return tabs;
}

/* Returns the bytes used, 0: no number. strtod stops at every separator, and the locale stays C.
 * Two things that it accepts are refused: blanks before the number, and nan(...). */
static size_t parse_number(const char *text, double *value)
{
    bool blank = *text == ' ' || (*text >= '\t' && *text <= '\r');
    char *end;
    if (blank) return 0;
    size_t used = decimal_to_double(text, value);
    if (used > 0) return used;
    *value = strtod(text, &end);
    if (end == text || end[-1] == ')') return 0;
    return (size_t)(end - text);
}

/* Returns the bytes used, 0: no time. */
static size_t parse_time(row *r, const char *text)
{
    const size_t length = iso8601_parse(text, &r->time);
    r->time_iso = length > 0;
    return length > 0 ? length : exact_time_parse(text, &r->time);
}

/* Parse the value of the next field, f, at `text`. Returns the bytes used, 0: no value. */
static size_t parse_value(row *r, field *f, const char *text)
{
    if (r->n + 1 != r->time_column) return parse_number(text, &f->value);
    if (parse_number(text, &f->value) == 0) return 0;
    size_t length = parse_time(r, text);
    if (r->time_iso) f->value = exact_time_as_double(r->time);
    return length;
}

/* Parse a field in quotes and step past it. false: the closing quote is missing. */
static bool parse_quoted(cursor *c, row *r, field *f)
{
    char *open = c->at, *close = open + 1;
    while (close < c->end && (*close != '"' || close[1] == '"')) close += *close == '"' ? 2 : 1;
    if (close >= c->end) return false;
    f->text = open + 1;
    f->length = (size_t)(close - f->text);
    *close = ' '; /* numbers and times stop here; spaces around them are allowed */
    const char *text = f->text;
    while (text < close && *text == ' ') text++;
    size_t used = text < close ? parse_value(r, f, text) : 0;
    f->number = used > 0 && strspn(text + used, " ") >= (size_t)(close - text) - used;
    *close = '"';
    c->at = close + 1;
    return true;
}

/* The end of a field that is no number: see row.h. */
static char *text_end(cursor *c)
{
    char *p = c->at;
    if (!c->only_spaces)
        while (p < c->end && !is_separator(*p)) p++;
    if (p == c->end) c->only_spaces = true;
    if (c->only_spaces && !c->has_separator) {
        for (p = c->at; p < c->end && *p != ' '; p++) continue;
        return p;
    }
    if (c->only_spaces) p = c->end;
    while (p > c->at && p[-1] == ' ') p--;
    return p;
}

static bool is_end(const cursor *c, const char *at)
{
    return at == c->end || *at == ' ' || is_separator(*at);
}

/* Does the field say that there is no value? */
static bool is_missing(const field *f)
{
    static const char *const words[] = {"", "null", "NULL", "NA", "N/A"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == f->length && memcmp(words[i], f->text, f->length) == 0) return true;
    return false;
}

/* The next field, f, has its text and, if it has one, its value. */
static void end_field(row *r, field *f)
{
    f->missing = !f->number && is_missing(f);
    if (f->missing) f->value = (double)NAN;
    if (r->n + 1 == r->time_column) r->time_ok = f->number;
    r->n++;
}

static void parse_field(cursor *c, row *r)
{
    field *f = &r->fields[r->n];
    *f = (field){.text = c->at};
    bool quoted = c->at < c->end && *c->at == '"' && parse_quoted(c, r, f);
    size_t used = quoted || is_end(c, c->at) ? 0 : parse_value(r, f, c->at);
    bool whole = (quoted || used > 0) && is_end(c, c->at + used);
    if (!whole) {
        char *stop = text_end(c);
        f->number = false;
        f->length = (size_t)(stop - f->text);
        c->at = stop;
    } else if (!quoted) {
        f->number = true;
        f->length = used;
        c->at += used;
    }
    end_field(r, f);
}

void row_parse(row *r, char *line, size_t length)
{
    cursor c = {line, line + length, false, false};
    bool comma = false, semicolon = false;
    r->n = 0;
    r->time_ok = r->time_iso = false;
    r->n_trailing = trim(&c);
    skip_spaces(&c);
    bool more = c.at < c.end;
    while (more) {
        parse_field(&c, r);
        skip_spaces(&c);
        more = c.at < c.end;
        if (!more || !is_separator(*c.at)) continue;
        c.has_separator = true;
        comma |= *c.at == ',';
        semicolon |= *c.at == ';';
        c.at++;
        skip_spaces(&c);
    }
    r->mixed = comma && semicolon;
}

void row_add(row *r, const char *text, size_t length)
{
    field *f = &r->fields[r->n];
    *f = (field){.text = text, .length = length};
    const size_t used = parse_value(r, f, text);
    f->number = used > 0 && used == length;
    end_field(r, f);
}

void row_pad(row *r, size_t n)
{
    if (n > r->n + r->n_trailing) return;
    while (r->n < n) r->fields[r->n++] = (field){.text = "", .value = (double)NAN, .missing = true};
}

const char *text_field_show(const field *f, char shown[TEXT_FIELD_SHOWN])
{
    size_t n = (size_t)sprintf(shown, "'");
    for (size_t i = 0; i < f->length && i < TEXT_FIELD_BYTES; i++) {
        unsigned char c = (unsigned char)f->text[i];
        bool plain = c >= 0x20 && c < 0x7f;
        n += (size_t)sprintf(shown + n, plain ? "%c" : "\\x%02x", c);
    }
    strcpy(shown + n, f->length > TEXT_FIELD_BYTES ? "...'" : "'");
    return shown;
}

/* A time that --time-column reads. Between spaces, the time of day is a field of its own. */
static bool is_iso(const field *f)
{
    exact_time time;
    const size_t length = iso8601_parse(f->text, &time);
    return length > 0 && length >= f->length;
}

/* Such as 12:30:00 or 31/12/2026. */
static bool is_other_time(const field *f)
{
    const size_t digits = strspn(f->text, "0123456789");
    return digits > 0 && digits < f->length && strchr(":/", f->text[digits]) &&
           strspn(f->text, "0123456789:/. ") >= f->length;
}

void text_field_refuse(const row *r, size_t index, const char *what, bool is_first, char *reason,
                       size_t size)
{
    const field *f = &r->fields[index];
    char shown[TEXT_FIELD_SHOWN];
    if (f->length == 0)
        snprintf(reason, size, "column %zu is empty", index + 1);
    else if (is_first && index + 1 != r->time_column && is_iso(f))
        snprintf(reason, size,
                 "%s is not a %s; name the time with --time-column %zu, or choose with --columns",
                 text_field_show(f, shown), what, index + 1);
    else if (is_first && index + 1 != r->time_column && is_other_time(f))
        snprintf(reason, size, "%s is not a %s; choose other columns with --columns",
                 text_field_show(f, shown), what);
    else
        snprintf(reason, size, "%s is not a %s", text_field_show(f, shown), what);
}
