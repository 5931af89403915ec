/* run_search.c - the searcher that fits templates, options and the input at hand. */
#include <stdio.h>
#include <stdlib.h>

#include "filter/run_say.h"
#include "filter/run_state.h"

static void describe(const runner *r)
{
    if (!r->o->verbose) return;
    sigrep_stats stats;
    sigrep_get_stats(r->search, &stats);
    const double common_hz = r->set.rate_known ? r->set.rate_hz : r->search_rate_hz;
    if (r->search_rate_hz != common_hz)
        say("input of %.9g Hz is resampled to %.9g Hz", r->search_rate_hz, common_hz);
    else
        say("front end %s at %.9g Hz, %zu channel%s, kernel %s", r->o->front_end, common_hz,
            r->set.channels, r->set.channels == 1 ? "" : "s", stats.kernel);
}

/* What sigrep_create wants to be known although all is well: once. */
static void say_note(runner *r, const sigrep_error *error)
{
    if (!error->text[0] || r->noted) return;
    say("%s", error->text);
    r->noted = true;
}

/* Say what sigrep_create did not like: of a template, or of the options, perhaps only at
 * the rate of the input at hand. */
static void complain(const runner *r, sigrep_status status, const sigrep_error *error)
{
    if (error->template_index < r->set.n)
        say_of(r->set.items[error->template_index].path, "%s", error->text);
    else if (status == SIGREP_BAD_FRONT_END && r->name)
        say_of(r->name, "--front-end '%s': %s", r->o->front_end, error->text);
    else if (status == SIGREP_BAD_FRONT_END)
        say("--front-end '%s': %s", r->o->front_end, error->text);
    else if (r->name)
        say_of(r->name, "%s", error->text);
    else
        say("%s", error->text);
}

static sigrep_status create(runner *r, double rate_hz, sigrep_error *error)
{
    const options *o = r->o;
    sigrep_template *templates = calloc(r->set.n, sizeof *templates);
    if (!templates) {
        *error = (sigrep_error){.template_index = SIZE_MAX, .text = "out of memory"};
        return SIGREP_NO_MEMORY;
    }
    for (size_t i = 0; i < r->set.n; i++) {
        const loaded_template *t = &r->set.items[i];
        templates[i] = (sigrep_template){.label = t->label,
                                         .samples = t->samples,
                                         .length = t->length,
                                         .begin = t->begin,
                                         .end = t->end,
                                         .threshold = o->threshold,
                                         .rate_hz = t->info.rate_known ? t->info.rate_hz : 0};
    }
    sigrep_store store = r->store ? spool_as_store(r->store) : (sigrep_store){0};
    sigrep_config config;
    sigrep_config_init(&config);
    config.templates = templates;
    config.n_templates = r->set.n;
    config.channels = r->set.channels;
    config.rate_hz = rate_hz;
    config.template_rate_hz = r->set.rate_known ? r->set.rate_hz : 0;
    config.front_end = o->front_end;
    config.length_min = o->length_min;
    config.length_max = o->length_max;
    config.min_matches = (size_t)o->min_matches;
    config.best = (size_t)o->best;
    config.store = r->store ? &store : NULL;
    config.device = o->device;
    config.kernel = o->kernel;
    config.threads = (size_t)o->threads;
    config.chunk = (size_t)o->chunk;
    config.on_match = run_on_match;
    config.on_scores = o->scores_path ? run_on_scores : NULL;
    config.user = r;
    sigrep_status status = sigrep_create(&r->search, &config, error);
    free(templates);
    return status;
}

void run_search_free(runner *r)
{
    if (!r->search) return;
    sigrep_stats stats;
    sigrep_get_stats(r->search, &stats);
    r->totals.cells += stats.cells;
    r->totals.cells_traced += stats.cells_traced;
    snprintf(r->totals.kernel, sizeof r->totals.kernel, "%s", stats.kernel);
    sigrep_destroy(r->search);
    r->search = NULL;
}

sigrep_status run_search_ensure(runner *r, double rate_hz)
{
    if (r->search && r->search_rate_hz == rate_hz) return SIGREP_OK;
    run_search_free(r);
    sigrep_error error;
    sigrep_status status = create(r, rate_hz, &error);
    if (status) {
        complain(r, status, &error);
        return status;
    }
    r->search_rate_hz = rate_hz;
    say_note(r, &error);
    describe(r);
    return SIGREP_OK;
}

bool run_search_try(runner *r)
{
    double rate_hz = r->set.rate_known ? r->set.rate_hz : 1;
    sigrep_error error;
    sigrep_status status = create(r, rate_hz, &error);
    r->search_rate_hz = rate_hz;
    if (!status) {
        say_note(r, &error);
        describe(r);
        return true;
    }
    /* The rate may be the input's to say: perhaps it all fits then. */
    if (!r->set.rate_known && status == SIGREP_BAD_FRONT_END) return true;
    complain(r, status, &error);
    return false;
}

bool run_search_accepts(const runner *r, const source_info *info, double *rate_hz)
{
    const source_options *s = &r->o->source;
    if (info->channels != r->set.channels) {
        bool raw = s->channels > 0 || (s->format != SOURCE_AUTO && s->format != SOURCE_TEXT);
        say_of(r->name, "%zu %s%s, but the templates have %zu", info->channels,
               info->audio || raw ? "channel" : "column", info->channels == 1 ? "" : "s",
               r->set.channels);
        return false;
    }
    *rate_hz = info->rate_hz;
    if (!r->set.rate_known || info->rate_known) return true;
    say_of(r->name, "no rate is known, but the templates have %.9g Hz; give it with --rate",
           r->set.rate_hz);
    return false;
}
