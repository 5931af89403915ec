/* Matches of strings beside docs/SEMANTICS.md as a slow program, for all kernels and cuttings. */
#include <string.h>

#include "check.h"
#include "tests/filter/strings/literal.h"

enum { MOST_LETTERS = 20000 };

typedef struct {
    sigrep_text_match matches[MOST_LETTERS];
    size_t n, most; /* wanted */
} found_list;

static int add(void *user, const sigrep_text_match *match)
{
    found_list *list = user;
    if (list->n < MOST_LETTERS) list->matches[list->n++] = *match;
    return list->n >= list->most;
}

static bool same_byte(unsigned char x, unsigned char y)
{
    return x == y;
}

static bool same_in_either_case(unsigned char x, unsigned char y)
{
    return (x | 0x20) == (y | 0x20);
}

static const unsigned char *table_of(const literal_problem *q)
{
    static unsigned char table[256 * 256];
    for (unsigned i = 0; i < sizeof table; i++)
        table[i] = q->same((unsigned char)(i / 256), (unsigned char)(i % 256));
    return q->same == same_byte ? NULL : table;
}

static sigrep_text *create(const literal_problem *q, const char *kernel, size_t threads,
                           found_list *list)
{
    const sigrep_text_pattern pattern = {
        .letters = q->x, .length = q->m, .edits = q->k, .reversed = q->reversed};
    const sigrep_text_config config = {.size = sizeof config,
                                       .patterns = &pattern,
                                       .n_patterns = 1,
                                       .substitutions_only = q->replaces_only,
                                       .overhang = q->overhang,
                                       .same = table_of(q),
                                       .on_match = add,
                                       .user = list,
                                       .kernel = kernel,
                                       .threads = threads};
    sigrep_text *s;
    CHECK(sigrep_text_create(&s, &config, NULL) == SIGREP_OK);
    return s;
}

/* Search the text in random pieces, each in memory of its own. */
static void search(const literal_problem *q, const char *kernel, size_t most_piece,
                   uint64_t *random, found_list *list)
{
    sigrep_text *s = create(q, kernel, check_below(random, 20) == 0 ? 2 : 1, list);
    list->most = SIZE_MAX;
    for (int text = 0; text < 2; text++) { /* the second finds the same as the first */
        list->n = 0;
        for (size_t at = 0, n; at < q->n; at += n) {
            n = 1 + check_below(random, most_piece);
            if (n > q->n - at) n = q->n - at;
            unsigned char *piece = malloc(n);
            memcpy(piece, q->y + at, n);
            CHECK(sigrep_text_push(s, piece, n) == SIGREP_OK);
            free(piece);
        }
        CHECK(sigrep_text_finish(s) == SIGREP_OK);
    }
    sigrep_text_destroy(s);
}

/* The letters that hang over and those of the interval cost the distance. */
static void check_distance(const literal_problem *q, const sigrep_text_match *a)
{
    const size_t rows = q->m - a->before - a->after;
    double distance = 0;
    CHECK(a->before + a->after < q->m && (a->before == 0 || a->start == 0) &&
          (a->after == 0 || a->end == q->n));
    for (size_t i = 0; i < rows && q->replaces_only; i++)
        distance += !q->same(q->x[a->before + i], q->y[a->start + i]);
    if (!q->replaces_only)
        CHECK(sigrep_text_align(q->x + a->before, rows, q->y + a->start, a->end - a->start,
                                table_of(q), &distance, NULL, NULL) == SIGREP_OK);
    CHECK(a->distance == (size_t)distance + literal_over(q, a->before) + literal_over(q, a->after));
}

