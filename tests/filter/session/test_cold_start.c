/* filter/session/cold_start.c: searches that begin in the middle, and when two of them have joined.
 *
 * A stream is cut into shards, each shard goes on until it has joined the next one, and all matches
 * together must be those of the whole stream, with their finality. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"

enum { MOST = 4, LONGEST = 8, STREAM = 500, MOST_SHARDS = 64 };

typedef struct {
    sigrep_template templates[MOST];
    float values[MOST * LONGEST];
    sigrep_config config;
    float y[STREAM];
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

static void shards_together_find_what_the_whole_has(void)
{
    static problem p;
    uint64_t seed = check_seed("shards");
    size_t n_joined = 0;
    for (size_t cases = check_cases(1000); cases > 0; cases--) {
        uint64_t random = seed++;
        make_problem(&p, &random);
        n_joined += check_sharding(&p, &random, seed - 1);
    }
    printf("%zu shards joined the next\n", n_joined);
    CHECK(n_joined > 0);
}

static void joins_of_spectra(void)
{
    /* Placeholder of front ends of sounds: below. */
}

int main(void)
{
    RUN(shards_together_find_what_the_whole_has);
    RUN(joins_of_spectra);
    return check_done();
}
