/*
 * The promise: the matches of a stream are those of docs/SEMANTICS.md, read literally
 * (tests/support/literal.c), for any cutting, chunk, kernel and number of threads. 10^4 random
 * cuttings on each kernel, of streams full of ties, gaps and repetitions.
 */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/collect.h"
#include "tests/support/literal.h"

enum { PROBLEMS = 400, LONG_PROBLEMS = 20, CONSTANT_PROBLEMS = 100 };
enum { CUTTINGS = 25, MOST_TEMPLATES = 4, LONGEST = 300 };

typedef struct {
    literal_problem literal;
    literal_template templates[MOST_TEMPLATES];
    float *values; /* of all templates */
    float *y;
    size_t n, dim;
    bool is_long; /* templates are longer than a block, so that a restart changes several */
} problem;

enum { BURSTS = 5, KINDS = 7 };

/* One value of a signal. Kinds differ in how much they repeat and tie. Bursts on a flat line make
 * paths that wait long at no cost, so that D of two origins stays different. */
static float signal_at(uint64_t *random, int kind, size_t t, float *walk)
{
    switch (kind) {
    case 0: return (float)check_below(random, 3);
    case 1: return (float)(t % 7) + (float)(check_below(random, 8) == 0);
    case 2: return 1;
    case 3: return *walk += (float)check_below(random, 5) - 2;
    case 4: return sinf((float)t * 0.7f);
    case BURSTS:
        if (*walk > 0)
            *walk -= 1;
        else if (check_below(random, 120) == 0)
            *walk = (float)(1 + check_below(random, 6));
        return *walk > 0 ? (float)(1 + check_below(random, 3)) : 0;
    default: return (float)check_below(random, 1000) / 37.0f;
    }
}

/* A value that makes its sample a gap. */
static float gap_value(uint64_t *random)
{
    static const float values[] = {NAN, INFINITY, -INFINITY};
    return values[check_below(random, 3)];
}

static void make_stream(problem *p, uint64_t *random, int kind)
{
    float walk = 0;
    bool gaps = check_below(random, 2), many = check_below(random, 4) == 0;
    p->y = malloc(p->n * p->dim * sizeof *p->y);
    for (size_t t = 0; t < p->n; t++) {
        bool gap = gaps && check_below(random, many ? 30 : 300) == 0;
        for (size_t k = 0; k < p->dim; k++)
            p->y[t * p->dim + k] = signal_at(random, kind, t, &walk);
        if (gap) p->y[t * p->dim + check_below(random, p->dim)] = gap_value(random);
    }
}

/* A template: a new signal, or a piece of the stream. */
static void make_template(problem *p, uint64_t *random, int kind, literal_template *x, float *v)
{
    x->m = (long)check_below(random, p->is_long ? LONGEST - 2 : 30) + 2;
    bool cut = (p->is_long || check_below(random, 3) > 0) && p->n > (size_t)x->m;
    size_t at = cut ? check_below(random, p->n - (size_t)x->m) : 0;
    float walk = 0;
    for (size_t i = 0; i < (size_t)x->m * p->dim; i++) {
        float piece = p->y[(at * p->dim + i) % (p->n * p->dim)];
        v[i] = cut && isfinite(piece) ? piece : signal_at(random, kind, i, &walk);
    }
    x->x = v;
    x->label = (int)check_below(random, 3);
    static const double thresholds[] = {0, 1e-30, 0.03, 0.1, 0.3, 0.5, 1, 3, 1e30, 1e308};
    x->threshold = thresholds[check_below(random, 10)];
}

