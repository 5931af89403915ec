/*
 * source_read.c - read the frames of an open source, rounded or as doubles.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "io/samples/pcm.h"
#include "io/source_ops.h"
#include "io/time/timed.h"

/* How long source_gather waits for more of a live source: for the next bytes, and in total. */
enum { PAUSE_MS = 1, GATHER_NS = 5000000 };

source_info source_get_info(const source *src)
{
    source_info info = src->info;
    info.format = source_format_name(src);
    return info;
}

uint64_t source_gap(const source *src)
{
    return src->gap;
}

kept_lines *source_lines(source *src)
{
    return src->lines && src->timed ? timed_lines(src) : src->lines;
}

const void *source_native(const source *src)
{
    return src->options.keep_native && !src->lines ? src->native.data : NULL;
}

const char *source_channel_name(const source *src, size_t channel)
{
    const chosen_channels *c = &src->chosen;
    const size_t native = c->picks ? c->picks[channel] : channel;
    const char *name = src->names.data;
    if (!name || c->is_mean) return NULL;
    for (size_t k = 0; k < native; k++) name += strlen(name) + 1;
    return name;
}

const char *source_head(const source *src, size_t *length)
{
    *length = src->head.length;
    return src->head.data;
}

const uint64_t *source_came_with(const source *src)
{
    return (const uint64_t *)(const void *)src->came_with.data;
}

double source_part_read(const source *src)
{
    const input *in = &src->in;
    const off_t at = in->is_file ? lseek(in->fd, 0, SEEK_CUR) : -1;
    if (at < 0) return -1;
    return (uint64_t)at < in->size ? (double)at / (double)in->size : 1;
}

const char *source_error(const source *src)
{
    return src->error;
}

bool source_read_failed(const source *src)
{
    return src->in.failure != 0;
}

/* Report the first samples of 64 bits that float32 cannot hold. */
static void report_beyond(source *src)
{
    if (src->beyond_reported || !atomic_load(&src->beyond)) return;
    src->beyond_reported = true;
    source_warn(src, "a value of 64 bits is too large for float32: a gap, as are all such values");
}

/* Report raw floats that are absurd, once all that are judged have come. */
static void report_absurd(source *src)
{
    const value_check *c = src->plain ? src->plain->check : NULL;
    if (!c || !c->is_complete) return;
    src->plain->check = NULL;
    if (value_check_fails(c))
        source_warn(src,
                    "%zu of the first %zu values are not finite, beyond 1e30 or denormal: are they "
                    "%s? -f sets the format",
                    c->absurd, c->seen, source_format_name(src));
}

/* Report channels that are lost in their mean. n frames before the choice were read; 0: the end. */
static void report_mix(source *src, channels_output from, size_t n)
{
    if (!src->chosen.is_mean || src->chosen.picks || !src->info.audio) return;
    if (n == 0 ? mix_check_end(&src->mix)
               : mix_check_add(&src->mix, from.narrow, from.wide, src->native_channels, n))
        source_warn(src, "its channels cancel each other, so little is left in their mean: "
                         "--channel 1 takes one of them");
}

/* A number in the fewest of 15 to 17 digits that tell it from others. */
static void show(char text[32], double value)
{
    int digits = 15;
    do snprintf(text, 32, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits <= 17);
}

/* Do these differ, but not as float32? Differences near the precision of doubles are noise of
 * whoever computed them. So are those of sound, which does not exceed full scale. */
static bool become_one(const source *src, double a, double b)
{
    const double size = fabs(b), least = src->info.audio ? 1 : (double)FLT_MIN;
    return (float)a == (float)b && size > least && size <= (double)FLT_MAX &&
           fabs(a - b) > 0x1p-44 * size;
}

static void see_rounding(source *src, const double *frame, const char *unit, uint64_t number)
{
    rounding *r = &src->rounding;
    char before[32], now[32];
    for (size_t k = 0; k < src->native_channels && !r->found[0]; k++) {
        if (become_one(src, r->last[k], frame[k])) {
            show(before, r->last[k]);
            show(now, frame[k]);
            snprintf(r->found, sizeof r->found,
                     "%s %llu: %s and %s become one value of float32; -p diff compares their "
                     "steps, or subtract an offset before",
                     unit, (unsigned long long)number, before, now);
        }
        r->last[k] = frame[k];
    }
}

