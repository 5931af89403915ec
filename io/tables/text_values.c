#include "io/tables/text_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/tables/jsonl.h"

enum { FIRST_ROWS = 64 };

/* Is the value too large, and not an infinity that somebody wrote? */
static bool is_beyond(const field *f)
{
    const char *at = f->text + strspn(f->text, "+- ");
    return isinf(f->value) && *at != 'i' && *at != 'I';
}

float text_values_take(source *src, text_values *v, const row *r, size_t index, uint64_t line)
{
    const field *f = &r->fields[index];
    char shown[TEXT_FIELD_SHOWN];
    if (isinf(f->value) && !v->beyond_reported && is_beyond(f)) {
        source_warn(src, "line %llu: %s is too large for float32: a gap, as are all such values",
                    (unsigned long long)line, text_field_show(f, shown));
        v->beyond_reported = true;
    }
    const uint64_t bit = index < 64 ? UINT64_C(1) << index : 0;
    v->chosen |= bit;
    if (isnan(f->value))
        v->lacking = index + 1;
    else
        v->filled |= bit;
    return f->value;
}

bool text_values_end_row(text_values *v)
{
    v->has_whole_row |= !v->lacking;
    return v->lacking && !v->has_whole_row && ++v->n_lacking == FIRST_ROWS;
}

/* The column to name, from 1. With bridges it is one without any value so far; 0: there is none. */
static size_t lacking(const source *src, const text_values *v)
{
    const uint64_t empty = v->chosen & ~v->filled;
    size_t column = 1;
    if (src->options.fill_s <= 0) return v->lacking;
    while (empty && !(empty >> (column - 1) & 1)) column++;
    return empty ? column : 0;
}

void text_values_report_lacking(source *src, text_values *v, const jsonl *json)
{
    char shown[TEXT_FIELD_SHOWN];
    const size_t column = v->lacking && !v->has_whole_row ? lacking(src, v) : 0;
    const char *name = json && column ? jsonl_name(json, column) : NULL;
    if (column == 0) return;
    if (name)
        text_field_show(&(field){.text = name, .length = strlen(name)}, shown);
    else
        snprintf(shown, sizeof shown, "column %zu", column);
    source_warn(src,
                "every row lacks a value, such as that of %s, and is a gap; choose others with "
                "--columns",
                shown);
    v->has_whole_row = true;
}
