/* gff_out.c - GFF3 (https://github.com/The-Sequence-Ontology/Specifications, version 1.26):
 * positions count from 1, END is the last letter, and the score is the number of edits. */
#include <inttypes.h>
#include <string.h>

#include "io/writers/writer.h"

static void header(text_buffer *out, const writer_style *style)
{
    (void)style;
    text_add_string(out, "##gff-version 3\n");
}

/* Bytes that have a meaning, and those that cannot be seen, become %XX. An empty field is a dot. */
static void field(text_buffer *out, const char *string)
{
    for (const unsigned char *s = (const unsigned char *)string; *s; s++) {
        const bool is_first = s == (const unsigned char *)string;
        if (*s <= 0x20 || *s == 0x7f || strchr("%;=&,", *s) || (is_first && strchr(">#", *s)))
            text_add_format(out, "%%%02X", *s);
        else
            text_add(out, (const char *)s, 1);
    }
    if (!*string) text_add_string(out, ".");
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    (void)style;
    field(out, m->record ? m->record : m->file);
    text_add_format(out, "\tsigrep-text\t%s\t%" PRIu64 "\t%" PRIu64 "\t",
                    m->strand == '.' ? "match" : "nucleotide_match", m->start + 1, m->end);
    text_add_score(out, m->score);
    text_add_format(out, "\t%c\t.\tName=", m->strand);
    field(out, m->label);
    text_add_string(out, "\n");
}

const writer_ops writer_gff = {
    .name = "gff", .extension = "gff3", .header = header, .match = match};
