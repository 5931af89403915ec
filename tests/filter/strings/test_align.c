/* Whole distances and alignments beside a whole matrix. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "sigrep_text.h"

enum { MOST = 40 };

/* Strings, or signals of `dim` values a frame. */
typedef struct {
    size_t m, n, dim; /* dim 0: strings */
    const unsigned char *x, *y, *same;
    const float *x_frames, *y_frames;
} align_problem;

/* D of all cells, literally: m + 1 rows of n + 1. */
static double *matrix;

static double *cell(const align_problem *p, size_t i, size_t t)
{
    return &matrix[i * (p->n + 1) + t];
}

static float cost_of(const align_problem *p, size_t i, size_t t)
{
    const unsigned char a = p->dim ? 0 : p->x[i - 1], b = p->dim ? 0 : p->y[t - 1];
    if (!p->dim) return (p->same ? p->same[256 * a + b] : a == b) ? 0 : 1;
    float sum = 0;
    for (size_t k = 0; k < p->dim; k++)
        sum += fabsf(p->x_frames[(i - 1) * p->dim + k] - p->y_frames[(t - 1) * p->dim + k]);
    return sum;
}

static void fill(const align_problem *p)
{
    for (size_t i = 0; i <= p->m; i++)
        for (size_t t = 0; t <= p->n; t++) {
            const double border = i + t == 0 ? 0 : !p->dim ? (double)(i + t) : INFINITY;
            *cell(p, i, t) = border;
            if (i == 0 || t == 0) continue;
            const double gap = !p->dim ? 1 : 0, diagonal = !p->dim ? cost_of(p, i, t) : 0;
            const double best = fmin(*cell(p, i - 1, t - 1) + diagonal,
                                     fmin(*cell(p, i, t - 1), *cell(p, i - 1, t)) + gap);
            *cell(p, i, t) = !p->dim ? best : (double)((float)best + cost_of(p, i, t));
        }
}

/* The chosen path, backwards. Returns the number of pairs that are to be found. */
static size_t walk(const align_problem *p, sigrep_pair *pairs)
{
    size_t i = p->m, t = p->n, n = 0;
    while (i > 0 || t > 0) {
        const double gap = !p->dim ? 1 : 0;
        const double up = i > 0 ? *cell(p, i - 1, t) + gap : INFINITY;
        const double left = t > 0 ? *cell(p, i, t - 1) + gap : INFINITY;
        const double diagonal =
            i && t ? *cell(p, i - 1, t - 1) + (!p->dim ? (double)cost_of(p, i, t) : 0) : INFINITY;
        const bool is_diagonal = diagonal <= left && diagonal <= up;
        if (is_diagonal || p->dim)
            pairs[n++] = (sigrep_pair){.template_frame = i - 1,
                                       .match_frame = t - 1,
                                       .start = t - 1,
                                       .end = t,
                                       .cost = cost_of(p, i, t)};
        if (is_diagonal)
            i--, t--;
        else if (left <= up)
            t--;
        else
            i--;
    }
    return n;
}

static sigrep_status align(const align_problem *p, double *distance, sigrep_pair *pairs,
                           size_t *n_pairs)
{
    if (!p->dim)
        return sigrep_text_align(p->x, p->m, p->y, p->n, p->same, distance, pairs, n_pairs);
    return sigrep_text_align_signals(p->x_frames, p->m, p->y_frames, p->n, p->dim, distance, pairs,
                                     n_pairs);
}

static void compare(const align_problem *p)
{
    sigrep_pair *wanted = calloc(2 * (p->m + p->n + 1), sizeof *wanted);
    sigrep_pair *pairs = wanted + p->m + p->n + 1;
    double alone = -1, distance = -1;
    size_t n_pairs = 0;
    matrix = calloc((p->m + 1) * (p->n + 1), sizeof *matrix);
    fill(p);
    const size_t n = walk(p, wanted);
    CHECK(!align(p, &alone, NULL, NULL) && alone == *cell(p, p->m, p->n));
    CHECK(!align(p, &distance, pairs, &n_pairs) && distance == alone);
    CHECK_MSG(n_pairs == n, "%zu pairs of %zu: m %zu, n %zu", n_pairs, n, p->m, p->n);
    for (size_t k = 0; k < n && k < n_pairs; k++) {
        const sigrep_pair *a = &pairs[k], *b = &wanted[n - 1 - k];
        CHECK_MSG(a->template_frame == b->template_frame && a->match_frame == b->match_frame &&
                      a->start == b->start && a->end == b->end && a->cost == b->cost,
                  "pair %zu: m %zu, n %zu", k, p->m, p->n);
    }
    free(wanted);
    free(matrix);
}

