/* Bands of the matrix of two strings, of each kernel, beside all cells. */
#include <string.h>

#include "check.h"
#include "filter/strings/band.h"

typedef struct {
    unsigned char *x, *y;
    size_t m, n;
} strings;

/* D(m,n), literally. */
static uint64_t all_cells(const strings *s)
{
    uint64_t *column = malloc((s->m + 1) * sizeof *column);
    for (size_t i = 0; i <= s->m; i++) column[i] = i;
    for (size_t t = 1; t <= s->n; t++) {
        uint64_t diagonal = column[0]++;
        for (size_t i = 1; i <= s->m; i++) {
            uint64_t best = diagonal + (s->x[i - 1] != s->y[t - 1]);
            diagonal = column[i];
            if (diagonal + 1 < best) best = diagonal + 1;
            if (column[i - 1] + 1 < best) best = column[i - 1] + 1;
            column[i] = best;
        }
    }
    const uint64_t distance = column[s->m];
    free(column);
    return distance;
}

/* Two strings that differ in some letters, and one begins with letters that the other lacks. */
static void make_strings(strings *s, size_t most, uint64_t *random)
{
    const size_t shift = check_below(random, 100), one_in = 1 + check_below(random, 30);
    s->m = 1 + check_below(random, most);
    s->n = 1 + check_below(random, most);
    for (size_t i = 0; i < s->m; i++) s->x[i] = (unsigned char)check_below(random, 4);
    for (size_t t = 0; t < s->n; t++) {
        const bool is_copied = t + shift < s->m && check_below(random, one_in);
        s->y[t] = is_copied ? s->x[t + shift] : (unsigned char)check_below(random, 4);
    }
}

/* Is the distance exact for k edits or more, and above k for less? */
static void check_band(band b, band_column *c, uint64_t k, uint64_t wanted)
{
    b.k = k;
    const uint64_t distance = band_distance(&b, c);
    CHECK_MSG(k >= wanted ? distance == wanted : distance > k,
              "%s: m %zu, n %zu, k %zu: %zu, not %zu", b.kernel->name, b.x->m, b.n, (size_t)k,
              (size_t)distance, (size_t)wanted);
}

static void check_kernels(const strings *s, uint64_t *random)
{
    const uint64_t wanted = all_cells(s);
    string_pattern x;
    CHECK(string_pattern_init(&x, s->x, s->m, 0, NULL));
    band_column column = {.words = malloc(x.words * sizeof *column.words)};
    for (size_t i = 0; string_kernel_at(i); i++) {
        const band b = {.kernel = string_kernel_at(i), .x = &x, .y = s->y, .n = s->n};
        if (!b.kernel->stripes || !b.kernel->usable()) continue;
        check_band(b, &column, wanted, wanted);
        check_band(b, &column, wanted + check_below(random, 300), wanted);
        if (wanted > 0) check_band(b, &column, wanted - 1, wanted);
        if (wanted > 0) check_band(b, &column, check_below(random, wanted), wanted);
    }
    free(column.words);
    string_pattern_free(&x);
}

static void check_cases_of(size_t cases, size_t most)
{
    uint64_t random = check_seed("check_cases_of");
    strings s = {.x = malloc(most), .y = malloc(most)};
    for (size_t c = check_cases(cases); c > 0; c--) {
        make_strings(&s, most, &random);
        check_kernels(&s, &random);
    }
    free(s.x);
    free(s.y);
}

static void short_strings(void)
{
    check_cases_of(2000, 150);
}

static void long_strings(void)
{
    check_cases_of(60, 3000);
}

/* Steps of a sweep end at fixed columns, the last at column n. */
static void steps_cover_all_columns(void)
{
    const string_ops *kernel = string_kernel_find(NULL);
    for (size_t n = 1; n < 3000; n += 7) {
        const band b = {.kernel = kernel, .n = n};
        size_t t = 0;
        for (size_t s = 0; s < band_steps(&b); s++) {
            CHECK(band_step_end(&b, s) == t);
            const size_t columns = band_step_stripes(&b, t) * STRING_TILE;
            t += columns < n - t ? columns : n - t;
        }
        CHECK(t == n && band_step_end(&b, band_steps(&b)) == n);
    }
}

int main(void)
{
    RUN(short_strings);
    RUN(long_strings);
    RUN(steps_cover_all_columns);
    return check_done();
}
