#include "io/time/timed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/kept_lines.h"
#include "io/time/even_times.h"
#include "io/time/fill.h"
#include "io/time/stamps.h"
#include "io/time/time_format.h"
#include "io/time/time_kind.h"
#include "io/time/time_steps.h"

enum {
    READ_VALUES = 4096,    /* values read at once */
    MOST_FILLED = 1 << 24, /* values of the longest bridge: 64 MiB */
    GAPS_REPORTED = 8,
};
static const double SAME_RATE = 0.01; /* a rate that is given may differ this much unreported */

#define MANY_GAPS "; further gaps are not reported; --fill SECONDS bridges short ones"

struct timed {
    fill *frames;
    size_t most;       /* samples of the longest bridge */
    even_times *even;  /* the rows become samples at even times; NULL: they are samples */
    double *sample;    /* of `even` */
    double longest_ns; /* ... from row to row; a longer one is a gap */
    double *read;
    exact_time *read_times;
    size_t room;       /* frames of `read` */
    double step_ns;    /* 0: not known */
    time_kind kind;    /* of the numbers that the back end gives as times */
    stamps stamps;     /* if rows share them */
    exact_time first;  /* the first known time */
    exact_time last;   /* the last one */
    size_t without;    /* frames since, without a time */
    unsigned reported; /* gaps */
    bool ended;
    bool is_short;    /* it ended before the rate was sure */
    size_t unsettled; /* of the last frames, see source_unsettled */
    kept_lines lines; /* of the frames given and to come */
};

/* Warn of a gap between two times. */
static void report_gap(source *src, exact_time from, exact_time to)
{
    timed *t = src->timed;
    const time_scale scale = {.rate_hz = 1, .from_column = true};
    const time_style style = src->info.times == SOURCE_ISO ? TIME_CLOCK : TIME_SECONDS;
    char before[TIME_TEXT_SIZE], after[TIME_TEXT_SIZE];
    if (t->reported == GAPS_REPORTED) return;
    const char *rest = ++t->reported == GAPS_REPORTED ? MANY_GAPS : "";
    time_format(before, style, &scale, (time_point){.time = from});
    time_format(after, style, &scale, (time_point){.time = to});
    if (exact_time_is_before(to, from))
        source_warn(src, "a gap: time %s comes after %s%s", after, before, rest);
    else
        source_warn(src, "a gap: no samples from %s to %s%s", before, after, rest);
}

/* Add a frame that the input lacks. false: out of memory. */
static bool add_missing(source *src, exact_time time)
{
    timed *t = src->timed;
    if (src->lines) kept_lines_add(&t->lines, "", 0);
    return fill_add(t->frames, NULL, time);
}

/* How many samples a jump to this time lacks, those without a time not counted. 0: it is no gap.
 * SIZE_MAX: too many for any bridge. */
static size_t missing_before(const timed *t, exact_time time)
{
    const double ns = exact_time_ns_between(t->last, time);
    const double without = (double)t->without;
    if (t->step_ns == 0 || ns <= (TIME_STEPS_GAP + without) * t->step_ns) return 0;
    if (!stamps_is_pause(&t->stamps, t->last, time)) return 0;
    const double missing = round(ns / t->step_ns) - 1 - without;
    return missing <= MOST_FILLED ? (size_t)missing : SIZE_MAX;
}

/* The k-th of the samples between the last known time and this one, if n are missing. */
static exact_time between(const timed *t, exact_time time, size_t k, size_t n)
{
    return exact_time_part_way(t->last, time, k, t->without + n + 1);
}

/* Give times to the samples that wait without one, and make the n that are missing before this
 * time. false: out of memory. */
static bool make_samples(source *src, size_t n, exact_time time)
{
    const timed *t = src->timed;
    size_t waiting;
    exact_time *times = fill_waiting_times(t->frames, &waiting);
    for (size_t k = t->without; k > 0 && waiting > 0; k--)
        times[--waiting] = between(t, time, k, n);
    for (size_t k = 1; k <= n; k++)
        if (!add_missing(src, between(t, time, t->without + k, n))) return false;
    return true;
}

