/* filter/features/front_end.c: the identity. */
#include <float.h>

#include "tests/filter/features/front_end_help.h"

static void raw_is_the_identity_anywhere(void)
{
    const float x[] = {1, -0.0f, FLT_MAX, FLT_TRUE_MIN, -7, 3};
    float y[HELP_MAX_VALUES], z[HELP_MAX_VALUES];
    CHECK(help_once("raw", 2, 1, x, 3, y) == 3);
    CHECK(help_same(y, x, 6));
    CHECK(help_once("znorm=2", 2, 1, x, 3, y) == 3);
    CHECK(help_once("raw+znorm=2+raw", 2, 1, x, 3, z) == 3);
    CHECK(help_same(y, z, 6));
    front_end *chain = help_create("raw", 2, 44100);
    const frame_timing timing = front_end_timing(chain);
    CHECK(timing.hop == 1 && timing.lead == 0 && timing.look_ahead == 0 && timing.memory == 1);
    CHECK(front_end_shape(chain).dim == 2 && front_end_shape(chain).rate_hz == 44100);
    /* Nothing is copied, and a push may have any size. */
    const float *frames;
    CHECK(front_end_is_identity(chain));
    CHECK(front_end_push(chain, x, 3, &frames) == 3 && frames == x);
    CHECK(front_end_flush(chain, &frames) == 0);
    front_end_destroy(chain);
    chain = help_create("raw+diff", 2, 1);
    CHECK(!front_end_is_identity(chain));
    CHECK(front_end_push(chain, x, 3, &frames) == 3 && frames != x);
    front_end_destroy(chain);
}

int main(void)
{
    RUN(raw_is_the_identity_anywhere);
    return check_done();
}
