/* Time units of the machines, counted by hand. */
#include <math.h>

#include "check.h"
#include "papers/machine/machine.h"

static machine *create_watched(size_t width, size_t latency, size_t threads, bool watched)
{
    const machine_shape shape = {.width = width,
                                 .dmms = 1,
                                 .latency = {latency, latency},
                                 .words = {64, 64},
                                 .blocks = 1,
                                 .threads = threads,
                                 .resident = 1,
                                 .watched = watched};
    machine *self = machine_create(&shape);
    if (!self) exit(2);
    return self;
}

static machine *create(size_t width, size_t latency, size_t threads)
{
    return create_watched(width, latency, threads, false);
}

/* Run it, and destroy it. */
static machine_count count_of(machine *self)
{
    CHECK(machine_run(self));
    const machine_count count = machine_counts(self);
    machine_destroy(self);
    return count;
}

static machine_count count_reads(machine_memory where, size_t width, size_t latency, size_t n,
                                 const size_t *at)
{
    double values[64];
    machine *self = create(width, latency, n);
    machine_read(self, 0, where, n, at, values);
    return count_of(self);
}

/* Nakano, figure 2: w = 4. B[j] holds words j, 4 + j, 8 + j, 12 + j; A[j] holds 4j to 4j + 3. */
static void figure_2_of_nakano(void)
{
    const size_t bank_2[] = {2, 6, 10, 14}, group_2[] = {8, 9, 10, 11}, corner[] = {0, 5, 10, 15};
    CHECK(machine_stages(MACHINE_SHARED, 4, 4, bank_2) == 4);
    CHECK(machine_stages(MACHINE_GLOBAL, 4, 4, bank_2) == 4);
    CHECK(machine_stages(MACHINE_SHARED, 4, 4, group_2) == 1);
    CHECK(machine_stages(MACHINE_GLOBAL, 4, 4, group_2) == 1);
    CHECK(machine_stages(MACHINE_SHARED, 4, 4, corner) == 1);
    CHECK(machine_stages(MACHINE_GLOBAL, 4, 4, corner) == 4);
}

/* Man, Nakano, Ito, figure 2: w = 4, l = 5. W(0): words 7, 5, 15, 0, and W(1): 10, 11, 12, 9. DMM:
 * 7 and 15 are in B(3), so 2 + 1 stages, and 3 + 5 - 1 = 7. UMM: A(1), A(3), A(0), then A(2), A(3),
 * so 3 + 2 stages, and 5 + 5 - 1 = 9. */
static void figure_2_of_man_nakano_ito(void)
{
    const size_t at[] = {7, 5, 15, 0, 10, 11, 12, 9};
    const machine_count dmm = count_reads(MACHINE_SHARED, 4, 5, 8, at);
    const machine_count umm = count_reads(MACHINE_GLOBAL, 4, 5, 8, at);
    CHECK(dmm.units == 7 && dmm.rounds == 7);
    CHECK(dmm.traffic[MACHINE_SHARED].stages == 3 && dmm.traffic[MACHINE_SHARED].warps == 2);
    CHECK(umm.units == 9 && umm.rounds == 9);
    CHECK(umm.traffic[MACHINE_GLOBAL].stages == 5 && umm.traffic[MACHINE_GLOBAL].warps == 2);
}

/* Section 2: k words of one bank take k + l - 1 units; one word for all takes l. */
static void one_bank_and_one_word(void)
{
    const size_t bank[] = {1, 5, 9, 13}, word[] = {9, 9, 9, 9}, two[] = {9, 1, 9, 1};
    CHECK(count_reads(MACHINE_SHARED, 4, 7, 4, bank).units == 4 + 7 - 1);
    CHECK(count_reads(MACHINE_SHARED, 4, 7, 4, word).units == 7);
    CHECK(count_reads(MACHINE_SHARED, 4, 7, 4, two).units == 2 + 7 - 1);
    CHECK(count_reads(MACHINE_GLOBAL, 4, 7, 4, word).units == 7);
}

static void a_warp_without_requests_is_passed_over(void)
{
    const size_t at[] = {MACHINE_IDLE, MACHINE_IDLE, 1, MACHINE_IDLE},
                 none[] = {MACHINE_IDLE, MACHINE_IDLE, MACHINE_IDLE, MACHINE_IDLE};
    const machine_count one = count_reads(MACHINE_SHARED, 2, 5, 4, at);
    CHECK(one.units == 5 && one.rounds == 5 && one.traffic[MACHINE_SHARED].warps == 1);
    const machine_count zero = count_reads(MACHINE_SHARED, 2, 5, 4, none);
    CHECK(zero.units == 0 && zero.rounds == 0);
}

