/* filter/search/best.c: the lowest, then what lies left and right of it. */
#include <math.h>
#include <string.h>

#include "filter/search/best.h"
#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/search/span.h"
#include "kernels/kernel.h"
#include "tests/check.h"
#include "tests/support/collect.h"

static const float x3[3] = {1, 5, 2}, x6[6] = {1, 1, 5, 5, 2, 2};

/*
 *    t  0 1 2  3 4 5  6 7 8  9 0 1  2 3 4
 *    y  1 5 2  0 0 0  1 5 3  0 0 0  1 5 2
 *       d = 0         d = 1         d = 0       of x3
 */
static const float y15[15] = {1, 5, 2, 0, 0, 0, 1, 5, 3, 0, 0, 0, 1, 5, 2};

typedef struct {
    memory_store memory;
    sigrep_store store;
    search_template templates[2];
    best *be;
} bench;

/* Templates x3 and x6, the store holds y15 twice. */
static void bench_begin(bench *b)
{
    memset(b, 0, sizeof *b);
    b->store = memory_store_ops(&b->memory);
    b->store.append(b->store.user, y15, 15, 1);
    b->store.append(b->store.user, y15, 15, 1);
    b->templates[0] = (search_template){x3, 3, detector_gate_of((double)INFINITY, 0.5, 2, 3)};
    b->templates[1] = (search_template){x6, 6, detector_gate_of((double)INFINITY, 0.5, 2, 6)};
    const searches_plan plan = {.templates = b->templates,
                                .n_templates = 2,
                                .dim = 1,
                                .chunk = 4,
                                .ops = kernel_choose("cpu", "scalar", NULL),
                                .lowest_only = true};
    CHECK(best_create(&b->be, &plan, &b->store) == SIGREP_OK);
}

static void bench_end(bench *b)
{
    best_destroy(b->be);
    memory_store_free(&b->memory);
}

static const span whole = {.end = UINT64_MAX};

static void add(bench *b, uint64_t from, uint64_t to, size_t index, uint64_t start, uint64_t end,
                float d)
{
    const frame_match match = {.index = index, .start = start, .end = end, .d = d};
    CHECK(best_add(b->be, &whole, from, to, &match) == SIGREP_OK);
}

static void next_is(bench *b, size_t index, uint64_t start, uint64_t end, float d)
{
    frame_match match = {.index = 99};
    span where;
    CHECK(best_next(b->be, &match, &where) == SIGREP_OK);
    CHECK_MSG(match.index == index && match.start == start && match.end == end && match.d == d,
              "%zu: [%llu, %llu) %g", match.index, (unsigned long long)match.start,
              (unsigned long long)match.end, (double)match.d);
}

static bool none_is_left(bench *b)
{
    frame_match match;
    span where;
    return best_next(b->be, &match, &where) == SIGREP_STOPPED;
}

static void nothing_added_nothing_told(void)
{
    bench b;
    bench_begin(&b);
    CHECK(none_is_left(&b));
    bench_end(&b);
}

/* After [0,3), [12,15) and [6,9) there are 0 0 0 twice, where x3 costs 8 once a path has
 * two frames; after those, one frame is left of each, too short. */
static void what_lies_left_and_right_is_searched_again(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 0, 15, 0, 0, 3, 0);
    next_is(&b, 0, 0, 3, 0);
    next_is(&b, 0, 12, 15, 0);
    next_is(&b, 0, 6, 9, 1);
    next_is(&b, 0, 3, 5, 8);
    next_is(&b, 0, 9, 11, 8);
    CHECK(none_is_left(&b));
    bench_end(&b);
}

/* [3, 5) is just long enough. */
static void a_rest_of_the_least_length_is_searched(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 0, 5, 0, 0, 3, 0);
    next_is(&b, 0, 0, 3, 0);
    next_is(&b, 0, 3, 5, 8);
    CHECK(none_is_left(&b));
    bench_end(&b);
}

