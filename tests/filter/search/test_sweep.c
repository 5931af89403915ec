/* filter/search/sweep.c: frames in, matches out, by hand. */
#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/sweep.h"
#include "kernels/kernel.h"
#include "tests/check.h"

static const float ramp[3] = {1, 2, 3}, step[3] = {0, 4, 4};

static sweep_template template_of(const float *x, double threshold)
{
    return (sweep_template){x, 3, detector_gate_of(threshold, 0.5, 2, 3)};
}

static sweep *sweep_of(const sweep_template *templates, size_t n, size_t chunk, bool lowest_only)
{
    sweep *sw;
    const sweep_plan plan = {.templates = templates,
                             .n_templates = n,
                             .dim = 1,
                             .chunk = chunk,
                             .ops = kernel_choose("cpu", "scalar", NULL),
                             .lowest_only = lowest_only,
                             .want_scores = true};
    CHECK(sweep_create(&sw, &plan) == SIGREP_OK);
    return sw;
}

/* Append a value a frame; NAN stands for a gap. */
static void append(sweep *sw, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            sweep_append_gap(sw);
        else
            sweep_append(sw, &values[i], 1);
    }
}

static bool match_is(const match_list *list, size_t i, uint64_t start, uint64_t end, float d)
{
    return i < list->n && list->items[i].start == start && list->items[i].end == end &&
           list->items[i].d == d;
}

/* ---- steps ---- */

static void room_is_what_is_left_of_the_chunk(void)
{
    const sweep_template x = template_of(ramp, 0);
    sweep *sw = sweep_of(&x, 1, 4, false);
    match_list list = {0};
    CHECK(sweep_room(sw) == 4);
    append(sw, (float[]){1, 2, 3}, 3);
    CHECK(sweep_room(sw) == 1);
    append(sw, (float[]){NAN}, 1);
    CHECK(sweep_room(sw) == 0);
    CHECK(sweep_run(sw, &list) == SIGREP_OK);
    CHECK(sweep_room(sw) == 4);
    match_list_free(&list);
    sweep_destroy(sw);
}

static void a_step_tells_its_frames_and_gaps(void)
{
    const sweep_template x = template_of(ramp, 0);
    sweep *sw = sweep_of(&x, 1, 5, false);
    match_list list = {0};
    size_t n;
    append(sw, (float[]){9, NAN, 9, NAN}, 4);
    CHECK(sweep_to(sw) == 0);
    sweep_run(sw, &list);
    CHECK(sweep_from(sw) == 0 && sweep_to(sw) == 4);
    const uint64_t *gaps = sweep_gaps(sw, &n);
    CHECK(n == 2 && gaps[0] == 1 && gaps[1] == 3);

    sweep_run(sw, &list); /* nothing new: all stays */
    gaps = sweep_gaps(sw, &n);
    CHECK(sweep_from(sw) == 0 && sweep_to(sw) == 4 && n == 2 && gaps[1] == 3);

    append(sw, (float[]){9, 9, NAN}, 3);
    sweep_run(sw, &list);
    gaps = sweep_gaps(sw, &n);
    CHECK(sweep_from(sw) == 4 && sweep_to(sw) == 7 && n == 1 && gaps[0] == 6);

    append(sw, (float[]){9}, 1);
    sweep_run(sw, &list);
    sweep_gaps(sw, &n);
    CHECK(sweep_from(sw) == 7 && sweep_to(sw) == 8 && n == 0);
    CHECK(list.n == 0);
    match_list_free(&list);
    sweep_destroy(sw);
}

