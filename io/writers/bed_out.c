/* bed_out.c - BED (GA4GH BED v1.0), six fields: the sequence, START, END, the pattern, edits, and
 * the strand. Edits stand in the score's place, which ends at 1000. A sequence without a name is a
 * dot. If its name begins as a header of BED does, the first byte is escaped. */
#include <inttypes.h>
#include <string.h>

#include "io/writers/writer.h"

/* Do readers take a line that begins so for a header, or for a comment? */
static bool is_header(const char *name)
{
    return *name == '#' || strncmp(name, "track", 5) == 0 || strncmp(name, "browser", 7) == 0;
}

static void add_sequence(text_buffer *out, const char *name)
{
    if (!*name) name = ".";
    if (is_header(name)) text_add_format(out, "\\x%02x", (unsigned)(unsigned char)*name++);
    text_add_escaped(out, name);
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    (void)style;
    add_sequence(out, m->record ? m->record : m->file);
    text_add_format(out, "\t%" PRIu64 "\t%" PRIu64 "\t", m->start, m->end);
    text_add_escaped(out, m->label);
    text_add_format(out, "\t%.0f\t%c\n", m->score < 1000 ? m->score : 1000, m->strand);
}

const writer_ops writer_bed = {.name = "bed", .extension = "bed", .match = match};
