/* filter/search/detector.c: eps, the gate, and rules 1 and 2 on columns made by hand. */
#include <float.h>
#include <math.h>

#include "filter/search/detector.h"
#include "filter/search/trace.h"
#include "tests/check.h"

/* ---- eps ---- */

static void eps_is_exact_where_the_product_is_a_float(void)
{
    CHECK(detector_eps(0, 100) == 0);
    CHECK(detector_eps(0.5, 3) == 1.5f);
    CHECK(detector_eps(1, 1) == 1);
}

/* (float)0.1 is above 0.1, (float)(0.1 * 7) is below. */
static void eps_over_the_length_is_not_above_and_its_neighbour_is(void)
{
    CHECK(detector_eps(0.1, 1) == nextafterf(0.1f, 0));
    uint64_t random = check_seed("test_detector");
    for (int i = 0; i < 10000; i++) {
        double threshold = ldexp((double)check_random(&random), -(int)check_below(&random, 200));
        size_t length = 1 + check_below(&random, 1 << 20);
        float eps = detector_eps(threshold, length);
        CHECK((double)eps / (double)length <= threshold);
        CHECK((double)nextafterf(eps, INFINITY) / (double)length > threshold);
    }
}

/* Regression: 4 of 100 scores, times the length, were rounded to less than they came from. */
static void a_score_is_a_threshold_of_its_match(void)
{
    uint64_t random = check_seed("a_score_is_a_threshold_of_its_match");
    for (int i = 0; i < 100000; i++) {
        const float d = ldexpf((float)check_random(&random), -(int)check_below(&random, 60));
        const size_t length = 1 + check_below(&random, 4096);
        CHECK(detector_eps((double)d / (double)length, length) == d);
    }
}

/* Half the least denormal and a bit rounds up to it. */
static void a_tiny_eps_is_the_denormal_below(void)
{
    const double least = 0x1p-149;
    CHECK((double)detector_eps(least, 1) == least);
    CHECK(detector_eps(0.9 * least, 1) == 0);
    CHECK((double)detector_eps(0.9 * least, 2) == least);
    CHECK(detector_eps(1e-300, 1000) == 0);
}

static void a_huge_eps_is_the_largest_float(void)
{
    CHECK(detector_eps((double)FLT_MAX, 1) == FLT_MAX);
    CHECK(detector_eps((double)FLT_MAX, 2) == FLT_MAX);
    CHECK(detector_eps(1e300, 1) == FLT_MAX);
}

/* In a best-of search. */
static void no_threshold_is_an_infinite_eps(void)
{
    CHECK(isinf(detector_eps(INFINITY, 10)));
}

/* ---- the gate ---- */

static void gate_is(double min, double max, size_t m, uint64_t length_min, uint64_t length_max)
{
    detector_gate gate = detector_gate_of(1, min, max, m);
    CHECK_MSG(gate.length_min == length_min && gate.length_max == length_max,
              "%g,%g of %zu: %llu..%llu", min, max, m, (unsigned long long)gate.length_min,
              (unsigned long long)gate.length_max);
    CHECK(gate.eps == (float)m);
}

static void the_gate_is_rounded_inwards(void)
{
    gate_is(0.5, 2, 10, 5, 20);
    gate_is(0.5, 2, 3, 2, 6);     /* ceil 1.5 */
    gate_is(0.25, 1.75, 3, 1, 5); /* ceil 0.75, floor 5.25 */
    gate_is(0, 64, 2, 1, 128);    /* never below 1 */
    gate_is(1, 1, 1000, 1000, 1000);
    gate_is(1.125, 1.375, 2, 3, 2); /* ceil 2.25, floor 2.75: empty */
    gate_is(0, 0, 5, 1, 0);         /* empty */
    gate_is(0.5, 64, 1 << 24, 1 << 23, 1 << 30);
}

/* ---- candidates: the last column ends a path of [start, position) at cost d ---- */

