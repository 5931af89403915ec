/* kernels/cuda/host/plan.c: properties of any cut. And cuda.c: the reason why a machine has no
 * usable GPU. */
#include "tests/check.h"

#ifdef TESTS_CUDA

#include <string.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/cuda/host/cuda_kernel.h"
#include "tests/support/fake_cuda.h"

enum { TEMPLATES = 64 };

static cuda_kernel *made;

static void begin(size_t length, size_t dim)
{
    static float x[65536 * 2];
    kernel_template templates[TEMPLATES];
    fake_cuda_begin();
    fake_cuda.free_bytes = (size_t)16 << 30;
    for (size_t j = 0; j < TEMPLATES; j++)
        templates[j] =
            (kernel_template){.frames = x, .length = length, .eps = 1, .history = 2 * length};
    const kernel_plan plan = {.templates = templates,
                              .n_templates = length > 1000 ? 1 : TEMPLATES,
                              .dim = dim,
                              .max_chunk = 1 << 20};
    void *kernel = NULL;
    CHECK(cuda_kernel_create(&kernel, &plan) == SIGREP_OK);
    made = kernel;
}

/* Bands hold all rows in order, each row once, and no band has too many. */
static void bands_are_all_rows_once(void)
{
    for (size_t m = 1; m <= 70000; m += 1 + m / 7)
        for (size_t dim = 1; dim <= 13; dim += 12) {
            size_t row = 0, n = cuda_plan_bands(m, dim);
            const size_t most = CUDA_MOST_LANES * (dim > 1 ? 8 : (size_t)cuda_held(1, 0));
            for (size_t b = 0; b < n; b++) {
                cuda_band_rows band = cuda_plan_band(m, dim, b);
                CHECK(band.row == row && band.rows > 0);
                CHECK(band.rows <= most);
                CHECK(band.x_at >= row * dim);
                row += band.rows;
            }
            CHECK(row == m);
        }
}

static bool is_good_cut(const cuda_template *own, const cuda_sweep *item, size_t together)
{
    const size_t segments = (size_t)item->segments;
    const size_t rows = ((size_t)item->rows + CUDA_UNIT - 1) / CUDA_UNIT * CUDA_UNIT;
    const size_t share = own->bands > 1 ? made->states : cuda_plan_share(made, together);
    return item->segments >= 1 && item->length % CUDA_STEP == 0 && item->warm % CUDA_STEP == 0 &&
           (segments - 1) * (size_t)item->length < (size_t)item->n &&
           segments * (size_t)item->length >= (size_t)item->n && segments * rows <= share &&
           segments <= made->most_segments / together && item->lanes >= 1 && item->groups >= 1;
}

/* Segments cover the columns, are whole steps (CUDA_STEP) long, and have places for their states.
 */
static void cuts_cover_all_columns_within_what_was_allocated(void)
{
    static const size_t lengths[] = {1, 5, 64, 65, 128, 777, 1000, 8192, 65536};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t dim = 1; dim <= 2; dim++) {
            begin(lengths[i], dim);
            cuda_template *own = &made->templates[0];
            for (int n = CUDA_STEP; n <= 1 << 20; n *= 2) {
                cuda_sweep item = {.n = n, .dim = (int)dim};
                size_t together = own->bands > 1 ? 1 : made->n_templates;
                item.rows = (int)cuda_plan_band(own->length, dim, 0).rows;
                int held = cuda_plan_cut(made, own, together, &item);
                CHECK(held > 0 && (own->bands == 1 || dim > 1 || held == cuda_held(1, 0)));
                CHECK(dim == 1 || held == cuda_plan_frames_held(item.rows));
                CHECK_MSG(is_good_cut(own, &item, together), "m %zu, dim %zu, n %d", lengths[i],
                          dim, n);
            }
            cuda_kernel_destroy(made);
        }
}

/* Regression: shares_larger_than_their_places. Beside a template that is swept alone, those that
 * run together must store within their own shares, not over others' or over tickets. */