static void compare(const literal_problem *q, size_t most_piece, uint64_t *random)
{
    static found_list list;
    size_t n;
    sigrep_text_match *wanted = literal_search(q, &n);
    for (size_t i = 0; sigrep_text_kernel_name(i, NULL); i++) {
        int usable;
        const char *kernel = sigrep_text_kernel_name(i, &usable);
        if (!usable) continue;
        search(q, kernel, most_piece, random, &list);
        CHECK_MSG(list.n == n, "%s: %zu of %zu matches, m %zu n %zu k %zu", kernel, list.n, n, q->m,
                  q->n, q->k);
        for (size_t j = 0; j < n && j < list.n; j++) {
            const sigrep_text_match *a = &list.matches[j], *b = &wanted[j];
            CHECK_MSG(a->start == b->start && a->end == b->end && a->distance == b->distance &&
                          a->final == b->final,
                      "%s: match %zu: [%zu,%zu) %zu final %zu, wanted [%zu,%zu) %zu final %zu",
                      kernel, j, (size_t)a->start, (size_t)a->end, a->distance, (size_t)a->final,
                      (size_t)b->start, (size_t)b->end, b->distance, (size_t)b->final);
            check_distance(q, a);
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

/* A cost at which the pattern cannot hang over wholly. */
static void set_overhang(literal_problem *q, uint64_t *random)
{
    q->overhang = 1 + (unsigned)check_below(random, 100);
    if (literal_over(q, q->m) <= q->k) q->k = literal_over(q, q->m) - 1;
}

static void random_problems(size_t cases, size_t most_m, size_t most_n, size_t most_piece)
{
    static unsigned char x[MOST_LETTERS], y[MOST_LETTERS];
    uint64_t random = check_seed("random_problems");
    for (size_t c = check_cases(cases); c > 0; c--) {
        literal_problem q = {.m = 1 + check_below(&random, most_m),
                             .n = 1 + check_below(&random, most_n),
                             .same = check_below(&random, 2) ? same_in_either_case : same_byte};
        q.k = check_below(&random, check_below(&random, 2) ? q.m : 1 + q.m / 4);
        q.replaces_only = check_below(&random, 4) == 0;
        q.reversed = check_below(&random, 4) == 0;
        if (check_below(&random, 4) == 0) set_overhang(&q, &random);
        fill(&q, x, y, 1 + check_below(&random, 5), &random);
        compare(&q, 1 + check_below(&random, most_piece), &random);
    }
}

static void short_patterns_in_short_pieces(void)
{
    random_problems(800, 12, 300, 40);
}

static void patterns_of_several_words(void)
{
    random_problems(24, 300, 3000, 500);
}

/* Rows fill words, or one is missing or too many. */
static void rows_at_the_edges_of_words(void)
{
    static unsigned char x[MOST_LETTERS], y[MOST_LETTERS];
    uint64_t random = check_seed("rows_at_the_edges_of_words");
    for (size_t m = 63; m <= 257; m += m % 64 == 1 ? 62 : 1)
        for (size_t i = 0; i < 4; i++) {
            const size_t edits[] = {0, m / 4, m / 2, m - 1};
            literal_problem q = {.m = m, .n = 3 * m, .k = edits[i], .same = same_byte};
            q.reversed = check_below(&random, 2);
            fill(&q, x, y, 2, &random);
            for (size_t t = 0; t < q.n; t++) y[t] |= 0x20; /* dense: the pattern's letters alone */
            compare(&q, 1 + check_below(&random, 3), &random);
        }
}

/* Behind each three letters of the pattern, the text has one that must be inserted. */
static void a_match_has_up_to_m_and_k_letters(void)
{
    static unsigned char x[252], y[400];
    static found_list list;
    uint64_t random = check_seed("a_match_has_up_to_m_and_k_letters");
    for (size_t m = 63; m <= 252; m += 63)
        for (int reversed = 0; reversed < 2; reversed++) {
            literal_problem q = {.x = x, .y = y, .m = m, .n = m + m / 3 + 9, .k = m / 3 - 1};
            q.same = same_byte;
            q.reversed = reversed;
            memset(y, 255, sizeof y);
            for (size_t i = 0; i < m; i++) x[i] = y[5 + i + i / 3] = (unsigned char)i;
            search(&q, NULL, 9, &random, &list);
            CHECK(list.n == 1 && list.matches[0].distance == q.k);
            CHECK(list.matches[0].start == 5 && list.matches[0].end == 5 + m + q.k);
        }
}

static void long_pieces_are_swept_in_lanes(void)
{
    random_problems(10, 90, 20000, 20000);
}

static void matches_end_with_the_text(void)
{
    literal_problem q = {.x = (const unsigned char *)"abcd",
                         .y = (const unsigned char *)"xxabc",
                         .m = 4,
                         .n = 5,
                         .k = 1,
                         .same = same_byte};
    uint64_t random = 1;
    compare(&q, 2, &random);
}

static void no_more_matches_than_wanted(void)
{
    static found_list list = {.most = 2};
    const literal_problem q = {.x = (const unsigned char *)"ab", .m = 2, .same = same_byte};
    sigrep_text *s = create(&q, NULL, 1, &list);
    CHECK(sigrep_text_push(s, "ababababab", 10) == SIGREP_STOPPED && list.n == 2);
    CHECK(sigrep_text_push(s, "ab", 2) == SIGREP_STOPPED);
    CHECK(sigrep_text_finish(s) == SIGREP_OK && list.n == 2);
    list.most = 4;
    CHECK(sigrep_text_push(s, "ab", 2) == SIGREP_OK && list.n == 3 && list.matches[2].start == 0);
    sigrep_text_destroy(s);
}

/* The matches of each pattern are those that it has alone. A push may be longer than a chunk. */
static void several_patterns_come_in_order(void)
{
    enum { LETTERS = 5 << 19 };
    static found_list whole, pieces, alone;
    static unsigned char y[LETTERS];
    const sigrep_text_pattern patterns[] = {{.letters = "acgtacgt", .length = 8},
                                            {.letters = "ggatccaag", .length = 9},
                                            {.letters = "tttttttt", .length = 8},
                                            {.letters = "gattaca", .length = 7}};
    sigrep_text_config config = {.size = sizeof config,
                                 .patterns = patterns,
                                 .n_patterns = 4, /* two threads share them, three cut chunks */
                                 .edits = 1,
                                 .on_match = add,
                                 .user = &whole};
    sigrep_text *s;
    size_t n = 0;
    uint64_t random = check_seed("several_patterns_come_in_order");
    for (size_t t = 0; t < LETTERS; t++) y[t] = (unsigned char)"acgt"[check_below(&random, 4)];
    whole.most = pieces.most = alone.most = SIZE_MAX;
    CHECK(sigrep_text_create(&s, &config, NULL) == SIGREP_OK);
    CHECK(sigrep_text_push_size(s) < LETTERS && sigrep_text_push(s, y, LETTERS) == SIGREP_OK);
    CHECK(sigrep_text_finish(s) == SIGREP_OK);
    sigrep_text_destroy(s);
    for (size_t i = 1; i < whole.n; i++) {
        const sigrep_text_match *a = &whole.matches[i - 1], *b = &whole.matches[i];
        CHECK(a->final < b->final || (a->final == b->final && a->end < b->end) ||
              (a->final == b->final && a->end == b->end && a->pattern < b->pattern));
    }
    config.user = &pieces;
    for (config.threads = 1; config.threads <= 3; config.threads++) {
        pieces.n = 0;
        CHECK(sigrep_text_create(&s, &config, NULL) == SIGREP_OK);
        for (size_t at = 0, part; at < LETTERS; at += part) {
            part = 1 + check_below(&random, LETTERS / 3);
            if (part > LETTERS - at) part = LETTERS - at;
            CHECK(sigrep_text_push(s, y + at, part) == SIGREP_OK);
        }
        CHECK(sigrep_text_finish(s) == SIGREP_OK);
        sigrep_text_destroy(s);
        CHECK(pieces.n == whole.n);
        CHECK(memcmp(whole.matches, pieces.matches, whole.n * sizeof *whole.matches) == 0);
    }
    CHECK(whole.n > 100 && whole.n < MOST_LETTERS);
    for (size_t p = 0; p < 4; p++) {
        const literal_problem q = {
            .x = patterns[p].letters, .m = patterns[p].length, .k = 1, .same = same_byte};
        alone.n = 0;
        s = create(&q, NULL, 1, &alone);
        CHECK(sigrep_text_push(s, y, LETTERS) == SIGREP_OK);
        CHECK(sigrep_text_finish(s) == SIGREP_OK);
        sigrep_text_destroy(s);
        n += alone.n;
    }
    CHECK(n == whole.n);
}

/* Random texts in a row, one of them of more than a chunk. */
static size_t cut_texts(size_t *bounds, size_t n, size_t most, uint64_t *random)
{
    size_t texts = 0;
    for (bounds[0] = 0; bounds[texts] < n; texts++) {
        const size_t long_one = bounds[texts] == 0 ? n / 2 : 0;
        const size_t length = long_one + check_below(random, 1 + check_below(random, most));
        bounds[texts + 1] = length < n - bounds[texts] ? bounds[texts] + length : n;
    }
    return texts;
}

/* Push and finish each text. */
static void search_one_by_one(sigrep_text *s, const unsigned char *y, const size_t *bounds,
                              size_t n, found_list *list)
{
    for (size_t i = 0, first = 0; i < n; i++, first = list->n) {
        CHECK(sigrep_text_push(s, y + bounds[i], bounds[i + 1] - bounds[i]) == SIGREP_OK);
        CHECK(sigrep_text_finish(s) == SIGREP_OK);
        for (size_t j = first; j < list->n; j++) list->matches[j].text = i;
    }
}

static void search_many_texts(const sigrep_text_config *config, const unsigned char *y,
                              const size_t *bounds, size_t n)
{
    sigrep_text_config other = *config;
    static found_list wanted, list;
    sigrep_text *s;
    other.user = &wanted;
    wanted.n = list.n = 0;
    wanted.most = list.most = SIZE_MAX;
    CHECK(sigrep_text_create(&s, &other, NULL) == SIGREP_OK);
    search_one_by_one(s, y, bounds, n, &wanted);
    sigrep_text_destroy(s);
    other.user = &list;
    for (other.threads = 1; other.threads <= 2; other.threads++) {
        CHECK(sigrep_text_create(&s, &other, NULL) == SIGREP_OK);
        CHECK(sigrep_text_push(s, "abcab", 5) == SIGREP_OK && sigrep_text_finish(s) == SIGREP_OK);
        list.n = 0;
        CHECK(sigrep_text_search(s, y, bounds, n) == SIGREP_OK && list.n == wanted.n);
        CHECK(memcmp(list.matches, wanted.matches, list.n * sizeof *list.matches) == 0);
        list.most = list.n = 0;
        CHECK(sigrep_text_search(s, y, bounds, n) == (wanted.n > 0 ? SIGREP_STOPPED : SIGREP_OK));
        list.most = SIZE_MAX;
        sigrep_text_destroy(s);
    }
}

static void many_texts_are_searched_as_each_alone(void)
{
    enum { LETTERS = 3 << 20, SHORT = 4000 };
    static unsigned char y[LETTERS];
    static size_t bounds[LETTERS + 1];
    uint64_t random = check_seed("many_texts_are_searched_as_each_alone");
    const sigrep_text_pattern patterns[] = {{.letters = "abcabcab", .length = 8},
                                            {.letters = "bacbbbaca", .length = 9, .reversed = 1}};
    sigrep_text_config config = {
        .size = sizeof config, .patterns = patterns, .n_patterns = 2, .edits = 2, .on_match = add};
    for (size_t t = 0; t < LETTERS; t++) y[t] = (unsigned char)('a' + check_below(&random, 3));
    for (size_t c = check_cases(60); c > 0; c--) {
        config.overhang = 50 * (unsigned)check_below(&random, 3);
        config.substitutions_only = check_below(&random, 3) == 0;
        search_many_texts(&config, y, bounds, cut_texts(bounds, SHORT, 100, &random));
    }
    memset(y, 'd', LETTERS - SHORT);
    config.overhang = 0;
    search_many_texts(&config, y, bounds, cut_texts(bounds, LETTERS, 5000, &random));
}

static sigrep_status created(const sigrep_text_config *config, size_t pattern)
{
    sigrep_error error;
    sigrep_text *s;
    const sigrep_status status = sigrep_text_create(&s, config, &error);
    CHECK((s != NULL) == (status == SIGREP_OK) && (error.text[0] != 0) == (status != SIGREP_OK));
    CHECK(error.template_index == pattern);
    sigrep_text_destroy(s);
    return status;
}

static void bad_configurations_are_refused(void)
{
    static found_list list;
    struct {
        sigrep_text_config now;
        size_t later;
    } newer = {.later = 0};
    sigrep_text_pattern patterns[] = {{.letters = "abc", .length = 3},
                                      {.letters = "de", .length = 2}};
    const sigrep_text_config good = {.size = sizeof good,
                                     .patterns = patterns,
                                     .n_patterns = 2,
                                     .edits = 1,
                                     .on_match = add,
                                     .user = &list};
    sigrep_text_config bad = good;
    CHECK(created(&good, SIZE_MAX) == SIGREP_OK);
    bad.edits = 2;
    CHECK(created(&bad, 1) == SIGREP_BAD_TEMPLATE);
    patterns[0].length = SIGREP_TEXT_MAX_LENGTH + 1;
    CHECK(created(&good, 0) == SIGREP_BAD_TEMPLATE);
    patterns[0].length = 0;
    CHECK(created(&good, 0) == SIGREP_BAD_TEMPLATE);
    patterns[0].length = 3;
    patterns[1].edits = 2;
    CHECK(created(&good, 1) == SIGREP_BAD_TEMPLATE);
    patterns[1].edits = 0;
    bad = good;
    bad.overhang = 50;
    CHECK(created(&bad, 1) == SIGREP_BAD_TEMPLATE);
    bad.overhang = 101;
    CHECK(created(&bad, SIZE_MAX) == SIGREP_BAD_CONFIG);
    bad = good;
    bad.threads = SIZE_MAX;
    CHECK(created(&bad, SIZE_MAX) == SIGREP_BAD_CONFIG);
    bad = good;
    bad.n_patterns = 0;
    CHECK(created(&bad, SIZE_MAX) == SIGREP_BAD_CONFIG);
    bad = good;
    bad.patterns = NULL;
    CHECK(created(&bad, SIZE_MAX) == SIGREP_BAD_CONFIG);
    bad = good;
    bad.on_match = NULL;
    CHECK(created(&bad, SIZE_MAX) == SIGREP_BAD_CONFIG);
    bad = good;
    bad.kernel = "steam";
    CHECK(created(&bad, SIZE_MAX) == SIGREP_NO_KERNEL);
    bad = good;
    bad.size = offsetof(sigrep_text_config, overhang);
    CHECK(created(&bad, SIZE_MAX) == SIGREP_BAD_CONFIG);
    newer.now = good;
    newer.now.size = sizeof newer;
    CHECK(created(&newer.now, SIZE_MAX) == SIGREP_OK);
    newer.later = 1;
    CHECK(created(&newer.now, SIZE_MAX) == SIGREP_BAD_CONFIG);
}

int main(void)
{
    RUN(short_patterns_in_short_pieces);
    RUN(patterns_of_several_words);
    RUN(rows_at_the_edges_of_words);
    RUN(a_match_has_up_to_m_and_k_letters);
    RUN(long_pieces_are_swept_in_lanes);
    RUN(matches_end_with_the_text);
    RUN(no_more_matches_than_wanted);
    RUN(several_patterns_come_in_order);
    RUN(many_texts_are_searched_as_each_alone);
    RUN(bad_configurations_are_refused);
    return check_done();
}