static problem make_problem(uint64_t *random, bool is_long)
{
    problem p = {.dim = check_below(random, 3) ? 1 : 1 + check_below(random, 4),
                 .is_long = is_long};
    static const size_t lengths[] = {1, 3, 40, 255, 256, 257, 700, 1500};
    p.n = is_long ? 2000 + check_below(random, 2000) : lengths[check_below(random, 8)];
    int kind = is_long ? BURSTS : (int)check_below(random, KINDS);
    make_stream(&p, random, kind);
    p.values = malloc(MOST_TEMPLATES * LONGEST * p.dim * sizeof *p.values);
    size_t n_templates = 1 + check_below(random, MOST_TEMPLATES);
    static const double gates[][2] = {{0.5, 2}, {0, 1}, {1, 1}, {0, 8}, {0.9, 3.3}};
    size_t gate = check_below(random, 5);
    p.literal = (literal_problem){.n_templates = (long)n_templates,
                                  .dim = (long)p.dim,
                                  .min = gates[gate][0],
                                  .max = gates[gate][1],
                                  .min_matches = 1 + (long)check_below(random, 3) / 2,
                                  .best = 0};
    if (check_below(random, 4) == 0) {
        p.literal.best = 1 + (long)check_below(random, 6);
        p.literal.min_matches = 1;
    }
    return p;
}

static void make_templates(problem *p, uint64_t *random)
{
    for (long j = 0; j < p->literal.n_templates; j++)
        make_template(p, random, (int)check_below(random, KINDS), &p->templates[j],
                      p->values + (size_t)j * LONGEST * p->dim);
    p->literal.templates = p->templates;
}

static void free_problem(problem *p)
{
    free(p->values);
    free(p->y);
}

/* How a stream is searched; no result may depend on it. */
typedef struct {
    const char *kernel;
    size_t chunk, threads;
    uint64_t *random; /* NULL: one push */
} manner;

static void push_in_pieces(sigrep *session, const problem *p, uint64_t *random)
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

