/* bed_out.c - BED (GA4GH BED v1.0), six fields: the sequence, START, END, the pattern, edits, and
 * the strand. Edits stand in the score's place, which ends at 1000. A sequence without a name is a
 * dot. */
#include <inttypes.h>

#include "io/writers/writer.h"

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    (void)style;
    const char *name = m->record ? m->record : m->file;
    text_add_escaped(out, *name ? name : ".");
    text_add_format(out, "\t%" PRIu64 "\t%" PRIu64 "\t", m->start, m->end);
    text_add_escaped(out, m->label);
    text_add_format(out, "\t%.0f\t%c\n", m->score < 1000 ? m->score : 1000, m->strand);
}

const writer_ops writer_bed = {.name = "bed", .extension = "bed", .match = match};
