/* csv_out.c - comma-separated values: a header row, quotes as in RFC 4180, lines that end in \n. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "io/escape.h"
#include "io/writers/writer.h"

static void header(text_buffer *out, const writer_style *style)
{
    text_add_string(out, "file,label,start,end,start_sample,end_sample,score,threshold");
    if (style->with_group) text_add_string(out, ",group");
    text_add_string(out, style->with_strand ? ",strand,record\n" : "\n");
}

/* One character of a quoted or plain field. Tabs and ends of lines are kept, as RFC 4180 allows;
 * other control characters are escaped. Returns the bytes of `string` that it takes. */
static size_t character(text_buffer *out, const char *string)
{
    char shown[ESCAPE_SIZE];
    const size_t n = escape_next(string, shown);
    if (*string == '"')
        text_add_string(out, "\"\"");
    else if (strchr("\t\r\n", *string))
        text_add(out, string, n);
    else
        text_add_string(out, shown);
    return n;
}

/* Quotes are added if needed, and doubled inside. Spreadsheets take text that begins with one of
 * =+-@ and the like for a formula: an apostrophe before it stops them
 * (https://owasp.org/www-community/attacks/CSV_Injection). */
static void field(text_buffer *out, const char *string)
{
    const bool is_formula = *string && strchr("=+-@\t\r", *string);
    const bool is_quoted = is_formula || strpbrk(string, ",\"\r\n");
    if (is_quoted) text_add_string(out, is_formula ? "\"'" : "\"");
    while (*string) string += character(out, string);
    if (is_quoted) text_add_string(out, "\"");
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char time[TIME_TEXT_SIZE];
    field(out, m->file);
    text_add_string(out, ",");
    field(out, m->label);
    writer_start_text(time, style->times, m);
    text_add_format(out, ",%s,", time);
    writer_end_text(time, style->times, m);
    text_add_format(out, "%s,%" PRIu64 ",%" PRIu64 ",", time, m->start, m->end);
    text_add_score(out, m->score);
    text_add_string(out, ",");
    if (isfinite(m->threshold)) text_add_score(out, m->threshold);
    if (style->with_group) {
        text_add_string(out, ",");
        field(out, m->group ? m->group : "");
    }
    if (style->with_strand) {
        text_add_format(out, ",%c,", m->strand);
        field(out, m->record ? m->record : "");
    }
    text_add_string(out, "\n");
}

const writer_ops writer_csv = {.name = "csv", .extension = "csv", .header = header, .match = match};
