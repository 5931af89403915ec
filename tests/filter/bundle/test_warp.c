/* filter/bundle/warp.c: scores and paths of small matrices, by hand. */
#include "filter/bundle/warp.h"

#include "tests/check.h"

static void a_copy_costs_nothing_anywhere(void)
{
    const float x[] = {1, 3, 2}, y[] = {9, 1, 1, 3, 2, 2, 9};
    CHECK(warp_best_score((warp_sequence){x, 3}, (warp_sequence){y, 7}, 1) == 0);
}

static void the_best_score_is_per_frame_of_the_template(void)
{
    const float x[] = {0, 4}, y[] = {1, 6};
    CHECK(warp_best_score((warp_sequence){x, 2}, (warp_sequence){y, 2}, 1) == 1.5);
    const float x2[] = {0, 0, 4, 4}, y2[] = {1, 1, 6, 6};
    CHECK(warp_best_score((warp_sequence){x2, 2}, (warp_sequence){y2, 2}, 2) == 3);
}

/* 0 2 2 5 with 0 2 5 5: the path joins all frames, and ties go to the diagonal. */
static void the_path_joins_all_frames(void)
{
    const float x[] = {0, 2, 2, 5}, y[] = {0, 2, 5, 5};
    warp_pair path[7];
    double cost;
    const size_t n = warp_path((warp_sequence){x, 4}, (warp_sequence){y, 4}, 1, path, &cost);
    CHECK(n == 5 && cost == 0);
    static const warp_pair expected[] = {{3, 3}, {3, 2}, {2, 1}, {1, 1}, {0, 0}};
    for (size_t p = 0; p < n && p < 5; p++)
        CHECK(path[p].i == expected[p].i && path[p].t == expected[p].t);
}

static void a_path_runs_along_an_edge(void)
{
    const float x[] = {0}, y[] = {1, 2, 3};
    warp_pair path[3];
    double cost;
    CHECK(warp_path((warp_sequence){x, 1}, (warp_sequence){y, 3}, 1, path, &cost) == 3);
    CHECK(cost == 6 && path[0].t == 2 && path[2].t == 0);
}

int main(void)
{
    RUN(a_copy_costs_nothing_anywhere);
    RUN(the_best_score_is_per_frame_of_the_template);
    RUN(the_path_joins_all_frames);
    RUN(a_path_runs_along_an_edge);
    return check_done();
}
