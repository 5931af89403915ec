/*
 * filter/search/fallback.c: a kernel that takes over has the checkpoints of the one that failed,
 * and all threads, even within a task of theirs. Searches go on with it, and report if it fails
 * too.
 */
#include "filter/search/fallback.h"

#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/search/window.h"
#include "kernels/pool.h"
#include "tests/check.h"

enum { M = 40, HISTORY = 80, CHUNK = 40000, CHUNKS = 4, OVERLAP = 300, N = CHUNK * CHUNKS };
enum { FAILED = N - CHUNK }; /* the first frame of the chunk that fails */

static uint64_t seed;
static float x[M], y[N];

static void make_stream(void)
{
    uint64_t random = seed;
    for (size_t i = 0; i < M; i++) x[i] = (float)check_below(&random, 5);
    for (size_t i = 0; i < N; i++) y[i] = (float)check_below(&random, 6);
}

/* A kernel for the CPU that notes the threads it is given, and can be made to fail. */
static kernel_ops watched, failing;
static pool *given;
static int chunks_left;
static sigrep_status creation;

static sigrep_status watched_create(void **kernel, const kernel_plan *plan)
{
    given = plan->workers;
    return creation ? creation : kernel_choose("cpu", "portable", NULL)->create(kernel, plan);
}

static sigrep_status failing_sweep(void *kernel, const float *frames, size_t n,
                                   const kernel_output *out)
{
    if (chunks_left-- <= 0) return SIGREP_DEVICE_FAILED;
    return kernel_choose("cpu", "scalar", NULL)->sweep(kernel, frames, n, out);
}

static void make_kernels(void)
{
    watched = *kernel_choose("cpu", "portable", NULL);
    watched.create = watched_create;
    failing = *kernel_choose("cpu", "scalar", NULL);
    failing.sweep = failing_sweep;
}

/* A scalar kernel that has swept all chunks, and a fallback that stored checkpoints of all but the
 * last chunk. */
typedef struct {
    const kernel_ops *of;
    void *kernel, *other;
    pool *workers;
    fallback fallback;
    window frames;
    kernel_output out;
    sigrep_status status;
} fixture;

static void begin(fixture *s)
{
    const kernel_template one = {x, M, INFINITY, HISTORY};
    *s = (fixture){.of = kernel_choose("cpu", "scalar", NULL)};
    CHECK(pool_create(&s->workers, 3) == SIGREP_OK);
    const kernel_plan plan = {
        .templates = &one, .n_templates = 1, .dim = 1, .max_chunk = CHUNK, .workers = s->workers};
    CHECK(s->of->create(&s->kernel, &plan) == SIGREP_OK);
    CHECK(fallback_create(&s->fallback, &watched, s->of, s->kernel, &plan, OVERLAP) == SIGREP_OK);
    CHECK(window_create(&s->frames, 1, OVERLAP + fallback_reach(&s->fallback), CHUNK) == SIGREP_OK);
    s->out.minima_stride = kernel_max_blocks(CHUNK);
    s->out.minima = calloc(s->out.minima_stride, sizeof *s->out.minima);
    for (uint64_t at = 0; at < N; at += CHUNK) {
        window_append(&s->frames, y + at, CHUNK);
        s->of->sweep(s->kernel, window_at(&s->frames, at), CHUNK, &s->out);
        if (at < FAILED)
            CHECK(fallback_store(&s->fallback, s->of, s->kernel, at, at + CHUNK) == SIGREP_OK);
    }
}

static void end(fixture *s)
{
    if (s->other) watched.destroy(s->other);
    s->of->destroy(s->kernel);
    fallback_free(&s->fallback);
    window_free(&s->frames);
    pool_destroy(s->workers);
    free(s->out.minima);
}

/* Take over as searches do: up to the chunk that failed, and sweep that chunk. */
static void take_over(fixture *s)
{
    s->status = fallback_take_over(&s->fallback, &s->other, &s->frames, FAILED, &s->out);
    if (!s->status)
        s->status = watched.sweep(s->other, window_at(&s->frames, FAILED), CHUNK, &s->out);
}

/* Compare all checkpoints that a kernel has. */
static void check_checkpoints(fixture *s)
{
    float a[M], b[M];
    const size_t spacing = s->of->spacing(s->kernel, 0);
    CHECK(s->status == SIGREP_OK && s->other);
    for (uint64_t at = N / spacing * spacing; s->other && at + HISTORY >= FAILED; at -= spacing) {
        CHECK(s->of->checkpoint(s->kernel, 0, at, a) == SIGREP_OK);
        CHECK(watched.checkpoint(s->other, 0, at, b) == SIGREP_OK);
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
}

static void it_has_the_same_checkpoints_and_all_threads(void)
{
    fixture s;
    begin(&s);
    given = NULL;
    take_over(&s);
    CHECK(given == s.workers);
    check_checkpoints(&s);
    end(&s);
}

static void take_over_in_task(void *user, size_t task, size_t worker)
{
    fixture *s = user;
    (void)worker;
    if (task == 1) take_over(s);
}

/* Regression: fallback_kernel_that_shared_the_threads_of_its_searches. */
static void it_takes_over_within_a_task_of_its_threads(void)
{
    for (int round = 0; round < 10; round++) {
        fixture s;
        begin(&s);
        pool_run(s.workers, 3, take_over_in_task, &s);
        check_checkpoints(&s);
        end(&s);
    }
}

/* Searches whose kernel fails at the third chunk. */
static searches *searches_that_fail(sigrep_status *status)
{
    const template one = {.frames = x, .length = M, .gate = detector_gate_of(0.1, 0.5, 2, M)};
    const searches_plan plan = {.templates = &one,
                                .n_templates = 1,
                                .dim = 1,
                                .chunk = CHUNK,
                                .ops = &failing,
                                .fallback = &watched};
    match_list list = {0};
    searches *all;
    chunks_left = 2;
    *status = searches_create(&all, &plan);
    for (size_t at = 0; at < 4 * CHUNK && !*status; at += CHUNK) {
        searches_append(all, y + at, CHUNK);
        *status = searches_run(all, &list);
    }
    match_list_free(&list);
    return all;
}

static void searches_go_on_with_it(void)
{
    sigrep_status status;
    searches *all = searches_that_fail(&status);
    CHECK(status == SIGREP_OK && all->to == 4 * CHUNK);
    CHECK(all->failure == SIGREP_DEVICE_FAILED && all->ops == &watched);
    searches_destroy(all);
}

/* Regression: the_cpu_is_reported_before_it_works. */
static void one_that_fails_too_has_not_taken_over(void)
{
    sigrep_status status;
    creation = SIGREP_NO_MEMORY;
    searches *all = searches_that_fail(&status);
    creation = SIGREP_OK;
    CHECK(status == SIGREP_NO_MEMORY);
    CHECK(all->failure == SIGREP_OK && all->ops == &failing);
    searches_destroy(all);
}

int main(void)
{
    seed = check_seed("test_fallback");
    make_stream();
    make_kernels();
    RUN(it_has_the_same_checkpoints_and_all_threads);
    RUN(it_takes_over_within_a_task_of_its_threads);
    RUN(searches_go_on_with_it);
    RUN(one_that_fails_too_has_not_taken_over);
    return check_done();
}
