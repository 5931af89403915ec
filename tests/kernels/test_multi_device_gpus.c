/*
 * kernels/multi_device.c over made-up GPUs (tests/support/fake_cuda.h), which write the minima of
 * their shares straight to the caller's memory. They give the bits of the scalar kernel, early and
 * late. After a chunk has failed, nothing more is written.
 */
#include "tests/kernels/multi_device_help.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

static void start(problem *p, const size_t *lengths, size_t n, size_t max_chunk, int devices,
                  unsigned late)
{
    fake_cuda_begin_as(late, devices);
    member_ops = &kernel_cuda;
    begin(p, lengths, n, max_chunk, devices, false);
}

static void stop(problem *p)
{
    end(p);
    CHECK(fake_cuda.hasty == 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
}

static void any_cutting_gives_the_same_bits(void)
{
    static const size_t cuttings[][3] = {{400000, 50000, 400000}, {140000, 1, 305000}};
    for (unsigned late = 0; late < 3; late++)
        for (int i = 0; i < 2; i++) {
            problem p;
            pins = i != (int)late; /* else by way of the devices' own pinned memory */
            start(&p, (size_t[]){5, 33, 16}, 2 + (size_t)i, 400000, 2 + i, late);
            CHECK_MSG(sweep(&p, cuttings[i], 3), "late %u, cutting %d", late, i);
            CHECK(multi_device_repairs(p.kernels[1]) == 0);
            stop(&p);
        }
}

/* Seams of shares, and of the segments within. */
static void seams_that_do_not_hold_are_repaired(void)
{
    for (unsigned late = 0; late < 3; late++) {
        problem p;
        pins = true;
        start(&p, (size_t[]){60}, 1, 400000, 2, late);
        make_slow(&p, 60);
        p.n = 2 * 70000;
        CHECK(sweep(&p, (size_t[]){400000}, 1));
        CHECK(multi_device_repairs(p.kernels[1]) > 0 && fake_cuda.repaired > 0);
        stop(&p);
    }
}

/* Regression: minima_that_came_after_the_chunk. Only one wait fails. When the sweep returns, no
 * device may write to the caller's minima any more. */
static void nothing_of_a_chunk_comes_later_if_this_fails(const char *name)
{
    enum { CHUNK = 200000, BLOCKS = CHUNK / KERNEL_BLOCK };
    int reported = 0;
    for (int at = 0; at < 6; at++) {
        problem p;
        pins = true;
        start(&p, (size_t[]){9}, 1, CHUNK, 2, 1);
        fake_cuda.fails = name;
        fake_cuda.error = cudaErrorUnknown;
        fake_cuda.after = at;
        const sigrep_status status = p.ops[1]->sweep(p.kernels[1], p.y, CHUNK, &p.out[1]);
        for (size_t i = 0; i < BLOCKS; i++) p.out[1].minima[i] = -1;
        reported += status == SIGREP_DEVICE_FAILED;
        p.ops[1]->destroy(p.kernels[1]); /* does all that is still queued */
        size_t others = 0;
        for (size_t i = 0; i < BLOCKS; i++) others += !(p.out[1].minima[i] < 0);
        CHECK_MSG(others == 0, "%s %d: %zu minima came later", name, at, others);
        CHECK(!p.ops[1]->create(&p.kernels[1], &p.plan));
        stop(&p);
    }
    CHECK(reported >= 2);
}

static void nothing_of_a_chunk_that_failed_comes_later(void)
{
    nothing_of_a_chunk_comes_later_if_this_fails("cudaStreamSynchronize");
    nothing_of_a_chunk_comes_later_if_this_fails("cudaStreamQuery");
    nothing_of_a_chunk_comes_later_if_this_fails("launch");
}

int main(void)
{
    seed = check_seed("test_multi_device_gpus");
    RUN(any_cutting_gives_the_same_bits);
    RUN(seams_that_do_not_hold_are_repaired);
    RUN(nothing_of_a_chunk_that_failed_comes_later);
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_multi_device_gpus", "built without CUDA");
}

#endif
