/* PRE's formulas, from times that are made up. */
#include <math.h>

#include "check.h"
#include "papers/mpi/predictor.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * b;
}

static void one_rank_takes_its_cells(void)
{
    const grid g = {99, 49, 1};
    const predictor_times t = {2, 3, 1000, 1000};
    CHECK(is_near(predictor_seconds(OPASM, &g, &t), 2 * 100 * 50));
    CHECK(is_near(predictor_seconds(EDM, &g, &t), 3 * 100 * 50));
}

/* Diagonals of 1, 2, 3, 4, 4, 3, 2, 1 cells on two ranks: 1, 1, 2, 2, 2, 2, 1, 1 of the first one.
 * After each but the last one the two exchange a cell, but after the 7th as well: its second cell
 * is read. */
static void diagonals_by_hand(void)
{
    const grid g = {4, 3, 2};
    const predictor_times cells = {.cell_s = 1}, messages = {.start_s = 1, .word_s = 0.5};
    CHECK(is_near(predictor_seconds(OPASM, &g, &cells), 12));
    CHECK(is_near(predictor_seconds(OPASM, &g, &messages), 7 * 1.5));
}

/* 2p - 1 blocks of 50 x 25, and a row of 25 cells after each but the last. */
static void blocks_by_hand(void)
{
    const grid g = {199, 99, 4};
    const predictor_times t = {.row_cell_s = 1, .start_s = 100, .word_s = 2};
    CHECK(is_near(predictor_seconds(EDM, &g, &t), 7 * 50 * 25 + 6 * (100 + 25 * 2)));
}

int main(void)
{
    RUN(one_rank_takes_its_cells);
    RUN(diagonals_by_hand);
    RUN(blocks_by_hand);
    return check_done();
}
