/*
 * source_read.c - read the frames of an open source, one value or all of each.
 */
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

const char *source_error(const source *src)
{
    return src->error;
}

bool source_read_failed(const source *src)
{
    return src->in.failure != 0;
}

/* The mean is a float32 sum in the order of the channels, then one division: the same bits on
 * every machine. */
static float choose(const source *src, const float *frame)
{
    if (src->options.choice == CHANNEL_ONE) return frame[src->options.channel - 1];
    float sum = frame[0];
    for (size_t i = 1; i < src->native_channels; i++) sum += frame[i];
    return sum / (float)src->native_channels;
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

/* Report channels that are lost in their mean. */
static void report_mix(source *src, const float *means, ssize_t n)
{
    const bool is_mean = src->scratch && src->options.choice == CHANNEL_MIX && src->info.audio;
    if (!is_mean || n < 0) return;
    if (n == 0 ? mix_check_end(&src->mix)
               : mix_check_add(&src->mix, src->scratch, src->native_channels, means, (size_t)n))
        source_warn(src, "its channels cancel each other, so little is left in their mean: "
                         "--channel 1 searches one of them");
}

static ssize_t read_chosen(source *src, float *frames, exact_time *times, size_t max, bool wait)
{
    if (src->failed && !timed_is_ready(src)) return -1;
    if (max == 0) return 0;
    if (src->scratch && max > src->scratch_frames) max = src->scratch_frames;
    float *out = src->scratch ? src->scratch : frames;
    if (src->plain) src->plain->beyond = &src->beyond;
    ssize_t n = (src->timed ? timed_read : src->ops->read)(src, out, times, max, wait);
    report_absurd(src);
    report_beyond(src);
    for (ssize_t i = 0; src->scratch && i < n; i++)
        frames[i] = choose(src, src->scratch + (size_t)i * src->native_channels);
    if (n > 0 || wait) report_mix(src, frames, n);
    return n;
}

ssize_t source_read(source *src, float *frames, exact_time *times, size_t max)
{
    src->gap = 0;
    return read_chosen(src, frames, times, max, true);
}

/* Has a live source been gathered from for long enough? */
static bool is_late(const source *src, int64_t began_ns)
{
    return src->info.live && fd_now_ns() - began_ns >= GATHER_NS;
}

/* Is there more: in a file at once, from a live source after a short wait? */
static bool has_more(source *src, int64_t began_ns)
{
    if (timed_is_ready(src)) return true;
    if (!src->ops->more || is_late(src, began_ns)) return false;
    return src->ops->more(src, src->info.live ? PAUSE_MS : -1);
}

ssize_t source_gather(source *src, float *frames, exact_time *times, size_t max)
{
    ssize_t first = source_read(src, frames, times, max);
    if (first <= 0) return first;
    const size_t channels = src->info.channels;
    const int64_t began_ns = src->info.live ? fd_now_ns() : 0;
    size_t n = (size_t)first;
    while (n < max && src->n_warnings == 0) {
        ssize_t more =
            read_chosen(src, frames + n * channels, times ? times + n : NULL, max - n, false);
        if (more < 0) break;
        if (more == 0 && !has_more(src, began_ns)) break;
        n += (size_t)more;
        if (more > 0 && is_late(src, began_ns)) break;
    }
    return (ssize_t)n;
}

uint64_t source_frames_left(source *src)
{
    const input *in = &src->in;
    if (!src->plain || !in->regular || src->scratch || src->timed || src->failed) return 0;
    if (in->ended || in->woken || in->failure) return 0;
    if (in->wake_fd >= 0 && fd_is_ready(in->wake_fd)) return 0;
    src->plain->beyond = &src->beyond;
    return pcm_frames_left(src->plain, in);
}

size_t source_read_at(const source *src, uint64_t at, float *frames, size_t n)
{
    return pcm_read_at(src->plain, &src->in, at, frames, n);
}

void source_skip(source *src, uint64_t n)
{
    src->gap = 0;
    pcm_skip(src->plain, &src->in, n);
    report_absurd(src);
    report_beyond(src);
}
