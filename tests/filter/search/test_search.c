/* filter/search/search.c: which columns it traces, and that it finds all matches. */
#include <math.h>
#include <string.h>

#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "kernels/kernel.h"
#include "tests/check.h"

/* The matches of one template in a stream, in chunks of `piece` frames. */
static match_list find(const float *x, size_t m, const float *y, size_t n, double threshold,
                       bool lowest_only, size_t piece, uint64_t *traced)
{
    template one = {.frames = x, .length = m, .gate = detector_gate_of(threshold, 0.5, 2, m)};
    searches_plan plan = {.templates = &one,
                          .n_templates = 1,
                          .dim = 1,
                          .chunk = piece,
                          .ops = kernel_choose("cpu", "scalar", NULL),
                          .lowest_only = lowest_only};
    searches *all;
    match_list list = {0};
    CHECK(searches_create(&all, &plan) == SIGREP_OK);
    for (size_t at = 0; at < n; at += piece) {
        size_t now = n - at < piece ? n - at : piece;
        for (size_t i = 0; i < now; i++) {
            if (isfinite(y[at + i]))
                searches_append(all, y + at + i, 1);
            else
                searches_append_gap(all);
        }
        CHECK(searches_run(all, &list) == SIGREP_OK);
    }
    CHECK(searches_finish(all, &list) == SIGREP_OK);
    if (traced) *traced = searches_cells_traced(all) / m;
    searches_destroy(all);
    return list;
}

static void fill(float *v, size_t from, size_t to, float value)
{
    for (size_t i = from; i < to; i++) v[i] = value;
}

enum { HEAD = 5, FLAT = 200, TAIL = 1, M = HEAD + FLAT + TAIL, PAUSE = 1500, N = M + PAUSE + TAIL };

/* The path of a match can wait in the flat part for ever at no cost. So D of the first origin stays
 * below D of the second one, and its start is too old. Only a search that traces on until both
 * agree finds the second match. */
static void a_path_that_waits_does_not_mask_the_next_match(void)
{
    float x[M], y[N];
    fill(x, 0, HEAD, 9);
    fill(x, HEAD, HEAD + FLAT, 0);
    fill(x, HEAD + FLAT, M, 40);
    memcpy(y, x, sizeof x);
    fill(y, M, M + PAUSE, 0);
    fill(y, M + PAUSE, N, 40);
    static const size_t pieces[] = {1, 256, 300, N};
    for (size_t i = 0; i < 4; i++) {
        match_list list = find(x, M, y, N, 50.0 / M, false, pieces[i], NULL);
        CHECK(list.n == 2);
        CHECK(list.n == 2 && list.items[0].start == 0 && list.items[0].end == M);
        CHECK(list.n == 2 && list.items[1].end == N && list.items[1].d == 45);
        match_list_free(&list);
    }
}

/* After the match comes a second head, whose path waits too, until it is too long. It hides later
 * starts, so there is no second match. A search that begins again at the match's end must find the
 * second head in the smallest window. */
static void frames_after_a_match_stay_while_a_search_may_need_them(void)
{
    float x[M], y[N];
    fill(x, 0, HEAD, 9);
    fill(x, HEAD, HEAD + FLAT, 0);
    fill(x, HEAD + FLAT, M, 60);
    memcpy(y, x, sizeof x);
    fill(y, M, M + PAUSE, 0);
    fill(y, M + 5, M + 5 + HEAD, 9);
    fill(y, M + PAUSE, N, 60);
    static const size_t pieces[] = {1, 64, 256, 300, N};
    for (size_t i = 0; i < 5; i++) {
        match_list list = find(x, M, y, N, 50.0 / M, false, pieces[i], NULL);
        CHECK(list.n == 1);
        CHECK(list.n == 1 && list.items[0].start == 0 && list.items[0].end == M);
        match_list_free(&list);
    }
}