/* Every frame a gap, as many as a chunk holds. */
static void a_chunk_may_be_all_gaps(void)
{
    const sweep_template x = template_of(ramp, 0.1);
    sweep *sw = sweep_of(&x, 1, 3, false);
    match_list list = {0};
    for (int i = 0; i < 4; i++) {
        append(sw, (float[]){NAN, NAN, NAN}, 3);
        CHECK(sweep_run(sw, &list) == SIGREP_OK);
    }
    append(sw, ramp, 3);
    sweep_run(sw, &list);
    CHECK(sweep_finish(sw, &list) == SIGREP_OK);
    CHECK(list.n == 1 && match_is(&list, 0, 12, 15, 0));
    match_list_free(&list);
    sweep_destroy(sw);
}

/* The matrix of test_trace.c: its last row is 8 0 4 0. A gap is a cold start: with nothing
 * but up, y = 4 costs 4 + 0 + 0 and y = 0 then 0 + 4 + 4, or left: 4 + 4. */
static void scores_are_the_last_row(void)
{
    const sweep_template both[] = {template_of(step, 0), template_of(ramp, 0)};
    sweep *sw = sweep_of(both, 2, 10, false);
    match_list list = {0};
    append(sw, (float[]){0, 4, 0, 4, NAN, 4, 0}, 7);
    sweep_run(sw, &list);
    const float *d = sweep_scores(sw, 0);
    CHECK(d[0] == 8 && d[1] == 0 && d[2] == 4 && d[3] == 0 && d[5] == 4 && d[6] == 8);
    /* x = 1 2 3: y = 0: 1 3 6; y = 4: 3, 1 + 2, 3 + 1 = 4 */
    d = sweep_scores(sw, 1);
    CHECK(d[0] == 6 && d[1] == 4);
    match_list_free(&list);
    sweep_destroy(sw);
}

/* 5 frames x 2 templates of 3; of the second template 8 frames are traced, and the last step's 3
 * once more to see when the match was final. */
static void cells_are_counted(void)
{
    const sweep_template both[] = {template_of(step, 0), template_of(ramp, 0)};
    sweep *sw = sweep_of(both, 2, 10, false);
    match_list list = {0};
    append(sw, (float[]){9, 9, 9, 9, 9}, 5);
    sweep_run(sw, &list);
    CHECK(sweep_cells(sw) == 5 * 6 && sweep_cells_traced(sw) == 0);
    append(sw, ramp, 3);
    sweep_run(sw, &list);
    CHECK(sweep_cells(sw) == 8 * 6 && sweep_cells_traced(sw) == 11 * 3);
    sweep_reset(sw); /* statistics are of all inputs */
    CHECK(sweep_cells(sw) == 8 * 6 && sweep_cells_traced(sw) == 11 * 3);
    match_list_free(&list);
    sweep_destroy(sw);
}

/* ---- matches ---- */

/* x = 1 2 3, y = 1 2 2: D(3,.) = 3 1 1. [0, 2) is a candidate with d = 1; row 2 is 0 from 0,
 * so it stays pending until the end, which counts as a frame. */
static void the_end_makes_the_pending_match_final(void)
{
    const sweep_template x = template_of(ramp, 1);
    sweep *sw = sweep_of(&x, 1, 10, false);
    match_list list = {0};
    CHECK(sweep_pending_since(sw, 0) == UINT64_MAX);
    append(sw, (float[]){1}, 1);
    sweep_run(sw, &list);
    CHECK(sweep_pending_since(sw, 0) == UINT64_MAX); /* 3 <= 3, but of one frame */
    append(sw, (float[]){2, 2}, 2);
    sweep_run(sw, &list);
    CHECK(list.n == 0 && sweep_pending_since(sw, 0) == 2);
    CHECK(sweep_finish(sw, &list) == SIGREP_OK);
    CHECK(list.n == 1 && match_is(&list, 0, 0, 2, 1));
    CHECK(list.n == 1 && list.items[0].first == 2 && list.items[0].final == 4);
    CHECK(sweep_pending_since(sw, 0) == UINT64_MAX);
    match_list_free(&list);
    sweep_destroy(sw);
}

