/*
 * kernels/multi_device.c: several kernels as one, bit for bit as "scalar" and with every checkpoint
 * that kernel.h promises, however the stream is cut into chunks. CPU kernels stand for the devices.
 * And kernel_ops.seek of every kernel, which a multi-device kernel needs.
 */
#include "tests/kernels/multi_device_help.h"

static void any_cutting_gives_the_same_bits(void)
{
    static const size_t cuttings[][4] = {
        {400000, 400000, 400000, 400000}, {140000, 1, 399999, 64}, {70000, 131072, 200001, 63}};
    for (int devices = 2; devices <= 4; devices++)
        for (size_t i = 0; i < sizeof cuttings / sizeof *cuttings; i++) {
            problem p;
            begin(&p, (size_t[]){5, 33, 16}, 1 + i, 400000, devices, false);
            CHECK_MSG(sweep(&p, cuttings[i], 4), "%d devices, cutting %zu", devices, i);
            CHECK(multi_device_repairs(p.kernels[1]) == 0);
            p.ops[0]->reset(p.kernels[0]);
            p.ops[1]->reset(p.kernels[1]);
            CHECK(sweep(&p, cuttings[i], 1));
            end(&p);
        }
}

static void a_seam_that_does_not_hold_is_repaired(void)
{
    problem p;
    begin(&p, (size_t[]){60}, 1, 400000, 3, true);
    make_slow(&p, 60);
    CHECK(sweep(&p, (size_t[]){400000}, 1));
    CHECK(multi_device_repairs(p.kernels[1]) > 0);
    end(&p);
}

static void a_gap_at_a_border_of_shares_is_a_cold_start(void)
{
    problem p;
    begin(&p, (size_t[]){20}, 1, 400000, 2, false);
    for (size_t t = 198000; t < 202000; t += 500) p.y[t] = INFINITY;
    CHECK(sweep(&p, (size_t[]){400000}, 1));
    end(&p);
}

static void short_chunks_of_short_plans_are_not_cut(void)
{
    problem p;
    begin(&p, (size_t[]){7}, 1, 100, 2, false);
    CHECK(sweep(&p, (size_t[]){100, 1, 37}, 3));
    end(&p);
}

/* The same on GPUs, if there are several. */
static void several_gpus_are_one(void)
{
    const int all = cuda_count() < 4 ? cuda_count() : 4;
    if (all < 2) {
        printf("SKIP several_gpus_are_one: %d GPUs\n", all);
        return;
    }
    member_ops = &kernel_cuda;
    problem p;
    begin(&p, (size_t[]){100, 33, 16}, 3, 400000, all, false);
    CHECK(sweep(&p, (size_t[]){400000, 140000, 63}, 3));
    CHECK(multi_device_repairs(p.kernels[1]) == 0);
    end(&p);
    begin(&p, (size_t[]){60}, 1, 400000, all, true);
    make_slow(&p, 60);
    p.n = (size_t)all * 70000; /* GPUs repair their own seams slowly there */
    CHECK(sweep(&p, (size_t[]){400000}, 1));
    CHECK(multi_device_repairs(p.kernels[1]) > 0);
    end(&p);
    member_ops = NULL;
}

/* From the reference's checkpoints at a position, every kernel goes on as the reference does. */
static void every_kernel_goes_on_from_checkpoints(void)
{
    enum { AT = 4096, REST = 1000, MANY = 2 };
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        problem p;
        begin(&p, (size_t[]){100, 33}, MANY, 5000, 2, false);
        const kernel_ops *ops = kernel_at(i);
        void *other;
        float columns[133], stored[133];
        CHECK(ops->create(&other, &p.plan) == SIGREP_OK);
        CHECK(p.ops[0]->sweep(p.kernels[0], p.y, AT, &p.out[0]) == SIGREP_OK);
        CHECK(p.ops[0]->checkpoint(p.kernels[0], 0, AT, columns) == SIGREP_OK);
        CHECK(p.ops[0]->checkpoint(p.kernels[0], 1, AT, columns + 100) == SIGREP_OK);
        CHECK(ops->sweep(other, p.y + 1000, 3000, &p.out[1]) == SIGREP_OK); /* elsewhere */
        CHECK(ops->seek(other, AT, columns) == SIGREP_OK);
        CHECK(ops->checkpoint(other, 1, AT, stored) == SIGREP_OK);
        CHECK(same(stored, columns + 100, 33));
        p.ops[0]->sweep(p.kernels[0], p.y + AT, REST, &p.out[0]);
        CHECK(ops->sweep(other, p.y + AT, REST, &p.out[1]) == SIGREP_OK);
        for (size_t j = 0; j < MANY; j++)
            CHECK_MSG(same(p.out[0].scores + j * 5000, p.out[1].scores + j * 5000, REST), "%s",
                      ops->name);
        ops->destroy(other);
        end(&p);
    }
}

/* Without checkpoints, seek is a cold start. */
static void every_kernel_seeks_a_cold_start(void)
{
    for (size_t i = 0; kernel_at(i); i++) {
        if (!kernel_at(i)->usable()) continue;
        problem p;
        begin(&p, (size_t[]){50}, 1, 5000, 2, false);
        void *other;
        CHECK(kernel_at(i)->create(&other, &p.plan) == SIGREP_OK);
        CHECK(kernel_at(i)->sweep(other, p.y + 1000, 3000, &p.out[1]) == SIGREP_OK);
        CHECK(kernel_at(i)->seek(other, 8192, NULL) == SIGREP_OK);
        p.ops[0]->sweep(p.kernels[0], p.y, 700, &p.out[0]);
        CHECK(kernel_at(i)->sweep(other, p.y, 700, &p.out[1]) == SIGREP_OK);
        CHECK_MSG(same(p.out[0].scores, p.out[1].scores, 700), "%s", kernel_at(i)->name);
        kernel_at(i)->destroy(other);
        end(&p);
    }
}

int main(void)
{
    seed = check_seed("test_multi_device");
    RUN(every_kernel_goes_on_from_checkpoints);
    RUN(every_kernel_seeks_a_cold_start);
    RUN(several_gpus_are_one);
    RUN(any_cutting_gives_the_same_bits);
    RUN(a_seam_that_does_not_hold_is_repaired);
    RUN(a_gap_at_a_border_of_shares_is_a_cold_start);
    RUN(short_chunks_of_short_plans_are_not_cut);
    return check_done();
}
