/*
 * The C side of the CUDA kernels where copies are done late (tests/support/fake_cuda.h): frames
 * that are offered ahead of their step, and what must not be read, written or given back before.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "kernels/cuda/cuda.h"
#include "kernels/group.h"
#include "tests/check.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

enum { M = 9, LONG = 200000, STREAM = 4 * LONG, MOST_DIM = 3 };

static uint64_t seed;

/* A stream, how far the scalar kernel is in it, and what is compared with that. */
typedef struct {
    kernel_template template;
    kernel_plan plan;
    float *y;
    const kernel_ops *ops[2];
    void *kernels[2];
    kernel_output out[2];
    size_t at;
    pool *hand; /* steps in another thread than offers */
} problem;

static float *floats(size_t n)
{
    float *v = malloc(n * sizeof *v);
    if (!v) abort();
    return v;
}

static float *make_noise(size_t n, uint64_t random)
{
    float *v = floats(n);
    for (size_t i = 0; i < n; i++) v[i] = (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

static void begin(problem *p, const kernel_ops *ops, size_t dim, int devices)
{
    fake_cuda_begin();
    fake_cuda.devices = devices;
    *p = (problem){.template = {make_noise(M * dim, seed), M, INFINITY, 2 * M},
                   .y = make_noise(STREAM * dim, seed + 1),
                   .ops = {kernel_choose("cpu", "scalar", NULL), ops}};
    p->plan = (kernel_plan){.templates = &p->template,
                            .n_templates = 1,
                            .dim = dim,
                            .max_step = LONG,
                            .scores = true,
                            .lends = true,
                            .each = &kernel_cuda,
                            .devices = devices};
    for (int k = 0; k < 2; k++) {
        CHECK(!p->ops[k]->create(&p->kernels[k], &p->plan));
        p->out[k] = (kernel_output){.minima = floats(kernel_max_blocks(LONG)),
                                    .minima_stride = kernel_max_blocks(LONG),
                                    .scores = floats(LONG)};
    }
    CHECK(!ops->lend(p->kernels[1], p->y, STREAM * dim));
    CHECK(!pool_create(&p->hand, 2));
}

static void end(problem *p)
{
    pool_destroy(p->hand);
    for (int k = 0; k < 2; k++) {
        p->ops[k]->destroy(p->kernels[k]);
        free(p->out[k].minima);
        free(p->out[k].scores);
    }
    CHECK(fake_cuda.hasty == 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
    free((void *)p->template.frames);
    free(p->y);
}

static void offer(problem *p, size_t at, size_t n)
{
    p->ops[1]->offer(p->kernels[1], at, p->y + at * p->plan.dim, n);
}

typedef struct {
    problem *p;
    size_t n;
    sigrep_status status;
} behind;

static void step_behind(void *user, size_t task, size_t thread)
{
    behind *b = user;
    const problem *p = b->p;
    (void)task, (void)thread;
    b->status = p->ops[1]->step(p->kernels[1], p->y + p->at * p->plan.dim, b->n, &p->out[1]);
}

/* n frames, while `next` of those that follow are offered in pieces. */
static sigrep_status step(problem *p, size_t n, size_t next, uint64_t *random)
{
    behind b = {.p = p, .n = n};
    p->ops[0]->step(p->kernels[0], p->y + p->at * p->plan.dim, n, &p->out[0]);
    pool_start(p->hand, 1, step_behind, &b);
    for (size_t had = 0; had < next;) {
        had += 1 + check_below(random, 60000);
        offer(p, p->at + n, had < next ? had : next);
    }
    pool_wait(p->hand);
    p->at += n;
    return b.status;
}

static bool outputs_agree(const problem *p, size_t n)
{
    const size_t from = p->at - n;
    const size_t blocks = (p->at - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK + 1;
    return !memcmp(p->out[0].scores, p->out[1].scores, n * sizeof(float)) &&
           !memcmp(p->out[0].minima, p->out[1].minima, blocks * sizeof(float));
}

/* ---- offers ---- */

static void restart(problem *p)
{
    for (int k = 0; k < 2; k++) p->ops[k]->reset(p->kernels[k]);
    for (size_t i = 0; i < STREAM * p->plan.dim; i++) p->y[i] = 1 - p->y[i];
    p->at = 0;
}

/* Long and short steps; of what follows, nothing is offered, or some of it, or more than is asked
 * for then, or what lies elsewhere; and now and then another stream begins. */
static void offer_by_chance(problem *p, uint64_t random)
{
    for (int turn = 0; turn < 6; turn++) {
        if (p->at + 2 * LONG > STREAM || check_below(&random, 6) == 0) restart(p);
        const size_t lengths[] = {LONG, LONG, 90000 + check_below(&random, 100000),
                                  1 + check_below(&random, 70000)};
        const size_t n = lengths[check_below(&random, 4)];
        const size_t offers[] = {LONG, LONG, check_below(&random, LONG), 0};
        if (check_below(&random, 3) == 0) offer(p, p->at + 5000, 150000);
        CHECK(step(p, n, offers[check_below(&random, 4)], &random) == SIGREP_OK);
        CHECK_MSG(outputs_agree(p, n), "%s, turn %d: %zu frames", p->ops[1]->name, turn, n);
    }
}

static void offers_change_no_bit(void)
{
    for (unsigned late = 0; late < 3; late++)
        for (size_t dim = 1; dim <= MOST_DIM; dim += 2) {
            problem p;
            fake_cuda_usually_late = late;
            begin(&p, &kernel_cuda, dim, 1);
            offer_by_chance(&p, seed + late);
            end(&p);
        }
}

static void offers_to_a_group_change_no_bit(void)
{
    for (unsigned late = 0; late < 3; late++) {
        problem p;
        fake_cuda_usually_late = late;
        begin(&p, &kernel_group, 1, 1 + (int)late);
        offer_by_chance(&p, seed + late);
        end(&p);
    }
}

static void a_step_takes_what_was_offered(void)
{
    problem p;
    uint64_t random = seed;
    fake_cuda_usually_late = 1;
    begin(&p, &kernel_cuda, 1, 1);
    const size_t offers[] = {150000, LONG, 100, 0}, taken[] = {0, 150000, LONG, 0};
    for (int i = 0; i < 4; i++) {
        CHECK(step(&p, LONG, offers[i], &random) == SIGREP_OK && outputs_agree(&p, LONG));
        CHECK(cuda_timed(p.kernels[1]).offered == taken[i]);
    }
    p.ops[1]->reset(p.kernels[1]);
    p.ops[0]->reset(p.kernels[0]);
    p.at = 0;
    CHECK(step(&p, 100000, 0, &random) == SIGREP_OK && outputs_agree(&p, 100000));
    CHECK(cuda_timed(p.kernels[1]).offered == 0);
    end(&p);
}

/* Copies that the members of a group make in a step: one less each, where all was offered. */
static void members_of_a_group_take_what_was_offered(void)
{
    problem p;
    uint64_t random = seed;
    int copies[2];
    fake_cuda_usually_late = 1;
    begin(&p, &kernel_group, 1, 2);
    fake_cuda.fails = "cudaMemcpyAsync";
    fake_cuda.error = cudaErrorUnknown;
    fake_cuda.after = INT_MAX;
    for (int i = 0; i < 2; i++) {
        CHECK(step(&p, LONG, i ? 0 : LONG, &random) == SIGREP_OK && outputs_agree(&p, LONG));
        const int before = fake_cuda.named;
        CHECK(step(&p, LONG, 0, &random) == SIGREP_OK && outputs_agree(&p, LONG));
        copies[i] = fake_cuda.named - before;
    }
    CHECK(copies[0] == copies[1] - 2);
    end(&p);
}

/* Regression: offers_of_the_stream_before. A group's second member is not sought at a reset. */
static void a_reset_forgets_offers(void)
{
    for (int i = 0; i < 4; i++) {
        const int group = i / 2;
        problem p;
        uint64_t random = seed;
        fake_cuda_usually_late = (unsigned)(i % 2);
        begin(&p, group ? &kernel_group : &kernel_cuda, 1, 1 + group);
        offer(&p, 0, LONG);
        restart(&p);
        CHECK(step(&p, LONG, 0, &random) == SIGREP_OK);
        CHECK_MSG(outputs_agree(&p, LONG), "%s, late %d", p.ops[1]->name, i % 2);
        end(&p);
    }
}

/* ---- failures ---- */

/* Any call fails once, or with it the device is lost: the same bits, or it is told. A copy that was
 * only offered is done again. */
static void failures_of_offers_are_told_or_made_good(void)
{
    int good = 0, told = 0, failed = 1;
    for (int tried = 0; failed; tried++) {
        problem p;
        uint64_t random = seed;
        fake_cuda_usually_late = 1;
        begin(&p, &kernel_cuda, 1, 1);
        fake_cuda.error = cudaErrorLaunchFailure;
        fake_cuda.after = tried / 2;
        fake_cuda.lost = tried % 2;
        sigrep_status status = SIGREP_OK;
        for (int i = 0; i < 2 && !status; i++) {
            offer(&p, p.at, LONG - 50000);
            offer(&p, p.at, LONG);
            status = step(&p, LONG, 0, &random);
            CHECK(status ? status == SIGREP_DEVICE_FAILED : outputs_agree(&p, LONG));
        }
        failed = fake_cuda.failed;
        good += failed && !status;
        told += status != SIGREP_OK;
        end(&p);
    }
    CHECK(good > 0 && told > 10);
}

/* Regression: window_unpinned_under_a_copy. A launch fails while the frames of its step, and those
 * of the next one, are being fetched: they are waited for before their memory is given back. */
static void copies_are_waited_for_before_their_memory_goes(void)
{
    problem p;
    uint64_t random = seed;
    fake_cuda_usually_late = 1;
    begin(&p, &kernel_cuda, 1, 1);
    fake_cuda.fails = "launch";
    fake_cuda.error = cudaErrorUnknown;
    CHECK(step(&p, LONG, LONG, &random) == SIGREP_DEVICE_FAILED && fake_cuda.failed == 1);
    end(&p); /* none was hasty */
}

int main(void)
{
    seed = check_seed("test_cuda_late");
    RUN(offers_change_no_bit);
    RUN(offers_to_a_group_change_no_bit);
    RUN(a_step_takes_what_was_offered);
    RUN(members_of_a_group_take_what_was_offered);
    RUN(a_reset_forgets_offers);
    RUN(failures_of_offers_are_told_or_made_good);
    RUN(copies_are_waited_for_before_their_memory_goes);
    return check_done();
}

#else

int main(void)
{
    printf("SKIP test_cuda_late: built without CUDA\n");
    return 0;
}

#endif
