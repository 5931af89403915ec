#include "io/tables/row_words.h"

#include <stdlib.h>
#include <string.h>

bool field_is_value(const field *f)
{
    return f->number || f->missing;
}

bool field_is_word(const field *f)
{
    return !field_is_value(f) && !text_field_is_time(f);
}

size_t row_count_words(const row *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) n += field_is_word(&r->fields[i]);
    return n;
}

size_t row_count_numbers(const row *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) n += r->fields[i].number;
    return n;
}

bool row_has_missing_word(const row *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->fields[i].missing && r->fields[i].length > 0) return true;
    return false;
}

bool row_is_odd_names(const row *r)
{
    const size_t words = row_count_words(r);
    return words > 0 && (field_is_word(&r->fields[0]) || words > row_count_numbers(r));
}

bool row_shares_numbers(const row *above, const row *r)
{
    for (size_t i = 0; i < r->n && i < above->n; i++)
        if (above->fields[i].number && r->fields[i].number) return true;
    return false;
}

bool row_shares_words(const row *above, const row *r)
{
    for (size_t i = 0; i < r->n && i < above->n; i++)
        if (field_is_word(&above->fields[i]) && field_is_word(&r->fields[i])) return true;
    return false;
}

/* A word, or dashes, which stand for no unit. */
static bool is_unit(const field *f)
{
    const bool is_dash = f->length > 0 && strspn(f->text, "-") >= f->length;
    return field_is_word(f) || (f->missing && is_dash);
}

bool row_has_word_above(const row *above, const row *r)
{
    if (above->n != r->n) return false;
    for (size_t i = 0; i < r->n; i++) {
        const field *below = &r->fields[i];
        if (is_unit(&above->fields[i]) && (below->number || text_field_is_time(below))) return true;
    }
    return false;
}

static bool is_text(const field *f, char text)
{
    return f->length == 1 && *f->text == text;
}

bool row_may_be_units(const row *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const field *f = &r->fields[i];
        const bool is_one = f->number && is_text(f, '1');
        if (!is_one && (f->number || text_field_is_time(f))) return false;
        n += is_unit(f);
    }
    return n > 0;
}

bool row_is_units(const row *line, const row *below)
{
    return row_may_be_units(line) && row_has_word_above(line, below) && !line->fields[0].number;
}

bool row_is_unclear(const row *above, const row *r)
{
    const bool counts = is_text(&above->fields[0], '1') && is_text(&r->fields[0], '2');
    for (size_t i = 0; i < above->n; i++) {
        const field *f = &above->fields[i];
        const bool is_whole = strspn(f->text, "0123456789") >= f->length;
        if (f->number ? !is_whole : text_field_is_time(f)) return false;
    }
    return row_has_word_above(above, r) && !counts;
}

bool row_counts_columns(const row *r)
{
    const size_t from = r->n > 0 && r->fields[0].length == 0;
    for (size_t i = from; i < r->n; i++) {
        const field *f = &r->fields[i];
        char *end;
        if (f->length == 0 || f->text[strspn(f->text, "0123456789")] == '.') return false;
        if (strtoul(f->text, &end, 10) != i - from || (size_t)(end - f->text) != f->length)
            return false;
    }
    return r->n >= 2;
}
