/* Each allocation of each algorithm of sigrep-machine fails in turn. */
#include <math.h>

#include "papers/machine/algorithms.h"
#include "tests/allocations/each_allocation.h"

static setup task_of(machine_kind kind, bool are_signals)
{
    static const double x[] = {1, 2, 0}, y[] = {0, 2, 1, 1, 2, 1, 0, 2, 2, 0, 1, 2, 2, 0};
    return (setup){.kind = kind,
                   .width = 2,
                   .latency = 3,
                   .global_latency = 5,
                   .dmms = 2,
                   .blocks = 3,
                   .resident = 1,
                   .watched = true,
                   .task = {are_signals, 3, 14, x, y}};
}

typedef struct {
    const algorithm *algorithm;
    setup setup;
} piece;

static bool run(const void *user)
{
    const piece *p = user;
    outcome o;
    if (!p->algorithm->run(&p->setup, &o)) return false;
    if (p->algorithm->expected) {
        const double expected = p->algorithm->expected(&p->setup.task);
        if (isnan(expected)) return false; /* out of memory */
        CHECK(o.result == expected);
    }
    return true;
}

static void each_algorithm_without_memory(void)
{
    const machine_kind kinds[] = {ON_DMM, ON_UMM, ON_HMM};
    for (int k = 0; k < 6; k++)
        for (size_t i = 0; algorithm_at(i); i++) {
            piece p = {algorithm_at(i), task_of(kinds[k / 2], k % 2)};
            if (!(p.algorithm->machines & p.setup.kind)) continue;
            p.setup.threads = algorithm_threads(&p.setup, p.algorithm);
            each_allocation_fails(p.algorithm->name, run, &p);
        }
}

int main(void)
{
    RUN(each_algorithm_without_memory);
    return check_done();
}
