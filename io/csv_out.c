/* csv_out.c - comma-separated values: a header row, quotes as in RFC 4180, lines that end in \n. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "io/writer.h"

static void header(text_buffer *out)
{
    text_add_string(out, "file,label,start,end,start_sample,end_sample,score,threshold\n");
}

/* Quotes are added if needed, and doubled inside. */
static void field(text_buffer *out, const char *string)
{
    if (!strpbrk(string, ",\"\r\n")) {
        text_add_string(out, string);
        return;
    }
    text_add_string(out, "\"");
    for (const char *c = string; *c; c++) text_add(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_add_string(out, "\"");
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
    text_add_format(out, "%s,%" PRIu64 ",%" PRIu64 ",%.9g,", time, m->start, m->end, m->score);
    if (isfinite(m->threshold)) text_add_format(out, "%.9g", m->threshold);
    text_add_string(out, "\n");
}

const writer_ops writer_csv = {.name = "csv", .header = header, .match = match};
