/* Searches whose kernel stands for GPUs: each allocation fails once. On GPUs, searches have a
 * fallback and a thread of their own. */
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "tests/allocations/each_allocation.h"

enum { M = 40, CHUNK = 4096, CHUNKS = 4, N = CHUNK * CHUNKS };

static float x[M], y[N];

/* A kernel of the CPU whose chunks fail once `good_chunks` were swept. */
static kernel_ops weak;
static int good_chunks;

static sigrep_status weak_sweep(void *kernel, const float *frames, size_t n,
                                const kernel_output *out)
{
    if (good_chunks-- <= 0) return SIGREP_DEVICE_FAILED;
    return kernel_choose("cpu", "scalar", NULL)->sweep(kernel, frames, n, out);
}

static sigrep_status search_all(searches *all, match_list *found)
{
    sigrep_status status = SIGREP_OK;
    for (size_t at = 0; at < N && !status; at += CHUNK) {
        searches_append(all, y + at, CHUNK);
        status = searches_begin(all);
        if (!status) status = searches_end(all, found);
    }
    return status ? status : searches_finish(all, found);
}

/* How many matches there are; set by the first search. */
static size_t wanted;

static bool search_once(const void *user)
{
    const searches_plan *plan = user;
    match_list found = {0};
    searches *all;
    good_chunks = 2;
    sigrep_status status = searches_create(&all, plan);
    CHECK((status == SIGREP_OK) == (all != NULL));
    if (!status) status = search_all(all, &found);
    CHECK_MSG(!status || status == SIGREP_NO_MEMORY, "%s", sigrep_status_text(status));
    if (!status && wanted == 0) wanted = found.n;
    CHECK(status || found.n == wanted);
    match_list_free(&found);
    searches_destroy(all);
    return status == SIGREP_OK;
}

static void each_fails(const char *name, searches_plan plan)
{
    const template one = {.frames = x, .length = M, .gate = detector_gate_of(0.3, 0.5, 2, M)};
    plan.templates = &one;
    plan.n_templates = plan.dim = 1;
    plan.chunk = CHUNK;
    plan.background = true;
    wanted = 0;
    CHECK(search_once(&plan) && wanted > 0);
    each_allocation_fails(name, search_once, &plan);
}

static void with_a_kernel_that_takes_over(void)
{
    const kernel_ops *cpu = kernel_choose("cpu", "portable", NULL);
    each_fails("fallback", (searches_plan){.ops = &weak, .fallback = cpu});
}

/* Noise of few values, with the template in each chunk. */
static void make_signals(void)
{
    uint64_t random = 1;
    for (size_t i = 0; i < M; i++) x[i] = (float)check_below(&random, 5);
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&random, 6);
    for (size_t at = CHUNK / 2; at < N; at += CHUNK) memcpy(y + at, x, sizeof x);
}

int main(void)
{
    make_signals();
    weak = *kernel_choose("cpu", "scalar", NULL);
    weak.sweep = weak_sweep;
    RUN(with_a_kernel_that_takes_over);
    return check_done();
}
