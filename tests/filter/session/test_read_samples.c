/*
 * filter/session/read_samples.c: sigrep_read gives the matches that pushing the same samples gives,
 * wherever gaps, chunks and the ends of reads lie, and whatever fails. On the CPU and on slow
 * made-up GPUs (tests/support/fake_cuda.h).
 */
#include "sigrep.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA
#include <driver_types.h>
#endif

/* SLICE: samples that one thread reads at once. */
enum { N = 1500000, MOST = 1 << 18, SLICE = 1 << 15, M = 7, MOST_CHANNELS = 3, MOST_THREADS = 5 };

static uint64_t seed;
static float *y; /* N x MOST_CHANNELS */
static float x[M * MOST_CHANNELS];

/* Gaps at the edges of slices of the first read, and anywhere. */
static void make_gaps(size_t channels, uint64_t *random)
{
    static const size_t places[] = {0, 1, 2, SLICE - 1, SLICE, SLICE + 1, 3 * SLICE};
    const size_t n = sizeof places / sizeof *places;
    for (size_t i = 0; i < n + 40; i++) {
        const size_t at = i < n ? places[i] : check_below(random, N - 2 * SLICE);
        const size_t length = i % 10 == 9 ? check_below(random, 2 * SLICE) : i % 3 + 1;
        for (size_t k = 0; k < length; k++)
            y[(at + k) * channels + check_below(random, channels)] = k % 2 ? NAN : -INFINITY;
    }
}

/* Noise of few values, now and then the template. */
static void make_stream(size_t channels, bool gaps)
{
    uint64_t random = seed;
    const size_t row = M * channels;
    for (size_t i = 0; i < row; i++) x[i] = (float)(i * i % 5);
    for (size_t i = 0; i < N * channels; i++) y[i] = (float)check_below(&random, 100);
    for (size_t at = 0; at + M < N; at += 1 + check_below(&random, 9000))
        memcpy(y + at * channels, x, row * sizeof *x);
    if (gaps) make_gaps(channels, &random);
}

/* Samples in memory for one read. `first`: the first of them; `there`: samples in all. */
typedef struct {
    size_t channels, first, there;
} source;

static size_t read_source(void *user, float *to, size_t at, size_t n)
{
    const source *r = user;
    const size_t begin = r->first + at, left = begin < r->there ? r->there - begin : 0;
    if (n > left) n = left;
    memcpy(to, y + begin * r->channels, n * r->channels * sizeof *to);
    return n;
}

typedef struct {
    const char *device, *front_end; /* NULL: "raw" */
    size_t channels, chunk;
    unsigned threads;
    bool reads;
    size_t stop_after;
} manner;

typedef struct {
    collection got;
    sigrep_status status;
    char kernel[32];
    size_t read;
} result;

/* Read the stream: the first read is whole, later ones may end early. Push samples if reads are not
 * wanted, and now and then although they are. */
static sigrep_status run_stream(sigrep *session, const manner *how, size_t *read)
{
    uint64_t random = seed + 1;
    sigrep_status status = SIGREP_OK;
    source r = {.channels = how->channels};
    while (r.first < N && !status) {
        size_t got = 0, n = N - r.first < MOST ? N - r.first : MOST;
        r.there = !r.first || check_below(&random, 4) ? N : r.first + check_below(&random, n);
        if (how->reads && (!r.first || check_below(&random, 8)))
            status = sigrep_read(session, n, read_source, &r, &got);
        *read += got;
        if (!got && !status) {
            got = 1 + check_below(&random, n);
            const float *samples = y + r.first * how->channels;
            const bool feed = how->reads && check_below(&random, 4);
            status = feed ? sigrep_feed(session, samples, got) : sigrep_push(session, samples, got);
        }
        r.first += got;
    }
    sigrep_status finished = sigrep_finish(session);
    return status ? status : finished;
}

