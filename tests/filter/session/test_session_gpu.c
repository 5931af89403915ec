/*
 * filter/session/device.c: searches on made-up GPUs (tests/support/fake_cuda.h). They give the
 * matches of the CPU, fed or pushed, on one device or several. If something fails under "auto", the
 * CPU takes over and no match is lost. If a GPU was asked for, its failure is an error.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

#include "tests/support/fake_cuda_inside.h"

enum { N = 9000, TEMPLATES = 3 };

static uint64_t seed;
static float y[N];
static float x[TEMPLATES][300];
static const size_t lengths[TEMPLATES] = {5, 40, 300};
static sigrep_template templates[TEMPLATES];

/* Noise of few values, in it the templates, a little slower, and gaps. */
static void make_stream(void)
{
    uint64_t random = seed;
    for (size_t j = 0; j < TEMPLATES; j++) {
        for (size_t i = 0; i < lengths[j]; i++) x[j][i] = (float)check_below(&random, 5);
        templates[j] = (sigrep_template){.size = sizeof(sigrep_template),
                                         .label = j == 2 ? "a" : "b",
                                         .samples = x[j],
                                         .length = lengths[j],
                                         .threshold = 0.35};
    }
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&random, 6);
    for (size_t at = 100; at + 900 < N; at += 200 + check_below(&random, 900)) {
        size_t j = check_below(&random, TEMPLATES), slow = 1 + check_below(&random, 2);
        for (size_t i = 0; i < slow * lengths[j]; i++) y[at + i] = x[j][i / slow];
    }
    for (int gaps = 0; gaps < 4; gaps++) y[check_below(&random, N)] = NAN;
}

typedef struct {
    const char *device;
    size_t chunk, push; /* samples at once; 0: anything */
    bool feed, scores, paths;
    size_t best;
    double expected;
    unsigned threads;
    bool twice; /* the stream, as two inputs */
} manner;

typedef struct {
    collection got;
    sigrep_status created, pushed;
    char reason[160], kernel[32], remark[160];
} result;

static sigrep_status run_stream(sigrep *session, const manner *how)
{
    uint64_t random = seed + 1;
    sigrep_status status = SIGREP_OK;
    for (size_t at = 0; at < N && !status;) {
        size_t n = how->push ? how->push : 1 + check_below(&random, 1500);
        if (n > N - at) n = N - at;
        bool feed = how->feed && check_below(&random, 4);
        status = feed ? sigrep_feed(session, y + at, n) : sigrep_push(session, y + at, n);
        at += n;
    }
    sigrep_status finished = sigrep_finish(session);
    return status ? status : finished;
}

static result search(manner how)
{
    result r = {.remark = ""};
    memory_store memory = {0};
    const sigrep_store store = memory_store_ops(&memory);
    sigrep_config config;
    sigrep_error error = {.text = ""};
    sigrep *session;
    collect_begin(&r.got, TEMPLATES);
    sigrep_config_init(&config, sizeof config);
    config.templates = templates;
    config.n_templates = TEMPLATES;
    config.device = how.device;
    config.chunk = how.chunk;
    config.expected = how.expected;
    config.best = how.best;
    config.threads = how.threads;
    config.paths = how.paths;
    config.store = how.best ? &store : NULL;
    config.on_match = collect_match;
    config.on_scores = how.scores ? collect_scores : NULL;
    config.user = &r.got;
    r.created = sigrep_create(&session, &config, &error);
    strcpy(r.reason, error.text);
    if (!r.created) {
        if (how.paths) r.got.search = session;
        sigrep_stats stats = {.size = sizeof stats};
        r.pushed = run_stream(session, &how);
        if (!r.pushed && how.twice) r.pushed = run_stream(session, &how);
        sigrep_get_stats(session, &stats);
        strcpy(r.kernel, stats.kernel);
        strcpy(r.remark, stats.remark ? stats.remark : "");
    }
    sigrep_destroy(session);
    memory_store_free(&memory);
    return r;
}

static bool equal(const result *a, const result *b)
{
    return !b->created && !b->pushed && collect_equal(&a->got, &b->got);
}

