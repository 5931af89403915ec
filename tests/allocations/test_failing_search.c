/* Searches, by sigrep.h alone: each allocation of sigrep_create, of the pushes, of the finish, and
 * of a state that is saved and resumed fails once. */
#include <string.h>

#include "sigrep.h"
#include "tests/allocations/each_allocation.h"

enum { RATE = 8000, N = RATE / 4, MOST_CHANNELS = 2, MOST_MATCHES = 64, TEMPLATES = 3 };

static float stream[N * MOST_CHANNELS];

typedef struct {
    const char *front_end; /* NULL: "raw" */
    const char *kernel;
    size_t channels, threads, best; /* 0: the defaults */
    double template_rate_hz;
    double threshold; /* 0: estimated from the template */
    double level;     /* 0: measured if it is needed, in 20 ms */
    bool with_scores, by_read, with_paths;
} search_case;

/* What a search called back with, and the store of a best-of search. Nothing here is allocated. */
typedef struct {
    sigrep_match matches[MOST_MATCHES];
    size_t n;
    uint64_t scores;    /* how many */
    sigrep *search;     /* NULL: no paths */
    uint64_t pairs;     /* of all paths */
    sigrep_status path; /* of the path that failed */
} answers;

typedef struct {
    float frames[2 * N];
    size_t n; /* values */
} static_store;

static int take_match(void *user, const sigrep_match *match)
{
    answers *a = user;
    if (a->n == MOST_MATCHES) return 1;
    a->matches[a->n] = *match;
    a->matches[a->n++].label = NULL; /* it may be freed */
    const sigrep_pair *pairs;
    size_t n = 0;
    if (a->search) a->path = sigrep_get_path(a->search, &pairs, &n);
    a->pairs += n;
    return a->path != SIGREP_OK;
}

static int take_scores(void *user, const float *scores, size_t n_frames)
{
    (void)scores;
    ((answers *)user)->scores += n_frames;
    return 0;
}

static int store_append(void *user, const float *frames, size_t n, size_t dim)
{
    static_store *s = user;
    if (s->n + n * dim > sizeof s->frames / sizeof *s->frames) return 1;
    memcpy(s->frames + s->n, frames, n * dim * sizeof *frames);
    s->n += n * dim;
    return 0;
}

static int store_read(void *user, uint64_t first, float *frames, size_t n, size_t dim)
{
    memcpy(frames, ((static_store *)user)->frames + first * dim, n * dim * sizeof *frames);
    return 0;
}

static int store_clear(void *user)
{
    ((static_store *)user)->n = 0;
    return 0;
}

static size_t read_stream(void *user, float *to, size_t at, size_t n)
{
    const size_t channels = *(const size_t *)user;
    if (n > N - at) n = N - at;
    memcpy(to, stream + at * channels, n * channels * sizeof *to);
    return n;
}

/* The stream as one input, with a gap after it. Returns the first status that is not SIGREP_OK. */
static sigrep_status search_once(sigrep *search, const search_case *it)
{
    size_t channels = it->channels ? it->channels : 1, got;
    sigrep_status status = it->by_read ? sigrep_read(search, N, read_stream, &channels, &got)
                                       : sigrep_push(search, stream, N);
    if (!status) status = sigrep_gap(search, 100);
    const sigrep_status finished = sigrep_finish(search);
    return status ? status : finished;
}

