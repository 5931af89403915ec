#include "io/time/time_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double UNEVEN = 0.1; /* of the median step */
static const double LONG = 1.5;   /* medians: a row is missing, if it is no gap */

time_steps time_steps_none(void)
{
    return (time_steps){.last = exact_time_unknown()};
}

void time_steps_add(time_steps *s, exact_time time)
{
    const exact_time last = s->last;
    s->last = time;
    if (!exact_time_is_known(last) || !exact_time_is_known(time)) return;
    if (exact_time_is_before(time, last) || s->n == TIME_STEPS) return;
    s->ns[s->n++] = exact_time_ns_between(last, time);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The i-th step by size. 0: there is none. */
static double step_by_size(const time_steps *s, size_t i)
{
    double sorted[TIME_STEPS];
    if (i >= s->n) return 0;
    memcpy(sorted, s->ns, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, by_size);
    return sorted[i];
}

double time_steps_low_median(const time_steps *s)
{
    return s->n > 0 ? step_by_size(s, (s->n - 1) / 2) : 0;
}

double time_steps_median(const time_steps *s)
{
    return (time_steps_low_median(s) + step_by_size(s, s->n / 2)) / 2;
}

size_t time_steps_uneven(const time_steps *s)
{
    const double median = time_steps_median(s);
    size_t n = 0, n_long = 0;
    for (size_t i = 0; i < s->n; i++) {
        n += fabs(s->ns[i] - median) > UNEVEN * median;
        n_long += s->ns[i] > LONG * median && s->ns[i] <= TIME_STEPS_GAP * median;
    }
    return 2 * n > s->n || (n_long > 1 && 4 * n_long > s->n) ? n : 0;
}
