/* engine_device.c - on what a searcher runs: the kernel, the devices, the one that stands by. */
#include <stdlib.h>
#include <string.h>

#include "filter/engine.h"
#include "kernels/group.h"

/* Cells for each thread below which the CPU is done before a GPU has woken: docs/RESULTS.md. */
static const double WORTH_WAKING = 5e9;

enum { LEAST_CHUNK = 1 << 16 }; /* of a GPU that is short of memory */

static bool is_auto(const sigrep_config *config)
{
    return !config->device || strcmp(config->device, "auto") == 0;
}

/* Is what is to come worth a GPU's waking? */
static bool is_worth_waking(const sigrep *engine, const sigrep_config *config)
{
    double rows = 0, threads = (double)pool_threads(engine->workers);
    for (size_t j = 0; j < engine->n_templates; j++) rows += (double)engine->templates[j].length;
    double frames = config->expected * (double)engine->timing.per / (double)engine->timing.hop;
    return !(config->expected > 0) || frames * rows >= WORTH_WAKING * threads;
}

sigrep_status engine_choose_kernel(sigrep *engine, const sigrep_config *config, sigrep_error *error)
{
    const char *device = config->device;
    if (is_auto(config) && !config->kernel && !is_worth_waking(engine, config)) device = "cpu";
    engine->ops = kernel_choose(device, config->kernel, error);
    return engine->ops ? SIGREP_OK : SIGREP_NO_KERNEL;
}

bool engine_is_device_asked(const sigrep_config *config)
{
    return config->kernel || !is_auto(config);
}

static bool is_on_gpu(const sigrep *engine)
{
    return strcmp(engine->ops->device, "cuda") == 0;
}

/* As the kernel likes it, for these templates. */
static size_t best_chunk(const sigrep *engine, const sweep_plan *plan)
{
    kernel_template *lengths = calloc(engine->n_templates, sizeof *lengths);
    if (!lengths) return 0;
    for (size_t j = 0; j < engine->n_templates; j++)
        lengths[j] = (kernel_template){.length = plan->templates[j].length,
                                       .history = (size_t)plan->templates[j].gate.length_max};
    size_t chunk = plan->ops->chunk(&(kernel_plan){.templates = lengths,
                                                   .n_templates = engine->n_templates,
                                                   .dim = engine->dim,
                                                   .workers = engine->workers,
                                                   .each = plan->each,
                                                   .devices = plan->devices});
    free(lengths);
    return chunk;
}

static sigrep_status list_templates(sigrep *engine)
{
    engine->sweep_templates = calloc(engine->n_templates, sizeof *engine->sweep_templates);
    if (!engine->sweep_templates) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < engine->n_templates; j++) {
        const template *x = &engine->templates[j];
        engine->sweep_templates[j] =
            (sweep_template){.frames = x->frames, .length = x->length, .gate = x->gate};
    }
    return SIGREP_OK;
}

static sweep_plan plan_of(const sigrep *engine, const sigrep_config *config)
{
    const int devices = is_on_gpu(engine) ? kernel_devices(config->device) : 1;
    const bool several = devices > 1;
    const bool stands_by = is_on_gpu(engine) && !engine_is_device_asked(config);
    return (sweep_plan){.templates = engine->sweep_templates,
                        .n_templates = engine->n_templates,
                        .dim = engine->dim,
                        .workers = engine->workers,
                        .ops = several ? &kernel_group : engine->ops,
                        .each = several ? engine->ops : NULL,
                        .devices = devices,
                        .spare = stands_by ? kernel_choose("cpu", NULL, NULL) : NULL,
                        .behind = is_on_gpu(engine),
                        .device = kernel_device(config->device),
                        .lowest_only = config->best > 0,
                        .want_scores = config->on_scores != NULL};
}

/* The sweep, and the best-of search over it; with less at once where the GPU has little memory. */
static sigrep_status create_sweep(sigrep *engine, const sigrep_config *config)
{
    sweep_plan plan = plan_of(engine, config);
    plan.chunk = config->chunk ? config->chunk : best_chunk(engine, &plan);
    if (!plan.chunk) return SIGREP_NO_MEMORY;
    sigrep_status status = sweep_create(&engine->sw, &plan);
    while (status == SIGREP_DEVICE_MEMORY && !config->chunk && plan.chunk > LEAST_CHUNK) {
        plan.chunk /= 4;
        status = sweep_create(&engine->sw, &plan);
    }
    engine->chunk = plan.chunk;
    engine->behind = plan.behind;
    if (!status && config->best) status = best_create(&engine->best, &plan, &engine->store);
    return status;
}

static const char *remark_on(sigrep_status failure)
{
    if (failure == SIGREP_DEVICE_MEMORY)
        return "too little free memory on the GPU; the CPU is used";
    return failure ? "the GPU failed; the CPU is used" : NULL;
}

sigrep_status engine_create_sweep(sigrep *engine, const sigrep_config *config, sigrep_error *error)
{
    sigrep_status status = list_templates(engine);
    if (!status) status = create_sweep(engine, config);
    if (!status_is_of_device(status) || engine_is_device_asked(config)) return status;
    engine->ops = kernel_choose("cpu", NULL, NULL);
    const sigrep_status otherwise = engine->ops ? create_sweep(engine, config) : SIGREP_NO_KERNEL;
    if (otherwise) return otherwise;
    engine->remark = remark_on(status);
    return status_fail(error, SIGREP_OK, "%s", engine->remark);
}

const char *engine_remark(const sigrep *engine)
{
    sigrep_status failure = sweep_failure(engine->sw);
    if (!failure && engine->best) failure = best_failure(engine->best);
    return failure ? remark_on(failure) : engine->remark;
}
