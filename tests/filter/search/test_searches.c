/* filter/search/searches.c: frames in, matches out, by hand. */
#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "kernels/kernel.h"
#include "tests/check.h"

static const float ramp[3] = {1, 2, 3}, step[3] = {0, 4, 4};

static template template_of(const float *x, double threshold)
{
    return (template){.frames = x, .length = 3, .gate = detector_gate_of(threshold, 0.5, 2, 3)};
}

static searches *searches_of(const template *templates, size_t n, size_t chunk, bool lowest_only)
{
    searches *all;
    const searches_plan plan = {.templates = templates,
                                .n_templates = n,
                                .dim = 1,
                                .chunk = chunk,
                                .ops = kernel_choose("cpu", "scalar", NULL),
                                .lowest_only = lowest_only,
                                .want_scores = true};
    CHECK(searches_create(&all, &plan) == SIGREP_OK);
    return all;
}

/* Append a value a frame; NAN stands for a gap. */
static void append(searches *all, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            searches_append_gap(all);
        else
            searches_append(all, &values[i], 1);
    }
}

static bool match_is(const match_list *list, size_t i, uint64_t start, uint64_t end, float d)
{
    return i < list->n && list->items[i].start == start && list->items[i].end == end &&
           list->items[i].d == d;
}

/* ---- chunks ---- */

static void room_is_what_is_left_of_the_chunk(void)
{
    const template x = template_of(ramp, 0);
    searches *all = searches_of(&x, 1, 4, false);
    match_list list = {0};
    CHECK(searches_room(all) == 4);
    append(all, (float[]){1, 2, 3}, 3);
    CHECK(searches_room(all) == 1);
    append(all, (float[]){NAN}, 1);
    CHECK(searches_room(all) == 0);
    CHECK(searches_run(all, &list) == SIGREP_OK);
    CHECK(searches_room(all) == 4);
    match_list_free(&list);
    searches_destroy(all);
}

static void a_chunk_has_its_frames_and_gaps(void)
{
    const template x = template_of(ramp, 0);
    searches *all = searches_of(&x, 1, 5, false);
    match_list list = {0};
    append(all, (float[]){9, NAN, 9, NAN}, 4);
    CHECK(all->to == 0);
    searches_run(all, &list);
    CHECK(all->from == 0 && all->to == 4);
    CHECK(all->n_gaps == 2 && all->gaps[0] == 1 && all->gaps[1] == 3);

    searches_run(all, &list); /* no frame is new, so all stays */
    CHECK(all->from == 0 && all->to == 4 && all->n_gaps == 2 && all->gaps[1] == 3);

    append(all, (float[]){9, 9, NAN}, 3);
    searches_run(all, &list);
    CHECK(all->from == 4 && all->to == 7 && all->n_gaps == 1 && all->gaps[0] == 6);

    append(all, (float[]){9}, 1);
    searches_run(all, &list);
    CHECK(all->from == 7 && all->to == 8 && all->n_gaps == 0);
    CHECK(list.n == 0);
    match_list_free(&list);
    searches_destroy(all);
}

/* Every frame is a gap, as many as a chunk holds. */
static void a_chunk_may_be_all_gaps(void)
{
    const template x = template_of(ramp, 0.1);
    searches *all = searches_of(&x, 1, 3, false);
    match_list list = {0};
    for (int i = 0; i < 4; i++) {
        append(all, (float[]){NAN, NAN, NAN}, 3);
        CHECK(searches_run(all, &list) == SIGREP_OK);
    }
    append(all, ramp, 3);
    searches_run(all, &list);
    CHECK(searches_finish(all, &list) == SIGREP_OK);
    CHECK(list.n == 1 && match_is(&list, 0, 12, 15, 0));
    match_list_free(&list);
    searches_destroy(all);
}

