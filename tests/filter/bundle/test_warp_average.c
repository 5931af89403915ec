/* filter/bundle/warp.c: medoids and averages of a few takes, by hand. */
#include "filter/bundle/warp.h"

#include <math.h>

#include "tests/check.h"

static void the_medoid_is_nearest_to_all(void)
{
    const float a[] = {0, 1, 0}, b[] = {0, 2, 0}, c[] = {0, 9, 0};
    const warp_sequence takes[] = {{a, 3}, {b, 3}, {c, 3}};
    CHECK(average_medoid(takes, 3, 1) == 1);
    CHECK(average_medoid(takes, 1, 1) == 0);
}

/* The same shape, slower and faster, with values on both sides of its own. */
static void the_average_lies_between_in_time_and_value(void)
{
    const float a[] = {0, 0, 4, 8, 8}, b[] = {0, 6, 6, 10, 10, 10}, c[] = {0, 5, 9};
    const warp_sequence takes[] = {{a, 5}, {b, 6}, {c, 3}};
    const float expected[] = {0, 5.25F, 9.25F}; /* (4+6+6+5)/4; eights, tens and a nine below */
    size_t n;
    float *x = average_make(takes, 3, 1, &n);
    CHECK(x && n == 3);
    if (!x) return;
    CHECK(x[0] == expected[0] && x[1] == expected[1]);
    CHECK(fabs((double)x[2] - (8 + 8 + 10 + 10 + 10 + 9) / 6.0) < 1e-6);
    free(x);
}

static void equal_takes_are_their_average(void)
{
    const float a[] = {1, 7, 3, 3};
    const warp_sequence takes[] = {{a, 4}, {a, 4}};
    size_t n;
    float *x = average_make(takes, 2, 1, &n);
    CHECK(x && n == 4);
    for (size_t i = 0; x && i < n; i++) CHECK(x[i] == a[i]);
    free(x);
}

static void frames_of_one_length_keep_it(void)
{
    const float a[] = {1, 0, 0, 1, 0.6F, 0.8F}, b[] = {1, 0, 0.6F, 0.8F, 0.8F, 0.6F};
    const warp_sequence takes[] = {{a, 3}, {b, 3}};
    size_t n;
    float *x = average_make(takes, 2, 2, &n);
    CHECK(x && n == 3);
    for (size_t i = 0; x && i < n; i++)
        CHECK(fabs(hypot((double)x[2 * i], (double)x[2 * i + 1]) - 1) < 1e-6);
    free(x);
}

int main(void)
{
    RUN(the_medoid_is_nearest_to_all);
    RUN(the_average_lies_between_in_time_and_value);
    RUN(equal_takes_are_their_average);
    RUN(frames_of_one_length_keep_it);
    return check_done();
}