static void every_device_and_manner_gives_the_same_matches(void)
{
    size_t number = 0;
    for (int scores = 0; scores < 2; scores++) {
        fake_cuda_begin();
        result cpu = search((manner){.device = "cpu", .push = N, .scores = scores});
        CHECK(!cpu.created && cpu.got.n > 10 && !strcmp(cpu.reason, ""));
        for (size_t chunk = 100; chunk <= 6400; chunk *= 4)
            for (int feed = 0; feed < 2; feed++) {
                if (!check_is_due_of(seed, number++, 2 * 2 * 4)) continue;
                result gpu = search(
                    (manner){.device = "cuda", .chunk = chunk, .feed = feed, .scores = scores});
                CHECK_MSG(equal(&cpu, &gpu), "chunk %zu, feed %d", chunk, feed);
                CHECK(!strcmp(gpu.kernel, "cuda") && !strcmp(gpu.remark, ""));
                collect_free(&gpu.got);
            }
        fake_cuda.devices = 2;
        result all = search((manner){.device = "cuda:all", .chunk = 1000, .scores = scores});
        CHECK(equal(&cpu, &all) && !strcmp(all.kernel, "cuda"));
        CHECK(fake_cuda.misplaced == 0 && fake_cuda.allocated == 0);
        collect_free(&all.got);
        collect_free(&cpu.got);
    }
}

/* Each session on "cuda:all" takes the next GPU, and stays there. */
static void sessions_take_the_gpus_in_turn(void)
{
    enum { DEVICES = 3, SESSIONS = 2 * DEVICES + 1 };
    sigrep *sessions[SESSIONS];
    collection got;
    sigrep_config config;
    fake_cuda_begin();
    fake_cuda.devices = DEVICES;
    collect_begin(&got, TEMPLATES);
    sigrep_config_init(&config, sizeof config);
    config.templates = templates;
    config.n_templates = TEMPLATES;
    config.device = "cuda:all";
    config.on_match = collect_match;
    config.user = &got;
    int first = 0;
    for (int i = 0; i < SESSIONS; i++) {
        CHECK(sigrep_create(&sessions[i], &config, NULL) == SIGREP_OK);
        if (i == 0) first = fake_cuda_device();
        CHECK_MSG(fake_cuda_device() == (first + i) % DEVICES, "session %d", i);
    }
    for (int i = 0; i < SESSIONS; i++) {
        CHECK(sigrep_push(sessions[i], y, N / 4) == SIGREP_OK && !sigrep_finish(sessions[i]));
        sigrep_destroy(sessions[i]);
        CHECK_MSG(fake_cuda_device() == (first + i) % DEVICES, "session %d", i);
    }
    CHECK(got.n > 10 && fake_cuda.misplaced == 0 && fake_cuda.allocated == 0);
    collect_free(&got);
}

/* The next chunk may have been appended when a match is called back. */
static void paths_are_the_same(void)
{
    fake_cuda_begin();
    result cpu = search((manner){.device = "cpu", .push = N, .paths = true});
    CHECK(cpu.got.n > 10 && cpu.got.n_pairs > 10);
    size_t number = 0;
    for (size_t chunk = 100; chunk <= 6400; chunk *= 4) {
        if (!check_is_due_of(seed, number++, 4)) continue;
        result gpu =
            search((manner){.device = "cuda", .chunk = chunk, .feed = true, .paths = true});
        CHECK_MSG(equal(&cpu, &gpu), "chunk %zu", chunk);
        collect_free(&gpu.got);
    }
    collect_free(&cpu.got);
}

static void best_of_searches_are_the_same(void)
{
    fake_cuda_begin();
    result cpu = search((manner){.device = "cpu", .push = N, .best = 12});
    result gpu = search((manner){.device = "cuda", .chunk = 700, .feed = true, .best = 12});
    CHECK(cpu.got.n == 2 * 12 && equal(&cpu, &gpu)); /* 12 of each label */
    collect_free(&cpu.got);
    collect_free(&gpu.got);
}

/* The number of named calls in a search in which nothing fails. The launch of the last reset does
 * not count, since nothing depends on it. */
static int calls_of(manner how, const char *name)
{
    fake_cuda_begin();
    fake_cuda.fails = name;
    fake_cuda.error = cudaErrorUnknown;
    fake_cuda.after = INT_MAX;
    result r = search(how);
    CHECK(fake_cuda.failed == 0);
    collect_free(&r.got);
    return fake_cuda.named - !strcmp(name, "launch");
}

/* A launch fails, and the device with it: at 16 places or more, from early to late. Fewer places
 * are tried if the stream has fewer launches. */