/* Add a gap that stays. false: out of memory. */
static bool add_gap(source *src)
{
    timed *t = src->timed;
    if (t->even) even_times_break(t->even);
    fill_break(t->frames);
    if (!add_missing(src, exact_time_unknown())) return false;
    fill_break(t->frames);
    return true;
}

/* Look at the jump to the time of the next sample, which a stamp may move. false: out of memory. */
static bool take_time(source *src, exact_time *time)
{
    timed *t = src->timed;
    bool is_gap = false;
    if (!exact_time_is_known(*time)) {
        t->without++;
        return true;
    }
    const exact_time stamp = *time;
    const bool is_shared = stamps_place(&t->stamps, t->last, t->without + 1, time);
    if (exact_time_is_known(t->last)) {
        const size_t missing = is_shared ? 0 : missing_before(t, *time);
        is_gap =
            missing > t->most || exact_time_is_before(*time, t->last) ||
            (t->even && t->step_ns == 0 && exact_time_ns_between(t->last, *time) > t->longest_ns);
        if (!is_gap && !t->even && !make_samples(src, missing, *time)) return false;
    }
    if (is_gap) {
        report_gap(src, t->last, *time);
        src->unfilled -= (int64_t)src->native_channels;
        if (!add_gap(src)) return false;
    }
    if (!is_shared) stamps_begin(&t->stamps, stamp, is_gap || !exact_time_is_known(t->last));
    t->last = *time;
    t->without = 0;
    return true;
}

/* The time that a number stands for. false after source_fail; with skip_bad a time that is none is
 * reported and becomes unknown. */
static bool settle(source *src, exact_time *time)
{
    timed *t = src->timed;
    const exact_time given = *time;
    char shown[TIME_TEXT_SIZE];
    const char *wrong = NULL;
    if (!exact_time_is_known(given)) return true;
    if (!time_kind_apply(t->kind, time))
        wrong = "is no date as those before, such as 20260131";
    else if (!exact_time_is_known(t->first))
        t->first = *time;
    else if (time->is_local != t->first.is_local)
        wrong = time->is_local ? "has no zone, but the first has" : "has a zone, but not the first";
    if (!wrong) return true;
    const time_scale scale = {.rate_hz = 1, .from_column = true};
    const bool is_iso = src->info.times == SOURCE_ISO && t->kind == TIME_PLAIN;
    time_format(shown, is_iso ? TIME_CLOCK : TIME_SECONDS, &scale, (time_point){.time = given});
    *time = exact_time_unknown();
    if (!src->options.skip_bad)
        return source_fail(src, "time %s %s; --skip-bad makes it a gap", shown, wrong);
    source_warn(src, "time %s %s: skipped", shown, wrong);
    return true;
}

/* Add the samples up to this row. One without a time is a gap. false: out of memory. */
static bool add_even(source *src, const double *row, exact_time time)
{
    timed *t = src->timed;
    if (!exact_time_is_known(time)) {
        t->last = exact_time_unknown();
        return add_gap(src);
    }
    if (!take_time(src, &time)) return false;
    even_times_add(t->even, row, time);
    while (even_times_take(t->even, t->sample, &time))
        if (!fill_add(t->frames, t->sample, time)) return false;
    return true;
}

/* Add a row as a sample. false: out of memory. */
static bool add_row(source *src, const double *row, exact_time time, bool is_bad)
{
    if (src->timed->even) return add_even(src, row, time);
    if (src->info.times != SOURCE_NO_TIMES && !take_time(src, &time)) return false;
    return fill_add(src->timed->frames, is_bad ? NULL : row, time);
}

/* Add n frames with their times as the back end has them. false after source_fail. */
static bool add(source *src, const double *frames, const exact_time *times, size_t n)
{
    timed *t = src->timed;
    const bool has_times = src->info.times != SOURCE_NO_TIMES;
    for (size_t i = 0; i < n; i++) {
        exact_time time = has_times ? times[i] : exact_time_unknown();
        const bool had_time = exact_time_is_known(time);
        if (has_times && !settle(src, &time)) return false;
        const bool is_bad = had_time && !exact_time_is_known(time);
        if (!add_row(src, frames + i * src->native_channels, time, is_bad) ||
            (src->lines && !kept_lines_pass(src->lines, &t->lines)))
            return source_fail(src, "out of memory");
    }
    return true;
}

