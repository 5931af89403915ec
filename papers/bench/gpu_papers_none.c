/* gpu_papers_none.c - instead of gpu_papers.cu, without CUDA. */
#include "papers/bench/gpu_papers.h"

const char *gpu_papers_match(const gpu_papers_task *task, const gpu_papers_laps *laps,
                             gpu_papers_outcome *to)
{
    (void)task, (void)laps, (void)to;
    return "built without CUDA";
}

const char *gpu_papers_least(const gpu_minimum_task *task, const gpu_papers_laps *laps,
                             gpu_papers_outcome *to)
{
    (void)task, (void)laps, (void)to;
    return "built without CUDA";
}