static void fails_in_turn(manner how)
{
    const int calls = calls_of(how, "launch"), places = 1 + (int)check_cases(15);
    const int stride = calls < places ? 1 : calls / places;
    result cpu = search((manner){
        .device = "cpu", .push = N, .scores = how.scores, .best = how.best, .paths = how.paths});
    int taken_over = 0;
    for (int tried = 0; tried < calls; tried += stride) {
        fake_cuda_begin();
        fake_cuda.fails = "launch";
        fake_cuda.error = cudaErrorLaunchFailure;
        fake_cuda.after = tried;
        fake_cuda.lost = true;
        result r = search(how);
        CHECK_MSG(equal(&cpu, &r), "launch %d: %s", tried, sigrep_status_text(r.pushed));
        CHECK(fake_cuda.failed > 0 && !strcmp(r.remark, "the GPU failed; the CPU is used"));
        const bool at_once = !strcmp(r.reason, r.remark);
        CHECK(at_once || !strcmp(r.reason, "")); /* sigrep_create reports its own failures alone */
        CHECK(strcmp(r.kernel, "cuda") != 0 || how.best);
        taken_over += !at_once;
        CHECK(fake_cuda.allocated == 0);
        collect_free(&r.got);
    }
    CHECK(taken_over > 0);
    collect_free(&cpu.got);
}

static void the_cpu_takes_over_whatever_launch_fails(void)
{
    fails_in_turn((manner){.device = "auto", .chunk = 300, .feed = true});
    fails_in_turn((manner){.device = NULL, .chunk = 4000, .push = N});
    fails_in_turn((manner){.device = "auto", .chunk = 2000, .scores = true});
    fails_in_turn(
        (manner){.device = "auto", .chunk = 3000, .feed = true, .threads = 2, .paths = true});
}

static void the_cpu_takes_over_in_a_best_of_search(void)
{
    fails_in_turn((manner){.device = "auto", .chunk = 2000, .best = 6, .push = 2000});
}

/* A copy fails. It may be that of a checkpoint, which any of the threads may read between two
 * chunks.
 */
static void copies_fail_in_turn(manner how)
{
    const int calls = calls_of(how, "cudaMemcpyAsync");
    result cpu = search((manner){.device = "cpu", .push = N});
    for (int after = 0; after < calls; after += (int)check_share()) {
        fake_cuda_begin();
        fake_cuda.fails = "cudaMemcpyAsync";
        fake_cuda.error = cudaErrorUnknown;
        fake_cuda.after = after;
        fake_cuda.lost = true;
        result r = search(how);
        CHECK_MSG(equal(&cpu, &r), "copy %d: %s", after, sigrep_status_text(r.pushed));
        CHECK(fake_cuda.failed > 0 && r.remark[0]);
        collect_free(&r.got);
    }
    collect_free(&cpu.got);
}

static void the_cpu_takes_over_when_a_copy_fails(void)
{
    copies_fail_in_turn((manner){.device = "auto", .chunk = 3000, .feed = true});
    copies_fail_in_turn((manner){.device = "auto", .chunk = 3000, .feed = true, .threads = 3});
}

/* Regression: reset_that_failed_in_silence. Only the reset between two inputs fails, once. */
static void the_cpu_takes_over_when_a_reset_fails(void)
{
    manner how = {.device = "auto", .chunk = 2000, .push = N};
    const int calls = calls_of(how, "launch");
    how.twice = true;
    result cpu = search((manner){.device = "cpu", .push = N, .twice = true});
    for (int asked = 0; asked < 2; asked++) {
        fake_cuda_begin();
        fake_cuda.fails = "launch";
        fake_cuda.error = cudaErrorLaunchFailure;
        fake_cuda.after = calls;
        how.device = asked ? "cuda" : "auto";
        result r = search(how);
        CHECK(fake_cuda.failed == 1);
        CHECK(asked ? r.pushed == SIGREP_DEVICE_FAILED : equal(&cpu, &r));
        CHECK(!strcmp(r.remark, asked ? "" : "the GPU failed; the CPU is used"));
        collect_free(&r.got);
    }
    collect_free(&cpu.got);
}

static void if_a_gpu_was_asked_for_its_failure_is_an_error(void)
{
    static const char *const devices[] = {"cuda", "cuda:0", "cuda:all"};
    for (size_t i = 0; i < 3; i++) {
        fake_cuda_begin();
        fake_cuda.devices = 2;
        fake_cuda.fails = "launch";
        fake_cuda.error = cudaErrorLaunchFailure;
        fake_cuda.after = 60;
        result r = search((manner){.device = devices[i], .chunk = 500});
        CHECK(!r.created && r.pushed == SIGREP_DEVICE_FAILED && !strcmp(r.remark, ""));
        CHECK(fake_cuda.allocated == 0);
        collect_free(&r.got);
    }
    fake_cuda_begin();
    fake_cuda.fails = "cudaMalloc";
    fake_cuda.error = cudaErrorMemoryAllocation;
    fake_cuda.times = 1000;
    result r = search((manner){.device = "cuda"});
    CHECK(r.created == SIGREP_DEVICE_MEMORY &&
          !strcmp(r.reason, "too little free memory on the GPU"));
    collect_free(&r.got);
}

