/* filter/session/cold_start.c: searches that begin in the middle, and when two of them have joined.
 *
 * A stream is cut into shards, each shard goes on until it has joined the next one, and all matches
 * together must be those of the whole stream, with their finality. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

enum { MOST = 4, LONGEST = 8, STREAM = 500, SOUND = 12000, TAKE = 1200, MOST_SHARDS = 64 };

typedef struct {
    sigrep_template templates[MOST];
    float values[MOST * LONGEST];
    sigrep_config config;
    float y[SOUND];
    size_t n;
} problem;

/* Streams of few values are full of ties and matches; some repeat, or stay constant. */
static void make_stream(problem *p, uint64_t *random, size_t letters)
{
    const size_t kind = check_below(random, 4), period = 1 + check_below(random, 9);
    p->n = 40 + check_below(random, STREAM - 40);
    for (size_t i = 0; i < p->n; i++) {
        p->y[i] = (float)check_below(random, letters);
        const bool repeats = kind == 1 ? check_below(random, 40) > 0 : kind == 2;
        if (repeats && i >= period) p->y[i] = p->y[i - period];
    }
    for (size_t gaps = check_below(random, 3) ? 0 : check_below(random, 4); gaps > 0; gaps--)
        p->y[check_below(random, p->n)] = NAN;
}

static void make_templates(problem *p, uint64_t *random, size_t letters)
{
    static const char *const labels[] = {"a", "b"};
    const size_t n = 1 + check_below(random, MOST), n_labels = 1 + check_below(random, 2);
    const size_t thresholds = 1 + check_below(random, 10);
    for (size_t j = 0; j < n; j++) {
        float *x = p->values + j * LONGEST;
        const size_t m = 3 + check_below(random, LONGEST - 2);
        for (size_t i = 0; i < m; i++) x[i] = (float)check_below(random, letters);
        p->templates[j] =
            (sigrep_template){.size = sizeof(sigrep_template),
                              .label = labels[check_below(random, n_labels)],
                              .samples = x,
                              .length = m,
                              .threshold = (double)check_below(random, thresholds) / 8};
    }
    p->config.n_templates = n;
}

static void make_problem(problem *p, uint64_t *random)
{
    static const char *const front_ends[] = {
        "raw", "raw", "raw", "diff", "znorm=4", "diff+znorm=3", "envelope=2", "znorm=3+diff"};
    const size_t letters = 2 + check_below(random, 4);
    sigrep_config_init(&p->config, sizeof p->config);
    make_stream(p, random, letters);
    make_templates(p, random, letters);
    p->config.templates = p->templates;
    p->config.on_match = collect_match;
    p->config.front_end = front_ends[check_below(random, 8)];
    p->config.length_min = (double)check_below(random, 3) / 4;
    p->config.length_max = 1 + (double)check_below(random, 4);
    p->config.min_matches = 1 + check_below(random, 2);
    p->config.chunk = check_below(random, 2) ? 0 : 64 * (1 + check_below(random, 3));
}

/* Tones that come again, at 8000 Hz, and two of them as templates. */
static void make_sound(problem *p, uint64_t *random)
{
    static const char *const front_ends[] = {
        "mfcc",  "speech",       "logmel=8",       "voices",
        "words", "mfcc+znorm=1", "znorm=0.1+mfcc", "envelope=0.01+diff"};
    size_t tone = 0, left = 0;
    sigrep_config_init(&p->config, sizeof p->config);
    p->n = SOUND;
    for (size_t i = 0; i < p->n; i++, left--) {
        if (left == 0) {
            tone = 3 + 5 * check_below(random, 4);
            left = 300 + check_below(random, 2000);
        }
        const float noise = (float)check_below(random, 100) / 1000;
        p->y[i] = (float)(i * tone % 100) / 50 - 1 + noise;
    }
    for (size_t j = 0; j < 2; j++)
        p->templates[j] = (sigrep_template){.size = sizeof(sigrep_template),
                                            .label = check_below(random, 2) ? "a" : "b",
                                            .samples = p->y + check_below(random, SOUND - TAKE),
                                            .length = TAKE,
                                            .threshold = (double)check_below(random, 20)};
    p->config.templates = p->templates;
    p->config.n_templates = 2;
    p->config.on_match = collect_match;
    p->config.rate_hz = 8000;
    p->config.front_end = front_ends[check_below(random, 8)];
}

