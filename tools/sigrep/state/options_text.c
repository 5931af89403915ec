#include "tools/sigrep/state/options_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/time/time_pattern.h"

static void add_columns(text_buffer *out, const source_options *s)
{
    text_add_string(out, "--columns");
    for (size_t i = 0; i < s->n_columns; i++) {
        text_add_format(out, " %zu", s->columns[i]);
        if (s->column_names && s->column_names[i]) text_add_format(out, "=%s", s->column_names[i]);
    }
    text_add_string(out, "\n");
}

/* How tables are written. */
static void add_form(text_buffer *out, const source_options *s)
{
    const time_pattern *f = s->time_format;
    text_add_format(out, "--time-column %zu %s\n", s->clock_column,
                    s->clock_name ? s->clock_name : "");
    text_add_format(out, "--time-format %s %s\n", f ? f->format : "", f ? f->to_fraction : "");
    text_add_format(out, "--time-unit %d\n", (int)s->time_unit);
    text_add_format(out, "--resample-times %.17g\n", s->even_hz);
    text_add_format(out, "--decimal %d\n", s->decimal);
    text_add_format(out, "--header %d\n", (int)s->header);
    text_add_format(out, "--skip %" PRIu64 "\n", s->skip_lines);
    text_add_format(out, "--comment %d\n", s->comment);
}

static void add_input(text_buffer *out, const source_options *s)
{
    text_add_format(out, "--format %d %d\n", (int)s->format, s->big_endian);
    text_add_format(out, "--rate %.17g\n", s->rate_hz);
    text_add_format(out, "--channels %zu\n", s->channels);
    text_add_format(out, "--channel %d %zu\n", (int)s->choice, s->channel);
    add_columns(out, s);
    text_add_format(out, "--time-column %zu %s\n", s->time_column,
                    s->time_name ? s->time_name : "");
    add_form(out, s);
    text_add_format(out, "--fill %.17g\n", s->fill_s);
    text_add_format(out, "--skip-bad %d\n", s->skip_bad);
}

void options_text(text_buffer *out, const options *o, bool with_names)
{
    add_input(out, &o->shared.source);
    text_add_format(out, "--output %s\n", o->output->name);
    text_add_format(out, "--time %d\n", o->has_times ? (int)o->times : -1);
    text_add_format(out, "--file-time %d\n", o->has_file_time + o->file_time_is_utc);
    text_add_format(out, "--time-zone %s\n", o->time_zone ? o->time_zone : "");
    text_add_format(out, "--count %d\n", o->count);
    text_add_format(out, "--path %d\n", o->path);
    text_add_format(out, "--with-filename %d\n", with_names);
    text_add_format(out, "--hold %.17g\n", o->hold_s);
    text_add_format(out, "--max-count %" PRIu64 "\n", o->max_count);
}

bool options_text_differ(const char *before, size_t n_before, const text_buffer *now, char *line,
                         size_t size)
{
    size_t begin = 0;
    for (size_t i = 0; i < n_before && i < now->length && before[i] == now->data[i]; i++)
        if (before[i] == '\n') begin = i + 1;
    if (n_before == now->length && begin == n_before) return false;
    const size_t n = strcspn(now->data + begin, " \n");
    snprintf(line, size, "%.*s", (int)n, now->data + begin);
    return true;
}
