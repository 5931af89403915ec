/*
 * problems.h - random problems for the promise: the matches of a stream are those of
 * docs/SEMANTICS.md, read literally (tests/support/literal.c), for any cutting, chunk, kernel and
 * number of threads.
 */
#ifndef TESTS_STREAM_PROBLEMS_H
#define TESTS_STREAM_PROBLEMS_H

#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"
#include "tests/support/literal.h"

enum { MOST_TEMPLATES = 4, LONGEST = 300 };

typedef struct {
    literal_problem literal;
    literal_template templates[MOST_TEMPLATES];
    float *values; /* of all templates */
    float *y;
    size_t n, dim;
    bool is_long; /* templates are longer than a block, so that a restart changes several */
} problem;

/* A value that makes its sample a gap. */
static inline float gap_value(uint64_t *random)
{
    static const float values[] = {NAN, INFINITY, -INFINITY};
    return values[check_below(random, 3)];
}

static inline void free_problem(problem *p)
{
    free(p->values);
    free(p->y);
}

/* How a stream is searched; no result may depend on it. */
typedef struct {
    const char *kernel;
    size_t chunk, threads;
    uint64_t *random; /* NULL: one push */
    bool paths;       /* each match is asked for its path */
} manner;

static inline void push_in_pieces(sigrep *session, const problem *p, uint64_t *random)
{
    size_t longest = random ? 1 + check_below(random, 1 + check_below(random, 600)) : p->n;
    for (size_t at = 0; at < p->n;) {
        size_t piece = random ? check_below(random, longest + 1) : p->n;
        if (piece > p->n - at) piece = p->n - at;
        CHECK(sigrep_push(session, p->y + at * p->dim, piece) == SIGREP_OK);
        at += piece;
    }
    CHECK(sigrep_finish(session) == SIGREP_OK);
}

static inline bool run_engine(const problem *p, const manner *how, bool scores, collection *out)
{
    static const char *labels[] = {"a", "b", "c"};
    sigrep_template templates[MOST_TEMPLATES];
    for (long j = 0; j < p->literal.n_templates; j++) {
        const literal_template *x = &p->templates[j];
        templates[j] = (sigrep_template){.size = sizeof(sigrep_template),
                                         .label = labels[x->label],
                                         .samples = x->x,
                                         .length = (uint64_t)x->m,
                                         .threshold = x->threshold,
                                         .length_min = x->min,
                                         .length_max = x->max,
                                         .min_matches = (size_t)x->min_matches};
    }
    memory_store memory = {0};
    sigrep_store store = memory_store_ops(&memory);
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.templates = templates;
    config.n_templates = (size_t)p->literal.n_templates;
    config.channels = p->dim;
    config.length_min = p->literal.min;
    config.length_max = p->literal.max;
    config.min_matches = (size_t)p->literal.min_matches;
    config.best = (size_t)p->literal.best;
    config.store = &store;
    config.kernel = how->kernel;
    config.chunk = how->chunk;
    config.threads = how->threads;
    config.paths = how->paths;
    config.on_match = collect_match;
    config.on_scores = scores ? collect_scores : NULL;
    config.user = out;
    collect_begin(out, config.n_templates);
    sigrep *session;
    sigrep_error error;
    sigrep_status status = sigrep_create(&session, &config, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) return false;
    if (how->paths) out->search = session;
    push_in_pieces(session, p, how->random);
    sigrep_destroy(session);
    memory_store_free(&memory);
    return true;
}

static inline bool is_gap_or_end(const problem *p, long t)
{
    if (t == (long)p->n) return true;
    for (size_t k = 0; k < p->dim; k++)
        if (!isfinite(p->y[(size_t)t * p->dim + k])) return true;
    return false;
}

/* literal.c counts the gap, or the end, that makes a match final. The session counts samples. */
static inline uint64_t final_samples(const problem *p, const literal_match *e)
{
    bool by_end = e->final > 0 && is_gap_or_end(p, e->final - 1) && !p->literal.best;
    return (uint64_t)(by_end ? e->final - 1 : e->final);
}