/* The chunk that was begun stays searched, or to be searched, while frames of the next one come. */
static void tasks_may_be_done_beside_the_next_frames(void)
{
    const template both[] = {template_of(step, 0.1), template_of(ramp, 0.1)};
    for (size_t done = 0; done <= 2; done++) {
        searches *all = searches_of(both, 2, 6, false);
        match_list list = {0};
        CHECK(searches_tasks(all) == 0);
        append(all, (float[]){9, 1, 2, 3, NAN, 0}, 6);
        CHECK(searches_begin(all) == SIGREP_OK && searches_tasks(all) == 2);
        append(all, (float[]){4, 4, 9, NAN, NAN, 9}, 6);
        for (size_t j = 0; j < done; j++) searches_do_task(all, j, 0);
        CHECK(list.n == 0 && searches_room(all) == 0);
        CHECK(searches_end(all, &list) == SIGREP_OK && searches_tasks(all) == 0);
        CHECK(list.n == 1 && match_is(&list, 0, 1, 4, 0));
        CHECK(searches_run(all, &list) == SIGREP_OK);
        CHECK(list.n == 2 && match_is(&list, 1, 5, 7, 0));
        match_list_free(&list);
        searches_destroy(all);
    }
}

/* The matrix of test_trace.c: its last row is 8 0 4 0. A gap is a cold start: with nothing
 * but up, y = 4 costs 4 + 0 + 0 and y = 0 then 0 + 4 + 4, or left: 4 + 4. */
static void scores_are_the_last_row(void)
{
    const template both[] = {template_of(step, 0), template_of(ramp, 0)};
    searches *all = searches_of(both, 2, 10, false);
    match_list list = {0};
    append(all, (float[]){0, 4, 0, 4, NAN, 4, 0}, 7);
    searches_run(all, &list);
    const float *d = searches_scores(all, 0);
    CHECK(d[0] == 8 && d[1] == 0 && d[2] == 4 && d[3] == 0 && d[5] == 4 && d[6] == 8);
    /* x = 1 2 3: y = 0: 1 3 6; y = 4: 3, 1 + 2, 3 + 1 = 4 */
    d = searches_scores(all, 1);
    CHECK(d[0] == 6 && d[1] == 4);
    match_list_free(&list);
    searches_destroy(all);
}

/* 5 frames x 2 templates of 3. Of the second template 8 frames are traced, and the last chunk's 3
 * once more to see when the match was final. */
static void cells_are_counted(void)
{
    const template both[] = {template_of(step, 0), template_of(ramp, 0)};
    searches *all = searches_of(both, 2, 10, false);
    match_list list = {0};
    append(all, (float[]){9, 9, 9, 9, 9}, 5);
    searches_run(all, &list);
    CHECK(all->cells == 5 * 6 && searches_cells_traced(all) == 0);
    append(all, ramp, 3);
    searches_run(all, &list);
    CHECK(all->cells == 8 * 6 && searches_cells_traced(all) == 11 * 3);
    searches_reset(all); /* statistics are of all inputs */
    CHECK(all->cells == 8 * 6 && searches_cells_traced(all) == 11 * 3);
    match_list_free(&list);
    searches_destroy(all);
}

/* ---- matches ---- */

/* x = 1 2 3, y = 1 2 2: D(3,.) = 3 1 1. [0, 2) is a candidate with d = 1; row 2 is 0 from 0,
 * so it stays pending until the end, which counts as a frame. */
static void the_end_makes_the_pending_match_final(void)
{
    const template x = template_of(ramp, 1);
    searches *all = searches_of(&x, 1, 10, false);
    match_list list = {0};
    CHECK(searches_pending_since(all, 0) == UINT64_MAX);
    append(all, (float[]){1}, 1);
    searches_run(all, &list);
    CHECK(searches_pending_since(all, 0) == UINT64_MAX); /* 3 <= 3, but of one frame */
    append(all, (float[]){2, 2}, 2);
    searches_run(all, &list);
    CHECK(list.n == 0 && searches_pending_since(all, 0) == 2);
    CHECK(searches_finish(all, &list) == SIGREP_OK);
    CHECK(list.n == 1 && match_is(&list, 0, 0, 2, 1));
    CHECK(list.n == 1 && list.items[0].first == 2 && list.items[0].final == 4);
    CHECK(searches_pending_since(all, 0) == UINT64_MAX);
    match_list_free(&list);
    searches_destroy(all);
}

