#include "tools/sigrep-plot/page_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/time/time_format.h"
#include "tools/common/input/column_times.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/recording.h"
#include "tools/sigrep-plot/reduce.h"

enum { REMARK_SIZE = 512 };

void page_json_add_number(text_buffer *out, double value)
{
    if (isfinite(value))
        text_add_format(out, "%.9g", value);
    else
        text_add_string(out, "null");
}

void page_json_add_title(text_buffer *out, const char *title, const template_set *set)
{
    json_add_string(out, title);
    text_add_string(out, ",\"frontEnd\":");
    json_add_string(out, set->front_end);
}

static void add_segments(text_buffer *out, const reduction *d)
{
    static const char *const names[SEGMENT_KINDS] = {"ranges", "samples", "columns", "scores"};
    text_add_string(out, ",\n\"segments\":{");
    for (size_t k = 0; k < SEGMENT_KINDS; k++) {
        const segment_list *list = &d->segments[k];
        text_add_format(out, "%s\"%s\":[", k ? "," : "", names[k]);
        for (size_t i = 0; i < list->n; i++) {
            const segment *s = &list->items[i];
            text_add_format(out, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%zu]", i ? "," : "",
                            s->level.first, s->level.n, s->level.bucket, s->offset);
        }
        text_add_string(out, "]");
    }
    text_add_string(out, "}");
}

static void add_times(text_buffer *out, const reduction *d)
{
    const timeline *t = &d->times;
    char origin[TIME_TEXT_SIZE];
    text_add_string(out, ",\"times\":{\"step\":");
    text_add_format(out, "%.17g", t->counts ? 1 : t->step_s);
    if (d->r->info.times == SOURCE_ISO || d->r->info.times == SOURCE_EPOCH) {
        const time_scale scale = {.rate_hz = d->r->info.rate_hz, .from_column = true};
        time_format(origin, TIME_CLOCK, &scale, (time_point){.time = t->origin});
        if (!t->counts) text_add_format(out, ",\"origin\":\"%s\"", origin);
    } else if (exact_time_is_known(t->origin)) {
        text_add_format(out, ",\"first\":%.17g", exact_time_as_double(t->origin));
    }
    text_add_format(out, ",\"counts\":%s,\"pieces\":[", t->counts ? "true" : "false");
    for (size_t i = 0; i < t->n; i++)
        text_add_format(out, "%s[%" PRIu64 ",%.12g]", i ? "," : "", t->pieces[i].first,
                        t->pieces[i].time_s);
    text_add_string(out, "]}");
}

static void add_channels(text_buffer *out, const recording *r)
{
    char name[RECORDING_NAME_SIZE];
    text_add_string(out, ",\"channels\":[");
    for (size_t k = 0; k < r->channels; k++) {
        text_add_string(out, k ? ",{\"name\":" : "{\"name\":");
        recording_channel_name(r, k, name);
        json_add_string(out, name);
        text_add_string(out, ",\"least\":");
        page_json_add_number(out, (double)r->ranges[k].least);
        text_add_string(out, ",\"most\":");
        page_json_add_number(out, (double)r->ranges[k].most);
        text_add_string(out, "}");
    }
    text_add_string(out, "]");
}

static void add_curves(text_buffer *out, const recording *r)
{
    text_add_format(out, ",\"frames\":%" PRIu64 ",\"curves\":[", r->n_frames);
    for (size_t c = 0; c < r->n_curves; c++) {
        const score_curve *curve = &r->curves[c];
        text_add_string(out, c ? ",{\"label\":" : "{\"label\":");
        json_add_string(out, r->set->items[curve->first_template].label);
        text_add_format(
            out, ",\"isRatio\":%s,\"threshold\":", isnan(curve->threshold) ? "true" : "false");
        page_json_add_number(out, isnan(curve->threshold) ? 1 : curve->threshold);
        text_add_string(out, ",\"top\":");
        page_json_add_number(out, reduce_top(curve));
        text_add_string(out, ",\"least\":");
        page_json_add_number(out, isfinite(curve->least) ? (double)curve->least : 0);
        text_add_string(out, "}");
    }
    text_add_string(out, "]");
}