/* A block without a candidate is not traced. */
static void blocks_without_a_candidate_are_not_traced(void)
{
    static float y[10000];
    float x[20];
    fill(x, 0, 10, 5);
    fill(x, 10, 20, 6);
    uint64_t traced;
    match_list list = find(x, 20, y, 10000, 0.1, false, 1000, &traced);
    CHECK(list.n == 0);
    CHECK(traced == 0);
    memcpy(y + 5000, x, sizeof x);
    list = find(x, 20, y, 10000, 0.1, false, 1000, &traced);
    CHECK(list.n == 1);
    CHECK(traced > 0 && traced < 4 * KERNEL_BLOCK);
    match_list_free(&list);
}

/* Every frame is a match. The sweep's path to it began a frame earlier at the same cost, so each
 * match needs a trace from its own origin, of a few columns. */
static void a_match_of_one_frame_costs_no_block(void)
{
    static const float y[10000];
    const float x[2] = {0, 0};
    uint64_t traced;
    match_list list = find(x, 2, y, 10000, 0, false, 1000, &traced);
    CHECK(list.n == 10000);
    for (size_t i = 0; i < list.n; i++)
        CHECK(list.items[i].start == i && list.items[i].end == i + 1 &&
              list.items[i].final == i + 1);
    CHECK_MSG(traced < 20 * 10000, "%llu columns", (unsigned long long)traced);
    match_list_free(&list);
}

/* A match nearly as long as allowed, at any offset in a block. Its start is before the checkpoint
 * that its end is traced from, and too old for the columns after its end. */
static void a_start_that_is_too_old_for_a_later_column_is_still_in_doubt(void)
{
    enum { LONG = 128, STREAM = 1200 };
    float x[LONG], y[STREAM];
    for (size_t i = 0; i < LONG; i++) x[i] = (float)(i * i % 31 + i);
    for (size_t length = 150; length <= 256; length += 15)
        for (size_t at = 500; at < 500 + KERNEL_BLOCK; at++) {
            fill(y, 0, STREAM, 99);
            y[at] = x[0];
            for (size_t t = 0; t < length - 2; t++)
                y[at + 1 + t] = x[1 + t * (LONG - 2) / (length - 2)];
            y[at + length - 1] = x[LONG - 1];
            match_list list = find(x, LONG, y, STREAM, 0.01, false, STREAM, NULL);
            CHECK_MSG(list.n == 1 && list.items[0].start == at && list.items[0].end == at + length,
                      "length %zu, at %zu: %zu matches", length, at, list.n);
            match_list_free(&list);
        }
}

static void a_match_is_final_at_the_gap_that_follows(void)
{
    float x[4] = {1, 2, 3, 4}, y[12] = {0, 1, 2, 3, NAN, 1, 2, 3, 4, 9, 9, 9};
    match_list list = find(x, 4, y, 12, 0.3, false, 12, NULL);
    CHECK(list.n == 2);
    CHECK(list.n == 2 && list.items[0].end == 4 && list.items[0].final == 5);
    CHECK(list.n == 2 && list.items[1].start == 5 && list.items[1].final == 9);
    match_list_free(&list);
}

static void lowest_only_gives_the_first_of_equals_in_each_span(void)
{
    float x[3] = {1, 5, 2};
    float y[14] = {1, 5, 2, 0, 1, 5, 2, NAN, 1, 5, 3, 1, 5, 2};
    match_list list = find(x, 3, y, 14, 0, true, 5, NULL);
    CHECK(list.n == 2);
    CHECK(list.n == 2 && list.items[0].end == 3 && list.items[0].d == 0);
    CHECK(list.n == 2 && list.items[1].start == 11 && list.items[1].end == 14);
    match_list_free(&list);
}

int main(void)
{
    RUN(a_path_that_waits_does_not_mask_the_next_match);
    RUN(frames_after_a_match_stay_while_a_search_may_need_them);
    RUN(blocks_without_a_candidate_are_not_traced);
    RUN(a_match_of_one_frame_costs_no_block);
    RUN(a_start_that_is_too_old_for_a_later_column_is_still_in_doubt);
    RUN(a_match_is_final_at_the_gap_that_follows);
    RUN(lowest_only_gives_the_first_of_equals_in_each_span);
    return check_done();
}
