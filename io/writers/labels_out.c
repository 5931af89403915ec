/* labels_out.c - a label track of Audacity: START<TAB>END<TAB>LABEL, always in seconds. A track
 * begins at 0, so dates count from the first time of the input. */
#include "io/writers/writer.h"

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char start[TIME_TEXT_SIZE], end[TIME_TEXT_SIZE];
    (void)style;
    writer_offset_text(start, m, m->start, m->start_time);
    writer_offset_text(end, m, m->end, m->end_time);
    text_add_format(out, "%s\t%s\t", start, end);
    text_add_escaped(out, m->label);
    text_add_string(out, "\n");
}

const writer_ops writer_labels = {
    .name = "labels", .extension = "labels.txt", .has_one_input = true, .match = match};
