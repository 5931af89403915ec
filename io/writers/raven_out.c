/* raven_out.c - a selection table of Raven Pro and Raven Lite
 * (https://www.ravensoundsoftware.com/knowledge-base/): tab-separated, one row a selection. Times
 * count from the beginning of the sound, so dates count from the first time of the input. Begin
 * File and File Offset still place a row if tables of several sounds are joined. */
#include <inttypes.h>
#include <string.h>

#include "io/writers/writer.h"

static void header(text_buffer *out, const writer_style *style)
{
    (void)style;
    text_add_string(out, "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\t"
                         "High Freq (Hz)\tBegin File\tFile Offset (s)\tScore\tAnnotation\n");
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char start[TIME_TEXT_SIZE], end[TIME_TEXT_SIZE];
    (void)style;
    const char *slash = strrchr(m->file, '/');
    const double high_hz = m->high_hz > 0 ? m->high_hz : m->scale.rate_hz / 2;
    writer_offset_text(start, m, m->start, m->start_time);
    writer_offset_text(end, m, m->end, m->end_time);
    text_add_format(out, "%" PRIu64 "\tSpectrogram 1\t%zu\t%s\t%s\t%.9g\t%.9g\t", m->number,
                    m->channel ? m->channel : 1, start, end, m->low_hz, high_hz);
    text_add_escaped(out, slash ? slash + 1 : m->file);
    text_add_format(out, "\t%s\t", start);
    text_add_score(out, m->score);
    text_add_string(out, "\t");
    text_add_escaped(out, m->label);
    text_add_string(out, "\n");
}

const writer_ops writer_raven = {.name = "raven",
                                 .extension = "selections.txt",
                                 .has_one_input = true,
                                 .has_numbers = true,
                                 .header = header,
                                 .match = match};
