#include "io/tables/row.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/escape.h"
#include "io/tables/marked_number.h"

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
    char *at, *end; /* *end is a NUL */
    char separator, comment;
    bool has_point; /* somewhere in the line, and r->decimal is not known */
    bool has_comment;
} cursor;

/* Of two blanks, a tab may be the separator. */
static bool is_blank(const cursor *c, char byte)
{
    return byte == ' ' || (byte == '\t' && c->separator != '\t');
}

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && is_blank(c, *c->at)) c->at++;
}

/* Does a field end at `at`: here, or after blanks? */
static bool is_end(const cursor *c, const char *at)
{
    if (at == c->end || *at == c->separator) return true;
    if (!is_blank(c, *at)) return false;
    while (at < c->end && is_blank(c, *at)) at++;
    return c->separator == ' ' || at == c->end || *at == c->separator;
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
    size_t length = iso8601_parse(text, &r->time);
    if (length > 0 && r->separator != ' ') length += iso8601_parse_zone(text + length, &r->time);
    r->time_iso = length > 0;
    return length > 0 ? length : exact_time_parse(text, &r->time);
}

/* May what begins with a number of `used` bytes be one with marks? */
static bool may_be_marked(const row *r, const char *text, size_t used, bool is_quoted)
{
    switch (text[used]) {
    case ',': return r->separator != ',' || is_quoted;
    case ' ': return r->is_decimal_given && (r->separator != ' ' || is_quoted);
    case '.':
    case '\'':
    case '\xc2':
    case '\xe2': return true;
    default: return r->is_decimal_given && r->decimal == ',' && memchr(text, '.', used);
    }
}

/* Parse a number with marks. Returns the bytes used; 0: none, or its decimals are of the other
 * kind. In quotes that commas separate, a decimal comma must be given. */
static size_t parse_marked(row *r, field *f, const char *text, bool is_quoted)
{
    char plain[MARKED_NUMBER_SIZE];
    const bool is_fixed = r->is_decimal_given;
    number_marks marks = {.decimal = is_fixed ? r->decimal : ',',
                          .is_given = is_fixed,
                          .has_commas = r->separator != ',' || is_quoted,
                          .has_blanks = r->separator != ' ' || is_quoted};
    size_t used = marked_number_copy(marks, text, plain);
    const bool has_comma = memchr(text, ',', used), has_point = memchr(text, '.', used);
    if (r->separator == ',' && !is_fixed && has_comma && !has_point) return 0;
    if (used == 0 && !is_fixed) {
        marks.decimal = '.';
        used = marked_number_copy(marks, text, plain);
    }
    if (used == 0 || parse_number(plain, &f->value) != strlen(plain)) return 0;
    if (r->n + 1 == r->time_column && exact_time_parse(plain, &r->time) != strlen(plain)) return 0;
    if (is_fixed || !strchr(plain, '.')) return used;
    r->mixed |= r->decimal && r->decimal != marks.decimal;
    if (r->decimal && r->decimal != marks.decimal) return 0;
    r->decimal = marks.decimal;
    return used;
}

/* Parse the value of the next field, f, at `text`. Returns the bytes used, 0: no value. */
static inline size_t parse_value(row *r, field *f, const char *text, bool is_quoted)
{
    const size_t used = parse_number(text, &f->value);
    const bool is_plain = text[used] == r->separator && !is_quoted && !r->is_decimal_given;
    if (used > 0 && !is_plain && may_be_marked(r, text, used, is_quoted))
        return parse_marked(r, f, text, is_quoted);
    if (r->n + 1 != r->time_column || used == 0 || r->format || r->clock_column) return used;
    const size_t length = parse_time(r, text);
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
    f->quoted = true;
    *close = ' '; /* numbers and times stop here; spaces around them are allowed */
    const char *text = f->text;
    while (text < close && *text == ' ') text++;
    size_t used = text < close ? parse_value(r, f, text, true) : 0;
    f->number = used > 0 && strspn(text + used, " ") >= (size_t)(close - text) - used;
    *close = '"';
    c->at = close + 1;
    if (!f->number && is_end(c, c->at)) f->length = quotes_join(open + 1, f->length);
    return true;
}

/* The end of a field that is no number. */
static char *text_end(const cursor *c)
{
    char *p = c->at;
    if (c->separator == ' ') {
        while (p < c->end && !is_blank(c, *p)) p++;
        return p;
    }
    p = memchr(c->at, c->separator, (size_t)(c->end - c->at));
    if (!p) p = c->end;
    while (p > c->at && is_blank(c, p[-1])) p--;
    return p;
}

