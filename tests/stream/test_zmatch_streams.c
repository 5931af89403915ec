/*
 * The front end zmatch: matches, finality, paths, scores, the best of an input, states and begins
 * in the middle, compared with "Each match normalised" of docs/SEMANTICS.md read literally, for any
 * cutting and chunk. Also what it refuses.
 */
#include <math.h>
#include <string.h>

#include "sigrep.h"
#include "tests/check.h"
#include "tests/support/collect.h"
#include "tests/support/zmatch_literal.h"

enum { MOST = 600, LONGEST = 40, TEMPLATES = 2 };

/* Two templates, of two labels, and a stream with gaps (NaN). */
typedef struct {
    float x[TEMPLATES][LONGEST], y[MOST];
    size_t m[TEMPLATES], n;
    double band, threshold[TEMPLATES];
    float d[TEMPLATES][MOST]; /* of the window that begins there; +inf: there is none */
    char front_end[32];
} problem;

static float uniform(uint64_t *random)
{
    return (float)check_below(random, 1u << 16) / (1 << 16) - 0.5f;
}

static void find_distances(problem *p, size_t j)
{
    const size_t m = p->m[j], band = (size_t)floor(p->band * (double)m);
    for (size_t s = 0; s < p->n; s++) {
        bool is_whole = s + m <= p->n;
        for (size_t i = s; is_whole && i < s + m; i++) is_whole = isfinite(p->y[i]);
        p->d[j][s] = is_whole ? zmatch_literal_distance(p->x[j], p->y + s, m, band) : INFINITY;
    }
}

static void make_problem(problem *p, uint64_t *random)
{
    static const char *const bands[] = {"", "=0", "=0.25", "=1"};
    static const double shares[] = {0.05, 0, 0.25, 1};
    const size_t kind = check_below(random, 4);
    float walk = 0;
    p->n = 1 + check_below(random, MOST);
    p->band = shares[kind];
    snprintf(p->front_end, sizeof p->front_end, "zmatch%s", bands[kind]);
    for (size_t t = 0; t < p->n; t++) {
        walk += uniform(random);
        p->y[t] = check_below(random, 150) ? walk : NAN;
    }
    for (size_t j = 0; j < TEMPLATES; j++) {
        p->m[j] = 2 + check_below(random, LONGEST - 2);
        p->threshold[j] = (double)check_below(random, 5) / 8;
        walk = 0;
        for (size_t i = 0; i < p->m[j]; i++) p->x[j][i] = walk += uniform(random) + 0.01f;
        const size_t m = p->m[j], at = check_below(random, p->n);
        for (size_t i = 0; at + m <= p->n && i < m; i++) p->y[at + i] = 3 * p->x[j][i] - 20;
    }
    for (size_t j = 0; j < TEMPLATES; j++) find_distances(p, j);
}

/* ---- read literally ---- */

typedef struct {
    size_t j, start, end, final;
    float d;
    bool by_gap; /* or by the end of the stream: after those that the last sample made final */
} literal;

typedef struct {
    literal all[2 * MOST];
    size_t n;
} literals;

/* The matches of a template in the span [from, to), which begins anew after each. */
static void search_span(const problem *p, size_t j, size_t from, size_t to, literals *out)
{
    const size_t m = p->m[j];
    bool has_best = false;
    literal best = {0};
    for (size_t s = from; s + m <= to || has_best; s++) {
        if (has_best && (s >= best.end || s + m > to)) {
            best.by_gap = best.end + m - 1 > to;
            best.final = best.by_gap ? to : best.end + m - 1;
            out->all[out->n++] = best;
            has_best = false;
            s = s < best.end ? best.end : s;
            if (s + m > to) break;
        }
        const float d = p->d[j][s];
        if (!(d < INFINITY) || (double)d / (double)m > p->threshold[j]) continue;
        if (has_best && !(d < best.d)) continue;
        best = (literal){.j = j, .start = s, .end = s + m, .d = d};
        has_best = true;
    }
}

