/* estimates.c - levels and thresholds that are not given; see session.h. */
#include <float.h>
#include <string.h>

#include "filter/background/background.h"
#include "filter/session/auto_threshold.h"
#include "filter/session/session.h"
#include "filter/session/template.h"
#include "filter/status.h"

static bool wants_threshold(const sigrep_config *config, size_t j)
{
    return config->templates[j].auto_threshold && !config->best;
}

static bool wants_level(const sigrep_config *config, size_t j)
{
    return !(config->templates[j].level > 0) &&
           (config->margins || config->best || config->templates[j].auto_threshold);
}

/* Measure the levels that are wanted. Frames of no sound have none. */
static sigrep_status measure_levels(sigrep *session, const sigrep_config *config, double rate_hz,
                                    sigrep_error *error)
{
    const char *stages = config->front_end ? config->front_end : "raw";
    background *b = NULL;
    sigrep_status status = SIGREP_OK;
    if (!(front_end_last(session->chain)->auto_factor > 0)) return SIGREP_OK;
    for (size_t j = 0; j < session->n_templates && !status; j++) {
        if (!wants_level(config, j)) continue;
        if (config->should_stop && config->should_stop(config->user)) status = SIGREP_STOPPED;
        if (!status && !b)
            status = background_create(&b, stages, session->channels, rate_hz, error);
        template *x = &session->templates[j];
        if (!status) status = background_level(&x->level, b, x->frames, x->length, x->dim);
    }
    background_destroy(b);
    return status;
}

static size_t count_label(const sigrep *session, const char *label)
{
    size_t n = 0;
    for (size_t j = 0; j < session->n_templates; j++)
        n += strcmp(session->templates[j].label, label) == 0;
    return n;
}

static sigrep_status estimate_of_sound(double *threshold, const sigrep *session, const template *x,
                                       double factor, sigrep_error *error)
{
    if (!(x->level >= FLT_MIN))
        return status_fail(error, SIGREP_NO_THRESHOLD,
                           "no threshold can be estimated: the template fits all speech, or none");
    *threshold = auto_threshold_of_sound(x->level, factor, count_label(session, x->label));
    return SIGREP_OK;
}

static sigrep_status estimate_of_numbers(double *threshold, const template *x, sigrep_error *error)
{
    const auto_template whole = {.frames = x->frames, .length = x->length, .dim = x->dim};
    const kernel_ops *ops = kernel_choose("cpu", NULL, error);
    const sigrep_status status = ops ? auto_threshold(threshold, &whole, ops) : SIGREP_NO_KERNEL;
    return status ? status_fail(error, status, "%s", sigrep_status_text(status)) : SIGREP_OK;
}

static sigrep_status estimate_threshold(const sigrep *session, template *x, sigrep_error *error)
{
    const double factor = front_end_last(session->chain)->auto_factor;
    double threshold;
    const sigrep_status status = factor > 0
                                     ? estimate_of_sound(&threshold, session, x, factor, error)
                                     : estimate_of_numbers(&threshold, x, error);
    if (!status) template_set_threshold(x, threshold);
    return status;
}

sigrep_status session_estimate(sigrep *session, const sigrep_config *config, double rate_hz,
                               sigrep_error *error)
{
    sigrep_status status = measure_levels(session, config, rate_hz, error);
    for (size_t j = 0; j < session->n_templates && !status; j++) {
        if (!wants_threshold(config, j)) continue;
        status = estimate_threshold(session, &session->templates[j], error);
        if (status && error) error->template_index = j;
    }
    return status;
}
