/* fake_papers.c - the papers' algorithms of gpu_papers.h on the machine of fake_cuda.h, by the
 * sequential one. "papers" fails; on an instant machine nothing is found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/bench/gpu_papers.h"
#include "papers/bench/papers_algorithms.h"
#include "tests/support/fake_cuda.h"

static const char *failure(void)
{
    if (!fake_cuda.fails || strcmp(fake_cuda.fails, "papers") != 0) return NULL;
    return fake_cuda.named++ >= fake_cuda.after ? "a fake error" : NULL;
}

/* The least of all parts of a signal, one after the other. */
static double by_parts(papers_task task, size_t shift, size_t length)
{
    const float *y = task.y;
    const size_t n = task.n;
    double least = INFINITY;
    for (size_t begin = 0;; begin += shift) {
        task.y = y + begin;
        task.n = n - begin < length ? n - begin : length;
        least = fmin(least, papers_match_signals(PAPERS_SEQUENTIAL, &task));
        if (n - begin <= length) return least;
    }
}

static double match(const gpu_papers_task *task, const papers_task *on_cpu)
{
    if (!task->signals) return papers_match_strings(PAPERS_SEQUENTIAL, on_cpu);
    if (task->algorithm == GPU_PAPERS_SEGMENTS || task->algorithm == GPU_PAPERS_LAUNCHES)
        return by_parts(*on_cpu, task->m, 3 * task->m);
    if (task->algorithm == GPU_PAPERS_BLOCKS) {
        const size_t most = 2 * task->m, rest = task->n > most ? task->n - most : 1;
        const size_t shift = (rest + task->blocks - 1) / task->blocks;
        return by_parts(*on_cpu, shift, shift + most);
    }
    return papers_match_signals(PAPERS_SEQUENTIAL, on_cpu);
}

const char *gpu_papers_match(const gpu_papers_task *task, const gpu_papers_laps *laps,
                             gpu_papers_outcome *to)
{
    void *cells = malloc(3 * (task->m + 1) * sizeof(int32_t));
    if (!cells) return "out of memory";
    const papers_task on_cpu = {
        .m = task->m, .n = task->n, .x = task->x, .y = task->y, .cells = cells};
    to->least = (double)task->m;
    if (!fake_cuda.instant) to->least = match(task, &on_cpu);
    to->ms = laps->rounds ? 1 : 0;
    free(cells);
    return failure();
}

const char *gpu_papers_least(const gpu_minimum_task *task, const gpu_papers_laps *laps,
                             gpu_papers_outcome *to)
{
    to->least = task->most;
    for (size_t i = 0; i < task->n; i++)
        if (task->values[i] < to->least) to->least = task->values[i];
    to->ms = laps->rounds ? 1 : 0;
    return failure();
}