static void strings_of_all_lengths(void)
{
    static unsigned char same[256 * 256];
    uint64_t random = check_seed("strings_of_all_lengths");
    for (size_t i = 0; i < 3; i++) same[257 * i] = same[256 * 2 + i] = 1; /* 2 matches all */
    for (size_t c = check_cases(3000); c > 0; c--) {
        unsigned char x[MOST], y[MOST];
        for (size_t i = 0; i < MOST; i++) x[i] = (unsigned char)check_below(&random, 3);
        for (size_t i = 0; i < MOST; i++) y[i] = (unsigned char)check_below(&random, 3);
        const align_problem p = {.m = check_below(&random, MOST + 1),
                                 .n = check_below(&random, MOST + 1),
                                 .same = check_below(&random, 2) ? same : NULL,
                                 .x = x,
                                 .y = y};
        compare(&p);
    }
}

/* y becomes a copy of some letters of x with edits, and with long insertions. Returns its length,
 * at most n. */
static size_t copy_with_edits(const unsigned char *x, size_t m, unsigned char *y, size_t n,
                              size_t one_in, uint64_t *random)
{
    size_t length = 0;
    for (size_t i = check_below(random, 50); i < m && length < n; i++) {
        const uint64_t edit = check_below(random, 3 * one_in);
        size_t inserted = edit == 0;
        if (check_below(random, m) == 0) inserted = check_below(random, 300);
        for (; inserted > 0 && length < n; inserted--)
            y[length++] = (unsigned char)check_below(random, 3);
        if (edit == 1 || length == n) continue; /* deleted */
        y[length++] = edit == 2 ? (unsigned char)check_below(random, 3) : x[i];
    }
    return length;
}

/* Many blocks of 64 rows and columns, and bands that do not hold all of them. */
static void long_strings(void)
{
    enum { LONG = 2500 };
    uint64_t random = check_seed("long_strings");
    for (size_t c = check_cases(40); c > 0; c--) {
        unsigned char x[LONG], y[LONG];
        for (size_t i = 0; i < LONG; i++) x[i] = (unsigned char)check_below(&random, 3);
        const size_t m = 1 + check_below(&random, LONG);
        const size_t n = copy_with_edits(x, m, y, LONG, 2 + check_below(&random, 40), &random);
        compare(&(align_problem){.m = m, .n = n, .x = x, .y = y});
        compare(&(align_problem){.m = n, .n = m, .x = y, .y = x});
    }
}

/* More parts than are solved at a time. */
static void a_short_and_a_very_long_string(void)
{
    enum { SHORT = 90, VERY_LONG = 20000 };
    static unsigned char x[SHORT], y[VERY_LONG];
    uint64_t random = check_seed("a_short_and_a_very_long_string");
    for (size_t i = 0; i < SHORT; i++) x[i] = (unsigned char)check_below(&random, 3);
    for (size_t t = 0; t < VERY_LONG; t++) y[t] = check_below(&random, 150) ? 3 : x[t % SHORT];
    compare(&(align_problem){.m = SHORT, .n = VERY_LONG, .x = x, .y = y});
    compare(&(align_problem){.m = VERY_LONG, .n = SHORT, .x = y, .y = x});
}

static void signals_of_all_lengths(void)
{
    uint64_t random = check_seed("signals_of_all_lengths");
    for (size_t c = check_cases(3000); c > 0; c--) {
        float x[2 * MOST], y[2 * MOST];
        const bool has_ties = check_below(&random, 2);
        for (size_t i = 0; i < 2 * MOST; i++) {
            x[i] = (float)check_below(&random, 4) * (has_ties ? 1 : 0.1f);
            y[i] = (float)check_below(&random, 4) * (has_ties ? 1 : 0.3f);
        }
        const align_problem p = {.m = 1 + check_below(&random, MOST),
                                 .n = 1 + check_below(&random, MOST),
                                 .x_frames = x,
                                 .y_frames = y,
                                 .dim = 1 + check_below(&random, 2)};
        compare(&p);
    }
}

/* Regression: the path of an infinite distance left the matrix. */
static void a_distance_may_overflow(void)
{
    static const float x[3] = {3e38f, -3e38f, 3e38f}, y[3] = {-3e38f, 3e38f, -3e38f};
    double distance = 0;
    sigrep_pair pairs[6];
    size_t n = 1;
    CHECK(!sigrep_text_align_signals(x, 3, y, 3, 1, &distance, pairs, &n));
    CHECK(distance == INFINITY && n == 0);
}

int main(void)
{
    RUN(strings_of_all_lengths);
    RUN(long_strings);
    RUN(a_short_and_a_very_long_string);
    RUN(signals_of_all_lengths);
    RUN(a_distance_may_overflow);
    return check_done();
}
