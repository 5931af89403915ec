/* filter/search/best.c: the lowest match, then the parts left and right of it. */
#include <math.h>
#include <string.h>

#include "filter/search/best.h"
#include "filter/search/match_list.h"
#include "filter/search/searches.h"
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
    template templates[2];
    best *be;
} fixture;

/* Templates x3 and x6 with these levels, the store holds y15 twice. */
static void fixture_begin_with(fixture *f, double level3, double level6)
{
    memset(f, 0, sizeof *f);
    f->store = memory_store_ops(&f->memory);
    f->store.append(f->store.user, y15, 15, 1);
    f->store.append(f->store.user, y15, 15, 1);
    f->templates[0] = (template){.frames = x3,
                                 .length = 3,
                                 .gate = detector_gate_of((double)INFINITY, 0.5, 2, 3),
                                 .level = level3};
    f->templates[1] = (template){.frames = x6,
                                 .length = 6,
                                 .gate = detector_gate_of((double)INFINITY, 0.5, 2, 6),
                                 .level = level6};
    const searches_plan plan = {.templates = f->templates,
                                .n_templates = 2,
                                .dim = 1,
                                .chunk = 4,
                                .ops = kernel_choose("cpu", "scalar", NULL),
                                .lowest_only = true};
    CHECK(best_create(&f->be, &plan, &f->store) == SIGREP_OK);
}

static void fixture_begin(fixture *f)
{
    fixture_begin_with(f, 0, 0);
}

static void fixture_end(fixture *f)
{
    best_destroy(f->be);
    memory_store_free(&f->memory);
}

static const span whole = {.end = UINT64_MAX};

static void add(fixture *f, uint64_t from, uint64_t to, size_t index, uint64_t start, uint64_t end,
                float d)
{
    const frame_match match = {.index = index, .start = start, .end = end, .d = d};
    CHECK(best_add(f->be, &whole, from, to, &match) == SIGREP_OK);
}

static void next_is(fixture *f, size_t index, uint64_t start, uint64_t end, float d)
{
    frame_match match = {.index = 99};
    span where;
    CHECK(best_next(f->be, &match, &where) == SIGREP_OK);
    CHECK_MSG(match.index == index && match.start == start && match.end == end && match.d == d,
              "%zu: [%llu, %llu) %g", match.index, (unsigned long long)match.start,
              (unsigned long long)match.end, (double)match.d);
}

static bool none_is_left(fixture *f)
{
    frame_match match;
    span where;
    return best_next(f->be, &match, &where) == SIGREP_STOPPED;
}

static void without_a_match_none_is_left(void)
{
    fixture f;
    fixture_begin(&f);
    CHECK(none_is_left(&f));
    fixture_end(&f);
}

/* After [0,3), [12,15) and [6,9), 0 0 0 is left twice. There x3 costs 8 with a path of two frames.
 * Then one frame is left of each, too short. */
static void the_parts_left_and_right_are_searched_again(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 0, 15, 0, 0, 3, 0);
    next_is(&f, 0, 0, 3, 0);
    next_is(&f, 0, 12, 15, 0);
    next_is(&f, 0, 6, 9, 1);
    next_is(&f, 0, 3, 5, 8);
    next_is(&f, 0, 9, 11, 8);
    CHECK(none_is_left(&f));
    fixture_end(&f);
}

/* [3, 5) is just long enough. */
static void a_rest_of_the_least_length_is_searched(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 0, 5, 0, 0, 3, 0);
    next_is(&f, 0, 0, 3, 0);
    next_is(&f, 0, 3, 5, 8);
    CHECK(none_is_left(&f));
    fixture_end(&f);
}

/* The second half of the store: positions are of the store, not of the part. */
static void parts_may_begin_anywhere(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 15, 30, 0, 27, 30, 0);
    next_is(&f, 0, 27, 30, 0);
    next_is(&f, 0, 15, 18, 0);
    next_is(&f, 0, 21, 24, 1);
    fixture_end(&f);
}

