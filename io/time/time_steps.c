#include "io/time/time_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double UNEVEN = 0.1; /* of the median */

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

double time_steps_median(const time_steps *s)
{
    double sorted[TIME_STEPS];
    if (s->n == 0) return 0;
    memcpy(sorted, s->ns, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, by_size);
    return (sorted[(s->n - 1) / 2] + sorted[s->n / 2]) / 2;
}

bool time_steps_are_uneven(const time_steps *s)
{
    const double median = time_steps_median(s);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) n += fabs(s->ns[i] - median) > UNEVEN * median;
    return 2 * n > s->n;
}