/* Are the next pairs the literal ones, with costs that add up to the score? *at goes past them. */
static inline bool path_agrees(const problem *p, const literal_match *e, const collection *got,
                               size_t *at)
{
    literal_pair *expected;
    const long n = literal_path(&p->literal, e, p->y, &expected);
    bool same = *at + (size_t)n <= got->n_pairs;
    float d = 0;
    for (long i = 0; i < n && same; i++) {
        const literal_pair *want = &expected[i];
        const sigrep_pair *pair = &got->pairs[(*at)++];
        const uint64_t t = (uint64_t)want->t;
        same = pair->template_frame == (uint64_t)want->i && pair->start == t &&
               pair->end == t + 1 && pair->match_frame == t - (uint64_t)e->start &&
               pair->cost == want->cost;
        d = i ? d + pair->cost : pair->cost;
    }
    same = same && expected[0].t == e->start &&
           (double)d / (double)p->templates[e->index].m == e->score;
    free(expected);
    return same;
}

static inline bool paths_agree(const problem *p, const literal_match *expected, long n,
                               const collection *got)
{
    size_t at = 0;
    bool same = true;
    for (long i = 0; i < n && same; i++) {
        same = path_agrees(p, &expected[i], got, &at);
        if (!same) fprintf(stderr, "match %ld: another path\n", i);
    }
    return same && at == got->n_pairs;
}

static inline bool agrees_with_literal(const problem *p, const collection *got)
{
    literal_match *expected;
    long n = literal_search(&p->literal, p->y, (long)p->n, &expected);
    bool same = (size_t)n == got->n;
    for (long i = 0; i < n && same; i++) {
        const literal_match *e = &expected[i];
        const sigrep_match *g = &got->matches[i];
        same = (size_t)e->index == g->template_index && (uint64_t)e->start == g->start &&
               (uint64_t)e->end == g->end && e->score == g->score &&
               final_samples(p, e) == g->final;
        if (!same)
            fprintf(stderr, "match %ld: [%ld,%ld) final %ld, not [%llu,%llu) final %llu\n", i,
                    e->start, e->end, e->final, (unsigned long long)g->start,
                    (unsigned long long)g->end, (unsigned long long)g->final);
    }
    if (got->search) same = same && paths_agree(p, expected, n, got);
    free(expected);
    return same;
}

static inline bool scores_agree(const problem *p, const collection *got)
{
    size_t width = (size_t)p->literal.n_templates;
    bool same = got->n_scores == p->n * width;
    for (size_t j = 0; j < width && same; j++) {
        float *expected = literal_scores(&p->literal, (long)j, p->y, (long)p->n);
        for (size_t t = 0; t < p->n && same; t++) {
            float e = expected[t], g = got->scores[t * width + j];
            same = isnan(e) ? isnan(g) : e == g;
        }
        free(expected);
    }
    return same;
}

static long total_matches;

/* Whole search and cuttings of a problem, which is freed. */
static inline void check_cuttings(problem p, uint64_t random, long number, int cuttings)
{
    collection whole;
    manner how = {.kernel = "scalar", .paths = true};
    p.literal.templates = p.templates; /* of this copy */
    if (run_engine(&p, &how, true, &whole)) {
        CHECK_MSG(agrees_with_literal(&p, &whole), "problem %ld", number);
        CHECK_MSG(scores_agree(&p, &whole), "problem %ld", number);
        total_matches += (long)whole.n;
    }
    int usable;
    const char *name;
    for (size_t k = 0; (name = sigrep_kernel_name(k, &usable)); k++) {
        if (!usable) continue;
        for (int c = 0; c < cuttings; c++) {
            static const size_t chunks[] = {0, 1, 7, 256, 300}, threads[] = {2, 3, 7};
            bool alone = c % 8 > 0; /* starting threads takes longer than the search */
            how = (manner){.kernel = name,
                           .chunk = chunks[check_below(&random, 5)],
                           .threads = alone ? 1 : threads[check_below(&random, 3)],
                           .random = &random,
                           .paths = c % 2 == 0};
            collection cut;
            bool scores = c % 5 == 0;
            if (!run_engine(&p, &how, scores, &cut)) continue;
            if (!scores)
                whole.n_scores = 0;
            else
                whole.n_scores = p.n * (size_t)p.literal.n_templates;
            CHECK_MSG(collect_equal(&whole, &cut), "problem %ld, %s, chunk %zu, %zu threads",
                      number, name, how.chunk, how.threads);
            collect_free(&cut);
        }
    }
    collect_free(&whole);
    free_problem(&p);
}

#endif