/* Frames outside [16, 29) are not searched: the 1 of the first copy and the 2 of the last are
 * missing. 1 5 at [27, 29) costs 3, 5 2 at [16, 18) costs 4. So [27, 29) comes first. */
static void frames_beyond_the_part_are_not_searched(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 16, 29, 0, 21, 24, 1);
    next_is(&f, 0, 21, 24, 1);
    next_is(&f, 0, 27, 29, 3);
    next_is(&f, 0, 16, 18, 4);
    fixture_end(&f);
}

/* 6 of 6 frames is lower than 4 of 3. */
static void lowest_means_the_score(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 0, 3, 0, 0, 3, 4);
    add(&f, 10, 16, 1, 10, 16, 6);
    next_is(&f, 1, 10, 16, 6);
    next_is(&f, 0, 0, 3, 4);
    fixture_end(&f);
}

/* Scores 1 and 4/3. As shares of the levels 1/2 and 1/3; a level alone does not count. */
static void lowest_means_the_share_of_the_level(void)
{
    const double levels[3][2] = {{4, 2}, {4, 0}, {0, 2}};
    for (int i = 0; i < 3; i++) {
        fixture f;
        fixture_begin_with(&f, levels[i][0], levels[i][1]);
        add(&f, 10, 16, 1, 10, 16, 6);
        add(&f, 0, 3, 0, 0, 3, 4);
        if (i == 0) next_is(&f, 0, 0, 3, 4);
        next_is(&f, 1, 10, 16, 6);
        if (i > 0) next_is(&f, 0, 0, 3, 4);
        fixture_end(&f);
    }
}

/* A share of 1/2 each. */
static void equal_shares_go_to_the_earlier_end_then_template(void)
{
    fixture f;
    fixture_begin_with(&f, 4, 2);
    add(&f, 20, 22, 1, 20, 22, 6);
    add(&f, 20, 22, 0, 20, 22, 6);
    add(&f, 9, 12, 1, 9, 12, 6);
    next_is(&f, 1, 9, 12, 6);
    next_is(&f, 0, 20, 22, 6);
    next_is(&f, 1, 20, 22, 6);
    fixture_end(&f);
}

/* All of score 2, each alone in its part. */
static void equals_go_to_the_earlier_end_then_template(void)
{
    for (int turn = 0; turn < 3; turn++) {
        fixture f;
        fixture_begin(&f);
        for (int i = 0; i < 3; i++) { /* in any order */
            if ((turn + i) % 3 == 0) add(&f, 20, 22, 0, 20, 22, 6);
            if ((turn + i) % 3 == 1) add(&f, 9, 12, 1, 9, 12, 12);
            if ((turn + i) % 3 == 2) add(&f, 20, 22, 1, 20, 22, 12);
        }
        next_is(&f, 1, 9, 12, 12);
        next_is(&f, 0, 20, 22, 6);
        next_is(&f, 1, 20, 22, 12);
        CHECK(none_is_left(&f));
        fixture_end(&f);
    }
}

/* A scan of all parts for each match would take minutes here. tests/run ends what hangs. */
static void best_of_many_matches_come_from_a_heap(void)
{
    enum { MANY = 1 << 19 };
    fixture f;
    fixture_begin(&f);
    for (uint64_t i = 0; i < MANY; i++) {
        const uint64_t d = i * 2654435761u % MANY; /* an odd factor: each number once */
        add(&f, 3 * i, 3 * i + 3, 0, 3 * i, 3 * i + 3, (float)(d / 4)); /* 4 of each score */
    }
    frame_match last = {.d = -1}, match;
    span where;
    uint64_t n = 0;
    while (best_next(f.be, &match, &where) == SIGREP_OK) {
        n += match.d > last.d || (match.d == last.d && match.end > last.end);
        last = match;
    }
    CHECK(n == MANY);
    fixture_end(&f);
}

