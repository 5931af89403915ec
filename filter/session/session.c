/* session.c - make, end and describe a search; see session.h. */
#include "filter/session/session.h"

#include <math.h>
#include <stdlib.h>

#include "filter/features/resample.h"
#include "filter/features/stage.h"
#include "filter/search/best.h"
#include "filter/search/label_groups.h"
#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/session/front_end_parts.h"
#include "filter/session/template.h"
#include "filter/sized.h"
#include "filter/status.h"
#include "kernels/float_env.h"
#include "kernels/kernel.h"
#include "kernels/pool.h"

enum {
    PUSH = 4096,             /* samples given to a front end at once */
    IDENTITY_PUSH = 1 << 16, /* the same for an identity, small enough for the cache */
    MAX_CHANNELS = 4096,
    MAX_THREADS = 1024,
    FIRST_PART = 1 << 12 /* samples */
};

static const double MAX_GATE = 64;

static sigrep_status check_gate(double min, double max, sigrep_error *error)
{
    if (min >= 0 && min <= max && max <= MAX_GATE) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_CONFIG, "length gate: %g to %g, not 0 <= MIN <= MAX <= %g",
                       min, max, MAX_GATE);
}

static sigrep_status check_rate(const char *name, double hz, sigrep_status wrong,
                                sigrep_error *error)
{
    if (isfinite(hz) && hz > 0) return SIGREP_OK;
    return status_fail(error, wrong, "%s: %g, not a finite number above 0", name, hz);
}

static sigrep_status check_config(const sigrep_config *c, sigrep_error *error)
{
    const sigrep_status bad = SIGREP_BAD_CONFIG;
    if (!c->templates || !c->n_templates) return status_fail(error, bad, "no template");
    if (!c->on_match) return status_fail(error, bad, "on_match: NULL, not a function");
    if (!c->channels || c->channels > MAX_CHANNELS)
        return status_fail(error, bad, "channels: %zu, not 1 to %d", c->channels, MAX_CHANNELS);
    if (check_rate("rate_hz", c->rate_hz, bad, error)) return bad;
    if (c->template_rate_hz != 0 && check_rate("template_rate_hz", c->template_rate_hz, bad, error))
        return bad;
    if (check_gate(c->length_min, c->length_max, error)) return bad;
    if (!c->min_matches) return status_fail(error, bad, "min_matches: 0, not 1 or more");
    if (c->best && !c->store) return status_fail(error, bad, "a best-of search needs a store");
    if (c->best && c->min_matches > 1)
        return status_fail(error, bad, "min_matches: %zu, not 1 as in every best-of search",
                           c->min_matches);
    if (c->best && !(c->store->append && c->store->read && c->store->clear))
        return status_fail(error, bad, "store: a function is NULL");
    if (c->threads > MAX_THREADS)
        return status_fail(error, bad, "threads: %zu, not 0 to %d", c->threads, MAX_THREADS);
    return SIGREP_OK;
}

/* The rate at which templates and stream are compared. */
static double common_rate(const sigrep_config *config)
{
    return config->template_rate_hz > 0 ? config->template_rate_hz : config->rate_hz;
}

/* The front end for samples of a rate, which it first brings to the common rate. The caller frees
 * the spec. */
