#include "io/tables/decimal_pair.h"

#include <string.h>

enum {
    FEWEST_ROWS = 3,
    SURE_STEPS = 4,   /* equal steps in sequence: the first column counts, or is a time */
    RISING_ROWS = 16, /* first numbers that rise alone are times */
    LONG_NUMBER = 9,  /* digits of a time, hardly of a value before its decimals */
};

static bool is_whole(const field *f, size_t sign)
{
    return !f->quoted && f->length > sign && f->length <= 18 &&
           strspn(f->text + sign, "0123456789") == f->length - sign;
}

static uint64_t to_whole(const field *f, size_t sign)
{
    uint64_t whole = 0;
    for (size_t i = sign; i < f->length; i++) whole = whole * 10 + (uint64_t)(f->text[i] - '0');
    return whole;
}

/* Do the first numbers go on by equal steps? */
static bool counts(decimal_pair *p, uint64_t whole)
{
    const uint64_t step = whole - p->whole;
    const bool is_same = p->rows > 0 && step != 0 && step == p->step;
    p->falls |= p->rows > 0 && (int64_t)step <= 0;
    p->n_steps = is_same ? p->n_steps + 1 : p->rows > 0 && step != 0;
    p->least = p->rows == 0 || (int64_t)whole < p->least ? (int64_t)whole : p->least;
    p->most = p->rows == 0 || (int64_t)whole > p->most ? (int64_t)whole : p->most;
    p->step = step;
    p->whole = whole;
    return p->n_steps >= SURE_STEPS;
}

/* Decimals have one length, or no 0 at the end. */
static bool are_whole(decimal_pair *p, const field *b, uint64_t places)
{
    if (p->rows == 0) {
        p->width = b->length;
        p->places = places;
    }
    p->digits |= 1U << (*b->text - '0');
    p->is_varied |= places != p->places && (places > 1 || p->places > 1);
    p->widths_differ |= b->length != p->width;
    p->ends_in_0 |= b->length > 1 && b->text[b->length - 1] == '0';
    return p->widths_differ && p->ends_in_0;
}

/* The digits of "399e+03", else the length: nobody writes two numbers as -1,399e+03. */
static size_t digits_before_e(const field *f)
{
    const size_t n = strspn(f->text, "0123456789");
    return f->number && n < f->length && (f->text[n] | 0x20) == 'e' ? n : f->length;
}

pair_kind decimal_pair_look(decimal_pair *p, const row *r)
{
    const field *a = r->fields;
    const field *b =
        &(field){.text = a[1].text, .length = digits_before_e(a + 1), .quoted = a[1].quoted};
    const size_t sign = (*a->text == '-' || *a->text == '+') && a->length > 0;
    if (!is_whole(a, sign) || !is_whole(b, 0) || b->text != a->text + a->length + 1)
        return PAIR_SURE;
    if (a->length - sign > LONG_NUMBER || (a->length - sign > 1 && a->text[sign] == '0'))
        return PAIR_SURE;
    if (b->length > 1 && *b->text == '0') return PAIR_DECIMAL;
    const uint64_t whole = to_whole(a, sign);
    if (whole == 0 && *a->text == '-') return PAIR_DECIMAL;
    const bool wholes_count = counts(p, *a->text == '-' ? -whole : whole);
    const bool decimals_are_whole = are_whole(p, b, to_whole(b, 0));
    p->rows++;
    return wholes_count || decimals_are_whole ? PAIR_SURE : PAIR_OPEN;
}

/* Do decimals of so many values have more digits than these? Halves have two, 0 and 5. */
static bool are_few_digits(const decimal_pair *p)
{
    enum { MANY_ROWS = 64, WIDE = 8 /* whole numbers */, FEW = 3, HALVES = 1 << 0 | 1 << 5 };
    unsigned n = 0;
    if (p->rows < MANY_ROWS || p->most - p->least < WIDE) return false;
    for (unsigned left = p->digits; left; left >>= 1) n += left & 1;
    const bool lacks_0 = p->width > 1 && !p->widths_differ;
    return lacks_0 || (n <= FEW && p->digits != HALVES);
}

bool decimal_pair_is_likely(const decimal_pair *p)
{
    const bool is_time = !p->falls && p->rows >= RISING_ROWS;
    return p->rows >= FEWEST_ROWS && p->is_varied && !is_time && !are_few_digits(p);
}
