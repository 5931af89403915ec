#include "filter/features/timing.h"

#include <math.h>

__extension__ typedef __int128 wide;

/* a / b rounded up; b > 0. */
static wide divide_up(wide a, wide b)
{
    return a / b + (a % b > 0);
}

static int64_t clamp(wide value)
{
    if (value > INT64_MAX) return INT64_MAX;
    return value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

static wide common_divisor(wide a, wide b)
{
    while (b) {
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static wide per_of(const frame_timing *timing)
{
    return timing->per ? (wide)timing->per : 1;
}

/* Continued fractions: value = a0 + 1 / (a1 + 1 / (a2 + ...)), cut off after ever more terms.
 * x - floor(x) is exact in double. The error of 1 / x is far smaller than the distance of two
 * fractions with denominators up to 10^6. */
int rational_from_double(rational *r, double value)
{
    uint64_t num = 1, den = 0, num_before = 0, den_before = 1;
    if (!(value > 0 && value <= 0x1p52)) return 0;
    for (double x = value;; x = 1 / x) {
        const double whole = floor(x);
        if (!(whole <= 0x1p52)) return 0;
        const wide next_num = (wide)whole * num + num_before;
        const wide next_den = (wide)whole * den + den_before;
        if (next_num > (wide)1 << 53 || next_den > (wide)RATIONAL_MAX_DEN) return 0;
        num_before = num, den_before = den;
        num = (uint64_t)next_num, den = (uint64_t)next_den;
        if ((double)num / (double)den == value) break;
        x -= whole;
        if (!(x > 0)) return 0;
    }
    *r = (rational){num, den};
    return 1;
}

int rational_divide(rational *ratio, rational a, rational b)
{
    const wide num = (wide)a.num * b.den, den = (wide)a.den * b.num;
    const wide divisor = common_divisor(num, den);
    if (num / divisor > INT64_MAX || den / divisor > INT64_MAX) return 0;
    *ratio = (rational){(uint64_t)(num / divisor), (uint64_t)(den / divisor)};
    return 1;
}

int64_t timing_edge(const frame_timing *timing, uint64_t frame)
{
    return clamp(divide_up((wide)frame * timing->hop + timing->lead, per_of(timing)));
}

int timing_centre_in(const frame_timing *timing, uint64_t frame, uint64_t begin, uint64_t end)
{
    const wide hop = (wide)timing->hop;
    /* Twice the centre, in 1/per samples. Frame numbers are far below 2^63 here. */
    const wide centre2 = 2 * ((wide)frame * hop + timing->lead) + hop;
    return centre2 >= 2 * (wide)begin * per_of(timing) && centre2 < 2 * (wide)end * per_of(timing);
}

uint64_t timing_samples_needed(const frame_timing *timing, uint64_t frames)
{
    const int64_t end = timing_edge(timing, frames);
    uint64_t needed;
    if (frames == 0) return 0;
    if (end < 0) {
        const uint64_t before = -(uint64_t)end;
        return timing->look_ahead > before ? timing->look_ahead - before : 0;
    }
    const int wraps = __builtin_add_overflow((uint64_t)end, timing->look_ahead, &needed);
    return wraps ? UINT64_MAX : needed;
}

static uint64_t clamp_unsigned(wide value)
{
    return value > (wide)UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

uint64_t timing_frames_within(const frame_timing *timing, uint64_t n)
{
    return clamp_unsigned((wide)n * per_of(timing) / (wide)timing->hop);
}

uint64_t timing_frames_covering(const frame_timing *timing, uint64_t n)
{
    return clamp_unsigned(divide_up((wide)n * per_of(timing), (wide)timing->hop));
}

uint64_t timing_frame_at(const frame_timing *timing, uint64_t at)
{
    uint64_t frame = timing_frames_within(timing, at);
    while (frame > 0 && timing_edge(timing, frame - 1) >= (int64_t)at) frame--;
    while (timing_edge(timing, frame) < (int64_t)at) frame++;
    return frame;
}

/* Frame j of the next stage owns the chain's frames from (j h + l) / p on. The chain's frame f
 * begins at sample (f H + L) / P. So frame j begins at sample (j h H + l H + L p) / (p P). */
static int compose_edges(frame_timing *timing, const frame_timing *next)
{
    const wide hop = (wide)timing->hop, p = per_of(next);
    wide new_hop, new_per, lead, lead_before;
    if (__builtin_mul_overflow((wide)next->hop, hop, &new_hop) ||
        __builtin_mul_overflow(p, per_of(timing), &new_per) ||
        __builtin_mul_overflow((wide)next->lead, hop, &lead) ||
        __builtin_mul_overflow((wide)timing->lead, p, &lead_before) ||
        __builtin_add_overflow(lead, lead_before, &lead))
        return 0;
    const wide divisor = common_divisor(common_divisor(new_hop, new_per), lead);
    new_hop /= divisor, new_per /= divisor, lead /= divisor;
    if (new_hop > INT64_MAX || new_per > INT64_MAX || lead > INT64_MAX || lead < INT64_MIN)
        return 0;
    timing->hop = (uint64_t)new_hop;
    timing->per = (uint64_t)new_per;
    timing->lead = (int64_t)lead;
    return 1;
}

/* The samples in frames / parts frames that are hop / per samples long, rounded up. */
static int samples_of(uint64_t *samples, wide frames, wide parts, const frame_timing *timing)
{
    wide product;
    if (__builtin_mul_overflow(frames, (wide)timing->hop, &product)) return 0;
    product = divide_up(product, parts * per_of(timing));
    *samples = (uint64_t)product;
    return product <= INT64_MAX;
}

/* The least common multiple; 0 if it is too large, or if a or b is 0. */
static uint64_t common_multiple(wide a, wide b)
{
    wide multiple;
    if (a == 0 || b == 0) return 0;
    if (__builtin_mul_overflow(a / common_divisor(a, b), b, &multiple)) return 0;
    return multiple > INT64_MAX ? 0 : (uint64_t)multiple;
}

int timing_compose(frame_timing *timing, const frame_timing *next)
{
    const wide p = per_of(next);
    uint64_t ahead, back;
    /* The next stage waits for whole frames. An edge of its own between two frames costs up to
     * (p - 1) / p of a frame more, unless frames are samples. */
    const wide rest = (wide)timing->hop == per_of(timing) ? 0 : p - 1;
    if (next->hop > INT64_MAX || timing->hop > INT64_MAX ||
        !samples_of(&ahead, (wide)next->look_ahead * p + rest, p, timing) ||
        __builtin_add_overflow(timing->look_ahead, ahead, &timing->look_ahead))
        return 0;
    /* The last of next->memory frames reaches back timing->memory, each other one a hop more. */
    if (next->memory == UINT64_MAX || timing->memory == UINT64_MAX ||
        !samples_of(&back, (wide)next->memory - 1, 1, timing) ||
        __builtin_add_overflow(timing->memory, back, &timing->memory))
        timing->memory = UINT64_MAX;
    timing->period = common_multiple((wide)timing->period, (wide)next->period * (wide)timing->hop);
    return compose_edges(timing, next);
}