static sigrep_status spec_for(char **spec, const sigrep_config *config, double rate_hz,
                              sigrep_error *error)
{
    const char *stages = config->front_end ? config->front_end : "raw";
    const double common_hz = common_rate(config);
    rational hop;
    *spec = NULL;
    if (rate_hz != common_hz && resample_hop(&hop, rate_hz, common_hz, error))
        return SIGREP_BAD_CONFIG;
    *spec = resample_spec(stages, rate_hz, common_hz);
    return *spec ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static sigrep_status create_template(template *x, const sigrep_template *given,
                                     const sigrep_config *config, const double *origin,
                                     sigrep_error *error)
{
    const bool own_rate = given->rate_hz != 0 && !given->frame_dim;
    const double rate_hz = own_rate ? given->rate_hz : common_rate(config);
    const bool own_gate = given->length_max != 0;
    char *spec;
    sigrep_status status = check_rate("rate_hz", rate_hz, SIGREP_BAD_TEMPLATE, error);
    if (!status && own_gate) status = check_gate(given->length_min, given->length_max, error);
    if (!status) status = spec_for(&spec, config, rate_hz, error);
    if (status) return status;
    const template_rules rules = {.front_end = spec,
                                  .samples = {config->channels, rate_hz},
                                  .origin = origin,
                                  .length_min = own_gate ? given->length_min : config->length_min,
                                  .length_max = own_gate ? given->length_max : config->length_max,
                                  .best = config->best > 0,
                                  .should_stop = config->should_stop,
                                  .user = config->user};
    status = template_create(x, given, &rules, error);
    free(spec);
    return status;
}

/* If frames keep the level of the samples, and that is high, measure them from the first frame of
 * the first template: all that counts is their distances. Frames that were given have lost their
 * digits already. */
static sigrep_status choose_origin(sigrep *session, const sigrep_config *config,
                                   sigrep_error *error)
{
    template x;
    bool is_wanted = front_end_last(session->chain)->keeps_level;
    for (size_t j = 0; j < config->n_templates; j++) is_wanted &= !config->templates[j].frame_dim;
    if (!is_wanted) return SIGREP_OK;
    /* What is wrong with this template is reported later. */
    if (create_template(&x, &config->templates[0], config, NULL, NULL)) return SIGREP_OK;
    double *origin = calloc(x.dim, sizeof *origin), any = 0;
    for (size_t k = 0; origin && k < x.dim; k++)
        any += fabs(origin[k] = stage_level((double)x.frames[k]));
    template_free(&x);
    session->origin = origin;
    if (!origin) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    if (any > 0) {
        front_end_set_origin(session->chain, origin);
        return SIGREP_OK;
    }
    free(origin);
    session->origin = NULL;
    return SIGREP_OK;
}

static sigrep_status create_templates(sigrep *session, const sigrep_config *config,
                                      sigrep_error *error)
{
    sigrep_status status = choose_origin(session, config, error);
    if (status) return status;
    session->templates = calloc(config->n_templates, sizeof *session->templates);
    if (!session->templates) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < config->n_templates; j++) {
        template *x = &session->templates[j];
        status = create_template(x, &config->templates[j], config, session->origin, error);
        if (!status) session->n_templates = j + 1;
        if (!status && session->normalises) status = template_normalise(x, error);
        if (!status && x->dim != session->dim)
            status = status_fail(error, SIGREP_BAD_TEMPLATE,
                                 "frames of %zu values, but the front end gives %zu", x->dim,
                                 session->dim);
        if (status) {
            if (error && status != SIGREP_BAD_FRONT_END) error->template_index = j;
            return status;
        }
        front_end_as_template(front_end_last(session->chain), (float *)x->frames, x->length,
                              x->dim);
    }
    return session_estimate(session, config, common_rate(config), error);
}

static sigrep_status create_front_end(sigrep *session, const sigrep_config *config,
                                      sigrep_error *error)
{
    const frame_shape samples = {config->channels, config->rate_hz};
    sigrep_status status = spec_for(&session->spec, config, config->rate_hz, error);
    if (status) return status;
    session->max_push = config->chunk && config->chunk < PUSH ? config->chunk : PUSH;
    status = front_end_create(&session->chain, session->spec, samples, session->max_push, error);
    if (status) return status;
    session->max_doubles = session->max_push;
    session->timing = front_end_timing(session->chain);
    session->dim = front_end_shape(session->chain).dim;
    session->normalises = front_end_normalises(session->chain, &session->band);
    return session->normalises ? session_choose_no_kernel(session, config, error) : SIGREP_OK;
}

/* While a GPU searches, the workers may be busy: the fallback's kernel uses them. */
static sigrep_status create_parts(sigrep *session, const sigrep_config *config, sigrep_error *error)
{
    const frame_shape samples = {config->channels, config->rate_hz};
    if (session->background && front_end_restarts(session->chain))
        pool_create(&session->helpers, config->threads);
    pool *threads = session->background ? session->helpers : session->workers;
    return front_end_parts_create(&session->parts, &session->chain, session->spec, samples, threads,
                                  error);
}

static sigrep_status create_label_groups(sigrep *session, const sigrep_config *config)
{
    const sigrep_status status = label_groups_create(&session->label_groups, session->templates,
                                                     session->n_templates, config->min_matches);
    for (size_t j = 0; !status && !config->best && j < session->n_templates; j++)
        label_groups_require(session->label_groups, j, config->templates[j].min_matches);
    return status;
}