static const detector_gate gate = {.eps = 10, .length_min = 2, .length_max = 6};

static bool candidate(uint64_t position, float d, int64_t s)
{
    return detector_is_candidate(&gate, &(trace_end){.t = position - 1, .d = d, .s = s});
}

static void a_candidate_is_at_most_eps(void)
{
    CHECK(candidate(100, 10, 97));
    CHECK(candidate(100, 0, 97));
    CHECK(!candidate(100, nextafterf(10, 11), 97));
}

static void a_candidate_is_finite_even_without_a_threshold(void)
{
    detector_gate any = {.eps = INFINITY, .length_min = 1, .length_max = 6};
    CHECK(!detector_is_candidate(&any, &(trace_end){.t = 99, .d = INFINITY, .s = 97}));
    CHECK(detector_is_candidate(&any, &(trace_end){.t = 99, .d = FLT_MAX, .s = 97}));
}

static void a_candidate_has_a_length_within_the_gate(void)
{
    CHECK(!candidate(100, 1, 99)); /* 1 frame */
    CHECK(candidate(100, 1, 98));
    CHECK(candidate(100, 1, 94)); /* 6 frames */
    CHECK(!candidate(100, 1, 93));
    CHECK(!candidate(100, 1, TRACE_TOO_OLD));
    CHECK(candidate(6, 1, 0));
    CHECK(!candidate(7, 1, 0));
}

/* ---- rule 1 ---- */

static void show(detector *det, uint64_t position, float d, int64_t s)
{
    detector_update(det, &gate, &(trace_end){.t = position - 1, .d = d, .s = s});
}

static bool best_is(const detector *det, float d, int64_t start, int64_t last)
{
    return det->pending && det->d == d && det->start == start && det->last == last;
}

static void the_first_candidate_is_the_best_so_far(void)
{
    detector det = {.pending = false};
    show(&det, 100, 11, 97);
    CHECK(!det.pending);
    show(&det, 101, 5, 97);
    CHECK(best_is(&det, 5, 97, 100));
}

static void only_a_strictly_smaller_one_replaces_it(void)
{
    detector det = {.pending = true, .d = 5, .start = 97, .last = 100};
    show(&det, 102, 5, 98);
    CHECK(best_is(&det, 5, 97, 100));
    show(&det, 102, 6, 98);
    CHECK(best_is(&det, 5, 97, 100));
    show(&det, 102, nextafterf(5, 0), 98);
    CHECK(best_is(&det, nextafterf(5, 0), 98, 101));
}

static void only_one_that_overlaps_replaces_it(void)
{
    detector det = {.pending = true, .d = 5, .start = 97, .last = 100};
    show(&det, 104, 1, 101);
    CHECK(best_is(&det, 5, 97, 100));
    show(&det, 104, 1, 100); /* its first frame is the best's last */
    CHECK(best_is(&det, 1, 100, 103));
}

static void one_outside_the_gate_never_replaces_it(void)
{
    detector det = {.pending = true, .d = 5, .start = 97, .last = 100};
    show(&det, 102, 1, 95);
    show(&det, 102, 1, TRACE_TOO_OLD);
    CHECK(best_is(&det, 5, 97, 100));
}

/* ---- rule 2: the pending best is [97, 100] at cost 5, lmax 6 ---- */

enum { M = 3 };

/* Is it final if row `row` (from 0) of the column of frame position - 1 is (d, s), the rest dead?
 */
static bool is_final(const detector *det, size_t row, uint64_t position, float d, int64_t s)
{
    static const float x[M] = {0};
    trace tr;
    CHECK(trace_create(&tr, NULL, x, M, 1) == SIGREP_OK);
    trace_start_cold(&tr, position);
    trace_column(&tr)[row] = d;
    if (s != TRACE_TOO_OLD) tr.cells.s[tr.cells.pad + row] = (int32_t)(s - (int64_t)position);
    bool final = detector_is_final(det, &gate, &tr);
    trace_free(&tr);
    return final;
}

