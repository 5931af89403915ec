/* kernel_ops.seek of each kernel that has it: from the scalar kernel's checkpoints at a position,
 * it goes on as the scalar kernel does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "tests/check.h"

enum { TEMPLATES = 2, AT = 4096, REST = 1000, CHUNK = 5000, N = AT + CHUNK, MOST_DIM = 3 };

static const size_t lengths[TEMPLATES] = {100, 33};
static uint64_t seed;

static float *make_noise(size_t n, uint64_t random)
{
    float *v = calloc(n, sizeof *v);
    for (size_t i = 0; i < n; i++) v[i] = (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

/* Memory for scores and minima, the minima last. */
static kernel_output make_output(void)
{
    const size_t blocks = kernel_max_blocks(CHUNK);
    float *memory = calloc(TEMPLATES * (CHUNK + blocks), sizeof *memory);
    return (kernel_output){
        .minima = memory + TEMPLATES * CHUNK, .minima_stride = blocks, .scores = memory};
}

static bool same(const float *a, const float *b, size_t n)
{
    return !memcmp(a, b, n * sizeof *a);
}

static void goes_on(const kernel_ops *ops, const kernel_plan *plan, const float *y)
{
    const kernel_ops *scalar = kernel_choose("cpu", "scalar", NULL);
    void *a = NULL, *b = NULL;
    kernel_output out[2] = {make_output(), make_output()};
    float columns[133], stored[33];
    CHECK(!scalar->create(&a, plan) && !ops->create(&b, plan));
    CHECK(!scalar->sweep(a, y, AT, &out[0]));
    CHECK(!kernel_checkpoints(scalar, a, plan->templates, TEMPLATES, AT, columns));
    CHECK(!ops->sweep(b, y + 1000 * plan->dim, 3000, &out[1])); /* elsewhere */
    CHECK(!ops->seek(b, AT, columns) && !ops->checkpoint(b, 1, AT, stored));
    CHECK(same(stored, columns + lengths[0], lengths[1]));
    y += AT * plan->dim;
    CHECK(!scalar->sweep(a, y, REST, &out[0]) && !ops->sweep(b, y, REST, &out[1]));
    for (size_t j = 0; j < TEMPLATES; j++)
        CHECK_MSG(same(out[0].scores + j * CHUNK, out[1].scores + j * CHUNK, REST), "%s",
                  ops->name);
    scalar->destroy(a);
    ops->destroy(b);
    for (int k = 0; k < 2; k++) free(out[k].scores);
}

static void from_a_checkpoint_each_kernel_goes_on_as_scalar(void)
{
    for (size_t dim = 1; dim <= MOST_DIM; dim++) {
        kernel_template templates[TEMPLATES];
        float *y = make_noise(N * dim, seed);
        for (size_t j = 0; j < TEMPLATES; j++)
            templates[j] = (kernel_template){.frames = make_noise(lengths[j] * dim, seed + j + 1),
                                             .length = lengths[j],
                                             .eps = INFINITY,
                                             .history = 2 * lengths[j]};
        const kernel_plan plan = {.templates = templates,
                                  .n_templates = TEMPLATES,
                                  .dim = dim,
                                  .max_chunk = CHUNK,
                                  .scores = true};
        for (size_t i = 0; kernel_at(i); i++)
            if (kernel_at(i)->usable() && kernel_at(i)->seek) goes_on(kernel_at(i), &plan, y);
        for (size_t j = 0; j < TEMPLATES; j++) free((void *)templates[j].frames);
        free(y);
    }
}

int main(void)
{
    seed = check_seed("test_seek");
    RUN(from_a_checkpoint_each_kernel_goes_on_as_scalar);
    return check_done();
}