/* Two reads each by W(0) and W(1), l = 5. W(0) sends at 0 and 5, W(1) at 1 and 6, which is
 * completed after 11. If all wait after each round: 2 (2 + 5 - 1) = 12. */
static void warps_run_on_to_a_barrier(void)
{
    const size_t at[] = {0, 1, 2, 3};
    double values[4];
    machine *free_run = create(2, 5, 4), *waiting = create(2, 5, 4);
    for (int i = 0; i < 2; i++) {
        machine_read(free_run, 0, MACHINE_SHARED, 4, at, values);
        machine_read(waiting, 0, MACHINE_SHARED, 4, at, values);
        machine_wait(waiting, 0);
    }
    const machine_count a = count_of(free_run), b = count_of(waiting);
    CHECK(a.units == 11 && a.rounds == 12);
    CHECK(b.units == 12 && b.rounds == 12);
}

/* Three warps, l = 2, two reads each. Warps 0, 1, 2 at 0, 1, 2. At 3 all are ready but 2, and it is
 * the turn of 0: at 3, 4, 5, completed after 7. No unit is lost, so it is 6 + 2 - 1. */
static void many_warps_hide_latency(void)
{
    const size_t at[] = {0, 1, 2};
    double values[3];
    machine *self = create(1, 2, 3);
    for (int i = 0; i < 2; i++) machine_read(self, 0, MACHINE_GLOBAL, 3, at, values);
    const machine_count count = count_of(self);
    CHECK(count.units == 7 && count.rounds == 8);
}

/* Two DMMs with two blocks each of one warp of 2; l = 3, L = 10. All four blocks read a global word
 * each: sent at 0, 1, 2, 3, completed after 10, 11, 12, 13. Then each reads a shared word: DMM 0
 * (blocks 0 and 2) at 10 and 12, DMM 1 at 11 and 13: the last is completed after 13 + 3 = 16. In
 * rounds: (4 + 10 - 1) + (2 + 3 - 1) = 17. */
static void an_hmm_has_an_mmu_for_each_memory(void)
{
    const machine_shape shape = {.width = 2,
                                 .dmms = 2,
                                 .latency = {3, 10},
                                 .words = {8, 8},
                                 .blocks = 4,
                                 .threads = 2,
                                 .resident = 2};
    machine *self = machine_create(&shape);
    if (!self) exit(2);
    for (size_t b = 0; b < 4; b++) {
        machine_read_one(self, b, MACHINE_GLOBAL, b);
        machine_read_one(self, b, MACHINE_SHARED, 0);
    }
    const machine_count count = count_of(self);
    CHECK(count.units == 16);
    CHECK(count.rounds == 17);
}

/* One DMM that holds one of three blocks at once, l = 4: one read each, one after the other. */
static void a_block_waits_until_one_ends(void)
{
    machine_shape shape = {.width = 2,
                           .dmms = 1,
                           .latency = {4, 4},
                           .words = {8, 8},
                           .blocks = 3,
                           .threads = 2,
                           .resident = 1};
    for (size_t resident = 1; resident <= 3; resident += 2) {
        shape.resident = resident;
        machine *self = machine_create(&shape);
        if (!self) exit(2);
        for (size_t b = 0; b < 3; b++) machine_read_one(self, b, MACHINE_SHARED, 0);
        const machine_count count = count_of(self);
        CHECK(count.units == (resident == 1 ? 3 * 4 : 3 + 4 - 1));
        CHECK(count.rounds == count.units);
    }
}

static void values_move_and_cells_begin_empty(void)
{
    const size_t at[] = {3, 4, 3};
    const double values[] = {1, 2, 5};
    double back[3] = {7, 7, 7};
    machine *self = create(4, 2, 3);
    CHECK(isnan(machine_read_one(self, 0, MACHINE_SHARED, 3)));
    machine_write(self, 0, MACHINE_SHARED, 3, at, values);
    machine_wait(self, 0);
    machine_read(self, 0, MACHINE_SHARED, 2, at, back);
    CHECK(back[0] == 5 && back[1] == 2 && back[2] == 7);
    CHECK(isnan(machine_read_one(self, 0, MACHINE_GLOBAL, 3)));
    machine_destroy(self);
}