/* The same before a gap. After it, 3 alone is no match, since the 1 2 before the gap do not count.
 */
static void a_gap_makes_the_pending_match_final_and_parts(void)
{
    const template x = template_of(ramp, 0.5);
    searches *all = searches_of(&x, 1, 10, false);
    match_list list = {0};
    append(all, (float[]){1, 2, 2, NAN, 3, 9, 1, 2, 3}, 9);
    searches_run(all, &list);
    searches_finish(all, &list);
    CHECK(list.n == 2 && match_is(&list, 0, 0, 2, 1) && match_is(&list, 1, 6, 9, 0));
    CHECK(list.n == 2 && list.items[0].first == 2 && list.items[0].final == 4);
    CHECK(list.n == 2 && list.items[1].final == 9);
    match_list_free(&list);
    searches_destroy(all);
}

/* 1 2 2 waits for a 3 that does not come within lmax = 6 frames of its start: a path
 * from 0 is dead at frame 6, [1, ...) never was one (row 2 is 0 from 0 alone). But a path
 * through 2 2 from frame 1 costs 1, no less. So it is final after 7 frames. */
static void a_match_is_final_when_no_cell_is_live(void)
{
    const template x = template_of(ramp, 0.5);
    searches *all = searches_of(&x, 1, 10, false);
    match_list list = {0};
    append(all, (float[]){1, 2, 2, 2, 2, 2}, 6);
    searches_run(all, &list);
    CHECK(list.n == 0);
    append(all, (float[]){2}, 1);
    searches_run(all, &list);
    CHECK(list.n == 1 && match_is(&list, 0, 0, 2, 1));
    CHECK(list.n == 1 && list.items[0].first == 2 && list.items[0].final == 7);
    match_list_free(&list);
    searches_destroy(all);
}

/* eps = 2.1. [0, 2) has d = 1 and is pending until the end. [2, 4) and [4, 6), with d = 1 + 0 + 1,
 * are known only after that. */
static void later_matches_are_not_known_while_one_is_pending(void)
{
    const template x = template_of(ramp, 0.7);
    searches *all = searches_of(&x, 1, 10, false);
    match_list list = {0};
    append(all, (float[]){1, 2, 2, 2, 2, 2}, 6);
    searches_run(all, &list);
    CHECK(list.n == 0);
    searches_finish(all, &list);
    CHECK(list.n == 3 && match_is(&list, 0, 0, 2, 1) && match_is(&list, 1, 2, 4, 2) &&
          match_is(&list, 2, 4, 6, 2));
    static const uint64_t first[] = {2, 7, 7};
    for (size_t i = 0; i < 3 && i < list.n; i++)
        CHECK(list.items[i].first == first[i] && list.items[i].final == 7);
    match_list_free(&list);
    searches_destroy(all);
}

static void each_match_names_its_template(void)
{
    const template three[] = {template_of(step, 0), template_of(ramp, 0), template_of(step, 0)};
    searches *all = searches_of(three, 3, 10, false);
    match_list list = {0};
    append(all, (float[]){9, 1, 2, 3, 9}, 5);
    searches_run(all, &list);
    CHECK(list.n == 1 && list.items[0].index == 1 && match_is(&list, 0, 1, 4, 0));
    append(all, (float[]){0, 4, 9}, 3);
    searches_run(all, &list);
    CHECK(list.n == 3 && list.items[1].index == 0 && list.items[2].index == 2);
    CHECK(match_is(&list, 1, 5, 7, 0) && match_is(&list, 2, 5, 7, 0));
    match_list_free(&list);
    searches_destroy(all);
}

/* A lowest match is final at the end of its span, and does not count as pending. */
static void the_lowest_is_final_at_the_end_of_each_span(void)
{
    const template x = template_of(ramp, INFINITY);
    searches *all = searches_of(&x, 1, 20, true);
    match_list list = {0};
    append(all, (float[]){1, 2, 4, 9, 1, 2, 3}, 7);
    searches_run(all, &list);
    CHECK(list.n == 0 && searches_pending_since(all, 0) == UINT64_MAX);
    append(all, (float[]){NAN, 9, NAN, 1, 3}, 5);
    searches_run(all, &list);
    CHECK(list.n == 1 && match_is(&list, 0, 4, 7, 0)); /* of [8, 9) no path has two frames */
    CHECK(list.n == 1 && list.items[0].final == 8);
    searches_finish(all, &list);
    CHECK(list.n == 2 && match_is(&list, 1, 10, 12, 1));
    CHECK(list.n == 2 && list.items[1].final == 13);
    match_list_free(&list);
    searches_destroy(all);
}

