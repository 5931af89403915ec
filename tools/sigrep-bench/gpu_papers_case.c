#include "tools/sigrep-bench/gpu_papers_case.h"

#include <stdlib.h>
#include <string.h>

#include "tools/sigrep-bench/bench_fail.h"
#include "tools/sigrep-bench/papers_algorithms.h"

enum { MOST_LETTERS = 4, MORE_Y = 3000, MOST_BLOCKS = 40, MOST_VALUES = 5000 };

const char *const gpu_papers_names[GPU_PAPERS_ALGORITHMS] = {"diagonals", "slid", "segments",
                                                             "launches", "blocks"};
const char *const gpu_minimum_names[GPU_MINIMA] = {"one", "tree", "shuffles", "marks"};

static const gpu_papers_laps no_laps = {0};

bool gpu_papers_expect(gpu_papers_case *c)
{
    void *cells = malloc(3 * (c->m + 1) * sizeof(int32_t));
    if (!cells) return bench_fail("out of memory");
    const papers_task task = {.m = c->m, .n = c->n, .x = c->x, .y = c->y, .cells = cells};
    c->expected = (int32_t)papers_match_strings(PAPERS_SEQUENTIAL, &task);
    free(cells);
    return true;
}

static gpu_papers_task task_of(const gpu_papers_case *c, gpu_papers_algorithm algorithm,
                               gpu_papers_minimum minimum, size_t blocks)
{
    return (gpu_papers_task){c->device, c->m, c->n, c->x, c->y, algorithm, minimum, blocks};
}

static bool compare(const gpu_papers_case *c, const gpu_papers_task *task,
                    const gpu_papers_laps *laps, double *ms)
{
    gpu_papers_outcome o = {0};
    const char *name = gpu_papers_names[task->algorithm];
    const char *wrong = gpu_papers_match(task, laps, &o);
    if (wrong)
        return bench_fail("strings by %s: m = %zu, n = %zu, D = %zu: %s", name, c->m, c->n,
                          task->blocks, wrong);
    *ms = o.ms;
    return o.least == c->expected ||
           bench_fail("strings by %s: m = %zu, n = %zu, D = %zu, minimum by %s: %d, not %d", name,
                      c->m, c->n, task->blocks, gpu_minimum_names[task->minimum], o.least,
                      c->expected);
}

bool gpu_papers_run(const gpu_papers_case *c, gpu_papers_algorithm algorithm, size_t blocks,
                    double *ms)
{
    const bool marks = algorithm == GPU_PAPERS_SEGMENTS || algorithm == GPU_PAPERS_LAUNCHES;
    const gpu_papers_task task =
        task_of(c, algorithm, marks ? GPU_MINIMUM_MARKS : GPU_MINIMUM_SHUFFLES, blocks);
    return compare(c, &task, &no_laps, ms) && compare(c, &task, &c->laps, ms);
}

static bool find_minimum(const gpu_minimum_task *task, const gpu_papers_laps *laps, int32_t wanted,
                         double *ms)
{
    gpu_papers_outcome o = {0};
    const char *name = gpu_minimum_names[task->minimum];
    const char *wrong = gpu_papers_least(task, laps, &o);
    if (wrong) return bench_fail("minimum by %s of %zu: %s", name, task->n, wrong);
    *ms = o.ms;
    return o.least == wanted ||
           bench_fail("minimum by %s of %zu: %d, not %d", name, task->n, o.least, wanted);
}

bool gpu_minimum_run(const gpu_minimum_task *task, const gpu_papers_laps *laps, double *ms)
{
    int32_t wanted = task->values[0];
    for (size_t i = 1; i < task->n; i++)
        if (task->values[i] < wanted) wanted = task->values[i];
    return find_minimum(task, &no_laps, wanted, ms) &&
           (!laps->rounds || find_minimum(task, laps, wanted, ms));
}

/* Below n, by Knuth's linear congruential generator. */
static size_t below(uint64_t *random, size_t n)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*random >> 33) % n;
}

/* Copy x into y with random edits, from a random place on. */
static void plant(uint64_t *random, const uint8_t *x, size_t m, uint8_t *y, size_t n)
{
    const size_t edits = below(random, m / 4 + 2);
    size_t j = below(random, n);
    for (size_t i = 0; i < m && j < n; i++) {
        const bool edit = below(random, m) < edits;
        if (edit && below(random, 2)) continue; /* one is left out */
        y[j++] = x[i];
        if (edit && j < n) y[j++] = x[below(random, m)]; /* one is more */
    }
}

static bool agree_on_strings(int device, uint64_t *random)
{
    static uint8_t x[GPU_PAPERS_MOST_M], y[GPU_PAPERS_MOST_M + MORE_Y];
    const size_t letters = 1 + below(random, MOST_LETTERS);
    const size_t m = 1 + below(random, below(random, 8) ? 100 : GPU_PAPERS_MOST_M);
    gpu_papers_case c = {.device = device, .m = m, .n = m + below(random, MORE_Y), .x = x, .y = y};
    double ms;
    for (size_t i = 0; i < c.m; i++) x[i] = (uint8_t)below(random, letters);
    for (size_t j = 0; j < c.n; j++) y[j] = (uint8_t)below(random, letters);
    plant(random, x, c.m, y, c.n);
    bool good = gpu_papers_expect(&c);
    for (int a = 0; a < GPU_PAPERS_ALGORITHMS && good; a++) {
        const gpu_papers_minimum minimum = (gpu_papers_minimum)below(random, GPU_MINIMA);
        const gpu_papers_task task =
            task_of(&c, (gpu_papers_algorithm)a, minimum, 1 + below(random, MOST_BLOCKS));
        good = compare(&c, &task, &no_laps, &ms);
    }
    return good;
}

static bool agree_on_minima(int device, uint64_t *random)
{
    static int32_t values[MOST_VALUES];
    const size_t n = 1 + below(random, MOST_VALUES), most = 1 + below(random, 2000);
    double ms;
    bool good = true;
    for (size_t i = 0; i < n; i++) values[i] = (int32_t)(most / 2 + below(random, most - most / 2));
    values[below(random, n)] = (int32_t)below(random, most);
    for (int by = 0; by < GPU_MINIMA && good; by++) {
        const gpu_minimum_task task = {device, values, n, (int32_t)most, (gpu_papers_minimum)by};
        good = gpu_minimum_run(&task, &no_laps, &ms);
    }
    return good;
}

bool gpu_papers_agree(int device, uint64_t seed, size_t cases)
{
    bool good = true;
    for (size_t i = 0; i < cases && good; i++)
        good = agree_on_strings(device, &seed) && agree_on_minima(device, &seed);
    return good;
}