/* When a match starts and ends, as sigrep prints it. */
typedef struct {
    char start[TIME_TEXT_SIZE], end[TIME_TEXT_SIZE];
} match_times;

static match_times times_of(const recording *r, const plot_match *m)
{
    match_times text = {.start = ""};
    const time_scale scale = {.rate_hz = r->info.rate_hz, .from_column = r->times != NULL};
    const time_style style = r->info.times == SOURCE_ISO ? TIME_CLOCK : TIME_SECONDS;
    time_point start = {.sample = m->start}, end = {.sample = m->end};
    if (r->times) {
        start.time = column_times_at(r->times, m->start);
        end.time = column_times_end(r->times, m->end);
        start.time.decimals = end.time.decimals;
    }
    time_format(text.start, style, &scale, start);
    time_format(text.end, style, &scale, end);
    return text;
}

/* As an array: page.js names its items. */
static void add_match(text_buffer *out, const reduction *d, size_t i)
{
    const recording *r = d->r;
    const plot_match *m = &r->matches.items[i];
    const match_times times = times_of(r, m);
    text_add_format(out, "[%zu,%" PRIu64 ",%" PRIu64 ",", m->template_index, m->start, m->end);
    page_json_add_number(out, m->score);
    text_add_string(out, ",");
    page_json_add_number(out, m->threshold);
    text_add_format(out, ",\"%s\",\"%s\"", times.start, times.end);
    if (d->has_path[i])
        text_add_format(out, ",%zu,%zu,%zu,%zu", d->path_at[i], m->n_pairs, m->template_frames,
                        m->match_frames);
    text_add_string(out, "]");
}

static void add_remarks(text_buffer *out, const reduction *d)
{
    text_add_string(out, ",\n\"remarks\":[");
    const char *at = d->remarks.data, *end = at + d->remarks.length;
    for (size_t i = 0; at < end; i++) {
        char sentence[REMARK_SIZE];
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        snprintf(sentence, sizeof sentence, "%.*s", (int)(newline - at), at);
        text_add_string(out, i ? "," : "");
        json_add_string(out, sentence);
        at = newline + 1;
    }
    text_add_string(out, "]");
}

void page_json_add_input(text_buffer *out, const reduction *d)
{
    const recording *r = d->r;
    const spectrogram *s = &d->spectrogram;
    text_add_string(out, "{\"name\":");
    json_add_string(out, r->name);
    text_add_string(out, ",\"format\":");
    json_add_string(out, r->info.format);
    text_add_format(out, ",\"isAudio\":%s,\"rateKnown\":%s,\"rate\":%.17g,\"samples\":%" PRIu64,
                    r->info.audio || r->info.microphone ? "true" : "false",
                    r->info.rate_known ? "true" : "false", r->info.rate_hz, r->n);
    text_add_format(out, ",\"unit\":\"%s\"",
                    r->info.times == SOURCE_ISO ? "UTC" : recording_unit(r));
    if (s->bands)
        text_add_format(out,
                        ",\n\"spectrogram\":{\"bands\":%zu,\"hop\":%" PRIu64
                        ",\"top\":%.9g,\"floor\":%g,\"step\":%g}",
                        s->bands, s->hop, s->top_hz, SPECTROGRAM_FLOOR_DB, SPECTROGRAM_STEP_DB);
    add_times(out, d);
    add_channels(out, r);
    add_curves(out, r);
    add_segments(out, d);
    add_remarks(out, d);
    text_add_format(out, ",\"allMatches\":%zu,\n\"matches\":[", r->matches.n);
    for (size_t i = 0; i < d->n_matches; i++) {
        text_add_string(out, i ? ",\n" : "");
        add_match(out, d, d->matches[i]);
    }
    text_add_string(out, "]}");
}