static void the_span_comes_along(void)
{
    fixture f;
    fixture_begin(&f);
    const span where = {.first_frame = 15, .begin = 1000, .end = 1015}, *in = &where;
    const frame_match match = {.start = 15, .end = 18};
    CHECK(best_add(f.be, in, 15, 30, &match) == SIGREP_OK);
    for (int i = 0; i < 2; i++) {
        frame_match got;
        span of = {.begin = 1};
        CHECK(best_next(f.be, &got, &of) == SIGREP_OK);
        CHECK(of.first_frame == 15 && of.begin == 1000 && of.end == 1015);
    }
    fixture_end(&f);
}

static void reset_forgets_all(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 0, 15, 0, 0, 3, 0);
    add(&f, 15, 30, 0, 15, 18, 0);
    next_is(&f, 0, 0, 3, 0);
    best_reset(f.be);
    CHECK(none_is_left(&f));
    best_reset(f.be);
    add(&f, 0, 15, 0, 0, 3, 0);
    next_is(&f, 0, 0, 3, 0);
    next_is(&f, 0, 12, 15, 0);
    fixture_end(&f);
}

static void a_store_that_cannot_be_read_is_reported(void)
{
    fixture f;
    fixture_begin(&f);
    add(&f, 20, 40, 0, 20, 23, 0); /* the store ends at 30 */
    next_is(&f, 0, 20, 23, 0);
    frame_match match;
    span where;
    CHECK(best_next(f.be, &match, &where) == SIGREP_STORE_FAILED);
    fixture_end(&f);
}

/* ---- through sigrep.h ---- */

typedef struct {
    uint64_t start, end;
    size_t index;
} expected;

/* Search y twice and compare the matches. */
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
    for (int input = 0; input < 2; input++) {
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

/* Matches of one label do not overlap, matches of two labels may. */
static void of_a_label_only_the_better_is_delivered(void)
{
    const float near[3] = {1, 5, 2.5f};
    const sigrep_template two[] = {
        {.size = sizeof(sigrep_template), .label = "x", .samples = near, .length = 3},
        {.size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3}};
    const expected one_label[] = {{0, 3, 1}, {12, 15, 1}, {6, 9, 0}};
    search_gives(two, 2, 3, y15, 15, one_label, 3);
}

static void each_label_gets_its_own_best(void)
{
    const float near[3] = {1, 5, 2.5f};
    const sigrep_template apart[] = {
        {.size = sizeof(sigrep_template), .label = "y", .samples = near, .length = 3},
        {.size = sizeof(sigrep_template), .label = "x", .samples = x3, .length = 3}};
    const expected two_labels[] = {{0, 3, 1}, {12, 15, 1}, {0, 3, 0}, {6, 9, 0}};
    search_gives(apart, 2, 2, y15, 15, two_labels, 4);
}

/* No match spans the gap, and no part does. */
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
    RUN(without_a_match_none_is_left);
    RUN(the_parts_left_and_right_are_searched_again);
    RUN(a_rest_of_the_least_length_is_searched);
    RUN(parts_may_begin_anywhere);
    RUN(frames_beyond_the_part_are_not_searched);
    RUN(lowest_means_the_score);
    RUN(lowest_means_the_share_of_the_level);
    RUN(equal_shares_go_to_the_earlier_end_then_template);
    RUN(equals_go_to_the_earlier_end_then_template);
    RUN(best_of_many_matches_come_from_a_heap);
    RUN(the_span_comes_along);
    RUN(reset_forgets_all);
    RUN(a_store_that_cannot_be_read_is_reported);
    RUN(the_n_best_come_lowest_first);
    RUN(of_a_label_only_the_better_is_delivered);
    RUN(each_label_gets_its_own_best);
    RUN(gaps_part_the_input);
    RUN(an_input_too_short_has_no_best);
    return check_done();
}