/* The second half of the store: positions are of the store, not of the part. */
static void parts_may_begin_anywhere(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 15, 30, 0, 27, 30, 0);
    next_is(&b, 0, 27, 30, 0);
    next_is(&b, 0, 15, 18, 0);
    next_is(&b, 0, 21, 24, 1);
    bench_end(&b);
}

/* Nothing outside [16, 29) is looked at: the 1 of the first copy and the 2 of the last are
 * missing. 5 2 costs 4, as does 1 5: 1 5 5 has 3, so [27,29) has 3 of two frames; 5 2 has
 * 1 by 5: 4. So [27, 29) goes first, then [16, 18). */
static void nothing_beyond_its_part_is_seen(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 16, 29, 0, 21, 24, 1);
    next_is(&b, 0, 21, 24, 1);
    next_is(&b, 0, 27, 29, 3);
    next_is(&b, 0, 16, 18, 4);
    bench_end(&b);
}

/* 6 of 6 frames is lower than 4 of 3. */
static void lowest_means_the_score(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 0, 3, 0, 0, 3, 4);
    add(&b, 10, 16, 1, 10, 16, 6);
    next_is(&b, 1, 10, 16, 6);
    next_is(&b, 0, 0, 3, 4);
    bench_end(&b);
}

/* All of score 2, each alone in its part. */
static void equals_go_to_the_earlier_end_then_template(void)
{
    for (int turn = 0; turn < 3; turn++) {
        bench b;
        bench_begin(&b);
        for (int i = 0; i < 3; i++) { /* in any order */
            if ((turn + i) % 3 == 0) add(&b, 20, 22, 0, 20, 22, 6);
            if ((turn + i) % 3 == 1) add(&b, 9, 12, 1, 9, 12, 12);
            if ((turn + i) % 3 == 2) add(&b, 20, 22, 1, 20, 22, 12);
        }
        next_is(&b, 1, 9, 12, 12);
        next_is(&b, 0, 20, 22, 6);
        next_is(&b, 1, 20, 22, 12);
        CHECK(none_is_left(&b));
        bench_end(&b);
    }
}

static void the_stretch_comes_along(void)
{
    bench b;
    bench_begin(&b);
    const span where = {.first_frame = 15, .begin = 1000, .end = 1015}, *in = &where;
    const frame_match match = {.start = 15, .end = 18};
    CHECK(best_add(b.be, in, 15, 30, &match) == SIGREP_OK);
    for (int i = 0; i < 2; i++) {
        frame_match got;
        span of = {.begin = 1};
        CHECK(best_next(b.be, &got, &of) == SIGREP_OK);
        CHECK(of.first_frame == 15 && of.begin == 1000 && of.end == 1015);
    }
    bench_end(&b);
}

static void reset_forgets_all(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 0, 15, 0, 0, 3, 0);
    add(&b, 15, 30, 0, 15, 18, 0);
    next_is(&b, 0, 0, 3, 0);
    best_reset(b.be);
    CHECK(none_is_left(&b));
    best_reset(b.be);
    add(&b, 0, 15, 0, 0, 3, 0);
    next_is(&b, 0, 0, 3, 0);
    next_is(&b, 0, 12, 15, 0);
    bench_end(&b);
}

static void a_store_that_cannot_be_read_is_told(void)
{
    bench b;
    bench_begin(&b);
    add(&b, 20, 40, 0, 20, 23, 0); /* the store ends at 30 */
    next_is(&b, 0, 20, 23, 0);
    frame_match match;
    span where;
    CHECK(best_next(b.be, &match, &where) == SIGREP_STORE_FAILED);
    bench_end(&b);
}

/* ---- through the searcher ---- */

typedef struct {
    uint64_t start, end;
    size_t index;
} expected;

