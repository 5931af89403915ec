/* filter/search/trace.c and the trace kernels: D and S by hand, on every kernel. */
#include <math.h>
#include <string.h>

#include "filter/search/trace.h"
#include "tests/check.h"

static const trace_kernel *ops; /* the one that is tested */

/* One column. */
static void step(trace *tr, const float *y)
{
    trace_run(tr, y, 1, INFINITY, NULL);
}

/* The last column is d[0..m), s[0..m). */
static void check_column(const trace *tr, const float *d, const int64_t *s)
{
    uint64_t t = tr->position - 1;
    size_t m = tr->cells.length;
    for (size_t i = 0; i < m; i++) {
        trace_end cell = trace_cell(tr, i);
        CHECK_MSG(cell.d == d[i] && cell.s == s[i], "(%zu, %llu) is %g from %lld, not %g from %lld",
                  i + 1, (unsigned long long)t, (double)cell.d, (long long)cell.s, (double)d[i],
                  (long long)s[i]);
        CHECK(cell.t == t);
    }
    if (tr->begin == tr->position) return; /* no column was evaluated */
    trace_end end = trace_at(tr, t);
    CHECK(end.t == t && end.d == d[m - 1] && end.s == s[m - 1]);
}

/*
 *   x = 0 4 4      t   0      1      2      3
 *                  y   0      4      0      4        D(i,t), S(i,t)
 *   row 1             0,0    4,1    0,2    4,3
 *   row 2             4,0    0,0    4,0 a  0,2 b     a: diag 4, left 0 (S 0) = up 0 (S 2): left
 *   row 3             8,0    0,0 c  4,0 d  0,2 e     b: diag 0
 *
 *   c: diag 4, left 8, up 0.   d: diag 0 (S 0) = left 0 (S 0), up 4.   e: diag 4, left 4, up 0.
 */
static void a_small_matrix_is_as_by_hand(void)
{
    static const float x[3] = {0, 4, 4}, y[4] = {0, 4, 0, 4};
    static const float d[4][3] = {{0, 4, 8}, {4, 0, 0}, {0, 4, 4}, {4, 0, 0}};
    static const int64_t s[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 2, 2}};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 3, 1) == SIGREP_OK);
    for (size_t t = 0; t < 4; t++) {
        CHECK(tr.position == t);
        step(&tr, y + t);
        check_column(&tr, d[t], s[t]);
    }
    trace_free(&tr);
}

/* All costs are 0, so every choice is a tie. Row 2: the diagonal began at t - 1, left
 * longer ago, up just now. Row 3 follows row 2 of the column before. */
static void ties_go_to_the_diagonal_first(void)
{
    static const float x[3] = {5, 5, 5}, y = 5, d[3] = {0, 0, 0};
    static const int64_t s[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 2, 1}};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 3, 1) == SIGREP_OK);
    for (size_t t = 0; t < 4; t++) {
        step(&tr, &y);
        check_column(&tr, d, s[t]);
    }
    trace_free(&tr);
}

/* x = 0 4, y = 0 4 0: row 2 of column 2 has diag 4, left 0 from 0, up 0 from 2. */
static void ties_go_to_left_before_up(void)
{
    static const float x[2] = {0, 4}, y[3] = {0, 4, 0};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 2, 1) == SIGREP_OK);
    for (size_t t = 0; t < 3; t++) step(&tr, y + t);
    check_column(&tr, (float[]){0, 4}, (int64_t[]){2, 0});
    trace_free(&tr);
}

/* In the first column after a cold start there is nothing but up, from the origin. */
static void a_cold_start_forgets_what_was(void)
{
    static const float x[3] = {1, 2, 4};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 3, 1) == SIGREP_OK);
    for (int i = 0; i < 3; i++) step(&tr, &(float){2});
    trace_start_cold(&tr, 1000);
    CHECK(tr.position == 1000);
    for (size_t i = 0; i < 3; i++)
        CHECK(isinf(trace_cell(&tr, i).d) && trace_cell(&tr, i).s == TRACE_TOO_OLD);
    step(&tr, &(float){2}); /* costs 1, 0, 2, all upwards */
    CHECK(tr.position == 1001);
    check_column(&tr, (float[]){1, 1, 3}, (int64_t[]){1000, 1000, 1000});
    trace_free(&tr);
}

/*
 * From a column of unknown starts D goes on as usual. Paths that come out of it are too old, and
 * later starts are known.
 *
 *   x = 1 2 4     t    49    50     51
 *                 y           1      2
 *   row 1              7     0,50   1,51
 *   row 2              2     1,50   0,50
 *   row 3              3     4,50   2,50
 *
 * At 50: row 2: diag 7, left 2 (old), up 0, cost 1; row 3: diag 2, left 3 (both old), up 1,
 * cost 3. At 51: row 2: diag 0; row 3: diag 1, left 4, up 0, cost 2, all from 50.
 *
 * With D(2,49) = 0 instead, row 2 at 50 is a tie of left (old) and up: left; row 3 follows
 * the diagonal, 0 (old), cost 3.
 */
