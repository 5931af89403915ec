/* Matches of strings beside docs/SEMANTICS.md as a slow program, for all kernels and cuttings. */
#include "tools/sigrep-text/search.h"

#include <string.h>

#include "check.h"
#include "tools/sigrep-text/literal.h"

enum { MOST_LETTERS = 20000 };

typedef struct {
    text_match matches[MOST_LETTERS];
    size_t n, most; /* wanted */
} found_list;

static bool add(void *user, const text_match *match)
{
    found_list *list = user;
    if (list->n < MOST_LETTERS) list->matches[list->n++] = *match;
    return list->n < list->most;
}

static bool same_in_either_case(unsigned char x, unsigned char y)
{
    return (x | 0x20) == (y | 0x20);
}

/* Search the text in random pieces, each in memory of its own with just the history that is due. */
static void search(const literal_problem *q, const string_ops *kernel, size_t most_piece,
                   uint64_t *random, found_list *list)
{
    string_pattern p;
    CHECK(string_pattern_init(&p, q->x, q->m, q->k, q->same));
    text_search *s = text_search_create(&p, kernel, most_piece, add, list);
    const size_t history = text_search_history(&p);
    list->n = 0;
    list->most = SIZE_MAX;
    for (int text = 0; text < 2; text++) { /* the second finds the same as the first */
        list->n = 0;
        for (size_t at = 0, n; at <= q->n; at += n) {
            n = 1 + check_below(random, most_piece);
            if (n > q->n - at) n = q->n - at;
            const size_t before = at < history ? at : history;
            unsigned char *piece = malloc(before + n + 1);
            if (before + n > 0) memcpy(piece, q->y + at - before, before + n);
            if (n > 0) CHECK(text_search_push(s, piece + before, n));
            if (n == 0) text_search_end(s, piece + before);
            free(piece);
            if (n == 0) break;
        }
    }
    text_search_destroy(s);
    string_pattern_free(&p);
}

static void compare(const literal_problem *q, size_t most_piece, uint64_t *random)
{
    static found_list list;
    size_t n;
    text_match *wanted = literal_search(q, &n);
    for (size_t i = 0; string_kernel_at(i); i++) {
        const string_ops *kernel = string_kernel_at(i);
        if (!kernel->usable()) continue;
        search(q, kernel, most_piece, random, &list);
        CHECK_MSG(list.n == n, "%s: %zu of %zu matches, m %zu n %zu k %zu", kernel->name, list.n, n,
                  q->m, q->n, q->k);
        for (size_t j = 0; j < n && j < list.n; j++) {
            const text_match *a = &list.matches[j], *b = &wanted[j];
            CHECK_MSG(a->start == b->start && a->end == b->end && a->distance == b->distance &&
                          a->final == b->final,
                      "%s: match %zu: [%zu,%zu) %u final %zu, wanted [%zu,%zu) %u final %zu",
                      kernel->name, j, (size_t)a->start, (size_t)a->end, a->distance,
                      (size_t)a->final, (size_t)b->start, (size_t)b->end, b->distance,
                      (size_t)b->final);
        }
    }
    free(wanted);
}

/* Random letters, and in them copies of the pattern with random edits. */
static void fill(literal_problem *q, unsigned char *x, unsigned char *y, size_t letters,
                 uint64_t *random)
{
    for (size_t i = 0; i < q->m; i++) x[i] = (unsigned char)('a' + check_below(random, letters));
    for (size_t t = 0; t < q->n; t++) y[t] = (unsigned char)('A' + check_below(random, letters));
    for (size_t copies = check_below(random, 1 + q->n / q->m / 2); copies > 0; copies--) {
        size_t at = check_below(random, q->n), edits = check_below(random, q->k + 2);
        for (size_t i = 0; i < q->m && at < q->n; i++) {
            const bool edited = edits > 0 && check_below(random, 1 + q->m / edits) == 0;
            const size_t kind = edited ? check_below(random, 3) : 3;
            if (kind == 0) continue; /* deleted */
            y[at++] = x[i];
            if (kind == 1) y[at - 1] = 'a';
            if (kind == 2) i--; /* inserted */
        }
    }
    q->x = x;
    q->y = y;
}

static void random_problems(size_t cases, size_t most_m, size_t most_n, size_t most_piece)
{
    static unsigned char x[MOST_LETTERS], y[MOST_LETTERS];
    uint64_t random = check_seed("random_problems");
    for (size_t c = check_cases(cases); c > 0; c--) {
        literal_problem q = {.m = 1 + check_below(&random, most_m),
                             .n = 1 + check_below(&random, most_n),
                             .same =
                                 check_below(&random, 2) ? same_in_either_case : string_same_byte};
        q.k = check_below(&random, check_below(&random, 2) ? q.m : 1 + q.m / 4);
        fill(&q, x, y, 1 + check_below(&random, 5), &random);
        compare(&q, 1 + check_below(&random, most_piece), &random);
    }
}

static void short_patterns_in_short_pieces(void)
{
    random_problems(2000, 12, 300, 40);
}

static void patterns_of_several_words(void)
{
    random_problems(60, 300, 3000, 500);
}

static void long_pieces_are_swept_in_lanes(void)
{
    random_problems(25, 90, 20000, 20000);
}

static void matches_end_with_the_text(void)
{
    literal_problem q = {.x = (const unsigned char *)"abcd",
                         .y = (const unsigned char *)"xxabc",
                         .m = 4,
                         .n = 5,
                         .k = 1,
                         .same = string_same_byte};
    uint64_t random = 1;
    compare(&q, 2, &random);
}

static void no_more_matches_than_wanted(void)
{
    static found_list list = {.most = 2};
    string_pattern p;
    CHECK(string_pattern_init(&p, (const unsigned char *)"ab", 2, 0, string_same_byte));
    text_search *s = text_search_create(&p, string_kernel_find(NULL), 64, add, &list);
    CHECK(text_search_push(s, (const unsigned char *)"ababababab", 10));
    text_search_end(s, (const unsigned char *)"ababababab" + 10);
    CHECK(list.n == 2);
    text_search_destroy(s);
    string_pattern_free(&p);
}

int main(void)
{
    RUN(short_patterns_in_short_pieces);
    RUN(patterns_of_several_words);
    RUN(long_pieces_are_swept_in_lanes);
    RUN(matches_end_with_the_text);
    RUN(no_more_matches_than_wanted);
    return check_done();
}