static sigrep_status create_buffers(sigrep *session)
{
    session->spans = calloc(session->chunk + 1, sizeof *session->spans);
    session->gap_frames = calloc(session->chunk, sizeof *session->gap_frames);
    session->pending_since = calloc(session->n_templates, sizeof *session->pending_since);
    session->best_left = calloc(session->n_templates, sizeof *session->best_left);
    session->zero_frame = calloc(session->dim, sizeof *session->zero_frame);
    session->scores = calloc(session->n_templates, SCORES_BATCH * sizeof *session->scores);
    bool got = session->spans && session->gap_frames && session->pending_since &&
               session->best_left && session->scores && session->zero_frame;
    return got ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static sigrep_status create_threads(sigrep *session, const sigrep_config *config,
                                    sigrep_error *error)
{
    const sigrep_status status = pool_create(&session->workers, config->threads);
    if (!status) return status;
    return status_fail(error, status,
                       "cannot start %zu threads: the system has too little memory or "
                       "allows fewer",
                       config->threads);
}

static sigrep_status build(sigrep *session, const sigrep_config *config, sigrep_error *error)
{
    session->channels = config->channels;
    session->rate_hz = config->rate_hz;
    session->best_wanted = config->best;
    if (config->store) session->store = *config->store;
    session->on_match = config->on_match;
    session->on_scores = config->on_scores;
    session->user = config->user;
    session->path = (match_path){.is_wanted = config->paths != 0,
                                 .stop = {config->should_stop, config->user, STOPPING_WORK}};
    session->part = config->should_stop ? FIRST_PART : SIZE_MAX;
    const bool asked = session_is_device_asked(config);
    sigrep_status status = asked ? session_choose_kernel(session, config, error) : SIGREP_OK;
    if (!status) status = create_front_end(session, config, error);
    if (!status) status = create_templates(session, config, error);
    if (!status) status = create_threads(session, config, error);
    if (!status && !session->ops) status = session_choose_kernel(session, config, error);
    if (!status) status = session_create_searches(session, config, error);
    if (!status && front_end_is_identity(session->chain))
        session->max_push = session->chunk < IDENTITY_PUSH ? session->chunk : IDENTITY_PUSH;
    if (!status) status = create_parts(session, config, error);
    if (!status) session_create_readers(session, config->threads);
    if (!status) status = create_label_groups(session, config);
    if (!status) status = create_buffers(session);
    return status;
}

/* A search for a configuration of this version. */
static sigrep_status create(sigrep **out, const sigrep_config *config, sigrep_error *error)
{
    sigrep_status status = check_config(config, error);
    if (status) return status;
    sigrep *session = calloc(1, sizeof *session);
    if (!session) return SIGREP_NO_MEMORY;
    float_env before = float_env_enter();
    status = build(session, config, error);
    float_env_leave(before);
    if (status) {
        sigrep_destroy(session);
        return status;
    }
    session_reset(session);
    *out = session;
    return SIGREP_OK;
}

sigrep_status sigrep_create(sigrep **out, const sigrep_config *given, sigrep_error *error)
{
    sigrep_config config;
    *out = NULL;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    sigrep_status status = sized_config(&config, given, error);
    if (!status) status = create(out, &config, error);
    free((void *)config.templates);
    if (status && error && !error->text[0])
        status_fail(error, status, "%s", sigrep_status_text(status));
    return status;
}

void sigrep_destroy(sigrep *session)
{
    if (!session) return;
    for (size_t j = 0; j < session->n_templates; j++) template_free(&session->templates[j]);
    free(session->templates);
    free(session->spec);
    free(session->origin);
    front_end_destroy(session->chain);
    front_end_parts_destroy(session->parts);
    searches_destroy(session->searches);
    label_groups_destroy(session->label_groups);
    best_destroy(session->best);
    taken_clear(&session->taken);
    pool_destroy(session->workers);
    pool_destroy(session->helpers);
    free(session->read_buffer);
    free(session->spans);
    free(session->gap_frames);
    match_list_free(&session->matches);
    match_list_free(&session->decided);
    free(session->pending_since);
    free(session->best_left);
    free(session->zero_frame);
    free(session->scores);
    match_path_free(&session->path);
    state_free(&session->state);
    free(session);
}

double sigrep_get_threshold(const sigrep *session, size_t template_index)
{
    return template_index < session->n_templates ? session->templates[template_index].threshold
                                                 : (double)NAN;
}

double sigrep_get_level(const sigrep *session, size_t template_index)
{
    return template_index < session->n_templates ? session->templates[template_index].level : 0;
}

size_t sigrep_push_size(const sigrep *session)
{
    const frame_timing *timing = &session->timing;
    double samples = (double)session->chunk * (double)timing->hop / (double)timing->per;
    return samples < 0x1p40 ? (size_t)ceil(samples) : (size_t)1 << 40;
}

int sigrep_wants_doubles(const sigrep *session)
{
    return front_end_wants_doubles(session->chain);
}

void sigrep_get_stats(const sigrep *session, sigrep_stats *stats)
{
    /* The kernel that was chosen, or the one that took over. */
    const searches *in = session->searches;
    const kernel_ops *ops = in->failure ? in->ops : session->ops;
    sigrep_stats all = {.samples = session->samples,
                        .frames = session->frames_before + session->frames,
                        .cells = in->cells,
                        .cells_traced = searches_cells_traced(in),
                        .kernel = ops->name,
                        .device = ops->device};
    sigrep_status failure = in->failure;
    const sigrep_status again = session->best ? best_add_work(session->best, &all) : SIGREP_OK;
    if (!failure) failure = again;
    all.remark = failure ? session_remark_on(failure) : session->remark;
    sized_copy(stats, &all, stats->size, sizeof all);
}
