#include "io/tables/marked_number.h"

#include <string.h>

enum { GROUP = 3, MOST_DIGITS = 40 };

static const char DIGITS[] = "0123456789";

/* The number so far: what is read, and its copy. */
typedef struct {
    const char *at;
    char *to;
    size_t n; /* digits */
} copying;

/* Copy n digits. false: too many. */
static bool copy_digits(copying *c, size_t n)
{
    c->n += n;
    if (c->n > MOST_DIGITS) return false;
    memcpy(c->to, c->at, n);
    c->at += n;
    c->to += n;
    return true;
}

/* The bytes of the mark between thousands at `at`; 0: there is none. */
static size_t mark_length(number_marks marks, const char *at)
{
    static const char *const blanks[] = {"\xe2\x80\x99" /* ' */, "\xc2\xa0", "\xe2\x80\xaf"};
    const char other = marks.decimal == ',' ? '.' : ',';
    if (*at == '\'' || (*at == other && (other == '.' || marks.has_commas))) return 1;
    if (*at == ' ') return marks.is_given && marks.has_blanks;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (strncmp(at, blanks[i], strlen(blanks[i])) == 0) return strlen(blanks[i]);
    return 0;
}

/* Copy the digits before the decimal mark. The marks are all the same; *mark is the first one, or
 * NULL. false: there is no digit, or too many are there. */
static bool copy_whole(number_marks marks, copying *c, const char **mark)
{
    const size_t first = strspn(c->at, DIGITS);
    *mark = NULL;
    if (first == 0 || !copy_digits(c, first)) return false;
    if (first > GROUP) return true;
    for (size_t n; (n = mark_length(marks, c->at)) > 0;) {
        if (strspn(c->at + n, DIGITS) != GROUP || (*mark && memcmp(*mark, c->at, n) != 0)) break;
        if (!*mark) *mark = c->at;
        c->at += n;
        if (!copy_digits(c, GROUP)) return false;
    }
    return true;
}

/* Copy the decimal mark and digits behind it. *is_there: they are. */
static bool copy_places(number_marks marks, copying *c, bool *is_there)
{
    const size_t places = *c->at == marks.decimal ? strspn(c->at + 1, DIGITS) : 0;
    *is_there = places > 0 && (marks.decimal == '.' || marks.has_commas);
    if (!*is_there) return true;
    c->at++;
    *c->to++ = '.';
    return copy_digits(c, places);
}

static void copy_exponent(copying *c)
{
    if ((*c->at | 0x20) != 'e') return;
    const bool has_sign = c->at[1] == '-' || c->at[1] == '+';
    const size_t e = 1 + (size_t)has_sign, digits = strspn(c->at + e, DIGITS);
    if (digits == 0 || digits > 8) return;
    memcpy(c->to, c->at, e + digits);
    c->to += e + digits;
    c->at += e + digits;
}

/* Could a number, or a date, go on with this? */
static bool goes_on(number_marks marks, char c)
{
    const bool is_word = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    const bool is_text = (c & 0x80) != 0; /* 20.5 and a degree sign */
    return is_word || is_text || c == '.' || c == '\'' || (c == ',' && marks.has_commas);
}

size_t marked_number_copy(number_marks marks, const char *text, char plain[MARKED_NUMBER_SIZE])
{
    copying c = {.at = text, .to = plain};
    const char *mark;
    bool has_places;
    if (*text == '-' || *text == '+') *c.to++ = *c.at++;
    if (!copy_whole(marks, &c, &mark) || !copy_places(marks, &c, &has_places)) return 0;
    const bool is_unsure = mark && (*mark == '.' || *mark == ',') && !has_places;
    copy_exponent(&c);
    *c.to = '\0';
    return (is_unsure && !marks.is_given) || goes_on(marks, *c.at) ? 0 : (size_t)(c.at - text);
}
