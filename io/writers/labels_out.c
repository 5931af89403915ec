/* labels_out.c - a label track of Audacity: START<TAB>END<TAB>LABEL, always in seconds. A track
 * begins at 0, so dates count from the first time of the input. */
#include "io/writers/writer.h"

static void put_time(text_buffer *out, const writer_match *m, uint64_t sample, exact_time at)
{
    char text[TIME_TEXT_SIZE];
    const time_point point = {.sample = sample, .time = exact_time_since(m->origin, at)};
    time_format(text, TIME_SECONDS, &m->scale, point);
    text_add_format(out, "%s\t", text);
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    (void)style;
    put_time(out, m, m->start, m->start_time);
    put_time(out, m, m->end, m->end_time);
    text_add_escaped(out, m->label);
    text_add_string(out, "\n");
}

const writer_ops writer_labels = {
    .name = "labels", .extension = "labels.txt", .has_one_input = true, .match = match};