static sigrep *make_search(problem *p, collection *out)
{
    sigrep *search = NULL;
    sigrep_error error;
    p->config.user = out;
    collect_begin(out, p->config.n_templates);
    CHECK_MSG(sigrep_create(&search, &p->config, &error) == SIGREP_OK, "%s", error.text);
    return search;
}

static void search_whole(problem *p, collection *out)
{
    sigrep *search = make_search(p, out);
    CHECK(sigrep_push(search, p->y, p->n) == SIGREP_OK);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    sigrep_destroy(search);
}

/* Push on beside the next shard, until both have joined. Returns the join. */
static uint64_t push_to_join(problem *p, sigrep *search, uint64_t at, uint64_t end,
                             uint64_t *random)
{
    uint64_t from, join = UINT64_MAX;
    collection unused;
    sigrep *next = make_search(p, &unused);
    CHECK(sigrep_begin_at(next, end, &from, NULL) == SIGREP_OK);
    CHECK(from <= end && from >= at);
    CHECK(sigrep_push(search, p->y + at, from - at) == SIGREP_OK);
    for (at = from; at < p->n;) {
        const size_t left = p->n - at, most = 1 + check_below(random, 40);
        const size_t step = most < left ? most : left;
        CHECK(sigrep_push(search, p->y + at, step) == SIGREP_OK);
        at += step;
        if (join < UINT64_MAX) break;
        CHECK(sigrep_push(next, p->y + at - step, step) == SIGREP_OK);
        int joined;
        CHECK(sigrep_has_joined(search, next, &joined) == SIGREP_OK);
        if (joined) join = at;
    }
    sigrep_destroy(next);
    collect_free(&unused);
    return join;
}