void source_see_rounding(source *src, const double *frame, uint64_t line)
{
    if (src->rounding.last && !src->rounding.found[0]) see_rounding(src, frame, "line", line);
}

/* n frames were read, all of them seen if they are lines. */
static void watch(source *src, const double *frames, size_t n)
{
    rounding *r = &src->rounding;
    if (!r->is_wanted) return;
    for (size_t i = 0; !src->info.has_columns && !r->found[0] && i < n; i++)
        see_rounding(src, frames + i * src->native_channels, "sample", r->n_seen++);
    if (!r->found[0]) return;
    source_warn(src, "%s", r->found);
    r->is_wanted = false;
}

void source_watch_rounding(source *src)
{
    const bool is_integer = src->plain && src->plain->type.is_scaled;
    src->rounding.is_wanted = src->rounding.last && !(src->info.audio && is_integer);
}

/* Keep n frames before the choice. false: out of memory. */
static bool keep_native(source *src, channels_output from, size_t n)
{
    text_buffer *kept = &src->native;
    const size_t values = n * src->native_channels;
    if (!src->options.keep_native || src->lines) return true;
    if (src->info.is_wide) {
        text_add(kept, (const char *)from.wide, values * sizeof *from.wide);
    } else if (from.narrow) {
        text_add(kept, (const char *)from.narrow, values * sizeof *from.narrow);
    } else {
        for (size_t i = 0; i < values; i++) {
            const float value = (float)from.wide[i];
            text_add(kept, (const char *)&value, sizeof value);
        }
    }
    return !kept->failed || source_fail(src, "out of memory");
}

/* Read frames before the choice of channels, all of them chosen or not: floats, or doubles if the
 * source is wide or timed. */
static ssize_t read_native(source *src, channels_output to, exact_time *times, size_t max,
                           bool wait)
{
    if (src->timed) return timed_read(src, to.wide, times, max, wait);
    if (to.wide) return source_read_native(src, to.wide, times, max, wait);
    return src->ops->read(src, to.narrow, times, max, wait);
}

static ssize_t read_chosen(source *src, channels_output out, exact_time *times, size_t max,
                           bool wait)
{
    const bool wide = src->timed || src->info.is_wide;
    const bool is_direct = channels_are_all(&src->chosen) && wide == (out.wide != NULL);
    channels_output to = {.narrow = src->scratch};
    if (src->failed && !timed_is_ready(src)) return -1;
    if (max == 0) return 0;
    if (src->plain) src->plain->beyond = &src->beyond;
    if (wide) to = (channels_output){.wide = src->wide};
    if (is_direct) to = out;
    if (!is_direct && max > src->scratch_frames) max = src->scratch_frames;
    const ssize_t n = read_native(src, to, times, max, wait);
    report_absurd(src);
    report_beyond(src);
    if (n == 0 && wait) report_mix(src, to, 0);
    if (n <= 0) return n;
    report_mix(src, to, (size_t)n);
    watch(src, to.wide, (size_t)n);
    if (!keep_native(src, to, (size_t)n)) return -1;
    if (!is_direct) channels_take(src, to.narrow, to.wide, (size_t)n, out);
    return n;
}

static void begin_read(source *src)
{
    src->gap = 0;
    src->native.length = 0;
}

ssize_t source_read(source *src, float *frames, exact_time *times, size_t max)
{
    begin_read(src);
    return read_chosen(src, (channels_output){.narrow = frames}, times, max, true);
}

ssize_t source_read_doubles(source *src, double *frames, exact_time *times, size_t max)
{
    begin_read(src);
    return read_chosen(src, (channels_output){.wide = frames}, times, max, true);
}

/* Has a live source been gathered from for long enough? */
static bool is_late(const source *src, int64_t began_ns)
{
    return src->info.live && fd_now_ns() - began_ns >= GATHER_NS;
}

