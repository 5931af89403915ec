#include "tools/sigrep/monitor/monitor_json.h"

#include <inttypes.h>
#include <math.h>

/* Of labels and matches, as people read it. */
static void add_score(text_buffer *out, double score)
{
    char text[SCORE_TEXT];
    text_add_string(out, isfinite(score) ? score_short_text(text, score) : "null");
}

static void add_value(text_buffer *out, const char *format, double value)
{
    if (isfinite(value))
        text_add_format(out, format, value);
    else
        text_add_string(out, "null");
}

static void add_string(text_buffer *out, const char *name, const char *value)
{
    text_add_format(out, "\"%s\":", name);
    if (value)
        json_add_string(out, value);
    else
        text_add_string(out, "null");
}

static void add_level(text_buffer *out, const monitor_view *v)
{
    text_add_string(out, ",\"level\":");
    if (v->level.n == 0) {
        text_add_string(out, "null");
    } else if (v->is_audio) {
        text_add_string(out, "{\"level_db\":");
        add_value(out, "%.1f", monitor_level_db(&v->level));
        text_add_string(out, ",\"peak_db\":");
        add_value(out, "%.1f", monitor_peak_db(&v->level));
        text_add_string(out, "}");
    } else {
        text_add_format(out, "{\"least\":%.4g,\"largest\":%.4g}", v->level.low, v->level.high);
    }
}

static void add_label(text_buffer *out, const monitor_row *row)
{
    text_add_string(out, "{");
    add_string(out, "label", row->label);
    text_add_string(out, ",\"score\":");
    add_score(out, row->score);
    text_add_string(out, ",\"threshold\":");
    add_score(out, row->threshold);
    text_add_string(out, "}");
}

static void add_labels(text_buffer *out, const monitor_view *v)
{
    size_t chosen[PAGE_LABELS];
    const size_t n = monitor_nearest(v, chosen, PAGE_LABELS);
    text_add_string(out, ",\"labels\":[");
    for (size_t i = 0; i < n; i++) {
        if (i > 0) text_add_string(out, ",");
        add_label(out, &v->rows[chosen[i]]);
    }
    text_add_format(out, "],\"labels_left_out\":%zu", v->n_rows - n);
}

static void add_match(text_buffer *out, const shown_match *m)
{
    text_add_string(out, "{");
    add_string(out, "input", m->input);
    text_add_string(out, ",");
    add_string(out, "label", m->label);
    text_add_string(out, ",");
    add_string(out, "start", m->start);
    text_add_string(out, ",");
    add_string(out, "end", m->end);
    text_add_string(out, ",\"score\":");
    add_score(out, m->score);
    text_add_string(out, "}");
}

void monitor_json(text_buffer *out, const monitor_snapshot *s)
{
    const monitor_view *v = &s->view;
    text_add_string(out, "{");
    add_string(out, "input", v->name);
    text_add_format(out, ",\"samples\":%" PRIu64 ",\"seconds\":", v->samples);
    add_value(out, "%.1f", v->rate_known ? (double)v->samples / v->rate_hz : INFINITY);
    text_add_format(out, ",\"lost\":%" PRIu64 ",\"gaps\":%" PRIu64, v->lost, v->gaps);
    add_level(out, v);
    add_labels(out, v);
    text_add_format(out, ",\"matches\":%" PRIu64 ",\"last\":[", v->matches);
    for (size_t i = 0; i < s->n_matches; i++) {
        if (i > 0) text_add_string(out, ",");
        add_match(out, &s->matches[i]);
    }
    text_add_string(out, "]}\n");
}