/* The matches of the shard [begin, end) that are final after *known, up to its join. */
static void search_shard(problem *p, uint64_t begin, uint64_t end, uint64_t *known,
                         uint64_t *random, collection *out)
{
    uint64_t from, join = UINT64_MAX;
    collection own;
    sigrep *search = make_search(p, &own);
    CHECK(sigrep_begin_at(search, begin, &from, NULL) == SIGREP_OK);
    if (end < p->n)
        join = push_to_join(p, search, from, end, random);
    else
        CHECK(sigrep_push(search, p->y + from, p->n - from) == SIGREP_OK);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    for (size_t i = 0; i < own.n; i++)
        if (own.matches[i].final > *known && own.matches[i].final <= join)
            collect_match(out, &own.matches[i]);
    if (join > *known) *known = join;
    sigrep_destroy(search);
    collect_free(&own);
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Returns how many shards joined the next one. */
static size_t check_sharding(problem *p, uint64_t *random, uint64_t seed)
{
    collection whole, joined;
    int begins[MOST_SHARDS] = {0};
    const size_t n = 1 + check_below(random, MOST_SHARDS);
    size_t n_joined = 0;
    uint64_t known = 0;
    search_whole(p, &whole);
    collect_begin(&joined, p->config.n_templates);
    for (size_t k = 1; k < n; k++) begins[k] = (int)check_below(random, p->n);
    qsort(begins, n, sizeof *begins, ascending);
    for (size_t k = 0; k < n; k++) {
        const uint64_t end = k + 1 < n ? (uint64_t)begins[k + 1] : p->n;
        if (end == (uint64_t)begins[k]) continue;
        search_shard(p, (uint64_t)begins[k], end, &known, random, &joined);
        n_joined += known < UINT64_MAX;
    }
    CHECK_MSG(collect_equal(&whole, &joined), "case %llu: %s, %zu matches and %zu",
              (unsigned long long)seed, p->config.front_end, whole.n, joined.n);
    collect_free(&whole);
    collect_free(&joined);
    return n_joined;
}

/* Makes a problem by chance. */
typedef void maker(problem *p, uint64_t *random);

/* Returns how many shards joined the next one. */
static size_t check_shardings(const char *name, size_t cases, maker *make)
{
    static problem p;
    uint64_t seed = check_seed(name);
    size_t n_joined = 0;
    for (; cases > 0; cases--) {
        uint64_t random = seed++;
        make(&p, &random);
        n_joined += check_sharding(&p, &random, seed - 1);
    }
    printf("%zu shards joined the next\n", n_joined);
    return n_joined;
}

static void shards_together_find_what_the_whole_has(void)
{
    CHECK(check_shardings("shards", check_cases(400), make_problem) > 0);
}

static void shards_of_sounds_do_so_too(void)
{
    check_shardings("sounds", check_cases(12), make_sound);
}

static const float hill[] = {0, 1, 3, 1, 0},
                   hills[] = {9, 9, 0, 1, 3, 1, 0, 9, 0, 1, 3, 1, 0, 9, 9};

/* A search for the hill. */
static sigrep *hill_search(problem *p, collection *out, const char *front_end, double threshold)
{
    p->templates[0] = (sigrep_template){.size = sizeof(sigrep_template),
                                        .label = "",
                                        .samples = hill,
                                        .length = 5,
                                        .threshold = threshold};
    sigrep_config_init(&p->config, sizeof p->config);
    p->config.templates = p->templates;
    p->config.n_templates = 1;
    p->config.on_match = collect_match;
    p->config.front_end = front_end;
    return make_search(p, out);
}

static void positions_are_those_of_the_input(void)
{
    static problem p;
    collection got;
    uint64_t from;
    sigrep *search = hill_search(&p, &got, "raw", 0);
    CHECK(sigrep_begin_at(search, 4, &from, NULL) == SIGREP_OK && from == 4);
    CHECK(sigrep_push(search, hills + 4, 11) == SIGREP_OK);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    CHECK(got.n == 1 && got.matches[0].start == 8 && got.matches[0].end == 13);
    /* The next input begins at 0 again. */
    CHECK(sigrep_push(search, hills, 15) == SIGREP_OK);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    CHECK(got.n == 3 && got.matches[1].start == 2);
    sigrep_destroy(search);
    collect_free(&got);
}

/* Regression: matches had the samples of the first span, since the second begins before frame 0. */
static void a_gap_in_the_warm_up_moves_no_match(void)
{
    static const float y[] = {9, 9, 0, 1, 3, NAN, 0, 9, 9, 9, 9, 0, 1, 3, 1, 0, 9, 9};
    static problem p;
    collection whole, got;
    uint64_t from;
    sigrep *search = hill_search(&p, &whole, "znorm=4", 1);
    CHECK(sigrep_push(search, y, 18) == SIGREP_OK && sigrep_finish(search) == SIGREP_OK);
    sigrep_destroy(search);
    search = hill_search(&p, &got, "znorm=4", 1);
    CHECK(sigrep_begin_at(search, 10, &from, NULL) == SIGREP_OK && from == 4);
    CHECK(sigrep_push(search, y + from, 18 - from) == SIGREP_OK);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    CHECK(whole.n > 0 && got.n > 0);
    if (whole.n == 0 || got.n == 0) return;
    const sigrep_match *a = &whole.matches[whole.n - 1], *b = &got.matches[got.n - 1];
    CHECK_MSG(a->start >= 10 && a->start == b->start && a->end == b->end && a->final == b->final,
              "%llu-%llu and %llu-%llu", (unsigned long long)a->start, (unsigned long long)a->end,
              (unsigned long long)b->start, (unsigned long long)b->end);
    sigrep_destroy(search);
    collect_free(&whole);
    collect_free(&got);
}

static void what_has_no_middle_is_refused(void)
{
    static const char *const endless[] = {"bandpass=0.1-0.3", "resample=0.5",
                                          "diff+bandpass=0.1-0.3"};
    static problem p;
    collection got;
    uint64_t from;
    sigrep_error error;
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        sigrep *search = hill_search(&p, &got, endless[i], 0);
        CHECK(sigrep_begin_at(search, 4, &from, &error) == SIGREP_BAD_FRONT_END);
        CHECK(strstr(error.text, endless[i]) != NULL);
        sigrep_destroy(search);
        collect_free(&got);
    }
    sigrep *search = hill_search(&p, &got, "raw", 0);
    const void *state;
    size_t size;
    CHECK(sigrep_begin_at(search, UINT64_MAX, &from, NULL) == SIGREP_BAD_CONFIG);
    CHECK(sigrep_begin_at(search, 4, &from, NULL) == SIGREP_OK);
    CHECK(sigrep_begin_at(search, 4, &from, NULL) == SIGREP_BAD_CONFIG);
    CHECK(sigrep_save(search, &state, &size, &error) == SIGREP_BAD_CONFIG);
    sigrep_destroy(search);
    collect_free(&got);
}