bool source_has_more(source *src, int64_t began_ns)
{
    if (timed_is_ready(src)) return true;
    if (!src->ops->more || is_late(src, began_ns)) return false;
    return src->ops->more(src, src->info.live ? PAUSE_MS : -1);
}

/* `n` frames further. */
static channels_output after(const source *src, channels_output out, size_t n)
{
    n *= src->info.channels;
    return (channels_output){out.narrow ? out.narrow + n : NULL, out.wide ? out.wide + n : NULL};
}

/* As gather, a frame at a time, to know the line with which each comes. */
static ssize_t gather_lines(source *src, channels_output out, exact_time *times, size_t max)
{
    size_t n = 0;
    ssize_t got = 1;
    begin_read(src);
    src->came_with.length = 0;
    while (n < max && got > 0 && (n == 0 || src->n_warnings == 0)) {
        got = read_chosen(src, after(src, out, n), times ? times + n : NULL, 1, n == 0);
        if (got > 0) text_add(&src->came_with, (const char *)&src->number, sizeof src->number);
        n += got > 0;
    }
    if (src->came_with.failed) source_fail(src, "out of memory");
    return n > 0 && !src->came_with.failed ? (ssize_t)n : got > 0 ? -1 : got;
}

static ssize_t gather(source *src, channels_output out, exact_time *times, size_t max)
{
    if (src->options.lines) return gather_lines(src, out, times, max);
    begin_read(src);
    ssize_t first = read_chosen(src, out, times, max, true);
    if (first <= 0) return first;
    const int64_t began_ns = src->info.live ? fd_now_ns() : 0;
    size_t n = (size_t)first;
    while (n < max && src->n_warnings == 0) {
        ssize_t more =
            read_chosen(src, after(src, out, n), times ? times + n : NULL, max - n, false);
        if (more < 0) break;
        if (more == 0 && !source_has_more(src, began_ns)) break;
        n += (size_t)more;
        if (more > 0 && is_late(src, began_ns)) break;
    }
    return (ssize_t)n;
}

ssize_t source_gather(source *src, float *frames, exact_time *times, size_t max)
{
    return gather(src, (channels_output){.narrow = frames}, times, max);
}

ssize_t source_gather_doubles(source *src, double *frames, exact_time *times, size_t max)
{
    return gather(src, (channels_output){.wide = frames}, times, max);
}

uint64_t source_frames_left(source *src)
{
    const input *in = &src->in;
    if (!src->plain || !in->regular || !channels_are_all(&src->chosen) || src->timed || src->failed)
        return 0;
    if (src->rounding.is_wanted) return 0;
    if (in->ended || in->woken || in->failure) return 0;
    if (in->wake_fd >= 0 && fd_is_ready(in->wake_fd)) return 0;
    src->plain->beyond = &src->beyond;
    return pcm_frames_left(src->plain, in);
}

size_t source_read_at(const source *src, uint64_t at, float *frames, size_t n)
{
    return pcm_read_at(src->plain, &src->in, at, frames, n);
}

size_t source_read_back(const source *src, uint64_t back, float *frames, size_t n)
{
    return pcm_read_at(src->plain, &src->in, 0 - back, frames, n); /* modulo 2^64 */
}

void source_skip(source *src, uint64_t n)
{
    src->gap = 0;
    pcm_skip(src->plain, &src->in, n);
    report_absurd(src);
    report_beyond(src);
}

uint64_t source_jump(source *src, uint64_t n)
{
    if (!src->plain || !src->in.regular || src->timed || src->failed) return 0;
    if (input_has_stopped(&src->in)) return 0;
    const uint64_t left = pcm_frames_left(src->plain, &src->in);
    if (n > left) n = left;
    src->gap = 0;
    pcm_skip(src->plain, &src->in, n);
    src->rounding.n_seen += n;
    for (size_t k = 0; src->rounding.last && k < src->native_channels; k++)
        src->rounding.last[k] = (double)NAN;
    return n;
}

size_t source_unsettled(const source *src)
{
    return src->timed ? timed_unsettled(src) : src->is_cut;
}