static const detector best = {.pending = true, .d = 5, .start = 97, .last = 100};

static bool final_with(size_t row, uint64_t position, float d, int64_t s)
{
    return is_final(&best, row, position, d, s);
}

static void a_dead_column_makes_it_final(void)
{
    CHECK(final_with(0, 102, INFINITY, TRACE_TOO_OLD));
}

static void a_live_cell_in_any_row_holds_it(void)
{
    for (size_t row = 0; row < M; row++) CHECK(!final_with(row, 102, 4, 99));
}

static void a_cell_that_is_not_below_the_best_is_dead(void)
{
    for (size_t row = 0; row < M; row++) {
        CHECK(final_with(row, 102, 5, 99));
        CHECK(!final_with(row, 102, nextafterf(5, 0), 99));
    }
}

static void a_cell_that_began_after_the_end_is_dead(void)
{
    CHECK(final_with(1, 103, 0, 101));
    CHECK(!final_with(1, 103, 0, 100));
}

/* At frame 102, t - S + 1 <= 6 means S >= 97. */
static void a_cell_that_is_too_long_is_dead(void)
{
    CHECK(final_with(1, 103, 0, 96));
    CHECK(!final_with(1, 103, 0, 97));
    CHECK(final_with(1, 103, 0, TRACE_TOO_OLD));
}

/* The latest: a path from frame 100 reaches lmax at frame 105. */
static void it_is_final_length_max_frames_after_its_end_at_the_latest(void)
{
    CHECK(!final_with(1, 106, 0, 100));
    for (int64_t s = 90; s <= 106; s++) CHECK(final_with(1, 107, 0, s));
}

/* If the stream is younger than length_max, starts from 0 on are young. */
static void early_in_the_stream_only_unknown_starts_are_old(void)
{
    const detector det = {.pending = true, .d = 5, .start = 0, .last = 2};
    for (uint64_t position = 4; position <= 6; position++) {
        CHECK(!is_final(&det, 1, position, 1, 0));
        CHECK(is_final(&det, 1, position, 1, TRACE_TOO_OLD));
    }
    CHECK(is_final(&det, 1, 7, 1, 0));
}

static void the_watch_counts_frames_from_the_batch(void)
{
    trace_watch w = detector_watch(&best, &gate, 90);
    CHECK(w.d == 5 && w.last == 10 && w.length_max == 6);
    w = detector_watch(&best, &gate, 200);
    CHECK(w.last == -100);
}

int main(void)
{
    RUN(eps_is_exact_where_the_product_is_a_float);
    RUN(eps_over_the_length_is_not_above_and_its_neighbour_is);
    RUN(a_score_is_a_threshold_of_its_match);
    RUN(a_tiny_eps_is_the_denormal_below);
    RUN(a_huge_eps_is_the_largest_float);
    RUN(no_threshold_is_an_infinite_eps);
    RUN(the_gate_is_rounded_inwards);
    RUN(a_candidate_is_at_most_eps);
    RUN(a_candidate_is_finite_even_without_a_threshold);
    RUN(a_candidate_has_a_length_within_the_gate);
    RUN(the_first_candidate_is_the_best_so_far);
    RUN(only_a_strictly_smaller_one_replaces_it);
    RUN(only_one_that_overlaps_replaces_it);
    RUN(one_outside_the_gate_never_replaces_it);
    RUN(a_dead_column_makes_it_final);
    RUN(a_live_cell_in_any_row_holds_it);
    RUN(a_cell_that_is_not_below_the_best_is_dead);
    RUN(a_cell_that_began_after_the_end_is_dead);
    RUN(a_cell_that_is_too_long_is_dead);
    RUN(it_is_final_length_max_frames_after_its_end_at_the_latest);
    RUN(early_in_the_stream_only_unknown_starts_are_old);
    RUN(the_watch_counts_frames_from_the_batch);
    return check_done();
}
