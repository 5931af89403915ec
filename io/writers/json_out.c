/* json_out.c - JSON Lines (RFC 8259): one object a match. */
#include <inttypes.h>
#include <math.h>

#include "io/writers/writer.h"

/* Seconds and samples are numbers, other styles strings. A time that is not finite is null. */
static void time_value(text_buffer *out, time_style style, const char *time)
{
    if (time[0] == 'n')
        text_add_string(out, "null");
    else if (style == TIME_SECONDS || style == TIME_SAMPLES)
        text_add_string(out, time);
    else
        json_add_string(out, time);
}

static void number(text_buffer *out, double value)
{
    if (isfinite(value))
        text_add_score(out, value);
    else
        text_add_string(out, "null");
}

/* Each pair as the template's frame and the first sample of the stream's. */
static void path(text_buffer *out, const writer_match *m)
{
    text_add_string(out, ",\"path\":[");
    for (size_t i = 0; i < m->n_pairs; i++)
        text_add_format(out, "%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "", m->path[i].template_frame,
                        m->path[i].start);
    text_add_string(out, "]");
}

static void member(text_buffer *out, const char *name, const char *value)
{
    text_add_format(out, ",\"%s\":", name);
    json_add_string(out, value);
}

static void match(text_buffer *out, const writer_style *style, const writer_match *m)
{
    char time[TIME_TEXT_SIZE];
    text_add_string(out, "{\"file\":");
    json_add_string(out, m->file);
    if (style->with_strand && m->record) member(out, "record", m->record);
    if (style->with_group && m->group) member(out, "group", m->group);
    member(out, "label", m->label);
    if (style->with_strand && m->strand != '.') member(out, "strand", (char[]){m->strand, 0});
    text_add_string(out, ",\"start\":");
    writer_start_text(time, style->times, m);
    time_value(out, style->times, time);
    text_add_string(out, ",\"end\":");
    writer_end_text(time, style->times, m);
    time_value(out, style->times, time);
    text_add_format(out,
                    ",\"start_sample\":%" PRIu64 ",\"end_sample\":%" PRIu64 ",\"score\":", m->start,
                    m->end);
    number(out, m->score);
    text_add_string(out, ",\"threshold\":");
    number(out, m->threshold);
    if (isfinite(m->margin)) text_add_format(out, ",\"margin\":%.9g", m->margin);
    if (m->live) {
        writer_start_text(time, TIME_CLOCK, m);
        text_add_string(out, ",\"clock\":");
        json_add_string(out, time);
    }
    if (style->with_overhang) text_add_format(out, ",\"overhang\":[%zu,%zu]", m->before, m->after);
    if (m->path) path(out, m);
    text_add_string(out, "}\n");
}

const writer_ops writer_json = {.name = "json",
                                .extension = "json",
                                .has_path = true,
                                .has_margin = true,
                                .has_clock = true,
                                .match = match};