/* The matches of y15 (with what `y` says instead, if given). */
static void search_gives(const sigrep_template *templates, size_t n, size_t wanted, const float *y,
                         size_t length, const expected *matches, size_t n_matches)
{
    collection got;
    collect_begin(&got, n);
    memory_store memory = {0};
    sigrep_store store = memory_store_ops(&memory);
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.templates = templates;
    config.n_templates = n;
    config.best = wanted;
    config.store = &store;
    config.chunk = 4;
    config.on_match = collect_match;
    config.user = &got;
    sigrep *session;
    CHECK(sigrep_create(&session, &config, NULL) == SIGREP_OK);
    for (int input = 0; input < 2; input++) { /* the second is as the first */
        got.n = 0;
        CHECK(sigrep_push(session, y, length) == SIGREP_OK);
        CHECK(got.n == 0);
        CHECK(sigrep_finish(session) == SIGREP_OK);
        CHECK(memory.n == 0);
        CHECK(got.n == n_matches);
        for (size_t i = 0; i < n_matches && i < got.n; i++) {
            const sigrep_match *g = &got.matches[i];
            CHECK_MSG(g->start == matches[i].start && g->end == matches[i].end &&
                          g->template_index == matches[i].index,
                      "%zu: [%llu, %llu) of %zu", i, (unsigned long long)g->start,
                      (unsigned long long)g->end, g->template_index);
            CHECK(g->final == length && isinf(g->threshold));
        }
    }
    sigrep_destroy(session);
    collect_free(&got);
    memory_store_free(&memory);
}

static void the_n_best_come_lowest_first(void)
{
    const sigrep_template x = {
        .size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3};
    const expected all[] = {{0, 3, 0}, {12, 15, 0}, {6, 9, 0}, {3, 5, 0}, {9, 11, 0}};
    for (size_t wanted = 1; wanted <= 5; wanted++)
        search_gives(&x, 1, wanted, y15, 15, all, wanted);
    search_gives(&x, 1, 1000, y15, 15, all, 5);
}

/* Templates of one label never lie on each other, others may. */
static void of_a_class_only_the_better_is_told(void)
{
    const float near[3] = {1, 5, 2.5f};
    const sigrep_template two[] = {
        {.size = sizeof(sigrep_template), .label = "x", .samples = near, .length = 3},
        {.size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3}};
    const expected one_class[] = {{0, 3, 1}, {12, 15, 1}, {6, 9, 0}};
    search_gives(two, 2, 3, y15, 15, one_class, 3);
    const sigrep_template apart[] = {
        {.size = sizeof(sigrep_template), .label = "y", .samples = near, .length = 3},
        {.size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3}};
    const expected two_classes[] = {{0, 3, 1}, {12, 15, 1}, {0, 3, 0}, {6, 9, 0}, {12, 15, 0}};
    search_gives(apart, 2, 5, y15, 15, two_classes, 5);
}

/* No match spans the gap, and no part does: 1 | 5 2 is as 16..29 above. */
static void gaps_part_the_input(void)
{
    const float y[9] = {1, NAN, 5, 2, NAN, NAN, 1, 5, 2};
    const sigrep_template x = {
        .size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3};
    const expected both[] = {{6, 9, 0}, {2, 4, 0}};
    search_gives(&x, 1, 3, y, 9, both, 2);
}

static void an_input_too_short_has_no_best(void)
{
    const sigrep_template x = {
        .size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3};
    search_gives(&x, 1, 3, y15, 1, NULL, 0);
    search_gives(&x, 1, 3, y15, 0, NULL, 0);
}

int main(void)
{
    RUN(nothing_added_nothing_told);
    RUN(what_lies_left_and_right_is_searched_again);
    RUN(a_rest_of_the_least_length_is_searched);
    RUN(parts_may_begin_anywhere);
    RUN(nothing_beyond_its_part_is_seen);
    RUN(lowest_means_the_score);
    RUN(equals_go_to_the_earlier_end_then_template);
    RUN(the_stretch_comes_along);
    RUN(reset_forgets_all);
    RUN(a_store_that_cannot_be_read_is_told);
    RUN(the_n_best_come_lowest_first);
    RUN(of_a_class_only_the_better_is_told);
    RUN(gaps_part_the_input);
    RUN(an_input_too_short_has_no_best);
    return check_done();
}
