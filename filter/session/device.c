/* device.c - on what a search runs: the kernel, the devices, the fallback. */
#include <stdlib.h>
#include <string.h>

#include "filter/search/best.h"
#include "filter/search/searches.h"
#include "filter/session/session.h"
#include "filter/session/template.h"
#include "filter/status.h"
#include "kernels/pool.h"

/* Values that each thread compares in the half second in which a GPU wakes: docs/PERFORMANCE.md. */
static const double WORTH_WAKING = 1e10;

enum { LEAST_CHUNK = 1 << 16 }; /* frames, if the GPU is short of memory */

static bool is_auto(const sigrep_config *config)
{
    return !config->device || strcmp(config->device, "auto") == 0;
}

/* Is enough input expected to be worth waking a GPU? */
static bool is_worth_waking(const sigrep *session, const sigrep_config *config)
{
    double rows = 0, threads = (double)pool_threads(session->workers);
    for (size_t j = 0; j < session->n_templates; j++) rows += (double)session->templates[j].length;
    double frames = config->expected * (double)session->timing.per / (double)session->timing.hop;
    double values = frames * rows * (double)session->dim;
    return !(config->expected > 0) || values >= WORTH_WAKING * threads;
}

sigrep_status session_choose_kernel(sigrep *session, const sigrep_config *config,
                                    sigrep_error *error)
{
    const char *device = config->device;
    if (is_auto(config) && !config->kernel && !is_worth_waking(session, config)) device = "cpu";
    session->ops = kernel_choose(device, config->kernel, error);
    return session->ops ? SIGREP_OK : SIGREP_NO_KERNEL;
}

sigrep_status session_choose_no_kernel(sigrep *session, const sigrep_config *config,
                                       sigrep_error *error)
{
    if (config->kernel || (!is_auto(config) && strcmp(config->device, "cpu") != 0))
        return status_fail(error, SIGREP_NO_KERNEL,
                           "zmatch has one kernel, on the CPU; no other can be asked for");
    session->ops = &kernel_no_sweep;
    return SIGREP_OK;
}

bool session_is_device_asked(const sigrep_config *config)
{
    return config->kernel || !is_auto(config);
}

static bool is_on_gpu(const sigrep *session)
{
    return strcmp(session->ops->device, "cuda") == 0;
}

static searches_plan plan_of(const sigrep *session, const sigrep_config *config)
{
    const bool guarded = is_on_gpu(session) && !session_is_device_asked(config);
    return (searches_plan){.templates = session->templates,
                           .n_templates = session->n_templates,
                           .dim = session->dim,
                           .workers = session->workers,
                           .ops = session->ops,
                           .fallback = guarded ? kernel_choose("cpu", NULL, NULL) : NULL,
                           .background = is_on_gpu(session),
                           .device = kernel_device(config->device),
                           .lowest_only = config->best > 0,
                           .want_scores = config->on_scores != NULL,
                           .normalises = session->normalises,
                           .band = session->band,
                           .keep = match_path_keeps(session),
                           .stop = {.should_stop = config->should_stop, .user = config->user}};
}

/* Make the searches, with smaller chunks if the GPU has little memory, and the best-of search. */
static sigrep_status create_searches(sigrep *session, const sigrep_config *config)
{
    searches_plan plan = plan_of(session, config);
    plan.chunk = config->chunk ? config->chunk : searches_best_chunk(&plan);
    if (!plan.chunk) return SIGREP_NO_MEMORY;
    sigrep_status status = searches_create(&session->searches, &plan);
    while (status == SIGREP_DEVICE_MEMORY && !config->chunk && plan.chunk > LEAST_CHUNK) {
        plan.chunk /= 4;
        status = searches_create(&session->searches, &plan);
    }
    session->chunk = plan.chunk;
    session->background = plan.background;
    if (!status && config->best) status = best_create(&session->best, &plan, &session->store);
    return status;
}

const char *session_remark_on(sigrep_status failure)
{
    return failure == SIGREP_DEVICE_MEMORY ? "too little free memory on the GPU; the CPU is used"
                                           : "the GPU failed; the CPU is used";
}

sigrep_status session_create_searches(sigrep *session, const sigrep_config *config,
                                      sigrep_error *error)
{
    const sigrep_status status = create_searches(session, config);
    if (!status_is_device_failure(status) || session_is_device_asked(config)) return status;
    session->ops = kernel_choose("cpu", NULL, NULL);
    const sigrep_status otherwise =
        session->ops ? create_searches(session, config) : SIGREP_NO_KERNEL;
    if (otherwise) return otherwise;
    session->remark = session_remark_on(status);
    return status_fail(error, SIGREP_OK, "%s", session->remark);
}
