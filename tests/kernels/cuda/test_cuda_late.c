/*
 * The C side of the CUDA kernels on a made-up GPU whose copies are late
 * (tests/support/fake_cuda.h). Frames are prefetched ahead of their chunk. Memory must not be read,
 * written or given back before its copies are done.
 */
#include <limits.h>

#include "tests/check.h"
#include "tests/kernels/prefetch_help.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <cuda_runtime_api.h>

static void begin(problem *p, size_t dim)
{
    fake_cuda_begin();
    problem_begin(p, &kernel_cuda, dim);
}

static void end(problem *p)
{
    problem_end(p);
    CHECK(fake_cuda.hasty == 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
}

static void prefetches_change_no_bit(void)
{
    for (unsigned late = 0; late < 3; late++)
        for (size_t dim = 1; dim <= MOST_DIM; dim += 2) {
            if (!check_is_due_of(seed, late + dim / 2, 2)) continue;
            problem p;
            fake_cuda_usually_late = late;
            begin(&p, dim);
            prefetch_by_chance(&p, seed + late);
            end(&p);
        }
}

static void a_chunk_takes_what_was_prefetched(void)
{
    problem p;
    uint64_t random = seed;
    fake_cuda_usually_late = 1;
    begin(&p, 1);
    const size_t prefetches[] = {150000, LONG, 100, 0}, taken[] = {0, 150000, LONG, 0};
    for (int i = 0; i < 4; i++) {
        CHECK(sweep_chunk(&p, LONG, prefetches[i], &random) == SIGREP_OK &&
              outputs_agree(&p, LONG));
        CHECK(prefetched(p.kernels[1]) == taken[i]);
    }
    p.ops[1]->reset(p.kernels[1]);
    p.ops[0]->reset(p.kernels[0]);
    p.at = 0;
    CHECK(sweep_chunk(&p, 100000, 0, &random) == SIGREP_OK && outputs_agree(&p, 100000));
    CHECK(prefetched(p.kernels[1]) == 0);
    end(&p);
}

/* Regression: chunks_that_waited_for_the_next_ones_frames. The device does nothing before somebody
 * waits for it. So when a chunk is done, the prefetched frames of the next chunk are not copied. */
static void a_chunk_waits_for_no_frames_but_its_own(void)
{
    problem p;
    uint64_t random = seed;
    fake_cuda_usually_late = 1;
    begin(&p, 1);
    prefetch(&p, 0, LONG);
    prefetch(&p, LONG, LONG / 2);
    prefetch(&p, LONG, LONG);
    CHECK(sweep_chunk(&p, LONG, 0, &random) == SIGREP_OK && outputs_agree(&p, LONG));
    CHECK(prefetched(p.kernels[1]) == LONG);
    CHECK(!cudaHostUnregister(p.y) && fake_cuda.hasty == 2);
    CHECK(!cudaHostRegister(p.y, STREAM * sizeof *p.y, cudaHostRegisterPortable));
    fake_cuda.hasty = 0;
    CHECK(sweep_chunk(&p, LONG, 0, &random) == SIGREP_OK && outputs_agree(&p, LONG));
    CHECK(prefetched(p.kernels[1]) == LONG);
    end(&p);
}

/* The stream is the template, 4096 times as slow, so that the state never forgets its start. Seams
 * must be repaired, after minima were copied as if they held. */
static void repaired_seams_give_the_minima_again_by(bool scores)
{
    for (unsigned late = 0; late < 3; late++) {
        if (!check_is_due_of(seed, late + scores, 3)) continue;
        problem p;
        uint64_t random = seed;
        fake_cuda_usually_late = late;
        begin(&p, 1);
        float *all = p.out[1].scores;
        if (!scores) p.out[1].scores = NULL; /* they are waited for once more */
        for (size_t i = 0; i < STREAM; i++) p.y[i] = p.template.frames[i / 4096 % M];
        for (int i = 0; i < 2; i++) {
            CHECK(sweep_chunk(&p, LONG, LONG, &random) == SIGREP_OK);
            CHECK(scores ? outputs_agree(&p, LONG) : minima_agree(&p, LONG));
        }
        CHECK(fake_cuda.repaired > 0);
        p.out[1].scores = all;
        end(&p);
    }
}

static void repaired_seams_give_the_minima_again(void)
{
    repaired_seams_give_the_minima_again_by(true);
    repaired_seams_give_the_minima_again_by(false);
}

typedef struct {
    int launches, published, waits, fetched;
} costs;

/* The counts since the last call. */
static costs costs_now(void)
{
    const costs c = {fake_cuda.named, fake_cuda.published, fake_cuda.waits, fake_cuda.fetched};
    fake_cuda.named = fake_cuda.published = fake_cuda.waits = fake_cuda.fetched = 0;
    return c;
}

static void costs_are(int launches, int published, int waits, int fetched)
{
    const costs c = costs_now();
    CHECK_MSG(c.launches == launches && c.published == published && c.waits == waits &&
                  c.fetched == fetched,
              "%d launches, %d published, %d waits, %d fetched", c.launches, c.published, c.waits,
              c.fetched);
}

/* A chunk waits only for its publication. A second wait, or a copy from the device, takes some five
 * microseconds. Scores are copied and waited for. Minima must be prepared once. Repairs would take
 * more, so the seed is fixed to a stream without failed seams
 * (a_seam_in_one_stream_of_many). */
static void a_chunk_waits_once_and_a_reset_never(void)
{
    problem p;
    const uint64_t by_chance = seed;
    uint64_t random = seed = 1;
    fake_cuda_usually_late = 1;
    begin(&p, 1);
    float *scores = p.out[1].scores;
    fake_cuda.fails = "launch";
    fake_cuda.error = cudaErrorUnknown;
    fake_cuda.after = INT_MAX;
    p.out[1].scores = NULL;
    costs_now();
    CHECK(sweep_chunk(&p, LONG, LONG, &random) == SIGREP_OK && minima_agree(&p, LONG));
    costs_are(3, 1, 0, 0);
    CHECK(sweep_chunk(&p, LONG, LONG, &random) == SIGREP_OK && minima_agree(&p, LONG));
    costs_are(2, 1, 0, 0);
    p.out[1].scores = scores;
    CHECK(sweep_chunk(&p, LONG, LONG, &random) == SIGREP_OK && outputs_agree(&p, LONG));
    costs_are(2, 1, 1, 1);
    restart(&p);
    costs_are(1, 0, 0, 0);
    CHECK(sweep_chunk(&p, LONG, 0, &random) == SIGREP_OK && outputs_agree(&p, LONG));
    CHECK(fake_cuda.repaired == 0);
    end(&p);
    seed = by_chance;
}

/* Regression: prefetches_of_the_stream_before. */
static void a_reset_forgets_prefetches(void)
{
    for (unsigned late = 0; late < 2; late++) {
        problem p;
        uint64_t random = seed;
        fake_cuda_usually_late = late;
        begin(&p, 1);
        prefetch(&p, 0, LONG);
        restart(&p);
        CHECK(sweep_chunk(&p, LONG, 0, &random) == SIGREP_OK);
        CHECK_MSG(outputs_agree(&p, LONG), "late %u", late);
        end(&p);
    }
}

/* ---- failures ---- */

/* Any call fails once, or the device is lost with it: the bits are the same, or the sweep reports
 * it. A prefetch that failed is copied again. */
static void failed_prefetches_are_reported_or_made_good(void)
{
    int good = 0, reported = 0, failed = 1;
    for (int tried = 0; failed; tried++) {
        if (!check_is_due_of(seed, (size_t)tried, 3)) continue; /* odd, so half lose the device */
        problem p;
        uint64_t random = seed;
        fake_cuda_usually_late = 1;
        begin(&p, 1);
        fake_cuda.error = cudaErrorLaunchFailure;
        fake_cuda.after = tried / 2;
        fake_cuda.lost = tried % 2;
        sigrep_status status = SIGREP_OK;
        for (int i = 0; i < 2 && !status; i++) {
            prefetch(&p, p.at, LONG - 50000);
            prefetch(&p, p.at, LONG);
            status = sweep_chunk(&p, LONG, 0, &random);
            CHECK(status ? status == SIGREP_DEVICE_FAILED : outputs_agree(&p, LONG));
        }
        failed = fake_cuda.failed;
        good += failed && !status;
        reported += status != SIGREP_OK;
        end(&p);
    }
    CHECK(good > 0 && reported > 10);
}

/* If no event can be recorded after a copy, the prefetch waits for the copy, and does not count. */
static void a_copy_without_an_event_is_waited_for(void)
{
    problem p;
    uint64_t random = seed;
    fake_cuda_usually_late = 1;
    begin(&p, 1);
    fake_cuda.fails = "cudaEventRecord";
    fake_cuda.error = cudaErrorUnknown;
    fake_cuda.after = 1;
    prefetch(&p, 0, LONG - 50000);
    prefetch(&p, 0, LONG);
    CHECK(fake_cuda.failed == 1);
    CHECK(!cudaHostUnregister(p.y) && fake_cuda.hasty == 0);
    CHECK(!cudaHostRegister(p.y, STREAM * sizeof *p.y, cudaHostRegisterPortable));
    CHECK(sweep_chunk(&p, LONG, LONG, &random) == SIGREP_OK && outputs_agree(&p, LONG));
    CHECK(prefetched(p.kernels[1]) == LONG - 50000);
    end(&p);
}

/* Regression: window_unpinned_under_a_copy. A launch fails while frames of its chunk, and of the
 * next one, are being copied. The kernel must wait for the copies before it unpins their memory. */
static void copies_are_waited_for_before_their_memory_goes(void)
{
    problem p;
    uint64_t random = seed;
    fake_cuda_usually_late = 1;
    begin(&p, 1);
    fake_cuda.fails = "launch";
    fake_cuda.error = cudaErrorUnknown;
    CHECK(sweep_chunk(&p, LONG, LONG, &random) == SIGREP_DEVICE_FAILED && fake_cuda.failed == 1);
    end(&p); /* none was hasty */
}

/* Regression: minima_that_came_after_the_chunk. Only one wait fails. When the sweep returns, the
 * device may not write to the caller's minima any more. */
static void nothing_of_a_chunk_comes_later_if_this_fails(const char *name)
{
    enum { BLOCKS = LONG / KERNEL_BLOCK };
    int reported = 0;
    for (int at = 0; at < 6; at++) {
        problem p;
        fake_cuda_usually_late = 1;
        begin(&p, 1);
        fake_cuda.fails = name;
        fake_cuda.error = cudaErrorUnknown;
        fake_cuda.after = at;
        const sigrep_status status = p.ops[1]->sweep(p.kernels[1], p.y, LONG, &p.out[1]);
        for (size_t i = 0; i < BLOCKS; i++) p.out[1].minima[i] = -1;
        reported += status == SIGREP_DEVICE_FAILED;
        p.ops[1]->destroy(p.kernels[1]); /* does all that is still queued */
        size_t others = 0;
        for (size_t i = 0; i < BLOCKS; i++) others += !(p.out[1].minima[i] < 0);
        CHECK_MSG(others == 0, "%s %d: %zu minima came later", name, at, others);
        fake_cuda.error = cudaSuccess;
        CHECK(!p.ops[1]->create(&p.kernels[1], &p.plan));
        end(&p);
    }
    CHECK(reported >= 1);
}

static void nothing_of_a_chunk_that_failed_comes_later(void)
{
    nothing_of_a_chunk_comes_later_if_this_fails("cudaStreamSynchronize");
    nothing_of_a_chunk_comes_later_if_this_fails("cudaStreamQuery");
    nothing_of_a_chunk_comes_later_if_this_fails("launch");
}

int main(void)
{
    seed = check_seed("test_cuda_late");
    RUN(prefetches_change_no_bit);
    RUN(a_chunk_takes_what_was_prefetched);
    RUN(a_chunk_waits_for_no_frames_but_its_own);
    RUN(repaired_seams_give_the_minima_again);
    RUN(a_chunk_waits_once_and_a_reset_never);
    RUN(a_reset_forgets_prefetches);
    RUN(failed_prefetches_are_reported_or_made_good);
    RUN(a_copy_without_an_event_is_waited_for);
    RUN(copies_are_waited_for_before_their_memory_goes);
    RUN(nothing_of_a_chunk_that_failed_comes_later);
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_cuda_late", "built without CUDA");
}

#endif