static void those_that_run_together_have_places_of_their_own(void)
{
    enum { N = CUDA_BLOCK, LONG = 9000 };
    static float x[LONG], y[N];
    float minima[3 * 4];
    const kernel_template templates[] = {
        {.frames = x, .length = LONG, .eps = 1, .history = 2 * LONG},
        {.frames = x, .length = 100, .eps = 1, .history = 200},
        {.frames = x, .length = 50, .eps = 1, .history = 100}};
    const kernel_plan plan = {.templates = templates, .n_templates = 3, .dim = 1, .max_chunk = N};
    const kernel_output out = {.minima = minima, .minima_stride = 4};
    void *kernel = NULL;
    fake_cuda_begin();
    fake_cuda.free_bytes = (size_t)16 << 30;
    CHECK(cuda_kernel_create(&kernel, &plan) == SIGREP_OK);
    CHECK(cuda_kernel_sweep(kernel, y, N, &out) == SIGREP_OK);
    made = kernel;
    const size_t share = cuda_plan_share(made, 2);
    const cuda_sweep *a = &made->templates[1].cut, *b = &made->templates[2].cut;
    CHECK(made->templates[0].bands > 1 && 2 * share <= made->states &&
          share >= made->states / 2 - 3);
    CHECK(a->before == made->before && b->before == made->before + share);
    CHECK(a->after == made->after && b->after == made->after + share);
    CHECK(a->tickets == made->tickets && b->tickets == made->tickets + share);
    cuda_kernel_destroy(made);
}

/* Regression: a_least_length_of_half_a_step. The least length is halved after seams held, and must
 * remain a multiple of CUDA_STEP. */
static void segments_are_whole_steps_however_long_seams_hold(void)
{
    begin(64, 1);
    cuda_template *own = &made->templates[0];
    for (int too_short = CUDA_STEP; too_short < 1024; too_short += CUDA_STEP) {
        cuda_plan_learn(own, 20, too_short);
        for (int i = 0; i < 3000; i++) {
            cuda_plan_learn(own, 0, 0);
            cuda_sweep item = {.n = 1024, .dim = 1, .rows = 64};
            if (own->steady == 0) cuda_plan_cut(made, own, 1, &item);
            CHECK(own->least % CUDA_STEP == 0 && item.length % CUDA_STEP == 0);
        }
    }
    cuda_kernel_destroy(made);
}

/* Warm-ups grow after seams that failed, up to a bound, and shrink after steady chunks. Segments
 * that were too short to forget their start become longer. */
static void warm_ups_are_learnt(void)
{
    begin(64, 1);
    cuda_template *own = &made->templates[0];
    const int at_first = own->warm, least = own->least;
    cuda_plan_learn(own, 1, 0);
    CHECK(own->warm > at_first);
    for (int i = 0; i < 100; i++) cuda_plan_learn(own, 9, 0);
    const int most = own->warm;
    cuda_plan_learn(own, 1, 0);
    CHECK(own->warm == most && most < 10000);
    for (int i = 0; i < 100000; i++) cuda_plan_learn(own, 0, 0);
    CHECK(own->warm <= at_first && own->warm > 0);
    cuda_plan_learn(own, 9, 8 * least);
    CHECK(own->least > 8 * least);
    for (int i = 0; i < 100000; i++) cuda_plan_learn(own, 0, 0);
    CHECK(own->least == least);
    cuda_kernel_destroy(made);
    CHECK(fake_cuda.allocated == 0);
}

/* kernels/cuda/host/start.c. */
static void kernels_are_registered_once_if_cuda_is_wanted(void)
{
    enum { FILES = 4 };
    fake_cuda_begin();
    CHECK(fake_cuda_registered == 0);
    CHECK(cuda_usable(0, NULL) && fake_cuda_registered == FILES);
    CHECK(cuda_count() == 1 && fake_cuda_registered == FILES);
}

/* kernels/cuda/host/start.c. */
static void a_machine_without_gpus_has_a_reason(void)
{
    sigrep_error error;
    fake_cuda_begin();
    CHECK(cuda_usable(0, NULL) && kernel_cuda.usable());
    CHECK(!cuda_usable(1, &error) && !strcmp(error.text, "there is no GPU 1, only 1"));
    fake_cuda.devices = 0;
    CHECK(!cuda_usable(0, &error) && !strcmp(error.text, "no NVIDIA GPU"));
    fake_cuda.no_driver = true;
    CHECK(!cuda_usable(0, &error) && !strcmp(error.text, "no NVIDIA driver, or too old"));
    fake_cuda_begin();
    fake_cuda.error = cudaErrorUnknown;
    CHECK(!cuda_usable(0, &error) && !strcmp(error.text, "a fake error"));
}

int main(void)
{
    RUN(kernels_are_registered_once_if_cuda_is_wanted); /* first */
    RUN(a_machine_without_gpus_has_a_reason);
    RUN(bands_are_all_rows_once);
    RUN(cuts_cover_all_columns_within_what_was_allocated);
    RUN(those_that_run_together_have_places_of_their_own);
    RUN(segments_are_whole_steps_however_long_seams_hold);
    RUN(warm_ups_are_learnt);
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_plan", "built without CUDA");
}

#endif
