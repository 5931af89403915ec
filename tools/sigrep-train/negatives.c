#include "tools/sigrep-train/negatives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/templates/search_setup.h"

static const double EVERYTHING = 1e30; /* no score is above it */

/* A saved false alarm scores a little worse by itself than in its stream, since front ends look at
 * the seconds before it: by `speech` up to 0.5 %, by `words` up to 4.6 % (docs/lab/takes.md). */
static const double MARGIN = 0.98;

/* A ceiling below this multiple of the estimate is of the word itself, mostly. Clips that would
 * bring one, by speech, words and voices together; ten digits of three voices (fsdd), five takes:
 *
 *     multiple                               0.75    0.8   0.85
 *     the word again, of 180                  155    169    176
 *     ... with white noise at 20 dB           106    132    155
 *     ... at 10 dB                             48     69     90
 *     other digits, half in noise, of 1611      0      0      1 */
static const double FAR_BELOW = 0.8;

typedef struct {
    sigrep_bundle *b;
    sigrep_bundle_info info;
    const template_set *takes;
    template_set set; /* the negatives */
    /* Of the current label. */
    size_t i;
    sigrep_bundle_label label;
    double score;                /* the lowest in the current negative; INFINITY: none */
    double lowest;               /* in all of its negatives so far */
    const loaded_template *best; /* the negative that has it */
} comparing;

static bool is_of_label(const loaded_template *t, const char *label)
{
    return !*t->label || strcmp(t->label, label) == 0;
}

/* What it keeps, before the front end. *n: samples. */
static const float *kept(const loaded_template *t, uint64_t *n)
{
    const bool is_cut = t->end > 0;
    *n = is_cut ? t->end - t->begin : t->length;
    return t->samples + (is_cut ? t->begin : 0) * t->info.channels;
}

static bool is_same(const loaded_template *x, const loaded_template *y)
{
    uint64_t n, m;
    const float *a = kept(x, &n), *b = kept(y, &m);
    const size_t size = n * x->info.channels * sizeof *a;
    return n == m && x->info.channels == y->info.channels && memcmp(a, b, size) == 0;
}

static double rate_of(const comparing *c, const loaded_template *t)
{
    const double takes_hz = c->info.rate_hz > 0 ? c->info.rate_hz : 1;
    return t->info.rate_known ? t->info.rate_hz : takes_hz;
}

static void warn_of_low_rate(const comparing *c, const loaded_template *t)
{
    static const shared_options none;
    const template_set set = {.rate_known = c->info.rate_hz > 0,
                              .rate_hz = c->info.rate_hz,
                              .front_end = c->info.front_end,
                              .bundle = c->takes->items[0].path};
    search_warn_of_low_rate(
        &(search_subject){.set = &set, .o = &none, .name = t->path, .rate_hz = rate_of(c, t)});
}

/* A negative must be of a label that there is, and no take of it. */
static bool check(const comparing *c, const loaded_template *t)
{
    bool has_label = false;
    if (t->own.frame_dim || t->info.channels != c->info.channels) {
        report_of(t->path, t->own.frame_dim ? "a bundle, not a recording"
                                            : "its channels are not those of the takes");
        return false;
    }
    for (size_t i = 0; i < c->takes->n; i++) {
        const loaded_template *take = &c->takes->items[i];
        if (!is_of_label(t, take->label)) continue;
        has_label = true;
        if (!is_same(t, take)) continue;
        report_of(t->path, "the same samples as '%s', a take of '%s'; leave one out", take->path,
                  take->label);
        return false;
    }
    if (!has_label) report_of(t->path, "no take has its label, '%s'", t->label);
    if (has_label) warn_of_low_rate(c, t);
    return has_label;
}

/* A sigrep_match_fn. */
static int keep_lowest(void *user, const sigrep_match *m)
{
    comparing *c = user;
    c->score = fmin(c->score, m->score);
    return 0;
}

/* The takes of the current label, with estimates or any score accepted. One is enough, even if
 * several must agree. The caller frees them. NULL without memory. */
static sigrep_template *take_templates(const comparing *c, bool has_estimates)
{
    sigrep_template *templates = calloc(c->label.n_takes, sizeof *templates);
    sigrep_bundle_take take = {.size = sizeof take};
    size_t n = 0;
    for (size_t i = 0; templates && !sigrep_bundle_get_take(c->b, i, &take); i++) {
        if (take.label != c->i) continue;
        templates[n] = *take.frames;
        templates[n].threshold = has_estimates ? 0 : EVERYTHING;
        templates[n].auto_threshold = has_estimates;
        templates[n++].min_matches = 1;
    }
    return templates;
}

/* A search for the takes of the current label. */
static sigrep_status make_search(sigrep **s, comparing *c, double rate_hz, bool has_estimates,
                                 sigrep_error *error)
{
    sigrep_config config;
    sigrep_template *templates = take_templates(c, has_estimates);
    if (!templates) return SIGREP_NO_MEMORY;
    sigrep_config_init(&config, sizeof config);
    sigrep_bundle_configure(c->b, &config);
    config.templates = templates;
    config.n_templates = c->label.n_takes;
    config.rate_hz = rate_hz;
    config.device = "cpu";
    config.on_match = keep_lowest;
    config.user = c;
    const sigrep_status status = sigrep_create(s, &config, error);
    free(templates);
    return status;
}

