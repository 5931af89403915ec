/* An HMM fitted to times: to those of an HMM, and to GPUs' as measured. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "papers/machine/fit.h"

static measured made_up(const fit *f)
{
    measured times = {.width = 32,
                      .dmms = 10,
                      .resident = 8,
                      .threads = 1024,
                      .n = 100000,
                      .n_blocks = 5,
                      .n_rows = 4,
                      .blocks = {10, 40, 160, 640, 2560},
                      .m = {32, 96, 256, 1024}};
    for (size_t row = 0; row < times.n_rows; row++)
        for (size_t i = 0; i < times.n_blocks; i++)
            times.ms[row][i] = fit_ms(f, &times, times.m[row], times.blocks[i]);
    return times;
}

static void a_machine_is_found_again(void)
{
    for (int all = 0; all < 2; all++) {
        const fit truth = {.holds_all = all, .latency = 37, .global_latency = 128, .unit_ms = 2e-6};
        const measured times = made_up(&truth);
        const fit found = fit_rows(&times, all, times.n_rows);
        CHECK(found.latency == 37 && found.global_latency == 128);
        CHECK(fabs(found.unit_ms / 2e-6 - 1) < 1e-9 && found.error < 1e-6);
    }
}

/* A row that is left out does not count: one that is ten times too slow changes nothing. */
static void a_row_is_predicted_from_the_others(void)
{
    const fit truth = {.latency = 37, .global_latency = 128, .unit_ms = 2e-6};
    measured times = made_up(&truth);
    for (size_t i = 0; i < times.n_blocks; i++) times.ms[2][i] *= 10;
    const fit found = fit_rows(&times, false, 2);
    CHECK(found.latency == 37 && found.error < 1e-6);
    CHECK(fit_rows(&times, false, times.n_rows).error > 0.1);
    for (size_t i = 0; i < times.n_blocks; i++)
        CHECK(fabs(10 * fit_ms(&found, &times, 256, times.blocks[i]) / times.ms[2][i] - 1) < 1e-9);
}

/* What docs/PAPERS.md says: the best D of each m, or one that is hardly slower, from the times of
 * all other m. */
static void the_best_d_of_measured_gpus(void)
{
    const char *const names[] = {"gtx580", "h100", "h100-strings"};
    const double slower[] = {0, 0, 0.02};
    const char *source = getenv("SRC");
    for (int k = 0; k < 3; k++) {
        char name[4096];
        measured times;
        snprintf(name, sizeof name, "%s/papers/machine/measured/%s", source ? source : ".",
                 names[k]);
        if (!measured_read(&times, name)) exit(2);
        CHECK(times.n_rows == 6);
        for (size_t row = 0; row < times.n_rows; row++) {
            const fit f = fit_rows(&times, false, row);
            const size_t best = fit_best(&f, &times, times.m[row]);
            for (size_t i = 0; i < times.n_blocks; i++)
                CHECK_MSG(times.ms[row][best] <= (1 + slower[k]) * times.ms[row][i],
                          "%s, m = %zu: D = %zu", names[k], times.m[row], times.blocks[best]);
        }
    }
}

int main(void)
{
    RUN(a_machine_is_found_again);
    RUN(a_row_is_predicted_from_the_others);
    RUN(the_best_d_of_measured_gpus);
    return check_done();
}