kept_lines *timed_lines(source *src)
{
    return &src->timed->lines;
}

bool timed_is_ready(const source *src)
{
    return src->timed && fill_ready(src->timed->frames) > 0;
}

/* The input has ended, or failed. After a failure to read, a line might have gone on. */
static void end(source *src)
{
    timed *t = src->timed;
    t->ended = true;
    if (src->in.failure)
        fill_drop_waiting(t->frames);
    else
        fill_waiting_times(t->frames, &t->unsettled);
    fill_break(t->frames);
    t->unsettled += src->is_cut;
}

size_t timed_unsettled(const source *src)
{
    const timed *t = src->timed;
    const size_t left = fill_ready(t->frames);
    if (t->is_short) return SIZE_MAX;
    if (!t->ended) return src->is_cut;
    return t->unsettled > left ? t->unsettled - left : 0;
}

/* Count the values that bridges leave missing. Those of a gap in time were taken off before. */
static void count_unfilled(source *src, const double *frames, size_t n)
{
    for (size_t i = 0; i < n * src->native_channels; i++)
        src->unfilled += isfinite(frames[i]) ? 0 : 1;
}

/* Go on as long as frames are there: the caller wants many. */
ssize_t timed_read(source *src, double *frames, exact_time *times, size_t max, bool wait)
{
    timed *t = src->timed;
    for (size_t ready; !t->ended && (ready = fill_ready(t->frames)) < max;) {
        const bool waits = wait && ready == 0;
        const ssize_t n = source_read_native(src, t->read, t->read_times, t->room, waits);
        if (n > 0 && add(src, t->read, t->read_times, (size_t)n) && !src->failed) continue;
        if (n == 0 && !waits) break;
        end(src);
    }
    const size_t n = fill_take(t->frames, frames, times, max);
    if (src->options.fill_s > 0) count_unfilled(src, frames, n);
    return n == 0 && src->failed ? -1 : (ssize_t)n;
}

/* Warn of steps that are not even, which the search takes to be so. */
static void report_uneven(source *src, const time_steps *steps)
{
    const size_t n = time_steps_uneven(steps);
    if (n == 0) return;
    source_warn(src,
                "%zu of the first %zu steps in time differ from their median, %.9g s, by more than "
                "10 %%, but count as even: --resample-times HZ makes even ones; --fill SECONDS "
                "bridges gaps only",
                n, steps->n, time_steps_median(steps) / 1e9);
}

/* Warn that the steps, of which the median is step_ns, give no rate. */
static void report_no_rate(source *src, double step_ns)
{
    if (step_ns == 0)
        source_warn(src,
                    "most of its first times are equal, so they give no rate; give it with -r");
    else
        source_warn(src,
                    "its times are %.9g s apart, which is less than %g Hz and gives no rate; give "
                    "times in a larger unit, or a rate with -r",
                    step_ns / 1e9, TIME_RATE_MIN);
}

/* Take the rate from the steps, unless one is given, and report what is wrong with it. Rows that
 * share stamps have the step that is given. */
static void take_rate(source *src, const time_steps *steps)
{
    stamps *shared = &src->timed->stamps;
    const double near_hz = src->options.near_rate_hz, given_hz = src->options.rate_hz;
    const double step_ns = shared->unit_ns > 0 ? shared->step_ns : time_steps_median(steps);
    const double measured_hz = step_ns > 0 ? 1e9 / step_ns : 0;
    const double slack = shared->unit_ns > 0 ? shared->slack : SAME_RATE;
    const bool is_known = measured_hz >= TIME_RATE_MIN;
    if (given_hz > 0) stamps_set_rate(shared, given_hz);
    src->timed->step_ns = shared->unit_ns > 0 ? shared->step_ns : step_ns;
    if (src->options.even_hz > 0) {
        src->info.rate_hz = src->options.even_hz;
        src->info.rate_known = true;
        return;
    }
    if (is_known) report_uneven(src, steps);
    if (given_hz > 0) {
        if (is_known && fabs(given_hz / measured_hz - 1) > slack + 1e-9)
            source_warn(src,
                        "the rate that is given is %.9g Hz, but that of the time column is "
                        "%.9g Hz",
                        given_hz, measured_hz);
        return;
    }
    if (!is_known && steps->n > 0) report_no_rate(src, step_ns);
    const bool takes_near =
        near_hz > 0 && (!is_known || source_rates_are_near(near_hz, measured_hz));
    if (!is_known && !takes_near) return;
    src->info.rate_hz = takes_near ? near_hz : measured_hz;
    src->info.rate_known = src->info.rate_measured = true;
}