static void configure(sigrep_config *config, sigrep_template *templates, const search_case *it,
                      const sigrep_store *store, answers *got)
{
    static const size_t begin[TEMPLATES] = {400, 400, 1200}, end[TEMPLATES] = {880, 800, 1600};
    const size_t channels = it->channels ? it->channels : 1;
    sigrep_config_init(config, sizeof *config);
    for (size_t j = 0; j < TEMPLATES; j++)
        templates[j] = (sigrep_template){.size = sizeof *templates,
                                         .label = j < 2 ? "one" : "other",
                                         .samples = stream + begin[j] * channels,
                                         .length = end[j] - begin[j],
                                         .threshold = it->threshold,
                                         .rate_hz = RATE,
                                         .auto_threshold = it->threshold == 0,
                                         .level = it->level};
    config->templates = templates;
    config->n_templates = TEMPLATES;
    config->on_match = take_match;
    config->on_scores = it->with_scores ? take_scores : NULL;
    config->user = got;
    config->channels = channels;
    config->rate_hz = RATE;
    config->template_rate_hz = it->template_rate_hz;
    if (it->front_end) config->front_end = it->front_end;
    config->kernel = it->kernel;
    config->threads = it->threads;
    config->best = it->best;
    config->store = it->best ? store : NULL;
    config->paths = it->with_paths;
    config->device = "cpu";
    config->chunk = 512;
}

/* What a search without failures called back with; the first one sets it. */
static answers wanted;

static bool is_wanted(const answers *got)
{
    return got->n == wanted.n && got->scores == wanted.scores && got->pairs == wanted.pairs &&
           memcmp(got->matches, wanted.matches, got->n * sizeof *got->matches) == 0;
}

/* After a failure the same search takes its next input. */
static bool search(const void *user)
{
    static static_store frames;
    static answers got;
    const search_case *it = user;
    const sigrep_store store = {store_append, store_read, store_clear, &frames};
    sigrep_template templates[TEMPLATES];
    sigrep_config config;
    sigrep_error error;
    sigrep *search;
    got = (answers){0};
    configure(&config, templates, it, &store, &got);
    const sigrep_status created = sigrep_create(&search, &config, &error);
    if (created) {
        CHECK_MSG(created == SIGREP_NO_MEMORY && error.text[0], "%s: %s",
                  sigrep_status_text(created), error.text);
        CHECK(search == NULL);
        return false;
    }
    if (it->with_paths) got.search = search;
    sigrep_status status = search_once(search, it);
    if (got.path) status = got.path; /* the callback stopped the search */
    if (status) {
        CHECK_MSG(status == SIGREP_NO_MEMORY, "%s", sigrep_status_text(status));
        memory_mend();
        got = (answers){.search = got.search};
        CHECK(search_once(search, it) == SIGREP_OK);
    }
    if (wanted.n == 0) wanted = got;
    CHECK(is_wanted(&got));
    sigrep_destroy(search);
    return status == SIGREP_OK;
}

static void each_fails(const char *name, const search_case *it)
{
    if (CHECK_THREADS_ALONE && it->threads < 2) return;
    wanted = (answers){0};
    CHECK(search(it));
    CHECK_MSG(wanted.n > 0, "%s: no match", name);
    each_allocation_fails(name, search, it);
}