/* An error of a spreadsheet, in any language: #DIV/0!, #NAME?, #WERT! */
static bool is_sheet_error(const char *text, size_t length)
{
    enum { LONGEST = 16 };
    if (length < 3 || length > LONGEST || *text != '#') return false;
    for (size_t i = 1; i + 1 < length; i++)
        if ((unsigned char)text[i] < 0x80 && !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ/0", text[i]))
            return false;
    return text[length - 1] == '!' || text[length - 1] == '?';
}

/* Does the field say that there is no value? Those words that pandas knows, those of spreadsheets,
 * databases and devices, and what Microsoft's library prints, such as -1.#IND00. Large and small
 * letters count alike. */
static bool is_missing(const char *text, size_t length)
{
    static const char *const words[] = {
        "na",  "n/a",  "nan",  "-nan",   "null",   "none",    "nil",     "nat",    "<na>",
        "#na", "#n/a", "#n/d", "#nv",    "#num!",  "#ref!",   "-",       "--",     "---",
        "?",   ".",    "\\n",  "#name?", "#null!", "#value!", "#div/0!", "missing"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t sign = length > 0 && (*text == '-' || *text == '+');
    if (length == 0) return true;
    if (length - sign > 3 && strncmp(text + sign, "1.#", 3) == 0)
        return sign + 3 + strspn(text + sign + 3, letters) >= length;
    if (is_sheet_error(text, length)) return true;
    if (length > 7 || !strchr("nN-<#?.\\mM", *text)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) return true;
    return false;
}

bool row_is_blank(const char *line, char comment)
{
    line += strspn(line, " \t\r");
    if (*line != comment) return !*line;
    return comment != '#' || !is_missing(line, strcspn(line, ",; \t\r"));
}

/* Is what comes before `p`, back to `from`, a number and blanks? */
static bool follows_number(const cursor *c, const char *from, const char *p)
{
    double value;
    while (p > from && is_blank(c, p[-1])) p--;
    if (c->separator == ' ')
        for (const char *q = p; q > from && !is_blank(c, q[-1]);) from = --q;
    while (from < p && (is_blank(c, *from) || *from == '"')) from++;
    const size_t used = from < p ? parse_number(from, &value) : 0;
    return used > 0 && (from + used == p || from[used] == ',' || from[used] == '"');
}

/* Does the mark of comments at `p`, in the field that begins at `from`, begin a comment? */
static bool is_comment(cursor *c, const char *from, char *p)
{
    const cursor word = {.at = p, .end = c->end, .separator = c->separator};
    const bool is_first = p == from || is_blank(c, p[-1]);
    const bool is_last = p + 1 == c->end || p[1] == '\r' || p[1] == ' ' || p[1] == '\t';
    const bool begins_field = from + strspn(from, " ") >= p || c->separator == ' ';
    if (begins_field && is_missing(p, (size_t)(text_end(&word) - p))) return false;
    if (c->at + strspn(c->at, " \t") == p || (is_first && is_last)) return true;
    return is_first && p > from && follows_number(c, from, p);
}

/* Cut off the comment, if there is one. */
static void trim_comment(cursor *c)
{
    bool quoted = false;
    char *from = c->at; /* the field */
    if (!memchr(c->at, c->comment, (size_t)(c->end - c->at))) return;
    while (c->end > c->at && c->end[-1] == '\r') c->end--;
    for (char *p = c->at; p < c->end; p++) {
        if (*p == '"') quoted = !quoted;
        if (!quoted && c->separator != ' ' && *p == c->separator) from = p + 1;
        if (*p != c->comment || quoted || !is_comment(c, from, p)) continue;
        c->end = p;
        c->has_comment = true;
    }
}

/* Cut off the comment and the blanks before it: a tab there is no empty field. Returns the number
 * of such tabs. */
static size_t trim(cursor *c)
{
    size_t tabs = 0;
    trim_comment(c);
    while (c->end > c->at && (c->end[-1] == ' ' || c->end[-1] == '\t' || c->end[-1] == '\r'))
        tabs += *--c->end == '\t';
    *c->end = '\0';
    return tabs;
}

/* Once a number has a point, no other may have a comma, and the other way round. */
static bool agrees_in_decimal(row *r, const field *f)
{
    const bool is_marked = memchr(f->text, ',', f->length) || memchr(f->text, '\'', f->length);
    const bool is_time = r->n + 1 == r->time_column || r->n + 1 == r->clock_column;
    if (is_time || is_marked || !memchr(f->text, '.', f->length)) return true;
    if (r->decimal == 0) r->decimal = '.';
    r->mixed |= r->decimal == ',';
    return r->decimal == '.';
}

/* The text of the time, both columns of it joined by a blank. NULL: it is none. */
static const char *time_text(const row *r, char text[TIME_PATTERN_SIZE])
{
    const size_t last = r->clock_column ? r->clock_column : r->time_column;
    if (r->time_column > r->n || last > r->n) return NULL;
    const field *f = &r->fields[r->time_column - 1], *clock = &r->fields[last - 1];
    const bool is_joined = r->clock_column > 0;
    if (f->length == 0 || clock->length == 0) return NULL;
    const int n = snprintf(text, TIME_PATTERN_SIZE, "%.*s%s%.*s", (int)f->length, f->text,
                           is_joined ? " " : "", is_joined ? (int)clock->length : 0, clock->text);
    return n < TIME_PATTERN_SIZE ? text : NULL;
}

/* Read a time that is neither a number nor ISO 8601, or that has a format. */
static bool read_time_text(row *r, const char *text)
{
    const size_t n = r->format ? 0 : iso8601_parse(text, &r->time);
    r->time_iso = n > 0 && text[n] == '\0';
    if (r->time_iso) return true;
    const time_pattern *pattern = r->format ? r->format : &r->form;
    if (!r->format && !*r->form.format && !time_pattern_find(&r->form, text)) return false;
    r->time_iso = pattern->has_date;
    r->time_has_form = true;
    return time_pattern_read(pattern, text, &r->time);
}

/* Has no field given the time, or not all of it? */
static inline bool needs_time(const row *r)
{
    return r->time_column && (!r->time_ok || r->format || r->clock_column);
}

/* All fields are there: read the time from their text. */
static void end_time(row *r)
{
    char text[TIME_PATTERN_SIZE];
    r->time_ok = r->time_iso = false;
    if (!time_text(r, text) || !read_time_text(r, text)) return;
    r->time_ok = true;
    const size_t columns[] = {r->time_column, r->clock_column};
    for (size_t i = 0; i < 2 && columns[i]; i++) {
        field *f = &r->fields[columns[i] - 1];
        f->number = true;
        f->missing = false;
        f->value = exact_time_as_double(r->time);
    }
}

/* The next field, f, has its text and, if it has one, its value. */
static void end_field(row *r, field *f)
{
    f->missing = !f->number && is_missing(f->text, f->length);
    if (f->missing) f->value = (double)NAN;
    if (r->n + 1 == r->time_column) r->time_ok = f->number;
    r->n++;
}

static void parse_field(cursor *c, row *r)
{
    field *f = &r->fields[r->n];
    *f = (field){.text = c->at};
    const bool quoted = c->at < c->end && *c->at == '"' && parse_quoted(c, r, f);
    const size_t used = quoted || c->at == c->end ? 0 : parse_value(r, f, c->at, false);
    if ((!quoted && used == 0) || !is_end(c, c->at + used)) {
        char *stop = text_end(c);
        f->number = f->quoted = false;
        f->length = (size_t)(stop - f->text);
        c->at = stop;
    } else if (!quoted) {
        f->number = true;
        f->length = used;
        c->at += used;
    }
    if (c->has_point && f->number) f->number = agrees_in_decimal(r, f);
    end_field(r, f);
}

void row_parse(row *r, char *line, size_t length)
{
    cursor c = {line, line + length, r->separator, r->comment ? r->comment : '#', false, false};
    r->n = 0;
    r->time_ok = r->time_iso = r->time_has_form = r->mixed = false;
    r->n_trailing = trim(&c);
    if (c.separator != '\t') r->n_trailing = 0;
    if (c.separator != ',' && r->decimal != '.' && !r->is_decimal_given)
        c.has_point = memchr(line, '.', (size_t)(c.end - line));
    skip_blanks(&c);
    bool more = c.at < c.end;
    r->is_blank = !more && !c.has_comment;
    while (more) {
        parse_field(&c, r);
        skip_blanks(&c);
        more = c.at < c.end;
        if (!more || c.separator == ' ') continue;
        c.at++;
        skip_blanks(&c);
    }
    if (needs_time(r)) end_time(r);
}

void row_add(row *r, const char *text, size_t length)
{
    field *f = &r->fields[r->n];
    *f = (field){.text = text, .length = length};
    const size_t used = parse_value(r, f, text, false);
    f->number = used > 0 && used == length;
    end_field(r, f);
    if (r->n == r->time_column && needs_time(r)) end_time(r);
}

void row_pad(row *r, size_t n, bool may_lack_last)
{
    if (n > r->n + r->n_trailing + may_lack_last) return;
    while (r->n < n) r->fields[r->n++] = (field){.text = "", .value = (double)NAN, .missing = true};
}

const char *text_field_show(const field *f, char shown[TEXT_FIELD_SHOWN])
{
    size_t n = (size_t)sprintf(shown, "'");
    for (size_t i = 0; i < f->length && i < TEXT_FIELD_BYTES;) {
        i += escape_next(f->text + i, shown + n);
        n += strlen(shown + n);
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

/* Such as 12:30:00, 31/12/2026 or 31.12.2026. */
static bool is_other_time(const field *f)
{
    const char *text = f->text, *end = text + f->length;
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits >= f->length || !strchr(":/.", text[digits])) return false;
    const char *point = memchr(text + digits + 1, '.', f->length - digits - 1);
    if (text[digits] == '.' && (!point || point + 1 == end)) return false;
    const size_t n = strspn(text, "0123456789:/. ");
    const bool is_half = n + 2 == f->length && strchr("aApP", text[n]) && strchr("mM", text[n + 1]);
    return n >= f->length || is_half;
}

/* A time that --time-column reads without a format. */
static bool is_sure_time(const field *f)
{
    char text[TIME_PATTERN_SIZE];
    time_pattern form;
    if (f->length >= sizeof text) return false;
    memcpy(text, f->text, f->length);
    text[f->length] = '\0';
    return time_pattern_find(&form, text);
}

bool text_field_is_time(const field *f)
{
    return is_iso(f) || is_other_time(f);
}

/* Such as 1,23, or "0,5" if commas separate fields. */
static bool has_other_marks(const row *r, const field *f)
{
    const bool has_point = r->is_decimal_given && memchr(f->text, '.', f->length);
    return (has_point || memchr(f->text, ',', f->length)) &&
           strspn(f->text, "+-0123456789.,") >= f->length;
}

/* Why the time column has no time, but perhaps one that needs a format. */
static void refuse_time(const row *r, const char *shown, char *reason, size_t size)
{
    if (r->format)
        snprintf(reason, size, "%s is not a time of --time-format", shown);
    else if (shown[1 + strspn(shown + 1, "0123456789")] == '/') /* the month first, or the day */
        snprintf(reason, size, "%s needs its --time-format, such as '%%m/%%d/%%Y %s'", shown,
                 strpbrk(shown, "Mm") ? "%I:%M:%S %p" : "%H:%M:%S");
    else
        snprintf(reason, size,
                 "%s is not a time; write dates such as 2026-12-31 23:59:59, or give --time-format",
                 shown);
}

void text_field_refuse(const row *r, size_t index, const char *what, bool is_first, char *reason,
                       size_t size)
{
    const field *f = &r->fields[index];
    char shown[TEXT_FIELD_SHOWN], text[TIME_PATTERN_SIZE];
    const bool is_time = index + 1 == r->time_column;
    const field joined = {.text = text, .length = is_time && time_text(r, text) ? strlen(text) : 0};
    if (f->length == 0)
        snprintf(reason, size, "column %zu is empty", index + 1);
    else if (is_first && !is_time && (is_iso(f) || is_sure_time(f)))
        snprintf(reason, size,
                 "%s is not a %s; name the time with --time-column %zu, or choose with --columns",
                 text_field_show(f, shown), what, index + 1);
    else if (is_first && !is_time && is_other_time(f))
        snprintf(reason, size, "%s is not a %s; choose other columns with --columns",
                 text_field_show(f, shown), what);
    else if (is_time && (r->format || is_digit(*f->text)))
        refuse_time(r, text_field_show(joined.length ? &joined : f, shown), reason, size);
    else if (has_other_marks(r, f))
        snprintf(reason, size,
                 "%s is not a %s; --decimal , reads 1.234,5 and --decimal . reads 1,234.5",
                 text_field_show(f, shown), what);
    else
        snprintf(reason, size, "%s is not a %s", text_field_show(f, shown), what);
}
