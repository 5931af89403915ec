/*
 * sam_out.c - SAM (https://samtools.github.io/hts-specs/SAMv1.pdf, 1.6): a pattern is the read, and
 * a record the reference.
 *
 *     QNAME    FLAG  RNAME  POS  MAPQ  CIGAR   RNEXT PNEXT TLEN  SEQ      QUAL  tags
 *     primer   16    chr1   745  255   8=1X4=  *     0     0     ACGT...  *     NM:i:1
 *
 * POS counts from 1. SEQ is the pattern as it stands on the forward strand.
 */
#include "io/writers/sam_out.h"

#include <inttypes.h>
#include <string.h>

#include "io/writers/writer.h"

enum { NAME_MOST = 254, NO_QUALITY = 255, REVERSE = 16 };

static void header(text_buffer *out, const writer_style *style)
{
    (void)style;
    text_add_string(out, "@HD\tVN:1.6\tSO:unknown\n");
}

void sam_add_name(text_buffer *out, const char *name)
{
    static const char never[] = "\"'(),<>[\\]`{}", not_first[] = "*=@";
    for (size_t i = 0; i < NAME_MOST && name[i]; i++) {
        const bool is_shown = name[i] > 0x20 && name[i] < 0x7f;
        const bool is_bad =
            !is_shown || strchr(never, name[i]) || (i == 0 && strchr(not_first, name[i]));
        text_add(out, is_bad ? "_" : name + i, 1);
    }
    if (!*name) text_add_string(out, "_");
}

void sam_add_sequence(text_buffer *out, const char *name, uint64_t letters)
{
    text_add_string(out, "@SQ\tSN:");
    sam_add_name(out, name);
    text_add_format(out, "\tLN:%" PRIu64 "\n", letters);
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    (void)style;
    sam_add_name(out, m->label);
    text_add_format(out, "\t%d\t", m->strand == '-' ? REVERSE : 0);
    sam_add_name(out, m->record ? m->record : m->file);
    text_add_format(out, "\t%" PRIu64 "\t%d\t%s\t*\t0\t0\t%s\t*\tNM:i:%zu\n", m->start + 1,
                    NO_QUALITY, m->cigar, m->letters, m->edits);
}

const writer_ops writer_sam = {
    .name = "sam", .extension = "sam", .has_alignment = true, .header = header, .match = match};
