#include "tools/sigrep-calibrate/hear.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/common/signals.h"
#include "io/mic.h"
#include "io/source.h"
#include "tools/sigrep-calibrate/agree.h"

enum { READ_FRAMES = 1 << 16, NAME_SIZE = 24 };
static const double EVERYTHING = 1e30; /* no score is above that */

typedef struct {
    hearing *h;
    const bundle *b;
    const char *input;
    size_t n_input;
    double rate_hz;
    size_t *label_of, *take_of; /* of each template */
    double *weight_of;
    char (*names)[NAME_SIZE];
    sigrep_template *templates;
    bool failed; /* out of memory */
} listener;

static bool add(place_list *list, place at)
{
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 1024;
        place *places = realloc(list->places, capacity * sizeof *places);
        if (!places) return false;
        list->places = places;
        list->capacity = capacity;
    }
    list->places[list->n++] = at;
    return true;
}

static int take_match(void *user, const sigrep_match *m)
{
    listener *l = user;
    const size_t i = m->template_index;
    const place at = {.score = m->score / l->weight_of[i],
                      .start_s = (double)m->start / l->rate_hz,
                      .end_s = (double)m->end / l->rate_hz,
                      .input = l->input,
                      .n_input = l->n_input,
                      .take = l->take_of[i]};
    l->failed |= !add(&l->h->labels[l->label_of[i]], at);
    return l->failed;
}

/* The bundle's templates with no threshold to speak of; those of a label by their weights, so that
 * the best of overlapping places is what it would be. Where takes must agree, each is a label of
 * its own, so that all that it finds is heard of. */
static bool prepare(listener *l)
{
    const bundle *b = l->b;
    l->templates = malloc(b->n_templates * sizeof *l->templates);
    l->label_of = malloc(b->n_templates * sizeof *l->label_of);
    l->take_of = malloc(b->n_templates * sizeof *l->take_of);
    l->weight_of = malloc(b->n_templates * sizeof *l->weight_of);
    l->names = malloc(b->n_templates * sizeof *l->names);
    if (!l->templates || !l->label_of || !l->take_of || !l->weight_of || !l->names) return false;
    memcpy(l->templates, b->templates, b->n_templates * sizeof *l->templates);
    for (size_t i = 0, n = 0; i < b->n_labels; i++)
        for (size_t k = 0; k < b->labels[i].n_takes; k++, n++) {
            l->label_of[n] = i;
            l->take_of[n] = k;
            snprintf(l->names[n], NAME_SIZE, "%zu", b->labels[i].min_matches > 1 ? n : n - k);
            l->templates[n].label = l->names[n];
            l->templates[n].min_matches = 1;
            l->weight_of[n] = b->labels[i].takes[k].weight;
            l->templates[n].threshold = EVERYTHING * l->weight_of[n];
            l->templates[n].auto_threshold = 0;
        }
    return true;
}

static sigrep *make_searcher(listener *l, const shared_options *o)
{
    sigrep *search;
    sigrep_error error;
    sigrep_config config;
    sigrep_config_init(&config);
    sigrep_bundle_configure(l->b, &config);
    config.templates = l->templates;
    config.rate_hz = l->rate_hz;
    config.threads = (size_t)o->threads;
    config.on_match = take_match;
    config.user = l;
    if (sigrep_create(&search, &config, &error)) report_of(l->input, "%s", error.text);
    return search;
}

static void say_warnings(source *src, const char *name)
{
    for (const char *w; (w = source_warning(src));) report_of(name, "warning: %s", w);
}

/* All of it through the searcher, or what lies before most_s; 0: all. */
static bool pump(listener *l, source *src, sigrep *search, double most_s)
{
    const size_t channels = l->b->channels;
    const double most = most_s > 0 ? round(most_s * l->rate_hz) : INFINITY;
    float *frames = malloc(READ_FRAMES * channels * sizeof *frames);
    double heard = 0;
    ssize_t n = frames ? 1 : -1;
    sigrep_status status = frames ? SIGREP_OK : SIGREP_NO_MEMORY;
    while (!status && n > 0 && !signals_caught() && heard < most) {
        const double left = most - heard;
        n = source_gather(src, frames, NULL, left < READ_FRAMES ? (size_t)left : READ_FRAMES);
        say_warnings(src, l->input);
        if (source_gap(src)) status = sigrep_gap(search, source_gap(src));
        if (n > 0 && !status) status = sigrep_push(search, frames, (size_t)n);
        if (n > 0) heard += (double)n;
    }
    if (!status) status = sigrep_finish(search);
    free(frames);
    l->h->hours += heard / l->rate_hz / 3600;
    if (status)
        report_of(l->input, "%s", l->failed ? "out of memory" : sigrep_status_text(status));
    else if (n < 0)
        report_of(l->input, "%s", source_error(src));
    return !status && n >= 0;
}

static bool accepts(const listener *l, const source_info *info)
{
    if (info->channels != l->b->channels) {
        report_of(l->input, "%zu channel%s, but the bundle has %zu", info->channels,
                  info->channels == 1 ? "" : "s", l->b->channels);
        return false;
    }
    if (info->rate_known || l->b->rate_hz == 0) return true;
    report_of(l->input, "no rate is known, but the bundle has %.9g Hz; give it with --rate",
              l->b->rate_hz);
    return false;
}

static bool hear_input(listener *l, const shared_options *o, const char *path, int wake_fd)
{
    char reason[512];
    source_options how = o->source;
    how.wake_fd = wake_fd;
    l->input = strcmp(path, "-") == 0 ? "(standard input)" : path;
    if (mic_is_named(path) && how.rate_hz == 0) how.rate_hz = l->b->rate_hz;
    source *src = source_open(path, &how, reason, sizeof reason);
    if (!src) {
        if (!signals_caught()) report_of(l->input, "%s", reason);
        return signals_caught();
    }
    const source_info info = source_get_info(src);
    say_warnings(src, l->input);
    l->rate_hz = info.rate_hz;
    sigrep *search = accepts(l, &info) ? make_searcher(l, o) : NULL;
    const bool good = search && pump(l, src, search, o->duration_s);
    sigrep_destroy(search);
    source_close(src);
    return good;
}

bool hear(hearing *h, const bundle *b, const shared_options *o)
{
    *h = (hearing){.n_labels = b->n_labels};
    h->labels = calloc(b->n_labels, sizeof *h->labels);
    listener l = {.h = h, .b = b};
    bool good = h->labels && prepare(&l);
    if (!good) report("out of memory");
    const int wake_fd = good ? signals_catch() : -1;
    if (good && wake_fd < 0) report("pipe: %s", strerror(errno));
    good = wake_fd >= 0;
    for (size_t i = 0; i < o->n_inputs && good && !signals_caught(); i++)
        good = hear_input(&l, o, o->inputs[l.n_input = i], wake_fd);
    for (size_t i = 0; i < b->n_labels && good; i++)
        if (b->labels[i].min_matches > 1 && !agree(&h->labels[i], b->labels[i].min_matches)) {
            report("out of memory");
            good = false;
        }
    free(l.templates);
    free(l.label_of);
    free(l.take_of);
    free(l.weight_of);
    free(l.names);
    return good;
}

void hearing_free(hearing *h)
{
    for (size_t i = 0; h->labels && i < h->n_labels; i++) free(h->labels[i].places);
    free(h->labels);
    *h = (hearing){0};
}
