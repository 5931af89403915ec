#include "tools/sigrep/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/escape.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/worker.h"

static const char EXTENSION[] = ".prom"; /* that node_exporter wants */

/* A label's value of n bytes: UTF-8, in which three characters are escaped. */
static void add_value(text_buffer *out, const char *value, size_t n)
{
    const char *end = value + n;
    while (value < end) {
        const size_t bytes = utf8_first(value);
        if (*value == '\n')
            text_add_string(out, "\\n");
        else if (*value == '\\' || *value == '"')
            text_add_format(out, "\\%c", *value);
        else if (bytes > 0)
            text_add(out, value, bytes);
        else
            text_add_string(out, "\xef\xbf\xbd"); /* U+FFFD */
        value += bytes > 0 ? bytes : 1;
    }
}

/* {search="NAME": figures of several files may be read together, so each has the file's name. */
static void add_name(text_buffer *out, const char *name, const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const size_t n = strlen(file), cut = sizeof EXTENSION - 1;
    const bool has_extension = n > cut && strcmp(file + n - cut, EXTENSION) == 0;
    text_add_format(out, "%s{search=\"", name);
    add_value(out, file, has_extension ? n - cut : n);
    text_add_string(out, "\"");
}

static void add_head(text_buffer *out, const char *name, const char *type, const char *help)
{
    text_add_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_count(text_buffer *out, const char *path, const char *name, const char *help,
                      uint64_t value)
{
    add_head(out, name, "counter", help);
    add_name(out, name, path);
    text_add_format(out, "} %" PRIu64 "\n", value);
}

static void add_real(text_buffer *out, const char *path, const char *name, const char *type,
                     const char *help, double value)
{
    add_head(out, name, type, help);
    add_name(out, name, path);
    text_add_format(out, "} %.3f\n", value);
}

static void add_matches(text_buffer *out, const search_run *run)
{
    static const char name[] = "sigrep_matches_total";
    const metrics *m = &run->metrics;
    add_head(out, name, "counter", "Matches, by label.");
    for (size_t i = 0; i < run->set.n; i++) {
        const loaded_template *t = &run->set.items[i];
        if (t->first_of_label != i) continue;
        const uint64_t open = m->open ? m->open->out.label_matches[i] : 0;
        add_name(out, name, run->o->stats_path);
        text_add_string(out, ",label=\"");
        add_value(out, t->label, strlen(t->label));
        text_add_format(out, "\"} %" PRIu64 "\n", m->matches[i] + open);
    }
}

static double seconds_of(const worker *w)
{
    return (double)w->feed.samples / w->out.input.scale.rate_hz;
}

static void add_all(text_buffer *out, const search_run *run)
{
    const metrics *m = &run->metrics;
    const char *path = run->o->stats_path;
    const uint64_t open = m->open ? m->open->feed.samples : 0;
    add_count(out, path, "sigrep_samples_total", "Samples of inputs, lost ones included.",
              m->samples + open);
    add_real(out, path, "sigrep_input_seconds_total", "counter", "Duration of these samples.",
             m->seconds + (m->open ? seconds_of(m->open) : 0));
    add_matches(out, run);
    add_count(out, path, "sigrep_gaps_total", "Times that samples of a live input were lost.",
              m->gaps);
    add_count(out, path, "sigrep_lost_samples_total", "Samples of live inputs that were lost.",
              m->lost);
    add_real(out, path, "sigrep_start_time_seconds", "gauge", "Unix time when the search began.",
             m->began_s);
}

bool metrics_write(search_run *run)
{
    text_buffer text = {0};
    metrics *m = &run->metrics;
    add_all(&text, run);
    const int failure =
        text.failed ? ENOMEM : file_replace_again(run->o->stats_path, text.data, text.length);
    if (failure && !m->has_failed) report_of(run->o->stats_path, "%s", strerror(failure));
    m->has_failed |= failure != 0;
    free(text.data);
    return !failure;
}

bool metrics_begin(search_run *run)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    run->metrics = (metrics){.began_s = (double)now.tv_sec + (double)now.tv_nsec / 1e9,
                             .matches = calloc(run->set.n, sizeof *run->metrics.matches)};
    if (!run->metrics.matches) return report_no_memory(NULL);
    if (file_may_be_replaced(run->o->stats_path, "file of figures", false) && metrics_write(run))
        return true;
    metrics_free(&run->metrics); /* nothing will be written */
    return false;
}

void metrics_free(metrics *m)
{
    free(m->matches);
    m->matches = NULL;
}

void metrics_gap(metrics *m, uint64_t n)
{
    if (!m->open || n == 0) return;
    const uint64_t at = m->open->feed.samples;
    m->gaps += at != m->gap_end; /* else it grows */
    m->lost += n;
    m->gap_end = at + n;
}

void metrics_begin_input(metrics *m, const worker *w)
{
    m->open = w;
    m->gap_end = UINT64_MAX;
}

void metrics_end_input(metrics *m)
{
    const worker *w = m->open;
    if (!w || !m->matches) return;
    m->samples += w->feed.samples;
    m->seconds += seconds_of(w);
    for (size_t i = 0; i < w->run->set.n; i++) m->matches[i] += w->out.label_matches[i];
    m->open = NULL;
}
