/*
 * How a chunk's minima come back from a made-up GPU (tests/support/fake_cuda.h). They are published
 * with the counters if all seams hold, and copied if some do not. The chunk after one that failed
 * must be right, too.
 */
#include <math.h>
#include <string.h>

#include "dev/bench/gpu_timing.h"
#include "kernels/cuda/host/cuda.h"
#include "kernels/pinnable.h"
#include "tests/check.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

enum { TEMPLATES = 3, CHUNK = 1500, CHUNKS = 8, N = CHUNKS * CHUNK };

static const size_t lengths[TEMPLATES] = {64, 9, 200};
static uint64_t seed;

/* The stream is noise. Only its third and fourth chunk are the first template, 32 times as slow, so
 * that warm-ups are too short. */
typedef struct {
    kernel_template templates[TEMPLATES];
    kernel_plan plan;
    float *y;
    const kernel_ops *ops[2];
    void *kernels[2];
    kernel_output out[2];
} problem;

static float *make_noise(size_t n, uint64_t random)
{
    float *v = pinnable_allocate(n);
    for (size_t i = 0; i < n; i++) v[i] = (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

static void begin(problem *p, size_t n_templates)
{
    *p = (problem){.y = make_noise(N, seed),
                   .ops = {kernel_choose("cpu", "scalar", NULL), &kernel_cuda}};
    for (size_t j = 0; j < n_templates; j++)
        p->templates[j] = (kernel_template){make_noise(lengths[j], seed + 1 + j), lengths[j],
                                            INFINITY, 2 * lengths[j]};
    for (size_t t = (size_t)2 * CHUNK; t < (size_t)4 * CHUNK; t++)
        p->y[t] = p->templates[0].frames[t / 32 % lengths[0]];
    p->plan = (kernel_plan){.templates = p->templates,
                            .n_templates = n_templates,
                            .dim = 1,
                            .max_chunk = CHUNK,
                            .pins = true};
    const size_t stride = kernel_max_blocks(CHUNK);
    for (int k = 0; k < 2; k++) {
        CHECK(!p->ops[k]->create(&p->kernels[k], &p->plan));
        p->out[k] = (kernel_output){.minima = pinnable_allocate(n_templates * stride),
                                    .minima_stride = stride};
    }
}

static void end(problem *p)
{
    for (int k = 0; k < 2; k++) {
        p->ops[k]->destroy(p->kernels[k]);
        free(p->out[k].minima);
    }
    for (size_t j = 0; j < p->plan.n_templates; j++) free((void *)p->templates[j].frames);
    free(p->y);
    CHECK(fake_cuda.hasty == 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
    CHECK(fake_cuda.stale == 0);
}

static void pin_minima(problem *p)
{
    const size_t n = p->plan.n_templates * p->out[1].minima_stride;
    CHECK(!p->ops[1]->prefetch->pin(p->kernels[1], p->out[1].minima, n));
}

static sigrep_status sweep_chunk(problem *p, size_t i)
{
    p->ops[0]->sweep(p->kernels[0], p->y + i * CHUNK, CHUNK, &p->out[0]);
    const size_t all = p->plan.n_templates * p->out[1].minima_stride;
    for (size_t at = 0; at < all; at++) p->out[1].minima[at] = -1;
    return p->ops[1]->sweep(p->kernels[1], p->y + i * CHUNK, CHUNK, &p->out[1]);
}

static bool minima_agree(const problem *p, size_t i)
{
    const size_t from = i * CHUNK, to = from + CHUNK;
    const size_t blocks = (to - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK + 1;
    bool good = true;
    for (size_t j = 0; j < p->plan.n_templates; j++) {
        const size_t at = j * p->out[0].minima_stride;
        good = good && !memcmp(p->out[0].minima + at, p->out[1].minima + at,
                               blocks * sizeof *p->out[0].minima);
    }
    return good;
}

static void all_chunks_agree(problem *p, const char *what)
{
    for (size_t i = 0; i < CHUNKS; i++)
        CHECK_MSG(!sweep_chunk(p, i) && minima_agree(p, i), "%s, chunk %zu", what, i);
}

/* Two chunks are repaired, and others before and after them are not. */
static void repaired_or_not_all_minima_are_right(void)
{
    for (unsigned late = 0; late < 3; late++)
        for (size_t n = 1; n <= TEMPLATES; n++) {
            problem p;
            fake_cuda_begin_as(late, 1);
            begin(&p, n);
            if ((late + n) % 2) pin_minima(&p);
            all_chunks_agree(&p, "repaired");
            CHECK(fake_cuda.repaired > 0);
            end(&p);
        }
}

/* If the device has no address for pinned memory, minima are copied instead. */
static void pinned_memory_without_an_address_is_not_written(void)
{
    problem p;
    fake_cuda_begin_as(1, 1);
    begin(&p, TEMPLATES);
    fake_cuda.fails = "cudaHostGetDevicePointer";
    fake_cuda.error = cudaErrorInvalidValue;
    pin_minima(&p);
    CHECK(fake_cuda.failed == 1);
    all_chunks_agree(&p, "no address");
    end(&p);
}

/* dev/bench/gpu_timing.c: the sweeps of a timed chunk are repeated from the same state, and leave
 * what one sweep leaves. */
static void timed_chunks_give_the_same_minima(void)
{
    for (unsigned late = 0; late < 3; late++) {
        problem p;
        fake_cuda_begin_as(late, 1);
        begin(&p, late ? TEMPLATES : 1);
        pin_minima(&p);
        for (size_t i = 0; i < CHUNKS; i++) {
            const int before = fake_cuda.published, times = (int)((seed + i) % 4);
            CHECK_MSG(!sweep_chunk(&p, i) && minima_agree(&p, i), "chunk %zu, %d times", i, times);
            CHECK(!times || gpu_sweeps_s(p.kernels[1], CHUNK, times) > 0);
            CHECK(fake_cuda.published - before >= times);
        }
        end(&p);
    }
}

/* A call of a chunk fails once: the sweep reports it, and the stream can be searched anew. Returns
 * whether a call failed. */
static bool failure_is_made_good(size_t at, const char *name, int after)
{
    problem p;
    fake_cuda_begin_as(1 + (unsigned)after % 3, 1);
    begin(&p, TEMPLATES);
    pin_minima(&p);
    for (size_t i = 0; i < at; i++) CHECK(!sweep_chunk(&p, i) && minima_agree(&p, i));
    fake_cuda.fails = name;
    fake_cuda.error = cudaErrorLaunchFailure;
    fake_cuda.after = fake_cuda.named + after;
    const sigrep_status status = sweep_chunk(&p, at);
    const bool failed = fake_cuda.failed > 0;
    CHECK(status == (failed ? SIGREP_DEVICE_FAILED : SIGREP_OK));
    CHECK(failed || minima_agree(&p, at));
    fake_cuda.error = cudaSuccess;
    for (int k = 0; k < 2; k++) p.ops[k]->reset(p.kernels[k]);
    all_chunks_agree(&p, name);
    end(&p);
    return failed;
}

/* The second chunk, in which all seams hold, and the third one. */
static void after_a_chunk_that_failed_minima_are_right(void)
{
    static const char *const names[] = {"launch", "cudaStreamQuery", "cudaMemcpyAsync"};
    for (size_t at = 1; at <= 2; at++)
        for (int i = 0; i < 3; i++) {
            int failed = 0;
            while (failure_is_made_good(at, names[i], failed)) failed++;
            CHECK_MSG(failed > (i == 0), "%s: %d", names[i], failed);
        }
}

/* The stream is done and nothing was published: the sweep must return an error, not wait. */
static void a_publication_that_does_not_come_is_reported(void)
{
    for (unsigned late = 0; late < 2; late++) {
        problem p;
        fake_cuda_begin_as(late, 1);
        begin(&p, 1);
        fake_cuda.mute = true;
        CHECK(sweep_chunk(&p, 0) == SIGREP_DEVICE_FAILED);
        fake_cuda.mute = false;
        for (int k = 0; k < 2; k++) p.ops[k]->reset(p.kernels[k]);
        all_chunks_agree(&p, "mute");
        end(&p);
    }
}

int main(void)
{
    seed = check_seed("test_publish");
    RUN(repaired_or_not_all_minima_are_right);
    RUN(pinned_memory_without_an_address_is_not_written);
    RUN(timed_chunks_give_the_same_minima);
    RUN(after_a_chunk_that_failed_minima_are_right);
    RUN(a_publication_that_does_not_come_is_reported);
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_publish", "built without CUDA");
}

#endif