/* Regression: begin_at_before_resume. The warm-up was dropped from the frames after the state, if
 * the first sample was number 0. */
static void a_search_that_began_in_the_middle_does_not_resume(void)
{
    static problem p;
    collection got;
    uint64_t from;
    const void *state;
    size_t size;
    sigrep_error error;
    sigrep *saved = hill_search(&p, &got, "znorm=4", 1);
    CHECK(sigrep_push(saved, hills, 9) == SIGREP_OK);
    CHECK(sigrep_save(saved, &state, &size, &error) == SIGREP_OK);
    collect_free(&got);
    sigrep *search = hill_search(&p, &got, "znorm=4", 1);
    CHECK(sigrep_begin_at(search, 2, &from, NULL) == SIGREP_OK && from == 0);
    CHECK(sigrep_resume(search, state, size, &from, &error) == SIGREP_BAD_CONFIG);
    CHECK(strstr(error.text, "middle"));
    CHECK(sigrep_finish(search) == SIGREP_OK); /* the next input */
    CHECK(sigrep_resume(search, state, size, &from, &error) == SIGREP_OK && from == 9);
    sigrep_destroy(saved);
    sigrep_destroy(search);
    collect_free(&got);
}

static void searches_at_different_samples_have_not_joined(void)
{
    static problem p;
    collection got, other_got;
    int joined;
    sigrep *search = hill_search(&p, &got, "raw", 0),
           *other = hill_search(&p, &other_got, "raw", 0);
    CHECK(sigrep_has_joined(search, other, &joined) == SIGREP_OK && joined);
    CHECK(sigrep_push(search, hills, 5) == SIGREP_OK);
    CHECK(sigrep_has_joined(search, other, &joined) == SIGREP_BAD_CONFIG && !joined);
    CHECK(sigrep_push(other, hills, 4) == SIGREP_OK);
    CHECK(sigrep_push(other, hills + 7, 1) == SIGREP_OK);
    /* One is within a hill. */
    CHECK(sigrep_has_joined(search, other, &joined) == SIGREP_OK && !joined);
    CHECK(sigrep_push(search, hills + 13, 2) == SIGREP_OK);
    CHECK(sigrep_push(other, hills + 13, 2) == SIGREP_OK);
    CHECK(sigrep_has_joined(search, other, &joined) == SIGREP_OK && joined);
    sigrep_destroy(search);
    sigrep_destroy(other);
    collect_free(&got);
    collect_free(&other_got);
}

int main(void)
{
    RUN(positions_are_those_of_the_input);
    RUN(a_gap_in_the_warm_up_moves_no_match);
    RUN(what_has_no_middle_is_refused);
    RUN(a_search_that_began_in_the_middle_does_not_resume);
    RUN(searches_at_different_samples_have_not_joined);
    RUN(shards_of_sounds_do_so_too);
    RUN(shards_together_find_what_the_whole_has);
    return check_done();
}
