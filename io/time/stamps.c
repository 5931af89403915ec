#include "io/time/stamps.h"

#include <math.h>

#include "io/time/time_format.h"
#include "io/time/time_steps.h"

enum {
    SHARED_ONE_IN = 8, /* steps that are 0 */
    STAMPS_WANTED = 5, /* changes of stamp, to judge the step */
    STAMPS_OF_RATE = 2 /* to judge the unit alone: one change may be a pause */
};
static const double PAUSE = 1.5;         /* units from stamp to stamp */
static const double LONGEST_UNIT = 1e18; /* ns; 128 ns are an ulp of it */

/* The steps among the first times. */
typedef struct {
    size_t n, zero;
} step_count;

static bool is_same(exact_time a, exact_time b)
{
    return a.seconds == b.seconds && a.ns == b.ns;
}

static step_count count_steps(const exact_time *times, size_t n)
{
    step_count count = {0};
    for (size_t i = 1; i < n; i++) {
        if (!exact_time_is_known(times[i - 1]) || !exact_time_is_known(times[i])) continue;
        if (exact_time_is_before(times[i], times[i - 1])) continue;
        count.n++;
        count.zero += is_same(times[i - 1], times[i]);
    }
    return count;
}

static bool are_shared(step_count count)
{
    return count.zero > 1 && SHARED_ONE_IN * count.zero >= count.n;
}

bool stamps_need_more(const exact_time *times, size_t n, bool has_rate)
{
    const step_count count = count_steps(times, n);
    return are_shared(count) && count.n - count.zero < (has_rate ? STAMPS_OF_RATE : STAMPS_WANTED);
}

/* The median step from one stamp to another. The lower one, since half of them may be pauses. */
static double unit_of(const exact_time *times, size_t n)
{
    time_steps steps = time_steps_none();
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !is_same(times[i - 1], times[i])) time_steps_add(&steps, times[i]);
    return time_steps_low_median(&steps);
}

/* Measure the step over the stamps of which all rows are there: not the first, the last, and those
 * before a pause. */
static void measure(stamps *s, const exact_time *times, size_t n)
{
    size_t first = 0, rows = 0, most = 1;
    bool is_whole = false;
    double ns = 0;
    for (size_t i = 1; i <= n; i++) {
        if (i < n && is_same(times[i], times[first])) continue;
        if (i - first > most) most = i - first;
        if (i == n) break;
        const double step_ns = exact_time_ns_between(times[first], times[i]);
        const bool goes_on = step_ns > 0 && step_ns <= PAUSE * s->unit_ns;
        if (is_whole && goes_on) {
            ns += step_ns;
            rows += i - first;
        }
        is_whole = goes_on;
        first = i;
    }
    s->step_ns = rows > 0 ? ns / (double)rows : s->unit_ns / (double)most;
    s->slack = 1 / (double)(rows > 0 ? rows : most);
}

stamps stamps_judge(const exact_time *times, size_t n)
{
    stamps s = {.stamp = exact_time_unknown()};
    const step_count count = count_steps(times, n);
    if (!are_shared(count) || count.zero == count.n) return s;
    s.unit_ns = unit_of(times, n);
    if (s.unit_ns > LONGEST_UNIT) s.unit_ns = 0;
    if (s.unit_ns > 0) measure(&s, times, n);
    if (s.step_ns > s.unit_ns) s.step_ns = s.unit_ns;
    return s;
}

void stamps_set_rate(stamps *s, double rate_hz)
{
    const double step_ns = 1e9 / rate_hz;
    if (step_ns <= s->unit_ns) s->step_ns = step_ns;
}

/* The time of the current row, to the decimals of its rate. */
static exact_time time_of_row(const stamps *s)
{
    double unit_ns = 1e9;
    for (unsigned i = time_decimals(1e9 / s->step_ns); i > 0 && unit_ns > 1; i--) unit_ns /= 10;
    const double ns = fmin((double)s->row * s->step_ns, s->unit_ns - s->step_ns);
    const double rounded = round(ns / unit_ns) * unit_ns, seconds = floor(rounded / 1e9);
    const int64_t rest = s->stamp.ns + (int64_t)fmax(rounded - seconds * 1e9, 0);
    exact_time t = exact_time_make(s->stamp.seconds + (int64_t)seconds + rest / 1000000000,
                                   (int32_t)(rest % 1000000000));
    t.is_local = s->stamp.is_local;
    return t;
}

bool stamps_place(stamps *s, exact_time last, uint64_t rows, exact_time *time)
{
    if (s->unit_ns == 0 || !exact_time_is_known(s->stamp)) return false;
    if (exact_time_is_before(*time, s->stamp)) return false;
    const bool is_shared = is_same(s->stamp, *time);
    if (is_shared) {
        s->row += rows;
        *time = time_of_row(s);
    }
    if (exact_time_is_before(*time, last)) *time = last;
    return is_shared;
}

void stamps_begin(stamps *s, exact_time stamp, bool has_no_begin)
{
    s->stamp = stamp;
    s->row = 0;
    s->has_no_begin = has_no_begin;
}

bool stamps_is_pause(const stamps *s, exact_time last, exact_time stamp)
{
    if (s->unit_ns == 0) return true;
    if (s->has_no_begin) return exact_time_ns_between(s->stamp, stamp) > PAUSE * s->unit_ns;
    return exact_time_ns_between(last, stamp) > s->unit_ns / 2 + s->step_ns;
}