static void of_all_front_ends(void)
{
    static const search_case cases[] = {
        {"raw", .threshold = 0.1},
        {"diff", .threshold = 0.1},
        {"znorm=0.1", .threshold = 0.5},
        {"zmatch", .threshold = 0.5},
        {"envelope=0.02", .threshold = 0.02},
        {"bandpass=300-3000", .threshold = 0.1},
        {"logmel", .threshold = 20},
        {"mfcc", .threshold = 9},
        {"mfcc", .threshold = 18, .channels = 2},
        {"mfcc", .threshold = 9, .threads = 3},
        {"speech", .threshold = 9},
        {"voices", .threshold = 9},
        {"words", .threshold = 9},
        {"diff+envelope=0.02+znorm=0.1", .threshold = 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        each_fails(cases[i].front_end, &cases[i]);
}

static void on_all_kernels_of_the_cpu(void)
{
    int usable;
    for (size_t i = 0; sigrep_kernel_name(i, &usable); i++) {
        const char *name = sigrep_kernel_name(i, NULL);
        if (usable && strcmp(name, "cuda") != 0)
            each_fails(name, &(search_case){"raw", name, .threads = 3, .threshold = 0.1});
    }
}

static void at_another_rate(void)
{
    each_fails("resample", &(search_case){.template_rate_hz = RATE / 2, .threshold = 0.1});
}

static void with_estimated_thresholds(void)
{
    each_fails("auto threshold", &(search_case){.front_end = "raw"});
    each_fails("auto threshold of sounds", &(search_case){.front_end = "mfcc"});
}

static void with_scores(void)
{
    each_fails("scores", &(search_case){"raw", .with_scores = true, .threshold = 0.1});
}

static void of_samples_that_are_fetched(void)
{
    each_fails("sigrep_read", &(search_case){"diff", .by_read = true, .threshold = 0.1});
}

static void for_the_best_matches(void)
{
    each_fails("best", &(search_case){"raw", .best = 2});
    each_fails("best, in frames", &(search_case){"mfcc", .best = 2, .threads = 2, .level = 1});
}

static void with_paths(void)
{
    each_fails("paths", &(search_case){"diff", .with_paths = true, .threshold = 0.1});
    each_fails("paths of the best",
               &(search_case){"mfcc", .with_paths = true, .best = 2, .level = 1});
}

/* The first half in one search, whose state goes into `state`. */
static sigrep_status save_half(const sigrep_config *config, unsigned char *state, size_t most,
                               size_t *size)
{
    const void *bytes;
    sigrep *search;
    sigrep_status status = sigrep_create(&search, config, NULL);
    if (!status) status = sigrep_push(search, stream, N / 2);
    if (!status) status = sigrep_save(search, &bytes, size, NULL);
    if (!status && *size > most) exit(1);
    if (!status) memcpy(state, bytes, *size);
    sigrep_destroy(search);
    return status;
}

static sigrep_status resume_half(const sigrep_config *config, const unsigned char *state,
                                 size_t size)
{
    uint64_t from;
    sigrep *search;
    sigrep_status status = sigrep_create(&search, config, NULL);
    if (!status) status = sigrep_resume(search, state, size, &from, NULL);
    if (!status) status = sigrep_push(search, stream + from * config->channels, N - (size_t)from);
    if (!status) status = sigrep_gap(search, 100);
    if (!status) status = sigrep_finish(search);
    sigrep_destroy(search);
    return status;
}

/* Two searches with half of the stream each give what one gives with all of it. */
static bool saved(const void *user)
{
    static unsigned char state[1 << 16];
    static answers got;
    const search_case *it = user;
    sigrep_template templates[TEMPLATES];
    sigrep_config config;
    size_t size;
    got = (answers){0};
    configure(&config, templates, it, NULL, &got);
    sigrep_status status = save_half(&config, state, sizeof state, &size);
    if (!status) status = resume_half(&config, state, size);
    CHECK_MSG(!status || status == SIGREP_NO_MEMORY, "%s", sigrep_status_text(status));
    if (!status) CHECK(is_wanted(&got));
    return !status;
}

static void of_states(void)
{
    static const search_case cases[] = {
        {"raw", .threshold = 0.2},
        {"raw", .threshold = 0.2, .with_scores = true},
        {"diff+envelope=0.01+znorm=0.1", .threshold = 0.6},
        {"mfcc", .threshold = 9, .threads = 3},
        {.template_rate_hz = RATE / 2, .threshold = 0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (CHECK_THREADS_ALONE && cases[i].threads < 2) continue;
        wanted = (answers){0};
        CHECK(search(&cases[i]) && wanted.n > 0);
        each_allocation_fails("a state", saved, &cases[i]);
    }
}

/* Noise that ends at half the range, so that no front end clips it. */
static void make_stream(void)
{
    uint64_t random = 1;
    for (size_t i = 0; i < N * MOST_CHANNELS; i++)
        stream[i] = (float)check_below(&random, 2001) / 2000 - 0.5f;
}

int main(void)
{
    make_stream();
    RUN(of_all_front_ends);
    RUN(on_all_kernels_of_the_cpu);
    RUN(at_another_rate);
    RUN(with_estimated_thresholds);
    RUN(with_scores);
    RUN(of_samples_that_are_fetched);
    RUN(for_the_best_matches);
    RUN(with_paths);
    RUN(of_states);
    return check_done();
}
