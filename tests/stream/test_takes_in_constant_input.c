/* Takes of a label whose thresholds exceed the score of constant input, in streams that are
 * constant for long. So a match of the label is pending most of the time. */
#include "tests/stream/problems.h"

enum { PROBLEMS = 150, CUTTINGS = 4 };

static const double gates[][2] = {{0.5, 2}, {0, 1}, {0, 4}, {1, 2}, {0, 16}, {0.5, 1}};
enum { GATES = sizeof gates / sizeof *gates };

/* Constant but for a few bursts and gaps, or in steps, or periodic. */
static void make_stream(problem *p, uint64_t *random)
{
    p->n = 50 + check_below(random, 750);
    p->dim = 1;
    p->y = calloc(p->n, sizeof *p->y);
    const size_t kind = check_below(random, 4), period = 1 + check_below(random, 30);
    float level = 0;
    for (size_t t = 0; t < p->n; t++) {
        if (kind == 1 && check_below(random, 60) == 0) level = (float)check_below(random, 4);
        p->y[t] = kind == 2 ? (float)(t % period * 7 % 5) : level;
    }
    const size_t changes = check_below(random, 12);
    for (size_t k = 0; k < changes; k++) {
        const size_t at = check_below(random, p->n), length = 1 + check_below(random, 12);
        const bool is_gap = check_below(random, 6) == 0;
        for (size_t t = at; t < p->n && t < at + length; t++)
            p->y[t] = is_gap ? gap_value(random) : (float)check_below(random, 4);
    }
}

/* Short and long takes of one or two labels. Some have gates and a min_matches of their own. */
static void make_takes(problem *p, uint64_t *random)
{
    static const double thresholds[] = {0, 0.5, 1, 1.5, 2, 3, 5, 100};
    static const size_t longest[] = {3, 9, 40};
    const size_t most = longest[check_below(random, 3)], labels = check_below(random, 5) ? 1 : 2;
    const bool own_gates = check_below(random, 3) == 0, own_min = check_below(random, 4) == 0;
    p->values = malloc(MOST_TEMPLATES * LONGEST * sizeof *p->values);
    for (long j = 0; j < p->literal.n_templates; j++) {
        float *x = p->values + j * LONGEST;
        const size_t m = 2 + check_below(random, most - 1);
        const bool is_flat = check_below(random, 5) == 0;
        for (size_t i = 0; i < m; i++) x[i] = is_flat ? 1 : (float)check_below(random, 4);
        p->templates[j] =
            (literal_template){.x = x,
                               .m = (long)m,
                               .label = (int)check_below(random, labels),
                               .threshold = thresholds[check_below(random, 8)],
                               .min_matches = own_min ? (long)check_below(random, 4) : 0};
        if (!own_gates) continue;
        const size_t gate = check_below(random, GATES);
        p->templates[j].min = gates[gate][0];
        p->templates[j].max = gates[gate][1];
    }
}

static problem make_problem(uint64_t *random)
{
    problem p = {0};
    make_stream(&p, random);
    const size_t gate = check_below(random, GATES);
    p.literal = (literal_problem){.n_templates = 2 + (long)check_below(random, 3),
                                  .dim = 1,
                                  .min = gates[gate][0],
                                  .max = gates[gate][1],
                                  .min_matches = 1 + (long)check_below(random, 3)};
    make_takes(&p, random);
    return p;
}

/* L of docs/SEMANTICS.md, "Order". */
static uint64_t longest_of_label(const problem *p, int label)
{
    uint64_t longest = 0;
    for (long j = 0; j < p->literal.n_templates; j++) {
        const literal_template *x = &p->templates[j];
        const double max = x->max > 0 ? x->max : p->literal.max;
        const uint64_t length_max = (uint64_t)floor(max * (double)x->m);
        if (x->label == label && length_max > longest) longest = length_max;
    }
    return longest;
}

