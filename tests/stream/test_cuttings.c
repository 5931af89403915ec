/* Random cuttings on each kernel, 10^4 in all, of streams full of ties, gaps and repetitions. */
#include "tests/stream/problems.h"

enum { PROBLEMS = 160, LONG_PROBLEMS = 8, CUTTINGS = 25 };

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

static uint64_t seed;

static void check_problem(long number, bool is_long, int cuttings)
{
    uint64_t random = seed + (uint64_t)number;
    problem p = make_problem(&random, is_long);
    make_templates(&p, &random);
    check_cuttings(p, random, number, cuttings);
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
    RUN(matches_are_the_literal_ones_for_any_cutting_and_kernel);
    return check_done();
}