/* The first frames, until their rate is known. */
typedef struct {
    double *values;
    exact_time *times;
    size_t n, room;
} first_frames;

/* Make room for one more. false after source_fail. */
static bool grow(source *src, first_frames *f)
{
    if (f->n < f->room) return true;
    f->room = f->room ? 2 * f->room : TIMED_FRAMES;
    double *values = realloc(f->values, f->room * src->native_channels * sizeof *values);
    if (values) f->values = values;
    exact_time *times = realloc(f->times, f->room * sizeof *times);
    if (times) f->times = times;
    return (values && times) || source_fail(src, "out of memory");
}

/* Read until there are enough steps, one frame at a time, so that nothing depends on how they come.
 * false: the input has ended, or failed. */
static bool read_steps(source *src, first_frames *f, time_steps *steps)
{
    ssize_t got = 1;
    while (got > 0 && !src->failed) {
        const size_t most = stamps_need_more(f->times, f->n, src->options.rate_hz > 0)
                                ? STAMPS_FRAMES
                                : TIMED_FRAMES;
        const bool enough = steps->n == TIME_STEPS && most == TIMED_FRAMES;
        if (enough || f->n >= most) break;
        if (!grow(src, f)) return false;
        got = source_read_native(src, f->values + f->n * src->native_channels, f->times + f->n, 1,
                                 true);
        if (got > 0) time_steps_add(steps, f->times[f->n++]);
    }
    return got > 0 && !src->failed;
}

/* Judge what the numbers are, and make them times. */
static time_kind convert(source *src, const first_frames *f)
{
    if (src->info.times != SOURCE_SECONDS) return TIME_PLAIN;
    const time_unit unit = src->options.time_unit;
    const time_kind kind = unit ? time_kind_of_unit(unit) : time_kind_of(f->times, f->n);
    exact_time first = exact_time_unknown();
    for (size_t i = 0; i < f->n; i++) {
        if (!exact_time_is_known(f->times[i])) continue;
        time_kind_apply(kind, &f->times[i]);
        if (!exact_time_is_known(first)) first = f->times[i];
    }
    if (unit ? time_kind_is_epoch(first) : kind != TIME_PLAIN)
        src->info.times = time_kind_has_dates(kind) ? SOURCE_ISO : SOURCE_EPOCH;
    return kind;
}

/* The steps from time to time, or from stamp to stamp if rows share them. */
static time_steps steps_of(const stamps *shared, const first_frames *f)
{
    time_steps steps = time_steps_none();
    for (size_t i = 0; i < f->n; i++) {
        const exact_time time = f->times[i], last = steps.last;
        const bool is_same = time.seconds == last.seconds && time.ns == last.ns;
        if (shared->unit_ns == 0 || !is_same) time_steps_add(&steps, time);
    }
    return steps;
}

/* Rows become samples at a rate of their own. false after source_fail. */
static bool begin_even(source *src)
{
    timed *t = src->timed;
    const size_t channels = src->native_channels;
    const double rate_hz = src->options.even_hz;
    const double most = floor(src->options.fill_s * rate_hz * (1 + 1e-12));
    const double longest_s = fmax(src->options.fill_s, TIME_STEPS_GAP * t->step_ns / 1e9);
    if (longest_s * rate_hz * (double)channels > MOST_FILLED)
        return source_fail(src,
                           "--resample-times %.9g means %.3g values between two rows, more than %d",
                           rate_hz, longest_s * rate_hz * (double)channels, MOST_FILLED);
    t->longest_ns =
        t->step_ns > 0 ? 1e9 * longest_s : 1e9 * MOST_FILLED / (rate_hz * (double)channels);
    t->frames = fill_create(channels, (size_t)most);
    t->even = even_times_create(rate_hz, channels);
    t->sample = malloc(channels * sizeof *t->sample);
    return (t->frames && t->even && t->sample) || source_fail(src, "out of memory");
}