/* What docs/SEMANTICS.md promises of all matches of a label. */
static void check_labels(const problem *p, const collection *got)
{
    for (size_t i = 0; i < got->n; i++) {
        const sigrep_match *a = &got->matches[i];
        const int label = p->templates[a->template_index].label;
        CHECK(a->final < a->start + 11 * longest_of_label(p, label));
        for (size_t k = 0; k < i; k++) {
            const sigrep_match *b = &got->matches[k];
            CHECK(b->final <= a->final);
            if (p->templates[b->template_index].label == label)
                CHECK(a->end <= b->start || b->end <= a->start);
        }
    }
}

static void check_whole(problem *p)
{
    collection got;
    p->literal.templates = p->templates;
    if (!run_engine(p, &(manner){.kernel = "scalar"}, false, &got)) return;
    CHECK(agrees_with_literal(p, &got));
    check_labels(p, &got);
    collect_free(&got);
}

static uint64_t seed;

static void takes_in_constant_input_are_the_literal_ones(void)
{
    const long problems = (long)check_cases(PROBLEMS);
    for (long number = 0; number < problems && check_failures < 10; number++) {
        uint64_t random = seed + (uint64_t)number;
        problem p = make_problem(&random);
        check_whole(&p);
        check_cuttings(p, random, number, CUTTINGS);
    }
    printf("%ld matches\n", total_matches);
    CHECK(total_matches > problems);
}

static problem problem_of(const float *y, size_t n, const literal_template *templates,
                          size_t n_templates)
{
    problem p = {.n = n, .dim = 1, .y = malloc(n * sizeof *y)};
    memcpy(p.y, y, n * sizeof *y);
    memcpy(p.templates, templates, n_templates * sizeof *templates);
    p.literal = (literal_problem){
        .n_templates = (long)n_templates, .dim = 1, .min = 0.5, .max = 2, .min_matches = 1};
    return p;
}

/* Of 600 zeros, the first match is decided long before the end. */
static void takes_in_constant_input_do_not_wait_for_its_end(void)
{
    static const float a[] = {0, 1, 3, 1, 0}, b[] = {0, 1, 1, 3, 2, 0}, zeros[600] = {0};
    const literal_template takes[] = {{.x = a, .m = 5, .threshold = 2},
                                      {.x = b, .m = 6, .threshold = 2}};
    problem p = problem_of(zeros, 600, takes, 2);
    check_whole(&p);
    collection got;
    if (run_engine(&p, &(manner){.kernel = "scalar"}, false, &got)) {
        CHECK(got.n > 0 && got.matches[0].start < 3 && got.matches[0].final < 11 * 12);
        collect_free(&got);
    }
    free_problem(&p);
}

/* The gap decides the takes of label 0 after 5 samples, not after 4 + 8 - 1. The match of label 1
 * became final with the last sample itself, so it comes first. */
static void a_gap_decides_takes_after_the_last_sample(void)
{
    static const float a[] = {1, 2, 3}, b[] = {1, 2, 2, 3}, c[] = {3, 9};
    static const float y[] = {9, 1, 2, 3, 9, NAN, NAN, 9};
    const literal_template takes[] = {{.x = a, .m = 3, .threshold = 0.1},
                                      {.x = b, .m = 4, .threshold = 0.1},
                                      {.x = c, .m = 2, .threshold = 0.1, .label = 1}};
    problem p = problem_of(y, 8, takes, 3);
    check_whole(&p);
    collection got;
    if (run_engine(&p, &(manner){.kernel = "scalar"}, false, &got)) {
        CHECK(got.n == 2);
        const sigrep_match *m = got.matches;
        CHECK(got.n == 2 && m[0].template_index == 2 && m[0].start == 3 && m[0].final == 5);
        CHECK(got.n == 2 && m[1].template_index == 0 && m[1].start == 1 && m[1].final == 5);
        collect_free(&got);
    }
    free_problem(&p);
}

int main(void)
{
    seed = check_seed("test_takes_in_constant_input");
    RUN(takes_in_constant_input_are_the_literal_ones);
    RUN(takes_in_constant_input_do_not_wait_for_its_end);
    RUN(a_gap_decides_takes_after_the_last_sample);
    return check_done();
}
