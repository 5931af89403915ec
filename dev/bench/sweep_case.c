#include "dev/bench/sweep_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/bench/papers_loop.h"
#include "kernels/float_env.h"
#include "kernels/pool.h"

sweep_problem sweep_of_samples(const float *x, size_t m, const float *y, size_t n, size_t chunk)
{
    return (sweep_problem){.x = x,
                           .frames = y,
                           .m = m,
                           .n = n,
                           .dim = 1,
                           .n_templates = 1,
                           .chunk = chunk,
                           .eps = INFINITY};
}

/* Frames of the chunk at `at`. The last one may be shorter. */
static size_t step_size(const sweep_case *own)
{
    size_t left = own->problem.n - own->at;
    return left < own->problem.chunk ? left : own->problem.chunk;
}

static void reset(sweep_case *own)
{
    own->at = 0;
    if (own->ops)
        own->ops->reset(own->kernel);
    else
        for (size_t i = 0; i < own->problem.m; i++) own->d[i] = INFINITY;
}

static bool step(sweep_case *own)
{
    const sweep_problem *p = &own->problem;
    const float *frames = p->frames + own->at * p->dim;
    size_t n = step_size(own);
    own->at += n;
    if (own->ops) return own->ops->sweep(own->kernel, frames, n, &own->output) == SIGREP_OK;
    papers_loop(p->x, p->m, frames, n, p->dim, own->d, own->score);
    return true;
}

/* Whole chunks alone, so that each loop has the same cells. */
static bool run(void *self, size_t loops, lap *spent)
{
    sweep_case *own = self;
    bool good = true;
    float_env before = float_env_enter();
    stopwatch begin = stopwatch_start();
    for (size_t i = 0; i < loops && good; i++) {
        if (step_size(own) < own->problem.chunk) reset(own);
        good = step(own);
    }
    *spent = stopwatch_read(&begin);
    float_env_leave(before);
    return good;
}

enum { PAPERS_CHUNK = 16384 };

static void bound_chunk(sweep_problem *p)
{
    if (p->chunk > p->n) p->chunk = p->n;
}

static sigrep_status create_kernel(sweep_case *own, size_t threads)
{
    sweep_problem *p = &own->problem;
    sigrep_status status = pool_create(&own->workers, threads);
    if (status) return status;
    kernel_template *templates = calloc(p->n_templates, sizeof *templates);
    if (!templates) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < p->n_templates; j++)
        templates[j] =
            (kernel_template){.frames = p->x, .length = p->m, .eps = p->eps, .history = 2 * p->m};
    kernel_plan plan = {.templates = templates,
                        .n_templates = p->n_templates,
                        .dim = p->dim,
                        .workers = own->workers,
                        .device = kernel_device(p->device),
                        .pins = own->ops->prefetch != NULL};
    if (!p->chunk) p->chunk = own->ops->best_chunk(&plan);
    bound_chunk(p);
    plan.max_chunk = p->chunk;
    status = own->ops->create(&own->kernel, &plan);
    free(templates);
    if (!status && plan.pins)
        status = own->ops->prefetch->pin(own->kernel, (float *)p->frames, p->n * p->dim);
    if (status) return status;
    own->output.minima_stride = kernel_max_blocks(p->chunk);
    own->output.minima = calloc(p->n_templates, own->output.minima_stride * sizeof(float));
    return own->output.minima ? SIGREP_OK : SIGREP_NO_MEMORY;
}