/* The lowest of [from, to), then those left and right of it. */
static void find_best(const problem *p, size_t j, size_t from, size_t to, literals *out)
{
    const size_t m = p->m[j];
    size_t at = to;
    for (size_t s = from; s + m <= to; s++)
        if (p->d[j][s] < (at < to ? p->d[j][at] : INFINITY)) at = s;
    if (at == to) return;
    out->all[out->n++] = (literal){j, at, at + m, p->n, p->d[j][at], true};
    find_best(p, j, from, at, out);
    find_best(p, j, at + m, to, out);
}

static const problem *compared; /* by_score needs the lengths */

static double score_of(const literal *a)
{
    return (double)a->d / (double)compared->m[a->j];
}

static int by_score(const void *left, const void *right)
{
    const literal *a = left, *b = right;
    if (score_of(a) != score_of(b)) return score_of(a) < score_of(b) ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return a->j < b->j ? -1 : a->j > b->j;
}

static int by_final(const void *left, const void *right)
{
    const literal *a = left, *b = right;
    if (a->final != b->final) return a->final < b->final ? -1 : 1;
    if (a->by_gap != b->by_gap) return a->by_gap ? 1 : -1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return a->j < b->j ? -1 : a->j > b->j;
}

static void search_literally(const problem *p, bool best, literals *out)
{
    out->n = 0;
    compared = p;
    for (size_t from = 0, to; from < p->n; from = to + 1) {
        for (to = from; to < p->n && isfinite(p->y[to]);) to++;
        for (size_t j = 0; j < TEMPLATES; j++)
            (best ? find_best : search_span)(p, j, from, to, out);
    }
    qsort(out->all, out->n, sizeof *out->all, best ? by_score : by_final);
}

static void check_same(const literals *expected, const collection *got, const problem *p,
                       const char *what)
{
    CHECK_MSG(got->n == expected->n, "%s: %zu matches, not %zu", what, got->n, expected->n);
    for (size_t i = 0; i < got->n && i < expected->n; i++) {
        const literal *a = &expected->all[i];
        const sigrep_match *b = &got->matches[i];
        CHECK_MSG(b->template_index == a->j && b->start == a->start && b->end == a->end &&
                      b->final == a->final && (float)(b->score * (double)p->m[a->j]) == a->d,
                  "%s, match %zu: template %zu, %llu to %llu, final %llu, %.9g; not %zu, %zu to "
                  "%zu, final %zu, %.9g",
                  what, i, b->template_index, (unsigned long long)b->start,
                  (unsigned long long)b->end, (unsigned long long)b->final, b->score, a->j,
                  a->start, a->end, a->final, score_of(a));
    }
}

/* ---- the library ---- */

typedef struct {
    sigrep_template templates[TEMPLATES];
    sigrep_config config;
    collection got;
    memory_store memory;
    sigrep_store store;
} setting;

static void prepare(setting *s, const problem *p, uint64_t *random)
{
    static const char *const labels[] = {"a", "b"};
    *s = (setting){.store = {0}};
    for (size_t j = 0; j < TEMPLATES; j++)
        s->templates[j] = (sigrep_template){.size = sizeof(sigrep_template),
                                            .label = labels[j],
                                            .samples = p->x[j],
                                            .length = p->m[j],
                                            .threshold = p->threshold[j]};
    sigrep_config_init(&s->config, sizeof s->config);
    collect_begin(&s->got, TEMPLATES);
    s->config.templates = s->templates;
    s->config.n_templates = TEMPLATES;
    s->config.on_match = collect_match;
    s->config.user = &s->got;
    s->config.front_end = p->front_end;
    s->config.chunk = check_below(random, 2) ? 1 + check_below(random, 100) : 0;
    s->config.threads = 1 + check_below(random, 2);
}

