#include "papers/bench/gpu_papers_case.h"

#include <stdlib.h>
#include <string.h>

#include "dev/bench/bench_fail.h"
#include "papers/bench/papers_algorithms.h"

enum { MOST_LETTERS = 4, MORE_Y = 3000, MOST_BLOCKS = 40, MOST_VALUES = 5000 };

const char *const gpu_papers_names[GPU_PAPERS_ALGORITHMS] = {"diagonals", "slid", "segments",
                                                             "launches", "blocks"};
const char *const gpu_minimum_names[GPU_MINIMA] = {"one", "tree", "shuffles", "marks"};

static const gpu_papers_laps no_laps = {0};

/* The CPU's result. `blocks`: D, of PAPERS_BLOCKS alone. */
static bool find_on_cpu(const gpu_papers_case *c, papers_algorithm algorithm, size_t blocks,
                        double *result)
{
    void *cells = malloc(3 * (c->m + 1) * sizeof(int32_t));
    void *x_back = papers_backwards(c->signals, c->x, c->m),
         *y_back = papers_backwards(c->signals, c->y, c->n);
    const bool good = cells && x_back && y_back;
    const papers_task task = {c->m, c->n, c->x, c->y, x_back, y_back, cells, blocks};
    if (good)
        *result = c->signals ? papers_match_signals(algorithm, &task)
                             : papers_match_strings(algorithm, &task);
    free(cells);
    free(x_back);
    free(y_back);
    return good || bench_fail("out of memory");
}

bool gpu_papers_expect(gpu_papers_case *c)
{
    if (!find_on_cpu(c, PAPERS_SEQUENTIAL, 0, &c->expected)) return false;
    c->by_segments = c->expected;
    return !c->signals || find_on_cpu(c, PAPERS_SEGMENTS, 0, &c->by_segments);
}

static bool is_by_segments(gpu_papers_algorithm algorithm)
{
    return algorithm == GPU_PAPERS_SEGMENTS || algorithm == GPU_PAPERS_LAUNCHES;
}

/* Strings are cut without loss. Signals lose what no part has, so the CPU cuts them, too. */
static bool expect(const gpu_papers_case *c, const gpu_papers_task *task, double *result)
{
    *result = is_by_segments(task->algorithm) ? c->by_segments : c->expected;
    return !c->signals || task->algorithm != GPU_PAPERS_BLOCKS ||
           find_on_cpu(c, PAPERS_BLOCKS, task->blocks, result);
}

static gpu_papers_task task_of(const gpu_papers_case *c, gpu_papers_algorithm algorithm,
                               gpu_papers_minimum minimum, size_t blocks)
{
    return (gpu_papers_task){.device = c->device,
                             .signals = c->signals,
                             .m = c->m,
                             .n = c->n,
                             .x = c->x,
                             .y = c->y,
                             .algorithm = algorithm,
                             .minimum = minimum,
                             .blocks = blocks};
}

static bool compare(const gpu_papers_case *c, const gpu_papers_task *task, double expected,
                    const gpu_papers_laps *laps, gpu_papers_outcome *to)
{
    const char *name = gpu_papers_names[task->algorithm],
               *kind = c->signals ? "signals" : "strings";
    const char *wrong = gpu_papers_match(task, laps, to);
    if (wrong)
        return bench_fail("%s by %s: m = %zu, n = %zu, D = %zu: %s", kind, name, c->m, c->n,
                          task->blocks, wrong);
    return (to->least <= expected && to->least >= expected) ||
           bench_fail("%s by %s: m = %zu, n = %zu, D = %zu, minimum by %s: %.9g, not %.9g", kind,
                      name, c->m, c->n, task->blocks, gpu_minimum_names[task->minimum], to->least,
                      expected);
}

bool gpu_papers_run(const gpu_papers_case *c, gpu_papers_algorithm algorithm, size_t blocks,
                    gpu_papers_outcome *to)
{
    const bool marks = is_by_segments(algorithm) && !c->signals;
    const gpu_papers_task task =
        task_of(c, algorithm, marks ? GPU_MINIMUM_MARKS : GPU_MINIMUM_SHUFFLES, blocks);
    double expected;
    return expect(c, &task, &expected) && compare(c, &task, expected, &no_laps, to) &&
           compare(c, &task, expected, &c->laps, to);
}

static bool find_minimum(const gpu_minimum_task *task, const gpu_papers_laps *laps, int32_t wanted,
                         double *ms)
{
    gpu_papers_outcome o = {0};
    const char *name = gpu_minimum_names[task->minimum];
    const char *wrong = gpu_papers_least(task, laps, &o);
    if (wrong) return bench_fail("minimum by %s of %zu: %s", name, task->n, wrong);
    *ms = o.ms;
    return (int32_t)o.least == wanted ||
           bench_fail("minimum by %s of %zu: %.9g, not %d", name, task->n, o.least, wanted);
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

static bool agree_on_texts(gpu_papers_case *c, uint64_t *random)
{
    const size_t minima = c->signals ? GPU_MINIMUM_MARKS : GPU_MINIMA;
    gpu_papers_outcome o = {0};
    double expected;
    bool good = gpu_papers_expect(c);
    for (int a = 0; a < GPU_PAPERS_ALGORITHMS && good; a++) {
        const gpu_papers_minimum minimum = (gpu_papers_minimum)below(random, minima);
        const gpu_papers_task task =
            task_of(c, (gpu_papers_algorithm)a, minimum, 1 + below(random, MOST_BLOCKS));
        good = expect(c, &task, &expected) && compare(c, &task, expected, &no_laps, &o);
    }
    return good;
}

/* Strings, and signals of the same values. */
static bool agree_on_strings(int device, uint64_t *random)
{
    static uint8_t x[GPU_PAPERS_MOST_M], y[GPU_PAPERS_MOST_M + MORE_Y];
    static float x_signal[GPU_PAPERS_MOST_M], y_signal[GPU_PAPERS_MOST_M + MORE_Y];
    const size_t letters = 1 + below(random, MOST_LETTERS);
    const size_t m = 1 + below(random, below(random, 8) ? 100 : GPU_PAPERS_MOST_M);
    gpu_papers_case c = {.device = device, .m = m, .n = m + below(random, MORE_Y), .x = x, .y = y};
    for (size_t i = 0; i < c.m; i++) x[i] = (uint8_t)below(random, letters);
    for (size_t j = 0; j < c.n; j++) y[j] = (uint8_t)below(random, letters);
    plant(random, x, c.m, y, c.n);
    if (!agree_on_texts(&c, random)) return false;
    for (size_t i = 0; i < c.m; i++) x_signal[i] = (float)x[i] * 0.3f;
    for (size_t j = 0; j < c.n; j++) y_signal[j] = (float)y[j] * 0.3f + 0.01f * (float)(j % 5);
    c.signals = true;
    c.x = x_signal;
    c.y = y_signal;
    return agree_on_texts(&c, random);
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