static void starts_from_a_column_are_too_old(void)
{
    static const float x[3] = {1, 2, 4};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 3, 1) == SIGREP_OK);
    step(&tr, &(float){3});
    memcpy(trace_column(&tr), (float[]){7, 2, 3}, 3 * sizeof(float));
    trace_start_from(&tr, 50);
    CHECK(tr.position == 50);
    check_column(&tr, (float[]){7, 2, 3}, (int64_t[]){TRACE_TOO_OLD, TRACE_TOO_OLD, TRACE_TOO_OLD});
    step(&tr, &(float){1});
    check_column(&tr, (float[]){0, 1, 4}, (int64_t[]){50, 50, 50});
    step(&tr, &(float){2});
    check_column(&tr, (float[]){1, 0, 2}, (int64_t[]){51, 50, 50});

    memcpy(trace_column(&tr), (float[]){7, 0, 3}, 3 * sizeof(float));
    trace_start_from(&tr, 50);
    step(&tr, &(float){1});
    check_column(&tr, (float[]){0, 1, 3}, (int64_t[]){50, TRACE_TOO_OLD, TRACE_TOO_OLD});
    trace_free(&tr);
}

/* Float32 has steps of 8 at 1e8: (1e8 + 4) + 4 stays, (4 + 4) + 1e8 does not. */
static void costs_of_a_frame_are_summed_in_index_order(void)
{
    static const float x[2 * 3] = {0};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 2, 3) == SIGREP_OK);
    step(&tr, (float[]){1e8f, -4, 4});
    check_column(&tr, (float[]){1e8f, 2e8f}, (int64_t[]){0, 0});
    trace_start_cold(&tr, 0);
    step(&tr, (float[]){4, -4, -1e8f});
    check_column(&tr, (float[]){100000008, 200000016}, (int64_t[]){0, 0});
    trace_free(&tr);
}

/* Rows of several values: row i is x[i*dim ...]. */
static void each_row_has_a_frame_of_its_own(void)
{
    static const float x[2 * 2] = {1, 10, 2, 20};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 2, 2) == SIGREP_OK);
    step(&tr, (float[]){1, 20}); /* costs 0 + 10, 1 + 0 */
    check_column(&tr, (float[]){10, 11}, (int64_t[]){0, 0});
    step(&tr, (float[]){2, 20}); /* 1 + 10; diag 10 < left, up 11 */
    check_column(&tr, (float[]){11, 10}, (int64_t[]){1, 0});
    trace_free(&tr);
}

static void denormals_count_and_overflow_is_infinite(void)
{
    static const float x[2] = {0, 3e38f};
    const float least = 0x1p-149f;
    trace tr;
    CHECK(trace_create(&tr, ops, x, 2, 1) == SIGREP_OK);
    step(&tr, &least);
    CHECK(trace_cell(&tr, 0).d == least && trace_cell(&tr, 0).d > 0);
    step(&tr, &(float){-3e38f}); /* |3e38 + 3e38| */
    CHECK(trace_cell(&tr, 0).d == 3e38f && isinf(trace_cell(&tr, 1).d));
    step(&tr, &(float){3e38f});
    CHECK(trace_cell(&tr, 1).d == 3e38f &&
          trace_cell(&tr, 1).s == 1); /* diag 3e38 from 1; left is infinite */
    trace_free(&tr);
}

static void positions_need_64_bits(void)
{
    static const float x[2] = {1, 2};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 2, 1) == SIGREP_OK);
    trace_start_cold(&tr, (uint64_t)1 << 40);
    step(&tr, &(float){1});
    step(&tr, &(float){2});
    trace_end end = trace_at(&tr, ((uint64_t)1 << 40) + 1);
    CHECK(end.d == 0 && end.s == (int64_t)1 << 40);
    CHECK(tr.position == ((uint64_t)1 << 40) + 2);
    trace_free(&tr);
}

