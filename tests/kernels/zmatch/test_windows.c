/* kernels/zmatch: every instruction set, every bound, bit for bit as the whole matrix. */
#include "kernels/zmatch/zmatch.h"

#include <string.h>

#include "tests/check.h"
#include "tests/support/zmatch_literal.h"

enum { MOST_M = 90, MOST_Y = 2 * MOST_M };

static double uniform(uint64_t *random)
{
    return (double)check_below(random, 1u << 20) / (1 << 20) - 0.5;
}

/* Walks, waves and noise, at an offset, of any size; with outliers and flat parts. */
static void make_signal(float *y, size_t n, uint64_t *random)
{
    static const double scales[] = {1, 1e-3, 1e4, 1e-37, 1e37, 1e-44};
    static const double offsets[] = {0, 1, -1e3, 1e7};
    const double scale = scales[check_below(random, 6)];
    const double offset = offsets[check_below(random, 4)];
    const size_t kind = check_below(random, 3), flat = check_below(random, 2 * n);
    const size_t outlier = check_below(random, 3 * n);
    double walk = 0;
    for (size_t t = 0; t < n; t++) {
        const double noise = uniform(random);
        walk += noise;
        double v = kind == 0 ? walk : kind == 1 ? noise : sin((double)t / 5) + 0.1 * noise;
        if (t >= flat && t < flat + n / 3) v = 0.25;
        if (t == outlier) v = 1e6;
        y[t] = (float)((v + offset) * scale);
        if (!isfinite(y[t])) y[t] = 0;
    }
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A bound such as searches have: one of the D, just below it, +inf, ... */
static float choose_bound(const float *d, size_t n, uint64_t *random)
{
    float sorted[MOST_Y];
    memcpy(sorted, d, n * sizeof *d);
    qsort(sorted, n, sizeof *d, by_value);
    const float of_some = sorted[check_below(random, n) / (1 + check_below(random, 4))];
    switch (check_below(random, 4)) {
    case 0: return INFINITY;
    case 1: return nextafterf(of_some, -INFINITY);
    default: return of_some;
    }
}

/* Exactly the windows of [at, to) whose D is low enough are found, with their D. */
static void check_found(zmatch *zm, const float *d, size_t at, size_t to, float bound,
                        const char *name)
{
    zmatch_candidates candidates = {0};
    for (size_t s = at; s < to;) {
        const size_t found_to = zmatch_find(zm, s, to, bound, &candidates);
        size_t i = 0;
        CHECK(found_to > s && found_to <= to);
        for (; s < found_to; s++) {
            if (!(d[s] <= bound) || !isfinite(d[s])) continue;
            CHECK_MSG(i < candidates.n && candidates.at[i] == s && candidates.d[i] == d[s],
                      "%s, window %zu, D %.9g, bound %.9g", name, s, (double)d[s], (double)bound);
            i++;
        }
        CHECK_MSG(i == candidates.n, "%s: %zu candidates, not %zu", name, candidates.n, i);
    }
}

static void check_signal(const float *x, size_t m, size_t band, const float *y, size_t n,
                         uint64_t *random)
{
    float z[MOST_M], d[MOST_Y];
    if (!zmatch_normalise(z, x, m)) return;
    for (size_t s = 0; s < n; s++) d[s] = zmatch_literal_distance(x, y + s, m, band);
    for (size_t i = 0; zmatch_ops_at(i); i++) {
        const zmatch_ops *ops = zmatch_ops_at(i);
        if (!ops->usable()) continue;
        zmatch *zm;
        CHECK(zmatch_create(&zm, ops, z, m, band) == SIGREP_OK);
        zmatch_look(zm, y, n);
        for (int k = 0; k < 4; k++) {
            const size_t at = check_below(random, n), to = at + 1 + check_below(random, n - at);
            check_found(zm, d, at, to, choose_bound(d, n, random), ops->name);
        }
        zmatch_destroy(zm);
    }
}

static void random_windows_are_found_as_by_the_whole_matrix(void)
{
    uint64_t random = check_seed("windows");
    for (size_t k = check_cases(300); k > 0; k--) {
        float x[MOST_M], y[MOST_Y];
        const size_t m = 2 + check_below(&random, check_below(&random, 2) ? 6 : MOST_M - 2);
        const size_t n = 1 + check_below(&random, m);
        const size_t band = check_below(&random, check_below(&random, 2) ? 4 : m + 3);
        make_signal(y, n + m - 1, &random);
        make_signal(x, m, &random);
        if (check_below(&random, 2)) memcpy(x, y + check_below(&random, n), m * sizeof *x);
        check_signal(x, m, band, y, n, &random);
    }
}

static void a_copy_of_other_offset_and_gain_costs_nothing(void)
{
    const float x[] = {1, 5, 2, -3}, y[] = {9, 11, 19, 13, 3, 7};
    float z[4];
    zmatch *zm;
    zmatch_candidates candidates;
    CHECK(zmatch_normalise(z, x, 4));
    CHECK(zmatch_create(&zm, NULL, z, 4, 1) == SIGREP_OK);
    zmatch_look(zm, y, 3);
    CHECK(zmatch_find(zm, 0, 3, 0, &candidates) == 3);
    CHECK(candidates.n == 1 && candidates.at[0] == 1 && candidates.d[0] == 0);
    zmatch_destroy(zm);
}

/* The band is 0: a sum of differences. -1 1, against 1 -1, -1 1, and a constant. */
static void a_band_of_nothing_compares_value_by_value(void)
{
    const float x[] = {-1, 1}, y[] = {3, 2, 4, 4};
    zmatch *zm;
    zmatch_candidates candidates;
    CHECK(zmatch_create(&zm, NULL, x, 2, 0) == SIGREP_OK);
    zmatch_look(zm, y, 2);
    CHECK(zmatch_find(zm, 0, 2, INFINITY, &candidates) == 2);
    CHECK(candidates.n == 2 && candidates.d[0] == 4 && candidates.d[1] == 0);
    zmatch_look(zm, y + 2, 1);
    CHECK(zmatch_find(zm, 0, 1, INFINITY, &candidates) == 1 && candidates.n == 0);
    zmatch_destroy(zm);
}

/* The window's spike is higher and later than the template's. Rows after it have paid for it: what
 * the rest costs at least must not count it again. */
static void a_passed_spike_is_not_paid_twice(void)
{
    enum { M = 64, BAND = 16 };
    float x[M], y[M];
    uint64_t random = check_seed("a spike");
    for (int k = 0; k < 100; k++) {
        for (size_t i = 0; i < M; i++) x[i] = y[i] = i < 8 ? 10 : i % 2 ? 0.1f : -0.1f;
        x[30] = 10;
        y[40] = 12 + (float)check_below(&random, 4);
        y[7] = 0; /* so the gain stays */
        check_signal(x, M, BAND, y, 1, &random);
    }
}

/* A call of some milliseconds does not end this matrix, so a search can ask whether to stop. */
static void a_long_matrix_takes_several_calls(void)
{
    enum { M = 2000, N = 3 };
    static float x[M], z[M], y[M + N - 1];
    uint64_t random = check_seed("a long matrix");
    for (size_t i = 0; i < M; i++) x[i] = (float)uniform(&random);
    for (size_t t = 0; t < M + N - 1; t++) y[t] = (float)uniform(&random);
    CHECK(zmatch_normalise(z, x, M));
    for (size_t i = 0; zmatch_ops_at(i); i++) {
        if (!zmatch_ops_at(i)->usable()) continue;
        zmatch *zm;
        zmatch_candidates candidates;
        int calls = 1;
        CHECK(zmatch_create(&zm, zmatch_ops_at(i), z, M, M) == SIGREP_OK);
        zmatch_look(zm, y + N - 1, 1);
        CHECK(zmatch_find(zm, 0, 1, INFINITY, &candidates) == 0);
        zmatch_look(zm, y, N); /* the matrix that was begun is forgotten */
        for (; zmatch_find(zm, 0, N, INFINITY, &candidates) == 0; calls++) CHECK(candidates.n == 0);
        CHECK(calls == 4 && candidates.n == N);
        const size_t s = check_below(&random, N);
        CHECK(candidates.d[s] == zmatch_literal_distance(x, y + s, M, M));
        zmatch_destroy(zm);
    }
}

int main(void)
{
    RUN(a_copy_of_other_offset_and_gain_costs_nothing);
    RUN(a_band_of_nothing_compares_value_by_value);
    RUN(a_passed_spike_is_not_paid_twice);
    RUN(a_long_matrix_takes_several_calls);
    RUN(random_windows_are_found_as_by_the_whole_matrix);
    return check_done();
}
