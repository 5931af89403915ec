#include "tools/sigrep-plot/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/spool.h"
#include "tools/common/input/column_times.h"
#include "tools/common/input/feed.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/common/templates/template_set.h"

enum { MOST_PATH_BYTES = 1 << 24 };

/* An input while it is read. */
typedef struct {
    recording *r;
    const plot_options *o;
    feed feed;
    spool *store;     /* of a best-of search */
    size_t *curve_of; /* of each template; n_curves: none */
    float *missing;   /* a sample of a gap */
} reader;

/* The first reason counts. Always false. */
static bool fail(recording *r, const char *reason)
{
    if (r->failure[0]) return false;
    report_of(r->name, "%s", reason);
    snprintf(r->failure, sizeof r->failure, "%s", reason);
    return false;
}

/* A status of the library. After a signal it ends early in good order. */
static bool check(const reader *in, sigrep_status status)
{
    if (status && !signals_caught()) fail(in->r, search_failure(status, in->store));
    return !status;
}

/* A label's curve is in scores if all its templates have one threshold above 0, or none. */
static void make_curves(reader *in)
{
    recording *r = in->r;
    const template_set *set = r->set;
    size_t made = 0;
    for (size_t i = 0; i < set->n; i++) {
        const size_t first = set->items[i].first_of_label;
        const double threshold = sigrep_get_threshold(in->feed.search, i);
        if (first == i) in->curve_of[i] = made < r->n_curves ? made++ : r->n_curves;
        in->curve_of[i] = in->curve_of[first];
        if (in->curve_of[i] == r->n_curves) continue;
        score_curve *curve = &r->curves[in->curve_of[i]];
        if (first == i)
            *curve = (score_curve){.first_template = i, .threshold = threshold, .least = INFINITY};
        else if (curve->threshold != threshold && !(threshold <= 0))
            curve->threshold = NAN;
    }
}

/* A sigrep_scores_fn: the least value of each label. */
static int take_scores(void *user, const float *scores, size_t n_frames)
{
    reader *in = user;
    recording *r = in->r;
    const size_t n = r->set->n;
    float values[RECORDING_CURVES];
    for (size_t t = 0; t < n_frames; t++, scores += n) {
        for (size_t c = 0; c < r->n_curves; c++) values[c] = NAN;
        for (size_t i = 0; i < n; i++) {
            const size_t c = in->curve_of[i];
            if (c == r->n_curves || !isfinite(scores[i])) continue;
            float v = scores[i];
            if (isnan(r->curves[c].threshold))
                v = (float)((double)v / sigrep_get_threshold(in->feed.search, i));
            if (isfinite(v) && !(values[c] <= v)) values[c] = v;
        }
        for (size_t c = 0; c < r->n_curves; c++) {
            if (values[c] < r->curves[c].least) r->curves[c].least = values[c];
            if (values[c] > r->curves[c].most) r->curves[c].most = values[c];
        }
        if (spool_append(r->scores, values, r->n_curves * sizeof *values))
            return !fail(r, spool_error(r->scores));
        r->n_frames++;
    }
    return 0;
}

static void add_path(recording *r, plot_match *m, const sigrep_pair *pairs, size_t n)
{
    char *to = r->paths.data + r->paths.length;
    float most = 0;
    for (size_t k = 0; k < n; k++) most = pairs[k].cost > most ? pairs[k].cost : most;
    for (size_t k = 0; k < n; k++) {
        const sigrep_pair *before = &pairs[k ? k - 1 : 0];
        const bool down = pairs[k].template_frame != before->template_frame;
        const bool along = pairs[k].match_frame != before->match_frame;
        to[2 * k] = (char)(down | along << 1);
        to[2 * k + 1] = (char)(unsigned char)(most > 0 ? 255 * pairs[k].cost / most : 0);
    }
    m->path = r->paths.length;
    m->n_pairs = n;
    m->template_frames = (size_t)pairs[n - 1].template_frame + 1;
    m->match_frames = (size_t)pairs[n - 1].match_frame + 1;
    r->paths.length += 2 * n;
}