/* The same columns in one batch: each has its end, and starts outlive the batch. */
static void a_batch_is_many_columns(void)
{
    static const float x[3] = {0, 4, 4}, y[4] = {0, 4, 0, 4};
    static const float d[4] = {8, 0, 4, 0};
    static const int64_t s[4] = {100, 100, 100, 102};
    trace tr;
    CHECK(trace_create(&tr, ops, x, 3, 1) == SIGREP_OK);
    trace_start_cold(&tr, 100);
    trace_run(&tr, y, 4, INFINITY, NULL);
    CHECK(tr.begin == 100 && tr.position == 104);
    for (uint64_t t = 100; t < 104; t++) {
        trace_end end = trace_at(&tr, t);
        CHECK(end.t == t && end.d == d[t - 100] && end.s == s[t - 100]);
    }
    check_column(&tr, (float[]){4, 0, 0}, (int64_t[]){103, 102, 102});
    trace_run(&tr, &(float){4}, 1, INFINITY, NULL); /* row 3: the diagonal, from 102 */
    check_column(&tr, (float[]){4, 0, 0}, (int64_t[]){104, 102, 102});
    trace_free(&tr);
}

/* A path that waits at no cost for longer than 32 bits can count is too old, no less. */
static void a_start_is_lost_after_2_to_31_frames_and_not_before(void)
{
    static const float x[2] = {9, 0}, y[TRACE_BATCH] = {0};
    const int64_t start = INT64_C(1) << 33;
    trace tr;
    CHECK(trace_create(&tr, ops, x, 2, 1) == SIGREP_OK);
    static const uint64_t ages[] = {1000, UINT64_C(1) << 31};
    for (int i = 0; i < 2; i++) {
        /* As if all batches between had passed. */
        uint64_t position = (uint64_t)start + ages[i] - TRACE_BATCH;
        trace_restore(&tr, (float[]){INFINITY, 1},
                      (int32_t[]){-1, (int32_t)(TRACE_BATCH - (int64_t)ages[i])}, position);
        trace_run(&tr, y, TRACE_BATCH, INFINITY, NULL);
        trace_end cell = trace_cell(&tr, 1);
        CHECK(cell.d == 1 && cell.s == (i == 0 ? start : TRACE_TOO_OLD));
        CHECK(trace_at(&tr, cell.t).s == start);
        CHECK(trace_cell(&tr, 0).s == (int64_t)cell.t);
    }
    trace_free(&tr);
}

static void what_was_saved_can_be_restored(void)
{
    static const float x[3] = {0, 4, 4}, y[4] = {0, 4, 0, 4};
    float d[3];
    int32_t s[3];
    trace tr;
    CHECK(trace_create(&tr, ops, x, 3, 1) == SIGREP_OK);
    trace_run(&tr, y, 2, INFINITY, NULL);
    trace_save(&tr, d, s);
    trace_run(&tr, y + 1, 3, INFINITY, NULL);
    trace_restore(&tr, d, s, 2);
    CHECK(tr.position == 2);
    trace_run(&tr, y + 2, 2, INFINITY, NULL);
    check_column(&tr, (float[]){4, 0, 0}, (int64_t[]){3, 2, 2});
    trace_free(&tr);
}

/* Templates and frames of small whole numbers, so that limits are met exactly. */
static void a_batch_is_asked_as_cell_by_cell(void)
{
    enum { M = 20, COLUMNS = 200 };
    float x[M], y[COLUMNS];
    uint64_t random = 3;
    for (size_t i = 0; i < M; i++) x[i] = (float)check_below(&random, 4);
    for (size_t t = 0; t < COLUMNS; t++) y[t] = (float)check_below(&random, 4);
    trace tr;
    size_t skipped = 0, certain = 0;
    CHECK(trace_create(&tr, ops, x, M, 1) == SIGREP_OK);
    trace_start_from(&tr, 1000);
    trace_run(&tr, y, COLUMNS, INFINITY, NULL);
    for (uint64_t at = 1000; at <= 1000 + COLUMNS; at++) {
        uint64_t next = at;
        while (next < tr.position && !(trace_at(&tr, next).d <= 12)) next++;
        CHECK(trace_next_within(&tr, at, 12) == next);
        skipped += next > at;
        bool after = true;
        for (size_t i = 0; i < M; i++) {
            trace_end cell = trace_cell(&tr, i);
            after &= cell.d > 15 || cell.s >= (int64_t)at;
        }
        CHECK(trace_begins_after(&tr, (int64_t)at, 15) == after);
        certain += after;
    }
    CHECK(skipped > 0 && skipped < COLUMNS && certain > 0 && certain < COLUMNS);
    CHECK(trace_begins_after(&tr, INT64_MIN, INFINITY));
    trace_start_from(&tr, 5);
    CHECK(!trace_begins_after(&tr, 0, INFINITY));
    trace_free(&tr);
}