static bool begin_fill(source *src)
{
    timed *t = src->timed;
    const double rate_hz = t->step_ns > 0 ? 1e9 / t->step_ns : src->info.rate_hz;
    const double most = floor(src->options.fill_s * rate_hz * (1 + 1e-12));
    if (most * (double)src->native_channels > MOST_FILLED)
        return source_fail(src, "--fill %.9g means %.3g values, more than %d", src->options.fill_s,
                           most * (double)src->native_channels, MOST_FILLED);
    t->most = (size_t)most;
    if (src->options.even_hz > 0 && src->info.times != SOURCE_NO_TIMES) return begin_even(src);
    t->frames = fill_create(src->native_channels, t->most);
    return t->frames || source_fail(src, "out of memory");
}

/* Warn, in place of all gaps, of a table with the newest row first. true: it is one. */
static bool report_backwards(source *src, const first_frames *f)
{
    size_t back = 0, on = 0;
    for (size_t i = 1; i < f->n; i++) {
        const exact_time last = f->times[i - 1], time = f->times[i];
        if (!exact_time_is_known(last) || !exact_time_is_known(time)) continue;
        back += exact_time_is_before(time, last);
        on += exact_time_is_before(last, time);
    }
    if (back <= on) return false;
    source_warn(src, "most of its first times go back, and before each such row is a gap: sort the "
                     "rows by time");
    src->timed->reported = GAPS_REPORTED;
    return true;
}

/* The samples of the first rows are in memory at once. false after source_fail. */
static bool check_first_rows(source *src, const first_frames *f)
{
    const timed *t = src->timed;
    const double rate_hz = src->options.even_hz;
    double ns = 0;
    for (size_t i = 1; i < f->n && t->even; i++) {
        if (!exact_time_is_known(f->times[i - 1]) || !exact_time_is_known(f->times[i])) continue;
        const double step_ns = exact_time_ns_between(f->times[i - 1], f->times[i]);
        if (step_ns <= t->longest_ns || t->stamps.unit_ns > 0) ns += fmax(step_ns, 0);
    }
    const double values = ns / 1e9 * rate_hz * (double)src->native_channels;
    if (values <= MOST_FILLED) return true;
    return source_fail(src, "--resample-times %.9g means %.3g values of %zu rows, more than %d",
                       rate_hz, values, f->n, MOST_FILLED);
}

/* Take the rate from the first frames, and then the frames. */
static bool begin_times(source *src)
{
    timed *t = src->timed;
    first_frames f = {0};
    time_steps steps = time_steps_none();
    const bool more = read_steps(src, &f, &steps);
    const time_kind kind = convert(src, &f);
    t->stamps = stamps_judge(f.times, f.n);
    steps = report_backwards(src, &f) ? time_steps_none() : steps_of(&t->stamps, &f);
    take_rate(src, &steps);
    const bool good =
        begin_fill(src) && check_first_rows(src, &f) && add(src, f.values, f.times, f.n);
    t->kind = kind; /* of the times to come */
    t->is_short = !more;
    if (good && !more) end(src);
    free(f.values);
    free(f.times);
    return good;
}

bool timed_open(source *src)
{
    const bool has_times = src->info.times != SOURCE_NO_TIMES;
    if (src->options.deals_rows) return true;
    if (src->info.microphone || (!has_times && src->options.fill_s == 0)) return true;
    timed *t = src->timed = calloc(1, sizeof *t);
    if (!t) return source_fail(src, "out of memory");
    t->first = t->last = exact_time_unknown();
    /* Text one row at a time, so that the warnings do not depend on how it is cut. */
    t->room = src->info.has_columns ? 1 : READ_VALUES / src->native_channels + 1;
    t->read = malloc(t->room * src->native_channels * sizeof *t->read);
    t->read_times = malloc(t->room * sizeof *t->read_times);
    if (!t->read || !t->read_times) return source_fail(src, "out of memory");
    return has_times ? begin_times(src) : begin_fill(src);
}

void timed_close(source *src)
{
    timed *t = src->timed;
    if (!t) return;
    fill_destroy(t->frames);
    even_times_destroy(t->even);
    free(t->sample);
    kept_lines_free(&t->lines);
    free(t->read);
    free(t->read_times);
    free(t);
    src->timed = NULL;
}
