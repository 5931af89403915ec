#include "papers/bench/papers_algorithms.h"

#include <math.h>
#include <stdint.h>

enum { BLOCKS = 16 };

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

double papers_match_strings(papers_algorithm algorithm, const papers_task *task)
{
    const strings_part p = {task->m,      task->n,      task->x,    task->y,
                            task->x_back, task->y_back, task->cells};
    return strings_match(algorithm, &p);
}

double papers_match_signals(papers_algorithm algorithm, const papers_task *task)
{
    const signals_part p = {task->m,      task->n,      task->x,    task->y,
                            task->x_back, task->y_back, task->cells};
    return (double)signals_match(algorithm, &p);
}