/* The same before a gap; what comes after is on its own: 3 alone is no match, since the
 * 1 2 before the gap do not count. */
static void a_gap_makes_the_pending_match_final_and_parts(void)
{
    const sweep_template x = template_of(ramp, 0.5);
    sweep *sw = sweep_of(&x, 1, 10, false);
    match_list list = {0};
    append(sw, (float[]){1, 2, 2, NAN, 3, 9, 1, 2, 3}, 9);
    sweep_run(sw, &list);
    sweep_finish(sw, &list);
    CHECK(list.n == 2 && match_is(&list, 0, 0, 2, 1) && match_is(&list, 1, 6, 9, 0));
    CHECK(list.n == 2 && list.items[0].first == 2 && list.items[0].final == 4);
    CHECK(list.n == 2 && list.items[1].final == 9);
    match_list_free(&list);
    sweep_destroy(sw);
}

/* 1 2 2 waits for a 3 that does not come within lmax = 6 frames of its start: a path
 * from 0 is dead at frame 6, [1, ...) never was one (row 2 is 0 from 0 alone). But a path
 * through 2 2 from frame 1 costs 1, no less. So it is final after 7 frames. */
static void a_match_is_final_when_no_cell_is_live(void)
{
    const sweep_template x = template_of(ramp, 0.5);
    sweep *sw = sweep_of(&x, 1, 10, false);
    match_list list = {0};
    append(sw, (float[]){1, 2, 2, 2, 2, 2}, 6);
    sweep_run(sw, &list);
    CHECK(list.n == 0);
    append(sw, (float[]){2}, 1);
    sweep_run(sw, &list);
    CHECK(list.n == 1 && match_is(&list, 0, 0, 2, 1));
    CHECK(list.n == 1 && list.items[0].first == 2 && list.items[0].final == 7);
    match_list_free(&list);
    sweep_destroy(sw);
}

/* eps = 2.1. [0, 2) has d = 1 and waits until the end; [2, 4) and [4, 6), 1 + 0 + 1 each, can
 * only be known after that, though they lie before it. */
static void what_lies_behind_a_match_is_not_known_before_it(void)
{
    const sweep_template x = template_of(ramp, 0.7);
    sweep *sw = sweep_of(&x, 1, 10, false);
    match_list list = {0};
    append(sw, (float[]){1, 2, 2, 2, 2, 2}, 6);
    sweep_run(sw, &list);
    CHECK(list.n == 0);
    sweep_finish(sw, &list);
    CHECK(list.n == 3 && match_is(&list, 0, 0, 2, 1) && match_is(&list, 1, 2, 4, 2) &&
          match_is(&list, 2, 4, 6, 2));
    static const uint64_t first[] = {2, 7, 7};
    for (size_t i = 0; i < 3 && i < list.n; i++)
        CHECK(list.items[i].first == first[i] && list.items[i].final == 7);
    match_list_free(&list);
    sweep_destroy(sw);
}

static void each_match_names_its_template(void)
{
    const sweep_template three[] = {template_of(step, 0), template_of(ramp, 0),
                                    template_of(step, 0)};
    sweep *sw = sweep_of(three, 3, 10, false);
    match_list list = {0};
    append(sw, (float[]){9, 1, 2, 3, 9}, 5);
    sweep_run(sw, &list);
    CHECK(list.n == 1 && list.items[0].index == 1 && match_is(&list, 0, 1, 4, 0));
    append(sw, (float[]){0, 4, 9}, 3);
    sweep_run(sw, &list);
    CHECK(list.n == 3 && list.items[1].index == 0 && list.items[2].index == 2);
    CHECK(match_is(&list, 1, 5, 7, 0) && match_is(&list, 2, 5, 7, 0));
    match_list_free(&list);
    sweep_destroy(sw);
}

