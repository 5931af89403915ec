/* text_out.c - START<TAB>END<TAB>SCORE<TAB>LABEL, after FILE: if grep would print that. With
 * strands STRAND follows, and of records RECORD; with groups GROUP. */
#include "io/writers/writer.h"

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char time[TIME_TEXT_SIZE];
    if (style->with_file) {
        text_add_escaped(out, m->file);
        text_add_string(out, ":");
    }
    writer_start_text(time, style->times, m);
    text_add_format(out, "%s\t", time);
    writer_end_text(time, style->times, m);
    text_add_format(out, "%s\t", time);
    text_add_score(out, m->score);
    text_add_string(out, "\t");
    text_add_escaped(out, m->label);
    if (style->with_group && m->group) {
        text_add_string(out, "\t");
        text_add_escaped(out, m->group);
    }
    if (style->with_strand) text_add_format(out, "\t%c", m->strand);
    if (style->with_strand && m->record) {
        text_add_string(out, "\t");
        text_add_escaped(out, m->record);
    }
    text_add_string(out, "\n");
}

const writer_ops writer_text = {.name = "text", .extension = "txt", .match = match};