/* Two warps of one thread each: W(0) writes word 0, W(1) reads it. */
static void a_race_is_a_hazard(void)
{
    const size_t first[] = {0, MACHINE_IDLE}, second[] = {MACHINE_IDLE, 0}, both[] = {0, 0};
    const double same[] = {1, 1}, differ[] = {1, 2};
    double values[2];
    for (int waits = 0; waits < 2; waits++) {
        machine *self = create_watched(1, 5, 2, true);
        machine_write(self, 0, MACHINE_SHARED, 2, first, same);
        if (waits) machine_wait(self, 0);
        machine_read(self, 0, MACHINE_SHARED, 2, second, values);
        CHECK(machine_counts(self).hazards == (waits ? 0 : 1));
        machine_read(self, 0, MACHINE_SHARED, 2, first, values);
        if (waits) machine_wait(self, 0);
        machine_write(self, 0, MACHINE_SHARED, 2, first, same);
        CHECK(machine_counts(self).hazards == (waits ? 0 : 2));
        CHECK(machine_run(self));
        machine_write(self, 0, MACHINE_SHARED, 2, both, same);
        CHECK(machine_counts(self).hazards == (waits ? 0 : 2));
        machine_wait(self, 0);
        machine_write(self, 0, MACHINE_SHARED, 2, both, differ);
        CHECK(machine_counts(self).hazards == (waits ? 1 : 3));
        machine_destroy(self);
    }
}

/* A warp waits for itself alone. */
static void one_warp_is_no_hazard(void)
{
    const size_t at[] = {0, 1}, other[] = {1, 0};
    const double from[] = {1, 2};
    double values[2];
    machine *self = create_watched(2, 5, 2, true);
    machine_write(self, 0, MACHINE_SHARED, 2, at, from);
    machine_read(self, 0, MACHINE_SHARED, 2, other, values);
    CHECK(values[0] == 2 && machine_counts(self).hazards == 0);
    machine_destroy(self);
}

/* Blocks meet in global memory alone, and only after a run. */
static void blocks_are_apart_until_a_run(void)
{
    const machine_shape shape = {.width = 1,
                                 .dmms = 1,
                                 .latency = {2, 2},
                                 .words = {4, 4},
                                 .blocks = 2,
                                 .threads = 1,
                                 .resident = 2,
                                 .watched = true};
    machine *self = machine_create(&shape);
    if (!self) exit(2);
    machine_write_one(self, 0, MACHINE_SHARED, 0, 1);
    machine_read_one(self, 1, MACHINE_SHARED, 0);
    CHECK(machine_counts(self).hazards == 0);
    machine_write_one(self, 0, MACHINE_GLOBAL, 0, 1);
    machine_wait(self, 0);
    machine_wait(self, 1);
    machine_read_one(self, 1, MACHINE_GLOBAL, 0);
    CHECK(machine_counts(self).hazards == 1);
    CHECK(machine_run(self));
    machine_read_one(self, 1, MACHINE_GLOBAL, 0);
    CHECK(machine_counts(self).hazards == 1);
    machine_read_one(self, 0, MACHINE_GLOBAL, 0);
    machine_write_one(self, 0, MACHINE_GLOBAL, 0, 3);
    CHECK(machine_counts(self).hazards == 2);
    machine_destroy(self);
}

/* More accesses than threads: rounds of the threads, and time units are those of all runs. */
static void rounds_and_runs_add_up(void)
{
    const size_t at[] = {0, 1, 2, 3, 4};
    double values[5];
    machine *self = create(2, 6, 2);
    machine_read(self, 0, MACHINE_SHARED, 5, at, values);
    CHECK(machine_run(self) && machine_counts(self).rounds == 3 * 6);
    machine_read(self, 0, MACHINE_SHARED, 1, at, values);
    CHECK(count_of(self).units == 4 * 6);
}

int main(void)
{
    RUN(figure_2_of_nakano);
    RUN(figure_2_of_man_nakano_ito);
    RUN(one_bank_and_one_word);
    RUN(a_warp_without_requests_is_passed_over);
    RUN(warps_run_on_to_a_barrier);
    RUN(many_warps_hide_latency);
    RUN(an_hmm_has_an_mmu_for_each_memory);
    RUN(a_block_waits_until_one_ends);
    RUN(values_move_and_cells_begin_empty);
    RUN(a_race_is_a_hazard);
    RUN(one_warp_is_no_hazard);
    RUN(blocks_are_apart_until_a_run);
    RUN(rounds_and_runs_add_up);
    return check_done();
}