/* A lowest match is told at the end of its span, and nobody need wait for it. */
static void the_lowest_is_told_at_the_end_of_each_stretch(void)
{
    const sweep_template x = template_of(ramp, INFINITY);
    sweep *sw = sweep_of(&x, 1, 20, true);
    match_list list = {0};
    append(sw, (float[]){1, 2, 4, 9, 1, 2, 3}, 7);
    sweep_run(sw, &list);
    CHECK(list.n == 0 && sweep_pending_since(sw, 0) == UINT64_MAX);
    append(sw, (float[]){NAN, 9, NAN, 1, 3}, 5);
    sweep_run(sw, &list);
    CHECK(list.n == 1 && match_is(&list, 0, 4, 7, 0)); /* of [8, 9) no path has two frames */
    CHECK(list.n == 1 && list.items[0].final == 8);
    sweep_finish(sw, &list);
    CHECK(list.n == 2 && match_is(&list, 1, 10, 12, 1));
    CHECK(list.n == 2 && list.items[1].final == 13);
    match_list_free(&list);
    sweep_destroy(sw);
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

static void run_all(sweep *sw, const float *y, size_t n, size_t piece, match_list *list)
{
    for (size_t at = 0; at < n; at += piece) {
        append(sw, y + at, n - at < piece ? n - at : piece);
        CHECK(sweep_run(sw, list) == SIGREP_OK);
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

/* From the middle, with a match pending, gaps in the step and frames not yet run. */
static void after_a_reset_all_is_as_new(void)
{
    static float y[N];
    make_stream(y);
    const sweep_template both[] = {template_of(step, 0.4), template_of(ramp, 0.4)};
    for (int lowest = 0; lowest < 2; lowest++) {
        sweep *fresh = sweep_of(both, 2, 300, lowest), *used = sweep_of(both, 2, 300, lowest);
        match_list expected = {0}, got = {0};
        run_all(fresh, y, N, 300, &expected);
        sweep_finish(fresh, &expected);
        CHECK(expected.n > 20);
        for (size_t n = 100; n < N; n += 457) {
            got.n = 0;
            run_all(used, y, n, 100, &got);
            append(used, (float[]){1, 2, NAN, 1, 2, 2}, 6);
            sweep_reset(used);
            CHECK(sweep_to(used) == 0 && sweep_from(used) == 0 && sweep_room(used) == 300);
            got.n = 0;
            run_all(used, y, N, 300, &got);
            sweep_finish(used, &got);
            CHECK(same(&expected, &got));
            sweep_reset(used);
        }
        match_list_free(&expected);
        match_list_free(&got);
        sweep_destroy(fresh);
        sweep_destroy(used);
    }
}

static void absurd_chunks_are_no_memory(void)
{
    const sweep_template x = template_of(ramp, 1);
    sweep_plan plan = {
        .templates = &x, .n_templates = 1, .dim = 1, .ops = kernel_choose("cpu", "scalar", NULL)};
    static const size_t chunks[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
    for (size_t i = 0; i < 3; i++) {
        sweep *sw;
        plan.chunk = chunks[i];
        CHECK(sweep_create(&sw, &plan) == SIGREP_NO_MEMORY && !sw);
    }
    sweep_destroy(NULL);
}

int main(void)
{
    RUN(room_is_what_is_left_of_the_chunk);
    RUN(a_step_tells_its_frames_and_gaps);
    RUN(a_chunk_may_be_all_gaps);
    RUN(scores_are_the_last_row);
    RUN(cells_are_counted);
    RUN(the_end_makes_the_pending_match_final);
    RUN(a_gap_makes_the_pending_match_final_and_parts);
    RUN(a_match_is_final_when_no_cell_is_live);
    RUN(what_lies_behind_a_match_is_not_known_before_it);
    RUN(each_match_names_its_template);
    RUN(the_lowest_is_told_at_the_end_of_each_stretch);
    RUN(after_a_reset_all_is_as_new);
    RUN(absurd_chunks_are_no_memory);
    return check_done();
}
