/* labels_out.c - a label track of Audacity: START<TAB>END<TAB>LABEL, always in seconds. */
#include "io/writer.h"

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char time[TIME_TEXT_SIZE];
    (void)style;
    writer_start_text(time, TIME_SECONDS, m);
    text_add_format(out, "%s\t", time);
    writer_end_text(time, TIME_SECONDS, m);
    text_add_format(out, "%s\t", time);
    text_add_escaped(out, m->label);
    text_add_string(out, "\n");
}

const writer_ops writer_labels = {.name = "labels", .match = match};