static bool run_engine(const problem *p, const manner *how, bool scores, collection *out)
{
    static const char *labels[] = {"a", "b", "c"};
    sigrep_template templates[MOST_TEMPLATES];
    for (long j = 0; j < p->literal.n_templates; j++) {
        const literal_template *x = &p->templates[j];
        templates[j] = (sigrep_template){.size = sizeof(sigrep_template),
                                         .label = labels[x->label],
                                         .samples = x->x,
                                         .length = (uint64_t)x->m,
                                         .threshold = x->threshold};
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
    config.on_match = collect_match;
    config.on_scores = scores ? collect_scores : NULL;
    config.user = out;
    collect_begin(out, config.n_templates);
    sigrep *session;
    sigrep_error error;
    sigrep_status status = sigrep_create(&session, &config, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (status) return false;
    push_in_pieces(session, p, how->random);
    sigrep_destroy(session);
    memory_store_free(&memory);
    return true;
}

static bool is_gap_or_end(const problem *p, long t)
{
    if (t == (long)p->n) return true;
    for (size_t k = 0; k < p->dim; k++)
        if (!isfinite(p->y[(size_t)t * p->dim + k])) return true;
    return false;
}

/* literal.c counts the gap, or the end, that makes a match final. The session counts samples. */
static uint64_t final_samples(const problem *p, const literal_match *e)
{
    bool by_end = e->final > 0 && is_gap_or_end(p, e->final - 1) && !p->literal.best;
    return (uint64_t)(by_end ? e->final - 1 : e->final);
}

static bool agrees_with_literal(const problem *p, const collection *got)
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
    free(expected);
    return same;
}

static bool scores_agree(const problem *p, const collection *got)
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

static uint64_t seed;
static long total_matches;

/* Whole search and cuttings of a problem, which is freed. */
static void check_cuttings(problem p, uint64_t random, long number, int cuttings)
{
    collection whole;
    manner how = {.kernel = "scalar"};
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
            how = (manner){name, chunks[check_below(&random, 5)],
                           alone ? 1 : threads[check_below(&random, 3)], &random};
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

static void check_problem(long number, bool is_long, int cuttings)
{
    uint64_t random = seed + (uint64_t)number;
    problem p = make_problem(&random, is_long);
    make_templates(&p, &random);
    check_cuttings(p, random, number, cuttings);
}

/* Takes of one label whose thresholds exceed the score of constant input, and a stream that is
 * constant for long. So a match of the label is pending most of the time. */
static problem make_constant(uint64_t *random)
{
    problem p = {.n = 300 + check_below(random, 500), .dim = 1};
    p.y = calloc(p.n, sizeof *p.y);
    const size_t changes = check_below(random, 8);
    for (size_t k = 0; k < changes; k++) {
        const size_t at = check_below(random, p.n), length = 1 + check_below(random, 12);
        const bool is_gap = check_below(random, 6) == 0;
        for (size_t t = at; t < p.n && t < at + length; t++)
            p.y[t] = is_gap ? gap_value(random) : (float)check_below(random, 4);
    }
    static const double gates[][2] = {{0.5, 2}, {0, 1}, {0, 4}, {1, 2}};
    const size_t gate = check_below(random, 4);
    p.literal = (literal_problem){.n_templates = 2 + (long)check_below(random, 3),
                                  .dim = 1,
                                  .min = gates[gate][0],
                                  .max = gates[gate][1],
                                  .min_matches = 1 + (long)check_below(random, 2)};
    p.values = malloc(MOST_TEMPLATES * LONGEST * sizeof *p.values);
    for (long j = 0; j < p.literal.n_templates; j++) {
        float *x = p.values + j * LONGEST;
        const size_t m = 2 + check_below(random, 8);
        for (size_t i = 0; i < m; i++) x[i] = (float)check_below(random, 4);
        p.templates[j] = (literal_template){
            .x = x, .m = (long)m, .threshold = 1 + (double)check_below(random, 4)};
    }
    return p;
}

static void takes_in_constant_input_are_the_literal_ones(void)
{
    const long problems = (long)check_cases(CONSTANT_PROBLEMS);
    for (long number = 0; number < problems && check_failures < 10; number++) {
        uint64_t random = seed + (uint64_t)number;
        const problem p = make_constant(&random);
        check_cuttings(p, random, number, 5);
    }
}

/* Of 600 zeros, the first match is decided long before the end. */
static void takes_in_constant_input_do_not_wait_for_its_end(void)
{
    static const float a[] = {0, 1, 3, 1, 0}, b[] = {0, 1, 1, 3, 2, 0};
    problem p = {.n = 600, .dim = 1, .y = calloc(600, sizeof(float))};
    p.templates[0] = (literal_template){.x = a, .m = 5, .threshold = 2};
    p.templates[1] = (literal_template){.x = b, .m = 6, .threshold = 2};
    p.literal = (literal_problem){.templates = p.templates,
                                  .n_templates = 2,
                                  .dim = 1,
                                  .min = 0.5,
                                  .max = 2,
                                  .min_matches = 1};
    collection got;
    const manner how = {.kernel = "scalar"};
    if (run_engine(&p, &how, false, &got)) {
        CHECK(agrees_with_literal(&p, &got));
        const uint64_t longest = 12; /* lmax */
        CHECK(got.n > 0 && got.matches[0].start < 3);
        for (size_t i = 0; i < got.n; i++)
            CHECK(got.matches[i].final < got.matches[i].start + 11 * longest);
        collect_free(&got);
    }
    free_problem(&p);
}

static void matches_are_the_literal_ones_for_any_cutting_and_kernel(void)
{
    const long problems = (long)check_cases(PROBLEMS), longs = (long)check_cases(LONG_PROBLEMS);
    for (long number = 0; number < problems && check_failures < 10; number++)
        check_problem(number, false, CUTTINGS);
    for (long number = 0; number < longs && check_failures < 10; number++)
        check_problem(number, true, 3);
    printf("%ld matches\n", total_matches);
    CHECK(total_matches > problems);
}

int main(void)
{
    seed = check_seed("test_cuttings");
    RUN(takes_in_constant_input_are_the_literal_ones);
    RUN(takes_in_constant_input_do_not_wait_for_its_end);
    RUN(matches_are_the_literal_ones_for_any_cutting_and_kernel);
    return check_done();
}