static result search_with(manner how)
{
    result r = {.read = 0};
    const sigrep_template searched = {.size = sizeof(sigrep_template),
                                      .label = "x",
                                      .samples = x,
                                      .length = M,
                                      .threshold =
                                          (how.front_end ? 10 : 0.05) * (double)how.channels};
    sigrep_config config;
    sigrep *session;
    collect_begin(&r.got, 1);
    r.got.stop_after = how.stop_after;
    sigrep_config_init(&config, sizeof config);
    config.templates = &searched;
    config.n_templates = 1;
    config.channels = how.channels;
    config.device = how.device;
    if (how.front_end) config.front_end = how.front_end;
    config.chunk = how.chunk;
    config.threads = how.threads;
    config.on_match = collect_match;
    config.user = &r.got;
    r.status = sigrep_create(&session, &config, NULL);
    for (int input = 0; input < 2 && !r.status; input++) { /* two inputs */
        sigrep_stats stats = {.size = sizeof stats};
        r.status = run_stream(session, &how, &r.read);
        sigrep_get_stats(session, &stats);
        strcpy(r.kernel, stats.kernel);
    }
    sigrep_destroy(session);
#ifdef TESTS_CUDA
    CHECK(fake_cuda.hasty == 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
#endif
    return r;
}

/* Under sanitizers a case takes seconds, so one in check_share() runs: the first in any case. */
static bool is_due(size_t number)
{
    return number % check_share() == 0;
}

static bool is_same(const result *want, const result *got)
{
    return got->status == want->status && collect_equal(&want->got, &got->got);
}

#ifdef TESTS_CUDA

static void samples_that_threads_read_give_the_same_matches(void)
{
    size_t number = 0;
    for (size_t channels = 1; channels <= MOST_CHANNELS; channels += 2)
        for (unsigned threads = MOST_THREADS; threads >= 1; threads--) {
            if (!is_due(number++)) continue;
            const bool gaps = threads % 2;
            make_stream(channels, gaps);
            result cpu = search_with((manner){.device = "cpu", .channels = channels});
            CHECK(!cpu.status && cpu.got.n > 100);
            fake_cuda_begin_as(threads % 3, 1 + (int)threads / 4);
            result gpu = search_with((manner){.device = "cuda:all",
                                              .channels = channels,
                                              .chunk = threads == 4 ? 1 << 20 : 140000,
                                              .threads = threads,
                                              .reads = true});
            CHECK_MSG(is_same(&cpu, &gpu), "%u threads, %zu channels", threads, channels);
            CHECK(!strcmp(gpu.kernel, "cuda") && gpu.read > 0);
            collect_free(&gpu.got);
            collect_free(&cpu.got);
        }
}

/* The GPU is lost at any place. The kernel of the CPU, which runs in the background then, has the
 * threads of the searches, while other threads read. */
static void the_cpu_takes_over_in_the_middle(void)
{
    const int places = 1 + (int)check_cases(7);
    make_stream(1, true);
    manner how = {.device = "auto", .channels = 1, .chunk = 140000, .threads = 3, .reads = true};
    result cpu = search_with((manner){.device = "cpu", .channels = 1});
    fake_cuda_begin_as(1, 1);
    fake_cuda.fails = "cudaMemcpyAsync";
    fake_cuda.error = cudaErrorUnknown;
    fake_cuda.after = 1 << 30;
    result all = search_with(how);
    const int calls = fake_cuda.named;
    CHECK(is_same(&cpu, &all) && calls > 20);
    for (int i = 0; i < places; i++) {
        fake_cuda_begin_as((unsigned)i % 2, 1);
        fake_cuda.fails = "cudaMemcpyAsync";
        fake_cuda.error = cudaErrorUnknown;
        fake_cuda.after = i * calls / places;
        fake_cuda.lost = true;
        result r = search_with(how);
        CHECK_MSG(is_same(&cpu, &r), "copy %d of %d", i, calls);
        CHECK(fake_cuda.failed > 0 && strcmp(r.kernel, "cuda") != 0);
        collect_free(&r.got);
    }
    collect_free(&all.got);
    collect_free(&cpu.got);
}

static void a_search_that_is_stopped_takes_no_more(void)
{
    make_stream(1, false);
    fake_cuda_begin_as(0, 1);
    manner how = {.device = "cuda", .channels = 1, .threads = 3, .reads = true, .stop_after = 3};
    result r = search_with(how);
    CHECK(r.status == SIGREP_STOPPED && r.got.n == 3);
    collect_free(&r.got);
}

/* Bug: samples were counted instead of values, so 9 channels and more were not read. */
static void long_reads_of_many_channels_work(void)
{
    enum { CHANNELS = 12, LONG = (1 << 20) / CHANNELS };
    static const float far[M * CHANNELS] = {1e9f};
    const sigrep_template searched = {
        .size = sizeof(sigrep_template), .samples = far, .length = M, .threshold = 0.05};
    source r = {.channels = CHANNELS, .there = LONG};
    size_t got = 0;
    sigrep *session;
    collection none;
    sigrep_config config;
    make_stream(1, false);
    fake_cuda_begin_as(0, 1);
    collect_begin(&none, 1);
    sigrep_config_init(&config, sizeof config);
    config.templates = &searched;
    config.n_templates = 1;
    config.channels = CHANNELS;
    config.device = "cuda";
    config.threads = 2;
    config.on_match = collect_match;
    config.user = &none;
    CHECK(!sigrep_create(&session, &config, NULL));
    CHECK(!sigrep_read(session, LONG, read_source, &r, &got) && got == LONG);
    CHECK(!sigrep_finish(session) && none.n == 0);
    sigrep_destroy(session);
    collect_free(&none);
}

#endif

/* Without a GPU all threads read: into the window, or into a buffer for a front end. In long chunks
 * of `diff` several threads search beside the frames of the next read. */
static void the_cpu_and_front_ends_read_too(void)
{
    static const char *const front_ends[] = {"diff", NULL, "resample=0.5+diff"};
    size_t number = 0;
    for (size_t channels = 1; channels <= MOST_CHANNELS; channels += 2)
        for (size_t i = 0; i < sizeof front_ends / sizeof *front_ends; i++) {
            if (!is_due(number++)) continue;
            manner how = {.device = "cpu", .channels = channels, .front_end = front_ends[i]};
            make_stream(channels, i != 0);
            result pushed = search_with(how);
            for (unsigned threads = 1; threads <= 3; threads += 2) {
                how.reads = true;
                how.threads = threads;
                how.chunk = threads == 1 ? 5000 : 1 << 20;
                result read = search_with(how);
                CHECK_MSG(!pushed.status && is_same(&pushed, &read), "front end %zu, %u threads", i,
                          threads);
                CHECK(pushed.got.n > 100 && read.read > N && pushed.read == 0);
                collect_free(&read.got);
            }
            collect_free(&pushed.got);
        }
}

int main(void)
{
    seed = check_seed("test_read_samples");
    y = malloc(N * MOST_CHANNELS * sizeof *y);
    if (!y) abort();
#ifdef TESTS_CUDA
    RUN(samples_that_threads_read_give_the_same_matches);
    RUN(the_cpu_takes_over_in_the_middle);
    RUN(a_search_that_is_stopped_takes_no_more);
    RUN(long_reads_of_many_channels_work);
#endif
    RUN(the_cpu_and_front_ends_read_too);
    free(y);
    return check_done();
}
