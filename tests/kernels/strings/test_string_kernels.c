/* Kernels for strings beside the reference, over random letters and cuttings; a GPU's, if there is
 * one. */
#include "check.h"
#include "kernels/strings/strings.h"

#include <string.h>

typedef struct {
    string_pattern pattern;
    unsigned char *letters;
    size_t n, most_chunk;
    uint32_t *wanted, *minima; /* of blocks of one chunk */
} problem;

/* Random letters, with copies of the pattern in which one letter in 30 is another. */
static void make_problem(problem *q, size_t m, size_t edits, uint64_t *random)
{
    const size_t different = 2 + check_below(random, 4);
    unsigned char *x = malloc(m);
    for (size_t i = 0; i < m; i++) x[i] = (unsigned char)('a' + check_below(random, different));
    for (size_t t = 0; t < q->n; t++)
        q->letters[t] = (unsigned char)('a' + check_below(random, different));
    for (size_t at = check_below(random, 1 + m); at + m <= q->n;
         at += m + check_below(random, 9 * m))
        for (size_t i = 0; i < m; i++)
            if (check_below(random, 30)) q->letters[at + i] = x[i];
    CHECK(string_pattern_init(&q->pattern, x, m, edits, NULL));
    free(x);
}

static void compare(problem *q, const string_ops *kernel, uint64_t *random)
{
    const string_ops *scalar = string_kernel_find("scalar");
    string_sweep *s = kernel->create(&q->pattern, q->most_chunk);
    string_sweep *reference = scalar->create(&q->pattern, q->most_chunk);
    CHECK(s && reference);
    for (size_t at = 0, n; at < q->n && s && reference; at += n) {
        n = 1 + check_below(random, q->most_chunk);
        if (n > q->n - at) n = q->n - at;
        CHECK(kernel->sweep(s, q->letters + at, n, q->minima));
        CHECK(scalar->sweep(reference, q->letters + at, n, q->wanted));
        CHECK_MSG(memcmp(q->minima, q->wanted, string_blocks(n) * sizeof *q->minima) == 0,
                  "%s: m %zu, k %zu, letters %zu to %zu", kernel->name, q->pattern.m,
                  q->pattern.edits, at, at + n);
    }
    kernel->destroy(s);
    scalar->destroy(reference);
}

static void compare_all(size_t cases, size_t most_m, size_t n, size_t most_chunk)
{
    uint64_t random = check_seed("compare_all");
    problem q = {.n = n, .most_chunk = most_chunk};
    q.letters = malloc(n);
    q.wanted = malloc(string_blocks(most_chunk) * sizeof *q.wanted);
    q.minima = malloc(string_blocks(most_chunk) * sizeof *q.minima);
    for (size_t c = check_cases(cases); c > 0; c--) {
        const size_t m = 1 + check_below(&random, most_m);
        make_problem(&q, m, check_below(&random, 1 + m / 10), &random);
        for (size_t i = 0; string_kernel_at(i); i++)
            if (string_kernel_at(i)->usable()) compare(&q, string_kernel_at(i), &random);
        string_pattern_free(&q.pattern);
    }
    free(q.letters);
    free(q.wanted);
    free(q.minima);
}

static void short_patterns(void)
{
    compare_all(40, 70, 40000, 40000);
}

static void patterns_of_many_words(void)
{
    compare_all(10, 1100, 60000, 60000);
}

static void patterns_of_several_bands(void)
{
    compare_all(2, 3000, 60000, 60000);
}

static void short_chunks(void)
{
    compare_all(20, 100, 3000, 100);
}

/* Rows before row 1 fill words and lanes: all lengths around their ends. */
static void lengths_at_the_ends_of_words(void)
{
    static const size_t lengths[] = {1,   31,  32,  33,  63,  64,   65,   127,
                                     128, 129, 511, 512, 513, 1023, 1024, 1025};
    uint64_t random = check_seed("lengths_at_the_ends_of_words");
    static unsigned char letters[8000];
    static uint32_t wanted[125], minima[125];
    problem q = {
        .letters = letters, .n = 8000, .most_chunk = 8000, .wanted = wanted, .minima = minima};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        make_problem(&q, lengths[l], lengths[l] / 9, &random);
        for (size_t i = 0; string_kernel_at(i); i++)
            if (string_kernel_at(i)->usable()) compare(&q, string_kernel_at(i), &random);
        string_pattern_free(&q.pattern);
    }
}

int main(void)
{
    if (!string_kernel_find("cuda")->usable()) printf("SKIP the kernel cuda: no GPU\n");
    RUN(short_patterns);
    RUN(patterns_of_many_words);
    RUN(patterns_of_several_bands);
    RUN(short_chunks);
    RUN(lengths_at_the_ends_of_words);
    return check_done();
}
