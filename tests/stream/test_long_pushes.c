/* Sounds in pushes so long that threads share the front end: matches, scores and the samples at
 * which matches became final are those of one thread, for any cutting, chunk and gaps. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

enum { RATE = 8000, N = 200000, WORD = 3000, TEMPLATES = 2, CUTTINGS = 12, MOST_CHANNELS = 2 };

static uint64_t seed;
static float y[N * MOST_CHANNELS];

/* How a stream is searched; no result may depend on it. */
typedef struct {
    size_t threads, chunk;
    uint64_t *random; /* NULL: one push */
} manner;

typedef struct {
    const char *front_end;
    size_t channels, best;
    double threshold;
} problem;

/* Noise in which a word of other noise comes again and again, a little louder. Some gaps. */
static void make_stream(size_t channels, uint64_t *random)
{
    static float word[WORD * MOST_CHANNELS];
    for (size_t i = 0; i < WORD * channels; i++)
        word[i] = sinf((float)i * 0.2f) * (float)check_below(random, 1000) / 1000;
    for (size_t i = 0; i < N * channels; i++) y[i] = (float)check_below(random, 1000) / 5000;
    for (size_t at = 0; at + WORD < N; at += WORD + check_below(random, 20000))
        for (size_t i = 0; i < WORD * channels; i++) y[at * channels + i] += word[i];
    for (int gap = 0; gap < 3; gap++) {
        const size_t at = 2 * WORD + check_below(random, N - 3 * WORD);
        const size_t length = 1 + check_below(random, gap ? 5 : WORD);
        for (size_t i = 0; i < length * channels; i++) y[at * channels + i] = NAN;
    }
}

static void push_all(sigrep *search, size_t channels, uint64_t *random)
{
    for (size_t at = 0, n; at < N; at += n) {
        n = N - at;
        if (random && check_below(random, 4)) n = 1 + check_below(random, n);
        if (random && check_below(random, 4) == 0) n = 1 + check_below(random, 200);
        if (n > N - at) n = N - at;
        CHECK(sigrep_push(search, y + at * channels, n) == SIGREP_OK);
    }
    CHECK(sigrep_finish(search) == SIGREP_OK);
}

static void search(const problem *p, const manner *how, collection *got)
{
    sigrep_template templates[TEMPLATES];
    memory_store memory = {0};
    const sigrep_store store = memory_store_ops(&memory);
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    for (size_t j = 0; j < TEMPLATES; j++)
        templates[j] = (sigrep_template){.size = sizeof *templates,
                                         .label = j ? "end" : "whole",
                                         .samples = y + j * (WORD / 2) * p->channels,
                                         .length = WORD - j * (WORD / 2),
                                         .rate_hz = RATE,
                                         .threshold = p->threshold};
    config.templates = templates;
    config.n_templates = TEMPLATES;
    config.front_end = p->front_end;
    config.channels = p->channels;
    config.rate_hz = RATE;
    config.best = p->best;
    config.store = p->best ? &store : NULL;
    config.device = "cpu";
    config.threads = how->threads;
    config.chunk = how->chunk;
    config.on_match = collect_match;
    config.on_scores = collect_scores;
    config.user = got;
    collect_begin(got, TEMPLATES);
    sigrep *made;
    sigrep_error error;
    const sigrep_status status = sigrep_create(&made, &config, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) exit(1);
    push_all(made, p->channels, how->random);
    sigrep_destroy(made);
    memory_store_free(&memory);
}

static void check_problem(const problem *p, uint64_t random)
{
    static const size_t chunks[] = {0, 1000, 300, 5000}, threads[] = {2, 3, 5, 1};
    const size_t cuttings = check_cases(CUTTINGS);
    collection whole, cut;
    make_stream(p->channels, &random);
    search(p, &(manner){.threads = 1}, &whole);
    CHECK_MSG(whole.n >= 2, "%s: %zu matches", p->front_end, whole.n);
    for (size_t c = 0; c < cuttings; c++) {
        const manner how = {.threads = threads[c % 4],
                            .chunk = chunks[c / 4 % 4],
                            .random = c % 3 ? &random : NULL};
        search(p, &how, &cut);
        CHECK_MSG(collect_equal(&whole, &cut), "%s: %zu threads, chunk %zu, cutting %zu",
                  p->front_end, how.threads, how.chunk, c);
        collect_free(&cut);
    }
    collect_free(&whole);
}

static void no_thread_and_no_cutting_changes_a_bit(void)
{
    static const problem problems[] = {
        {"mfcc", 1, .threshold = 5},        {"speech", 1, .threshold = 5},
        {"voices", 1, .threshold = 6},      {"words", 1, .threshold = 8},
        {"logmel", 2, .threshold = 60},     {"diff+mfcc", 2, .threshold = 10},
        {"envelope", 1, .threshold = 0.05}, {"mfcc", 1, .best = 3},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        check_problem(&problems[i], seed + i);
}

int main(void)
{
    seed = check_seed("test_long_pushes");
    RUN(no_thread_and_no_cutting_changes_a_bit);
    return check_done();
}