/* false after a failure, which is reported. */
static bool search(comparing *c, const loaded_template *t)
{
    uint64_t n;
    const float *samples = kept(t, &n);
    sigrep *s = NULL;
    sigrep_error error = {.text = ""};
    sigrep_status status = make_search(&s, c, rate_of(c, t), false, &error);
    if (!status && t->doubles)
        status = sigrep_push_doubles(s, t->doubles + (samples - t->samples), (size_t)n);
    else if (!status)
        status = sigrep_push(s, samples, (size_t)n);
    if (!status) status = sigrep_finish(s);
    if (status) report_of(t->path, "%s", *error.text ? error.text : sigrep_status_text(status));
    sigrep_destroy(s);
    return !status;
}

/* The median estimate for the takes of the current label; 0: there is none. */
static double estimate(comparing *c)
{
    sigrep *s = NULL;
    sigrep_error error;
    double middle = 0;
    double *thresholds = malloc(c->label.n_takes * sizeof *thresholds);
    const double rate_hz = c->info.rate_hz > 0 ? c->info.rate_hz : 1;
    if (thresholds && !make_search(&s, c, rate_hz, true, &error)) {
        for (size_t i = 0; i < c->label.n_takes; i++) thresholds[i] = sigrep_get_threshold(s, i);
        middle = median(thresholds, c->label.n_takes);
    }
    sigrep_destroy(s);
    free(thresholds);
    return middle;
}

/* The takes that another one finds at the ceiling, of how many for which that is known. */
static size_t count_found(const comparing *c, size_t *known)
{
    sigrep_bundle_take take = {.size = sizeof take};
    size_t n = 0;
    *known = 0;
    for (size_t i = 0; !sigrep_bundle_get_take(c->b, i, &take); i++) {
        const bool is_known = take.label == c->i && take.peer_score >= 0;
        *known += is_known;
        n += is_known && take.peer_score <= c->label.ceiling;
    }
    return n;
}

/* In three digits. */
static double below(double score)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", MARGIN * score);
    return strtod(text, NULL);
}

/* estimated: 0: not known. */
static void report_ceiling(const comparing *c, double estimated)
{
    size_t known;
    char without[64] = "";
    const size_t found = count_found(c, &known);
    if (estimated > 0)
        snprintf(without, sizeof without, "; the estimate without it is %.3g", estimated);
    report_of(c->label.name,
              "its threshold will be at most %.9g, 2 %% below the score %.4g of %s%s",
              c->label.ceiling, c->lowest, c->best->path, without);
    if (found < known)
        report_of(c->label.name,
                  "warning: at threshold %.9g the other takes find only %zu of its %zu takes, so "
                  "it will often be missed; leave out %s, or record other takes",
                  c->label.ceiling, found, known, c->best->path);
    else if (c->info.is_audio && c->label.ceiling < FAR_BELOW * estimated)
        report_of(
            c->label.name,
            "warning: %s seems to be '%s' itself, which this ceiling will often miss; leave it "
            "out",
            c->best->path, c->label.name);
}

/* false after a failure, which is reported. */
static bool set_ceiling(comparing *c)
{
    sigrep_error error;
    c->label.ceiling = below(c->lowest);
    if (!(c->label.ceiling > 0)) {
        report_of(c->best->path, "scores 0: no threshold tells it from '%s'", c->label.name);
        return false;
    }
    if (c->label.has_threshold) c->label.threshold = fmin(c->label.threshold, c->label.ceiling);
    if (sigrep_bundle_set_label(c->b, c->i, &c->label, &error)) {
        report_of(c->label.name, "%s", error.text);
        return false;
    }
    report_ceiling(c, c->label.has_threshold ? 0 : estimate(c));
    return true;
}

/* Search all negatives of the current label for its takes. */
static bool compare_label(comparing *c)
{
    c->lowest = INFINITY;
    for (size_t k = 0; k < c->set.n; k++) {
        const loaded_template *t = &c->set.items[k];
        if (!is_of_label(t, c->label.name)) continue;
        c->score = INFINITY;
        if (!search(c, t)) return false;
        if (c->score == INFINITY)
            report_of(t->path, "warning: shorter than any match of '%s', so it sets no bound",
                      c->label.name);
        if (c->score >= c->lowest) continue;
        c->lowest = c->score;
        c->best = t;
    }
    return c->lowest == INFINITY || set_ceiling(c);
}

bool negatives_apply(sigrep_bundle *b, const shared_options *negatives, const template_set *takes)
{
    comparing c = {.b = b, .info = {.size = sizeof c.info}, .takes = takes};
    sigrep_bundle_get_info(b, &c.info);
    bool good = templates_load(&c.set, negatives);
    for (size_t k = 0; k < c.set.n && good; k++) good = check(&c, &c.set.items[k]);
    for (; c.i < c.info.n_labels && good; c.i++) {
        c.label.size = sizeof c.label;
        (void)sigrep_bundle_get_label(b, c.i, &c.label); /* there is one */
        good = compare_label(&c);
    }
    templates_free(&c.set);
    return good;
}
