#include "papers/bench/papers_algorithms.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

const char *const papers_names[PAPERS_ALGORITHMS] = {"sequential", "diagonals", "slid", "segments",
                                                     "blocks"};

#define LESS(a, b) ((a) < (b) ? (a) : (b))

#define VALUE uint8_t
#define CELL int32_t
#define NAME(f) strings_##f
#define EDGE(i) ((int32_t)(i))
#define NEXT(left, up, diagonal, a, b) LESS(LESS(left, up) + 1, (diagonal) + ((a) != (b)))
#include "papers/bench/papers_body.h"
#undef VALUE
#undef CELL
#undef NAME
#undef EDGE
#undef NEXT

#define VALUE float
#define CELL float
#define NAME(f) signals_##f
#define EDGE(i) ((void)(i), INFINITY)
#define NEXT(left, up, diagonal, a, b) (LESS(LESS(left, up), diagonal) + fabsf((a) - (b)))
#include "papers/bench/papers_body.h"

void *papers_backwards(bool signals, const void *values, size_t n)
{
    void *back = malloc(n * (signals ? sizeof(float) : 1));
    for (size_t i = 0; back && i < n; i++)
        if (signals)
            ((float *)back)[i] = ((const float *)values)[n - 1 - i];
        else
            ((uint8_t *)back)[i] = ((const uint8_t *)values)[n - 1 - i];
    return back;
}

double papers_match_strings(papers_algorithm algorithm, const papers_task *task)
{
    const strings_part p = {task->m,      task->n,      task->x,     task->y,
                            task->x_back, task->y_back, task->cells, task->blocks};
    return strings_match(algorithm, &p);
}

double papers_match_signals(papers_algorithm algorithm, const papers_task *task)
{
    const signals_part p = {task->m,      task->n,      task->x,     task->y,
                            task->x_back, task->y_back, task->cells, task->blocks};
    return (double)signals_match(algorithm, &p);
}