sigrep_status sweep_case_create(race_case *race, sweep_case *own, const kernel_ops *ops,
                                const sweep_problem *problem, size_t threads)
{
    *own = (sweep_case){.problem = *problem, .ops = ops};
    sigrep_status status = SIGREP_OK;
    if (ops) {
        status = create_kernel(own, threads);
    } else {
        if (!own->problem.chunk) own->problem.chunk = PAPERS_CHUNK;
        bound_chunk(&own->problem);
        own->d = calloc(problem->m, sizeof *own->d);
        own->score = calloc(own->problem.chunk, sizeof *own->score);
        if (!own->d || !own->score) status = SIGREP_NO_MEMORY;
    }
    if (status) {
        sweep_case_free(own);
        return status;
    }
    reset(own);
    const bool one_cpu = threads == 1 && (!ops || strcmp(ops->device, "cpu") == 0);
    const double templates = ops ? (double)problem->n_templates : 1;
    const double cells = (double)own->problem.chunk * (double)problem->m * templates;
    *race =
        (race_case){.run = run, .self = own, .cells = cells, .clock = one_cpu ? BY_CPU : BY_WALL};
    return SIGREP_OK;
}

void sweep_case_free(sweep_case *own)
{
    if (own->kernel) own->ops->destroy(own->kernel);
    pool_destroy(own->workers);
    free(own->output.minima);
    free(own->d);
    free(own->score);
    *own = (sweep_case){0};
}

sigrep_status sweep_case_lowest(sweep_case *own, float *lowest)
{
    *lowest = INFINITY;
    reset(own);
    while (own->at < own->problem.n) {
        size_t blocks = own->at % KERNEL_BLOCK;
        blocks = (blocks + step_size(own) + KERNEL_BLOCK - 1) / KERNEL_BLOCK;
        if (!step(own)) return SIGREP_NO_MEMORY;
        for (size_t i = 0; i < blocks; i++)
            if (own->output.minima[i] < *lowest) *lowest = own->output.minima[i];
    }
    reset(own);
    return SIGREP_OK;
}

bool sweep_case_agrees(sweep_case *own, sweep_case *papers)
{
    const sweep_problem *p = &papers->problem;
    reset(own);
    reset(papers);
    const size_t n = step_size(papers) < step_size(own) ? step_size(papers) : step_size(own);
    papers_loop(p->x, p->m, p->frames, n, p->dim, papers->d, papers->score);
    bool same = own->ops->sweep(own->kernel, p->frames, n, &own->output) == SIGREP_OK;
    for (size_t begin = 0; begin < n; begin += KERNEL_BLOCK) {
        float lowest = INFINITY;
        for (size_t t = begin; t < n && t < begin + KERNEL_BLOCK; t++)
            if (papers->score[t] < lowest) lowest = papers->score[t];
        for (size_t j = 0; j < p->n_templates; j++) {
            float minimum =
                own->output.minima[j * own->output.minima_stride + begin / KERNEL_BLOCK];
            same = same && minimum >= lowest && minimum <= lowest;
        }
    }
    reset(own);
    reset(papers);
    return same;
}

enum { ITERATIONS = 1000 }; /* of a mix in one loop of one thread */

typedef struct {
    const ceiling_case *own;
    size_t loops;
} ceiling_work;

static void run_mix(void *user, size_t task, size_t worker)
{
    const ceiling_work *work = user;
    const ceiling_case *own = work->own;
    (void)task, (void)worker;
    own->set->mixes[own->mix].run(work->loops * ITERATIONS, own->dim);
}

static bool run_ceiling(void *self, size_t loops, lap *spent)
{
    const ceiling_case *own = self;
    ceiling_work work = {own, loops};
    stopwatch begin = stopwatch_start();
    pool_run(own->workers, own->threads, run_mix, &work);
    *spent = stopwatch_read(&begin);
    return true;
}

sigrep_status ceiling_case_create(race_case *race, ceiling_case *own)
{
    *race = (race_case){.run = run_ceiling,
                        .self = own,
                        .cells = ITERATIONS * ceiling_cells(own->set) * (double)own->threads,
                        .clock = own->threads > 1 ? BY_WALL : BY_CPU};
    return pool_create(&own->workers, own->threads);
}

void ceiling_case_free(ceiling_case *own)
{
    pool_destroy(own->workers);
    own->workers = NULL;
}