static sigrep *begin(const setting *s)
{
    sigrep *search;
    sigrep_error error;
    const sigrep_status status = sigrep_create(&search, &s->config, &error);
    CHECK_MSG(status == SIGREP_OK, "%s", error.text);
    if (!search) exit(1);
    return search;
}

static void push(sigrep *search, const problem *p, size_t from, size_t to, uint64_t *random)
{
    for (size_t now; from < to; from += now) {
        now = 1 + check_below(random, 90);
        if (now > to - from) now = to - from;
        CHECK(sigrep_push(search, p->y + from, now) == SIGREP_OK);
    }
}

static void free_setting(setting *s)
{
    collect_free(&s->got);
    memory_store_free(&s->memory);
}

/* Each path leads from corner to corner within the band, and costs D. */
static void check_paths(const collection *got, const problem *p)
{
    const sigrep_pair *pair = got->pairs;
    for (size_t i = 0; i < got->n; i++) {
        const sigrep_match *match = &got->matches[i];
        const uint64_t m = p->m[match->template_index];
        const uint64_t band = (uint64_t)floor(p->band * (double)m);
        float d = 0;
        CHECK(pair->template_frame == 0 && pair->match_frame == 0 && pair->start == match->start);
        for (bool is_last = false; !is_last; pair++) {
            const uint64_t row = pair->template_frame, column = pair->match_frame;
            CHECK(row <= column + band && column <= row + band);
            d += pair->cost;
            is_last = row + 1 == m && column + 1 == m;
        }
        CHECK((float)(match->score * (double)m) == d);
    }
    CHECK(got->n == 0 || pair == got->pairs + got->n_pairs);
}

/* A search, or a best-of search, of all samples. */
static void check_whole(const problem *p, bool is_best, uint64_t *random)
{
    static literals expected;
    setting s;
    prepare(&s, p, random);
    if (is_best) {
        s.store = memory_store_ops(&s.memory);
        s.config.best = MOST;
        s.config.store = &s.store;
    }
    s.config.paths = 1;
    sigrep *search = begin(&s);
    s.got.search = search;
    push(search, p, 0, p->n, random);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    search_literally(p, is_best, &expected);
    check_same(&expected, &s.got, p, is_best ? "the best" : "a search");
    check_paths(&s.got, p);
    sigrep_destroy(search);
    free_setting(&s);
}

/* Two searches, the second goes on from the state of the first. */
static void check_resumed(const problem *p, uint64_t *random)
{
    static literals expected;
    setting s;
    const size_t at = check_below(random, p->n + 1);
    const void *state;
    size_t size;
    uint64_t from;
    prepare(&s, p, random);
    s.config.paths = 1;
    sigrep *first = begin(&s), *second = begin(&s);
    s.got.search = first;
    push(first, p, 0, at, random);
    CHECK(sigrep_save(first, &state, &size, NULL) == SIGREP_OK);
    CHECK(sigrep_resume(second, state, size, &from, NULL) == SIGREP_OK && from == at);
    s.got.search = second;
    push(second, p, at, p->n, random);
    CHECK(sigrep_finish(second) == SIGREP_OK);
    search_literally(p, false, &expected);
    check_same(&expected, &s.got, p, "resumed");
    check_paths(&s.got, p);
    sigrep_destroy(first);
    sigrep_destroy(second);
    free_setting(&s);
}