/* false without memory. */
static bool add_match(recording *r, const sigrep_match *m, const sigrep_pair *pairs, size_t n)
{
    if ((r->n_matches & (r->n_matches - 1)) == 0) { /* a power of two: the list is full */
        plot_match *grown =
            realloc(r->matches, (r->n_matches ? 2 * r->n_matches : 1) * sizeof *grown);
        if (!grown) return false;
        r->matches = grown;
    }
    if (n && !text_reserve(&r->paths, 2 * n)) return false;
    plot_match *item = &r->matches[r->n_matches++];
    *item = (plot_match){.start = m->start,
                         .end = m->end,
                         .score = m->score,
                         .threshold = m->threshold,
                         .template_index = m->template_index};
    if (n) add_path(r, item, pairs, n);
    return true;
}

/* A sigrep_match_fn. */
static int take_match(void *user, const sigrep_match *m)
{
    const reader *in = user;
    recording *r = in->r;
    const sigrep_pair *pairs = NULL;
    size_t n = 0;
    if (r->paths.length < MOST_PATH_BYTES &&
        !check(in, sigrep_get_path(in->feed.search, &pairs, &n)))
        return 1;
    return !add_match(r, m, pairs, n) && !fail(r, "out of memory");
}

/* A sigrep_stop_fn. */
static int stop_if_overdue(void *user)
{
    (void)user;
    return signals_overdue();
}

static bool make_search(reader *in)
{
    const recording *r = in->r;
    const plot_options *o = in->o;
    const search_subject subject = {.set = r->set,
                                    .o = &o->o,
                                    .own_thresholds = o->own_thresholds,
                                    .name = r->name,
                                    .rate_known = r->info.rate_known,
                                    .rate_hz = r->info.rate_hz};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    if (o->best) in->store = spool_create(SPOOL_MEMORY);
    config.best = (size_t)o->best;
    config.device = o->o.device;
    config.expected = (double)r->info.frames;
    config.threads = (size_t)o->o.threads;
    config.on_match = take_match;
    config.on_scores = take_scores;
    config.should_stop = stop_if_overdue;
    config.paths = 1;
    config.user = in;
    in->feed.search = search_open(&config, &subject, in->store);
    return in->feed.search != NULL;
}

/* Keep n samples. false after a failure. */
static bool keep(recording *r, const float *samples, size_t n)
{
    for (size_t k = 0; k < r->channels; k++) {
        value_range range = r->ranges[k];
        for (size_t i = 0; i < n; i++) {
            const float v = samples[i * r->channels + k];
            if (!isfinite(v)) continue;
            if (v < range.least) range.least = v;
            if (v > range.most) range.most = v;
            range.is_whole &= v == floorf(v);
        }
        r->ranges[k] = range;
    }
    if (spool_append(r->samples, samples, n * r->channels * sizeof *samples))
        return fail(r, spool_error(r->samples));
    r->n += n;
    return true;
}

/* Keep samples that a microphone lost. */
static void take_gap(void *user, uint64_t lost)
{
    const reader *in = user;
    while (lost > 0 && keep(in->r, in->missing, 1)) lost--;
}

/* For feed_calls. */
static bool take_searched(void *user, const float *samples, uint64_t n, sigrep_status status)
{
    const reader *in = user;
    if (samples) keep(in->r, samples, (size_t)n);
    return check(in, status) && !in->r->failure[0];
}

/* Read and search to the end, or for --duration. */
static void read_all(reader *in)
{
    recording *r = in->r;
    const sigrep_status status = feed_run(&in->feed);
    if (in->feed.failure) fail(r, in->feed.failure);
    check(in, status);
    if (signals_caught() && !r->info.microphone)
        fail(r, "interrupted: only what was read until then");
}

/* Name the channel as its table does, or as --columns does, or count. */
static void name_channel(recording *r, const source *src, const source_options *how, size_t k)
{
    const char *name = source_channel_name(src, k);
    const bool is_chosen = k < how->n_columns;
    if (!name && is_chosen && how->columns[k] == 0) name = how->column_names[k];
    if (!name && r->channels == 1 && !is_chosen) name = "signal";
    if (name)
        snprintf(r->names[k], RECORDING_NAME_SIZE, "%s", name);
    else
        snprintf(r->names[k], RECORDING_NAME_SIZE, "%s %zu",
                 r->info.has_columns ? "column" : "channel", is_chosen ? how->columns[k] : k + 1);
}