static void too_little_memory_at_first_means_the_cpu_under_auto(void)
{
    fake_cuda_begin();
    result cpu = search((manner){.device = "cpu", .push = N});
    fake_cuda.free_bytes = (size_t)257 << 20;
    result r = search((manner){.device = "auto"});
    CHECK(equal(&cpu, &r) && strcmp(r.kernel, "cuda") != 0);
    CHECK(!strcmp(r.reason, "too little free memory on the GPU; the CPU is used"));
    CHECK(!strcmp(r.remark, r.reason));
    collect_free(&r.got);
    collect_free(&cpu.got);
}

/* With smaller chunks the search still fits. */
static void a_small_gpu_gets_smaller_chunks(void)
{
    fake_cuda_begin();
    result cpu = search((manner){.device = "cpu", .push = N});
    result large = search((manner){.device = "cuda"});
    const size_t wanted = fake_cuda.largest;
    fake_cuda.largest = 0;
    fake_cuda.free_bytes = ((size_t)256 << 20) + wanted / 4 * 3;
    result r = search((manner){.device = "cuda"});
    CHECK(equal(&cpu, &large) && equal(&cpu, &r) && !strcmp(r.kernel, "cuda"));
    CHECK(fake_cuda.largest > 0 && fake_cuda.largest <= wanted / 4 * 3);
    collect_free(&r.got);
    collect_free(&large.got);
    collect_free(&cpu.got);
}

/* If little is expected, no call reaches the GPU. */
static void auto_wakes_no_gpu_for_little(void)
{
    fake_cuda_begin();
    result r = search((manner){.device = "auto", .expected = N});
    CHECK(strcmp(r.kernel, "cuda") != 0 && fake_cuda.calls == 0 && !strcmp(r.remark, ""));
    collect_free(&r.got);
    r = search((manner){.device = "auto", .expected = 1e9});
    CHECK(!strcmp(r.kernel, "cuda"));
    collect_free(&r.got);
    r = search((manner){.device = "cuda", .expected = 1}); /* asked for, it is used */
    CHECK(!strcmp(r.kernel, "cuda"));
    collect_free(&r.got);
}

/* Does "auto" take the GPU for a template of 50 samples with this number of channels? */
static bool wakes_the_gpu(size_t channels, double expected)
{
    const sigrep_template template = {
        .size = sizeof template, .samples = x[2], .length = 50, .threshold = 1};
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_config config;
    sigrep *session;
    sigrep_config_init(&config, sizeof config);
    config.templates = &template;
    config.n_templates = 1;
    config.channels = channels;
    config.expected = expected;
    config.on_match = collect_match;
    CHECK(sigrep_create(&session, &config, NULL) == SIGREP_OK);
    sigrep_get_stats(session, &stats);
    sigrep_destroy(session);
    return strcmp(stats.device, "cuda") == 0;
}

/* 10^10 values take a core half a second, whether of cells or of the channels of a cell. */
static void auto_counts_the_values_of_a_cell(void)
{
    fake_cuda_begin();
    CHECK(!wakes_the_gpu(1, 2e8 - 1) && wakes_the_gpu(1, 2e8));
    CHECK(!wakes_the_gpu(5, 4e7 - 1) && wakes_the_gpu(5, 4e7));
}

/* On a GPU that does everything at once, and on a slow one; if a share runs, on the slow one. */
int main(void)
{
    seed = check_seed("test_session_gpu");
    make_stream();
    for (int late = check_share() > 1; late < 2; late++) {
        fake_cuda_usually_late = late ? 1 + (unsigned)(seed % 5) : 0;
        RUN(every_device_and_manner_gives_the_same_matches);
        RUN(sessions_take_the_gpus_in_turn);
        RUN(paths_are_the_same);
        RUN(best_of_searches_are_the_same);
        RUN(the_cpu_takes_over_whatever_launch_fails);
        RUN(the_cpu_takes_over_in_a_best_of_search);
        RUN(the_cpu_takes_over_when_a_copy_fails);
        RUN(the_cpu_takes_over_when_a_reset_fails);
        RUN(if_a_gpu_was_asked_for_its_failure_is_an_error);
        RUN(too_little_memory_at_first_means_the_cpu_under_auto);
        RUN(a_small_gpu_gets_smaller_chunks);
        RUN(auto_wakes_no_gpu_for_little);
        RUN(auto_counts_the_values_of_a_cell);
    }
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_session_gpu", "built without CUDA");
}

#endif
