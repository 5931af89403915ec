/* filter/features/embedder.c: its values are those of onnxruntime. The rest: test_voices.c. */
#include "filter/features/embedder.h"

#include "filter/background/background.h"
#include "tests/filter/features/spectral_help.h"

enum { ROWS = 4, SAMPLES = 32077, FIELDS = 16, BEFORE = 36, MOST = 64 };

/* Frame j's field begins at row 4 j - 36; the published network's fields at row 8 i. */
static void agrees_with_onnxruntime(void)
{
    static float x[SAMPLES], e[MOST * EMBEDDER_VALUES];
    static double golden[FIELDS * EMBEDDER_VALUES];
    embedder *self = NULL;
    frame_timing timing;
    double worst = 0;
    CHECK(golden_read("embedding", golden, FIELDS * EMBEDDER_VALUES) == FIELDS * EMBEDDER_VALUES);
    background_decode(x, 0, SAMPLES, 1);
    CHECK(embedder_create(&self, "test", ROWS, (frame_shape){1, BACKGROUND_HZ}, &timing, NULL) ==
          SIGREP_OK);
    if (!self) exit(1);
    const size_t got = embedder_push(self, x, SAMPLES, e);
    CHECK(got > BEFORE / ROWS + 2 * (FIELDS - 1));
    for (size_t i = 0; i < FIELDS * EMBEDDER_VALUES; i++) {
        const size_t frame = BEFORE / ROWS + i / EMBEDDER_VALUES * 8 / ROWS;
        const double is = (double)e[frame * EMBEDDER_VALUES + i % EMBEDDER_VALUES];
        worst = fmax(worst, fabs(is - golden[i]));
    }
    printf("farthest from onnxruntime: %.2g\n", worst);
    CHECK_MSG(worst <= 1e-4, "%g", worst);
    embedder_destroy(self);
}

int main(void)
{
    RUN(agrees_with_onnxruntime);
    return check_done();
}