/* A search that begins in the middle: once it has joined the whole one, it finds the same. */
static void check_joined(const problem *p, uint64_t *random)
{
    setting whole, part;
    const size_t at = check_below(random, p->n);
    uint64_t from;
    int joined = 0;
    prepare(&whole, p, random);
    prepare(&part, p, random);
    sigrep *a = begin(&whole), *b = begin(&part);
    CHECK(sigrep_begin_at(b, at, &from, NULL) == SIGREP_OK);
    push(a, p, 0, (size_t)from, random);
    size_t now = (size_t)from;
    for (; now < p->n && !joined; now++) {
        push(a, p, now, now + 1, random);
        push(b, p, now, now + 1, random);
        CHECK(sigrep_has_joined(a, b, &joined) == SIGREP_OK);
    }
    const size_t before_a = whole.got.n, before_b = part.got.n;
    push(a, p, now, p->n, random);
    push(b, p, now, p->n, random);
    CHECK(sigrep_finish(a) == SIGREP_OK && sigrep_finish(b) == SIGREP_OK);
    const size_t rest = whole.got.n - before_a;
    CHECK(!joined || part.got.n - before_b == rest);
    for (size_t i = 0; joined && i < rest; i++)
        CHECK(whole.got.matches[before_a + i].start == part.got.matches[before_b + i].start &&
              whole.got.matches[before_a + i].final == part.got.matches[before_b + i].final);
    sigrep_destroy(a);
    sigrep_destroy(b);
    free_setting(&whole);
    free_setting(&part);
}

/* A score stands at the last sample of its window. */
static void check_scores(const problem *p, uint64_t *random)
{
    setting s;
    prepare(&s, p, random);
    s.config.on_scores = collect_scores;
    sigrep *search = begin(&s);
    push(search, p, 0, p->n, random);
    CHECK(sigrep_finish(search) == SIGREP_OK);
    CHECK(s.got.n_scores == TEMPLATES * p->n);
    for (size_t i = 0; i < TEMPLATES * p->n; i++) {
        const size_t j = i % TEMPLATES, t = i / TEMPLATES, m = p->m[j];
        const float d = t + 1 >= m ? p->d[j][t + 1 - m] : INFINITY, got = s.got.scores[i];
        CHECK(d < INFINITY ? got == (float)((double)d / (double)m) : isnan(got));
    }
    sigrep_destroy(search);
    free_setting(&s);
}

static void random_streams_have_the_matches_of_semantics(void)
{
    static problem p;
    uint64_t random = check_seed("streams");
    for (size_t k = check_cases(60); k > 0; k--) {
        make_problem(&p, &random);
        check_whole(&p, false, &random);
        check_whole(&p, true, &random);
        check_resumed(&p, &random);
        check_joined(&p, &random);
        check_scores(&p, &random);
    }
}

/* ---- what is refused ---- */

static void expect_refused(const setting *s, sigrep_status expected, const char *words)
{
    sigrep *search;
    sigrep_error error;
    const sigrep_status status = sigrep_create(&search, &s->config, &error);
    CHECK_MSG(status == expected && strcmp(error.text, words) == 0, "%d: %s", (int)status,
              error.text);
    sigrep_destroy(search);
}

static void what_cannot_be_is_refused(void)
{
    static problem p = {.x = {{1, 2, 4, 3}, {5, 5, 5}}, .m = {4, 3}, .front_end = "zmatch"};
    uint64_t random = 1;
    setting s;
    prepare(&s, &p, &random);
    expect_refused(&s, SIGREP_BAD_TEMPLATE, "flat as float32: zmatch finds no gain in it");
    s.config.n_templates = 1;
    s.config.kernel = "scalar";
    expect_refused(&s, SIGREP_NO_KERNEL,
                   "zmatch has one kernel, on the CPU; no other can be asked for");
    s.config.kernel = NULL;
    s.config.length_min = 1.5;
    expect_refused(&s, SIGREP_BAD_CONFIG,
                   "the length gate leaves no match: by zmatch all are as long as the template");
    s.config.length_min = 0.5;
    s.templates[0].auto_threshold = 1;
    expect_refused(&s, SIGREP_NO_THRESHOLD, "zmatch has no estimate of a threshold");
    s.config.channels = 2;
    s.templates[0].length = 2;
    expect_refused(&s, SIGREP_BAD_FRONT_END,
                   "zmatch: frames of 2 values, not 1; search each by itself");
    free_setting(&s);
}

int main(void)
{
    RUN(random_streams_have_the_matches_of_semantics);
    RUN(what_cannot_be_is_refused);
    return check_done();
}