/* ---- again ---- */

enum { N = 3000 };

static void make_stream(float *y)
{
    uint64_t random = 1;
    for (size_t t = 0; t < N; t++) {
        y[t] = (float)check_below(&random, 5);
        if (check_below(&random, 200) == 0) y[t] = NAN;
    }
}

static void run_all(searches *all, const float *y, size_t n, size_t piece, match_list *list)
{
    for (size_t at = 0; at < n; at += piece) {
        append(all, y + at, n - at < piece ? n - at : piece);
        CHECK(searches_run(all, list) == SIGREP_OK);
    }
}

static bool same(const match_list *a, const match_list *b)
{
    bool equal = a->n == b->n;
    for (size_t i = 0; i < a->n && equal; i++) {
        const frame_match *p = &a->items[i], *q = &b->items[i];
        equal = p->index == q->index && p->start == q->start && p->end == q->end &&
                p->first == q->first && p->final == q->final && p->d == q->d;
    }
    return equal;
}

/* The reset comes in the middle: a match is pending, the chunk has gaps, and frames wait. */
static void after_a_reset_all_is_as_new(void)
{
    static float y[N];
    make_stream(y);
    const template both[] = {template_of(step, 0.4), template_of(ramp, 0.4)};
    for (int lowest = 0; lowest < 2; lowest++) {
        searches *fresh = searches_of(both, 2, 300, lowest),
                 *used = searches_of(both, 2, 300, lowest);
        match_list expected = {0}, got = {0};
        run_all(fresh, y, N, 300, &expected);
        searches_finish(fresh, &expected);
        CHECK(expected.n > 20);
        for (size_t n = 100; n < N; n += 457) {
            got.n = 0;
            run_all(used, y, n, 100, &got);
            append(used, (float[]){1, 2, NAN, 1, 2, 2}, 6);
            searches_reset(used);
            CHECK(used->to == 0 && used->from == 0 && searches_room(used) == 300);
            got.n = 0;
            run_all(used, y, N, 300, &got);
            searches_finish(used, &got);
            CHECK(same(&expected, &got));
            searches_reset(used);
        }
        match_list_free(&expected);
        match_list_free(&got);
        searches_destroy(fresh);
        searches_destroy(used);
    }
}

static void absurd_chunks_are_no_memory(void)
{
    const template x = template_of(ramp, 1);
    searches_plan plan = {
        .templates = &x, .n_templates = 1, .dim = 1, .ops = kernel_choose("cpu", "scalar", NULL)};
    static const size_t chunks[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
    for (size_t i = 0; i < 3; i++) {
        searches *all;
        plan.chunk = chunks[i];
        CHECK(searches_create(&all, &plan) == SIGREP_NO_MEMORY && !all);
    }
    searches_destroy(NULL);
}

int main(void)
{
    RUN(room_is_what_is_left_of_the_chunk);
    RUN(a_chunk_has_its_frames_and_gaps);
    RUN(a_chunk_may_be_all_gaps);
    RUN(tasks_may_be_done_beside_the_next_frames);
    RUN(scores_are_the_last_row);
    RUN(cells_are_counted);
    RUN(the_end_makes_the_pending_match_final);
    RUN(a_gap_makes_the_pending_match_final_and_parts);
    RUN(a_match_is_final_when_no_cell_is_live);
    RUN(later_matches_are_not_known_while_one_is_pending);
    RUN(each_match_names_its_template);
    RUN(the_lowest_is_final_at_the_end_of_each_span);
    RUN(after_a_reset_all_is_as_new);
    RUN(absurd_chunks_are_no_memory);
    return check_done();
}
