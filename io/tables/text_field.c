#include "io/tables/text_field.h"

#include <stdio.h>
#include <string.h>

#include "io/time/iso8601.h"

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
