/*
 * kernels/group.c: several kernels as one, bit for bit as "scalar" and with every column that
 * kernel.h promises, however the steps are cut. CPU kernels stand for the devices. Also
 * kernel_ops.seek of every kernel, on which groups rest.
 */
#include "kernels/group.h"

#include <math.h>
#include <string.h>

#include "kernels/cuda/cuda.h"
#include "tests/check.h"

enum { MOST_TEMPLATES = 3, N = 450000 };

static uint64_t seed;
static bool on_gpus; /* instead of CPU kernels */

typedef struct {
    kernel_template templates[MOST_TEMPLATES];
    kernel_plan plan;
    float *y;
    const kernel_ops *ops[2];
    void *kernels[2];
    kernel_output out[2];
    float *columns[2];
    size_t n; /* frames of y that are swept */
} problem;

static float *floats(size_t n)
{
    float *v = malloc(n * sizeof *v);
    if (!v) abort();
    return v;
}

static float *make_signal(size_t n, uint64_t random, bool ramp)
{
    float *v = floats(n);
    for (size_t i = 0; i < n; i++)
        v[i] = ramp ? (float)i * 0x1p-10f : (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

static void begin(problem *p, const size_t *lengths, size_t n, size_t max_step, int devices,
                  bool ramp)
{
    *p = (problem){.y = make_signal(N, seed, ramp), .n = N};
    for (size_t j = 0; j < n; j++)
        p->templates[j] = (kernel_template){.frames = make_signal(lengths[j], seed + j + 1, ramp),
                                            .length = lengths[j],
                                            .eps = INFINITY,
                                            .history = 2 * lengths[j]};
    p->plan = (kernel_plan){.templates = p->templates,
                            .n_templates = n,
                            .dim = 1,
                            .max_step = max_step,
                            .scores = true,
                            .each = kernel_choose("cpu", NULL, NULL),
                            .devices = devices};
    p->ops[0] = kernel_choose("cpu", "scalar", NULL);
    p->ops[1] = &kernel_group;
    if (on_gpus) p->plan.each = &kernel_cuda;
    for (int k = 0; k < 2; k++) {
        CHECK(p->ops[k]->create(&p->kernels[k], &p->plan) == SIGREP_OK);
        p->out[k] = (kernel_output){.minima = floats(n * kernel_max_blocks(max_step)),
                                    .minima_stride = kernel_max_blocks(max_step),
                                    .scores = floats(n * max_step)};
        p->columns[k] = floats(1000);
    }
}

static void end(problem *p)
{
    for (int k = 0; k < 2; k++) {
        p->ops[k]->destroy(p->kernels[k]);
        free(p->out[k].minima);
        free(p->out[k].scores);
        free(p->columns[k]);
    }
    for (size_t j = 0; j < p->plan.n_templates; j++) free((void *)p->templates[j].frames);
    free(p->y);
}

static bool same(const float *a, const float *b, size_t n)
{
    return !memcmp(a, b, n * sizeof *a);
}

static bool column_of(problem *p, int k, size_t j, uint64_t position)
{
    return p->ops[k]->column(p->kernels[k], j, position, p->columns[k]) == SIGREP_OK;
}

/* After the step [from, to). */
static bool agree(problem *p, uint64_t from, uint64_t to)
{
    for (size_t j = 0; j < p->plan.n_templates; j++) {
        const kernel_template *x = &p->templates[j];
        size_t blocks = (size_t)((to - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK) + 1;
        size_t at = j * p->out[0].minima_stride;
        if (!same(p->out[0].minima + at, p->out[1].minima + at, blocks)) return false;
        at = j * p->plan.max_step;
        if (!same(p->out[0].scores + at, p->out[1].scores + at, (size_t)(to - from))) return false;
        size_t spacing = p->ops[1]->spacing(p->kernels[1], j);
        size_t other = p->ops[0]->spacing(p->kernels[0], j);
        size_t reach = x->history + (other < spacing ? other : spacing);
        if (other > spacing) spacing = other;
        for (uint64_t c = spacing; c <= to; c += spacing) {
            if (c + reach < from) continue;
            if (!column_of(p, 0, j, c) || !column_of(p, 1, j, c)) return false;
            if (!same(p->columns[0], p->columns[1], x->length)) return false;
        }
    }
    return true;
}

/* All of it, by steps of the given lengths in turn. */
static bool sweep(problem *p, const size_t *steps, size_t n_steps)
{
    size_t at = 0;
    for (size_t i = 0; at < p->n; i++) {
        size_t n = steps[i % n_steps] < p->n - at ? steps[i % n_steps] : p->n - at;
        for (int k = 0; k < 2; k++)
            if (p->ops[k]->step(p->kernels[k], p->y + at, n, &p->out[k])) return false;
        if (!agree(p, at, at + n)) return false;
        at += n;
    }
    return true;
}

static void any_cutting_gives_the_same_bits(void)
{
    static const size_t cuttings[][4] = {
        {400000, 400000, 400000, 400000}, {140000, 1, 399999, 64}, {70000, 131072, 200001, 63}};
    for (int devices = 2; devices <= 4; devices++)
        for (size_t i = 0; i < sizeof cuttings / sizeof *cuttings; i++) {
            problem p;
            begin(&p, (size_t[]){5, 33, 16}, 1 + i, 400000, devices, false);
            CHECK_MSG(sweep(&p, cuttings[i], 4), "%d devices, cutting %zu", devices, i);
            CHECK(group_repairs(p.kernels[1]) == 0);
            p.ops[0]->reset(p.kernels[0]);
            p.ops[1]->reset(p.kernels[1]);
            CHECK(sweep(&p, cuttings[i], 1));
            end(&p);
        }
}

/* A template that the stream repeats 256 times as slowly: paths outlast every warm-up. */
static void make_slow(problem *p, size_t length)
{
    for (size_t t = 0; t < N; t++) p->y[t] = p->templates[0].frames[t / 256 % length];
}

static void a_seam_that_does_not_hold_is_repaired(void)
{
    problem p;
    begin(&p, (size_t[]){60}, 1, 400000, 3, true);
    make_slow(&p, 60);
    CHECK(sweep(&p, (size_t[]){400000}, 1));
    CHECK(group_repairs(p.kernels[1]) > 0);
    end(&p);
}

static void a_gap_at_a_border_of_pieces_is_a_cold_start(void)
{
    problem p;
    begin(&p, (size_t[]){20}, 1, 400000, 2, false);
    for (size_t t = 198000; t < 202000; t += 500) p.y[t] = INFINITY;
    CHECK(sweep(&p, (size_t[]){400000}, 1));
    end(&p);
}

static void short_steps_of_short_plans_are_not_cut(void)
{
    problem p;
    begin(&p, (size_t[]){7}, 1, 100, 2, false);
    CHECK(sweep(&p, (size_t[]){100, 1, 37}, 3));
    end(&p);
}

/* The same on GPUs, where there are several. */
static void several_gpus_are_one(void)
{
    const int all = cuda_count() < 4 ? cuda_count() : 4;
    if (all < 2) {
        printf("SKIP several_gpus_are_one: %d GPUs\n", all);
        return;
    }
    on_gpus = true;
    problem p;
    begin(&p, (size_t[]){100, 33, 16}, 3, 400000, all, false);
    CHECK(sweep(&p, (size_t[]){400000, 140000, 63}, 3));
    CHECK(group_repairs(p.kernels[1]) == 0);
    end(&p);
    begin(&p, (size_t[]){60}, 1, 400000, all, true);
    make_slow(&p, 60);
    p.n = (size_t)all * 70000; /* GPUs mend their own seams slowly there */
    CHECK(sweep(&p, (size_t[]){400000}, 1));
    CHECK(group_repairs(p.kernels[1]) > 0);
    end(&p);
    on_gpus = false;
}

/* From the reference's columns at a position, every kernel goes on as the reference does. */
static void every_kernel_goes_on_from_a_column(void)
{
    enum { AT = 4096, REST = 1000, MANY = 2 };
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        problem p;
        begin(&p, (size_t[]){100, 33}, MANY, 5000, 2, false);
        const kernel_ops *ops = kernel_at(i);
        void *other;
        float columns[133], kept[133];
        CHECK(ops->create(&other, &p.plan) == SIGREP_OK);
        CHECK(p.ops[0]->step(p.kernels[0], p.y, AT, &p.out[0]) == SIGREP_OK);
        CHECK(p.ops[0]->column(p.kernels[0], 0, AT, columns) == SIGREP_OK);
        CHECK(p.ops[0]->column(p.kernels[0], 1, AT, columns + 100) == SIGREP_OK);
        CHECK(ops->step(other, p.y + 1000, 3000, &p.out[1]) == SIGREP_OK); /* elsewhere */
        CHECK(ops->seek(other, AT, columns) == SIGREP_OK);
        CHECK(ops->column(other, 1, AT, kept) == SIGREP_OK);
        CHECK(same(kept, columns + 100, 33));
        p.ops[0]->step(p.kernels[0], p.y + AT, REST, &p.out[0]);
        CHECK(ops->step(other, p.y + AT, REST, &p.out[1]) == SIGREP_OK);
        for (size_t j = 0; j < MANY; j++)
            CHECK_MSG(same(p.out[0].scores + j * 5000, p.out[1].scores + j * 5000, REST), "%s",
                      ops->name);
        ops->destroy(other);
        end(&p);
    }
}

/* Without columns it is a cold start there. */
static void every_kernel_seeks_a_cold_start(void)
{
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        problem p;
        begin(&p, (size_t[]){50}, 1, 5000, 2, false);
        void *other;
        CHECK(kernel_at(i)->create(&other, &p.plan) == SIGREP_OK);
        CHECK(kernel_at(i)->step(other, p.y + 1000, 3000, &p.out[1]) == SIGREP_OK);
        CHECK(kernel_at(i)->seek(other, 8192, NULL) == SIGREP_OK);
        p.ops[0]->step(p.kernels[0], p.y, 700, &p.out[0]);
        CHECK(kernel_at(i)->step(other, p.y, 700, &p.out[1]) == SIGREP_OK);
        CHECK_MSG(same(p.out[0].scores, p.out[1].scores, 700), "%s", kernel_at(i)->name);
        kernel_at(i)->destroy(other);
        end(&p);
    }
}

int main(void)
{
    seed = check_seed("test_group");
    RUN(every_kernel_goes_on_from_a_column);
    RUN(every_kernel_seeks_a_cold_start);
    RUN(several_gpus_are_one);
    RUN(any_cutting_gives_the_same_bits);
    RUN(a_seam_that_does_not_hold_is_repaired);
    RUN(a_gap_at_a_border_of_pieces_is_a_cold_start);
    RUN(short_steps_of_short_plans_are_not_cut);
    return check_done();
}
