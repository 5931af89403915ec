/* filter/search/path.c: its memory grows as the template and not as the matrix. */
#include <stdlib.h>

#include "filter/search/path.h"
#include "tests/check.h"
#include "tests/support/failing_memory.h"

/* A noise that is stretched, so that the path is neither straight nor along an edge. */
static float *make_noise(size_t n, uint64_t stretch)
{
    float *noise = malloc(n * sizeof *noise), value = 0;
    uint64_t random = 1, left = 0;
    for (size_t i = 0; i < n; i++, left--) {
        if (!left) {
            value = (float)check_below(&random, 1000);
            left = stretch;
        }
        noise[i] = value;
    }
    return noise;
}

/* The bytes that a path of m and 3 m frames asks for. */
static size_t bytes_of(size_t m)
{
    static const stopping never = {0};
    float *x = make_noise(m, 1), *y = make_noise(3 * m, 3);
    sigrep_pair *pairs = malloc(4 * m * sizeof *pairs);
    const path_problem of = {.x = x, .m = m, .y = y, .n = 3 * m, .dim = 1, .stop = &never};
    size_t n;
    memory_fails_at(SIZE_MAX, false);
    CHECK(path_find(&of, pairs, &n) == SIGREP_OK);
    const size_t bytes = memory_bytes();
    memory_mend();
    CHECK(n == 3 * m && pairs[n - 1].template_frame == m - 1);
    free(x);
    free(y);
    free(pairs);
    return bytes;
}

static void memory_is_linear_in_the_template(void)
{
    for (size_t m = 10; m <= 4000; m *= 2) {
        const size_t bytes = bytes_of(m);
        CHECK_MSG(bytes <= 16 * m, "%zu rows: %zu bytes", m, bytes);
    }
}

int main(void)
{
    RUN(memory_is_linear_in_the_template);
    return check_done();
}
