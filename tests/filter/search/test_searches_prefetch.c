/*
 * filter/search/searches.c prefetches the next chunk while the kernel sweeps the present one
 * (kernel_ops.prefetch). On slow made-up GPUs (tests/support/fake_cuda.h) a stream of many chunks
 * gives the matches of the CPU, wherever gaps, inputs and failures lie. Chunks are longer than the
 * staging memory.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

enum { N = 1100000, CHUNK = 140000, M = 7 };

static uint64_t seed;
static float *y;
static float x[M];
static const sigrep_template one = {
    .size = sizeof(sigrep_template), .label = "x", .samples = x, .length = M, .threshold = 0.05};

/* Noise of few values, now and then the template, and gaps. */
static void make_stream(void)
{
    uint64_t random = seed;
    y = malloc(N * sizeof *y);
    if (!y) abort();
    for (size_t i = 0; i < M; i++) x[i] = (float)(i * i % 5);
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&random, 100);
    for (size_t at = 0; at + M < N; at += 1 + check_below(&random, 9000))
        memcpy(y + at, x, sizeof x);
    for (int gaps = 0; gaps < 5; gaps++) y[check_below(&random, N)] = NAN;
}

typedef struct {
    const char *device;
    bool feed, twice;
} manner;

typedef struct {
    collection got;
    sigrep_status status;
    char kernel[32];
} result;

static sigrep_status run_stream(sigrep *session, const manner *how)
{
    uint64_t random = seed + 1;
    sigrep_status status = SIGREP_OK;
    for (size_t at = 0; at < N && !status;) {
        size_t n = 1 + check_below(&random, check_below(&random, 4) ? 300000 : 10);
        if (n > N - at) n = N - at;
        bool feed = how->feed && check_below(&random, 8);
        status = feed ? sigrep_feed(session, y + at, n) : sigrep_push(session, y + at, n);
        at += n;
    }
    sigrep_status finished = sigrep_finish(session);
    return status ? status : finished;
}

static result search(manner how)
{
    result r = {.kernel = ""};
    sigrep_config config;
    sigrep *session;
    collect_begin(&r.got, 1);
    sigrep_config_init(&config, sizeof config);
    config.templates = &one;
    config.n_templates = 1;
    config.device = how.device;
    config.chunk = CHUNK;
    config.on_match = collect_match;
    config.user = &r.got;
    r.status = sigrep_create(&session, &config, NULL);
    if (!r.status) {
        sigrep_stats stats = {.size = sizeof stats};
        r.status = run_stream(session, &how);
        if (!r.status && how.twice) r.status = run_stream(session, &how);
        sigrep_get_stats(session, &stats);
        strcpy(r.kernel, stats.kernel);
    }
    sigrep_destroy(session);
    CHECK(fake_cuda.hasty == 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
    return r;
}

static void prefetched_chunks_give_the_same_matches(void)
{
    result cpu = search((manner){.device = "cpu", .twice = true});
    CHECK(cpu.got.n > 100);
    size_t number = 0;
    for (unsigned late = 0; late < 3; late++)
        for (int devices = 1; devices <= 3; devices++) {
            if (!check_is_due_of(seed, number++, 3 * 3)) continue;
            fake_cuda_begin_as(late, devices);
            result gpu = search((manner){.device = "cuda:all", .feed = true, .twice = true});
            CHECK_MSG(!gpu.status && collect_equal(&cpu.got, &gpu.got), "late %u, %d devices", late,
                      devices);
            CHECK(!strcmp(gpu.kernel, "cuda"));
            collect_free(&gpu.got);
        }
    collect_free(&cpu.got);
}

/* One copy to or from the device fails, in each part of the stream in turn. In half of the cases
 * the whole device fails with it. */
static void the_cpu_takes_over_from_prefetches(void)
{
    enum { PLACES = 12 };
    manner how = {.device = "auto", .feed = true};
    result cpu = search((manner){.device = "cpu"});
    fake_cuda_begin_as(1, 1);
    fake_cuda.fails = "cudaMemcpyAsync";
    fake_cuda.error = cudaErrorUnknown;
    fake_cuda.after = INT_MAX;
    result all = search(how);
    const int calls = fake_cuda.named;
    CHECK(!all.status && calls > 20);
    for (int i = 0; i < 2 * PLACES; i++) {
        if (!check_is_due_of(seed, (size_t)i, 2 * PLACES)) continue;
        const bool lost = i < PLACES;
        fake_cuda_begin_as(1 + (unsigned)i % 2, 1);
        fake_cuda.fails = "cudaMemcpyAsync";
        fake_cuda.error = cudaErrorUnknown;
        fake_cuda.after = i % PLACES * calls / PLACES;
        fake_cuda.lost = lost;
        result r = search(how);
        CHECK_MSG(!r.status && collect_equal(&cpu.got, &r.got), "copy %d of %d", i, calls);
        CHECK(fake_cuda.failed > 0 && (!lost || strcmp(r.kernel, "cuda") != 0));
        collect_free(&r.got);
    }
    collect_free(&all.got);
    collect_free(&cpu.got);
}

int main(void)
{
    seed = check_seed("test_searches_prefetch");
    make_stream();
    RUN(prefetched_chunks_give_the_same_matches);
    RUN(the_cpu_takes_over_from_prefetches);
    free(y);
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_searches_prefetch", "built without CUDA");
}

#endif