/* Memory for what is kept. */
static bool make_room(reader *in, const source *src)
{
    recording *r = in->r;
    const size_t labels = r->set->n_labels;
    r->channels = r->info.channels;
    r->n_curves = labels < RECORDING_CURVES ? labels : RECORDING_CURVES;
    r->samples = spool_create(SPOOL_MEMORY);
    r->scores = spool_create(SPOOL_MEMORY);
    r->ranges = malloc(r->channels * sizeof *r->ranges);
    r->names = malloc(r->channels * sizeof *r->names);
    r->curves = calloc(r->n_curves, sizeof *r->curves);
    in->curve_of = calloc(r->set->n, sizeof *in->curve_of);
    in->missing = malloc(r->channels * sizeof *in->missing);
    const bool wants_times = source_wants_times(&in->o->o.source);
    if (wants_times) r->times = column_times_create(UINT64_MAX);
    for (size_t k = 0; r->ranges && r->names && in->missing && k < r->channels; k++) {
        name_channel(r, src, &in->o->o.source, k);
        r->ranges[k] = (value_range){INFINITY, -INFINITY, true};
        in->missing[k] = NAN;
    }
    return r->samples && r->scores && r->ranges && r->names && r->curves && in->curve_of &&
           in->missing && (r->times || !wants_times);
}

static void reader_free(reader *in)
{
    sigrep_destroy(in->feed.search);
    feed_free(&in->feed);
    spool_destroy(in->store);
    free(in->curve_of);
    free(in->missing);
}

static bool fill(recording *r, const plot_options *o, source *src)
{
    static const feed_calls calls = {.gap = take_gap, .searched = take_searched};
    reader in = {.r = r, .o = o};
    bool good = make_room(&in, src) ? make_search(&in) : report_no_memory(r->name);
    if (good) {
        feed *f = &in.feed;
        f->calls = &calls;
        f->user = &in;
        f->name = r->name;
        f->src = src;
        f->threads = (size_t)o->o.threads;
        f->cells = templates_cells(r->set);
        f->sees_all = true;
        f->has_times = r->times != NULL;
        f->times = r->times;
        f->limit = input_limit(o->o.duration_s, r->info.rate_hz);
        good = feed_begin(f) || report_no_memory(r->name);
    }
    if (good) {
        make_curves(&in);
        read_all(&in);
    }
    reader_free(&in);
    return good;
}

recording *recording_make(const plot_options *o, const template_set *set, const char *path,
                          int wake_fd)
{
    source_options how = o->o.source;
    const input_needs needs = {.whose = "the templates",
                               .channels = set->channels,
                               .names = set->names,
                               .rate_hz = set->rate_known ? set->rate_hz : 0};
    how.wake_fd = wake_fd;
    source *src = open_input(path, how, &needs);
    if (!src) return NULL;
    recording *r = calloc(1, sizeof *r);
    if (r) *r = (recording){.name = input_name(path), .set = set, .info = source_get_info(src)};
    const bool good = r ? fill(r, o, src) : report_no_memory(path);
    source_close(src);
    if (good && r->n > 0) return r;
    if (good && !r->failure[0]) report_of(r->name, "has no samples");
    recording_destroy(r);
    return NULL;
}

void recording_destroy(recording *r)
{
    if (!r) return;
    spool_destroy(r->samples);
    spool_destroy(r->scores);
    column_times_destroy(r->times);
    free(r->matches);
    free(r->paths.data);
    free(r->ranges);
    free(r->names);
    free(r->curves);
    free(r);
}

static bool read_spool(const recording *r, spool *s, uint64_t offset, void *to, size_t n)
{
    if (spool_read(s, offset, to, n) == 0) return true;
    report_of(r->name, "%s", spool_error(s));
    return false;
}

bool recording_read(const recording *r, uint64_t first, size_t n, float *samples)
{
    const size_t size = r->channels * sizeof *samples;
    return read_spool(r, r->samples, first * size, samples, n * size);
}

bool recording_read_scores(const recording *r, uint64_t first, size_t n, float *scores)
{
    const size_t size = r->n_curves * sizeof *scores;
    return read_spool(r, r->scores, first * size, scores, n * size);
}

const char *recording_unit(const recording *r)
{
    return r->info.rate_known || r->times ? "s" : "samples";
}
