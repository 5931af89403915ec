#include "io/text_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/text_field.h"

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
    if (isnan(f->value)) v->lacking = index + 1;
    return f->value;
}

bool text_values_end_row(text_values *v)
{
    v->has_whole_row |= !v->lacking;
    return v->lacking && !v->has_whole_row && ++v->n_lacking == FIRST_ROWS;
}

void text_values_report_lacking(source *src, text_values *v, const char *name)
{
    char column[TEXT_FIELD_SHOWN];
    if (!v->lacking || v->has_whole_row || src->options.fill_s > 0) return;
    if (name)
        text_field_show(&(field){.text = name, .length = strlen(name)}, column);
    else
        snprintf(column, sizeof column, "column %zu", v->lacking);
    source_warn(src,
                "every row lacks a value, such as that of %s, and is a gap; choose others with "
                "--columns",
                column);
    v->has_whole_row = true;
}