/* A trace goes on from columns that another trace computed. */
static void columns_can_be_taken_over(void)
{
    enum { M = 7, COLUMNS = 90, BEFORE = 30 };
    float x[M], y[COLUMNS];
    for (size_t i = 0; i < M; i++) x[i] = (float)(i % 3);
    for (size_t t = 0; t < COLUMNS; t++) y[t] = (float)(t % 5);
    trace a, b;
    CHECK(trace_create(&a, ops, x, M, 1) == SIGREP_OK);
    CHECK(trace_create(&b, ops, x, M, 1) == SIGREP_OK);
    trace_run(&a, y, BEFORE, INFINITY, NULL);
    trace_save(&a, trace_column(&b), trace_starts(&b));
    trace_be_at(&b, BEFORE);
    CHECK(b.begin == BEFORE && b.position == BEFORE);
    trace_run(&a, y + BEFORE, COLUMNS - BEFORE, INFINITY, NULL);
    trace_run(&b, y + BEFORE, COLUMNS - BEFORE, INFINITY, NULL);
    for (uint64_t t = BEFORE; t < COLUMNS; t++)
        CHECK(trace_at(&a, t).d == trace_at(&b, t).d && trace_at(&a, t).s == trace_at(&b, t).s);
    for (size_t i = 0; i < M; i++)
        CHECK(trace_cell(&a, i).d == trace_cell(&b, i).d &&
              trace_cell(&a, i).s == trace_cell(&b, i).s);
    trace_free(&a);
    trace_free(&b);
}

/* In columns longer than a vector and shorter. */
static void a_column_is_asked_as_cell_by_cell(void)
{
    static const float x[61];
    uint64_t random = 11;
    size_t found = 0;
    for (size_t number = 0; number < 2000; number++) {
        trace tr;
        CHECK(trace_create(&tr, ops, x, 1 + check_below(&random, 61), 1) == SIGREP_OK);
        for (size_t i = 0; i < tr.cells.length; i++) {
            trace_column(&tr)[i] = (float)check_below(&random, 40);
            trace_starts(&tr)[i] = -1 - (int32_t)check_below(&random, 50);
        }
        trace_be_at(&tr, 1000);
        const float limit = (float)check_below(&random, 6);
        const int64_t from = 945 + (int64_t)check_below(&random, 60), to = from + 20;
        bool has = false, after = true;
        for (size_t i = 0; i < tr.cells.length; i++) {
            const trace_end cell = trace_cell(&tr, i);
            has |= cell.d <= limit && cell.s >= from && cell.s <= to;
            after &= !(cell.d <= limit) || cell.s >= from;
        }
        CHECK(trace_has(&tr, limit, from, to) == has);
        CHECK(trace_begins_after(&tr, from, limit) == after);
        found += has;
        trace_free(&tr);
    }
    CHECK(found > 200);
}

static void ends_within_a_limit_are_the_first_and_the_last(void)
{
    enum { LONGEST = 75 };
    static const float x[1];
    trace tr;
    uint64_t random = 12;
    CHECK(trace_create(&tr, ops, x, 1, 1) == SIGREP_OK);
    for (size_t number = 0; number < 500; number++) {
        const size_t n = 1 + check_below(&random, LONGEST);
        const uint64_t begin = 400, at = begin + check_below(&random, n);
        uint64_t first = begin + n, last = begin;
        float *d = tr.cells.end_d;
        for (size_t t = 0; t < n; t++) {
            d[t] = check_below(&random, 20) ? 9 : 3;
            if (d[t] <= 3) last = begin + t + 1;
            if (d[t] <= 3 && begin + t >= at && first == begin + n) first = begin + t;
        }
        trace_be_at(&tr, begin + n);
        tr.begin = begin;
        CHECK(trace_next_within(&tr, at, 3) == first && trace_last_within(&tr, 3) == last);
    }
    trace_free(&tr);
}

static void test_one(void)
{
    RUN(a_small_matrix_is_as_by_hand);
    RUN(ties_go_to_the_diagonal_first);
    RUN(ties_go_to_left_before_up);
    RUN(a_cold_start_forgets_what_was);
    RUN(starts_from_a_column_are_too_old);
    RUN(costs_of_a_frame_are_summed_in_index_order);
    RUN(each_row_has_a_frame_of_its_own);
    RUN(denormals_count_and_overflow_is_infinite);
    RUN(positions_need_64_bits);
    RUN(a_batch_is_many_columns);
    RUN(a_start_is_lost_after_2_to_31_frames_and_not_before);
    RUN(what_was_saved_can_be_restored);
    RUN(a_batch_is_asked_as_cell_by_cell);
    RUN(columns_can_be_taken_over);
    RUN(a_column_is_asked_as_cell_by_cell);
    RUN(ends_within_a_limit_are_the_first_and_the_last);
}

int main(void)
{
    for (size_t i = 0; trace_kernel_at(i); i++) {
        ops = trace_kernel_at(i);
        if (ops->usable()) {
            printf("%s:\n", ops->name);
            test_one();
        } else {
            printf("SKIP %s: not usable on this machine\n", ops->name);
        }
    }
    return check_done();
}
