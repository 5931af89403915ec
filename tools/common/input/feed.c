#include "tools/common/input/feed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"
#include "tools/common/input/column_times.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/signals.h"

enum {
    LEAST_READ = 1 << 15, /* samples: a pipe-full of 16 bits each */
    MOST_READ = 1 << 20,
    READ_VALUES = 1 << 22,   /* of all channels */
    CACHED_VALUES = 1 << 17, /* a read that the search then finds in the processor's cache */
    FILL_VALUES = 1 << 22,   /* read by all threads between two looks at signals, and prefetches */
    LEAST_PUSH = 256,        /* samples */
    NONE = -2,               /* no result of source_gather yet */
};
static const double FIRST_PUSH_CELLS = 1e8;
static const int64_t MOST_PUSH_NS = 80000000;

size_t read_size(size_t push_size, size_t channels)
{
    const size_t room = READ_VALUES / channels, most = room < MOST_READ ? room : MOST_READ;
    if (push_size >= most) return most;
    const size_t least = LEAST_READ < most ? LEAST_READ : most;
    const size_t n = push_size < least ? (least + push_size - 1) / push_size : 1;
    return (n * push_size <= most ? n : most / push_size) * push_size;
}

static size_t read_samples(void *user, float *to, size_t at, size_t n)
{
    return source_read_at(user, at, to, n);
}

sigrep_status fill_from_file(sigrep *search, source *src, size_t most, size_t *got)
{
    *got = 0;
    const uint64_t left = source_frames_left(src);
    if (!left) return SIGREP_OK;
    const size_t n = left < most ? (size_t)left : most;
    const sigrep_status status = sigrep_read(search, n, read_samples, src, got);
    if (*got) source_skip(src, *got);
    return status;
}

struct read_ahead {
    pthread_t reader; /* one thread a read: it costs far less than the read */
    bool has_reader;
    bool are_doubles;
    void *frames;
    source *src;
    size_t max; /* samples */
    ssize_t got;
};

read_ahead *read_ahead_create(size_t values, bool are_doubles)
{
    read_ahead *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->are_doubles = are_doubles;
    a->frames = malloc(values * (are_doubles ? sizeof(double) : sizeof(float)));
    if (a->frames) return a;
    free(a);
    return NULL;
}

void read_ahead_destroy(read_ahead *a)
{
    if (!a) return;
    free(a->frames);
    free(a);
}

static void *gather(void *user)
{
    read_ahead *a = user;
    a->got = a->are_doubles ? source_gather_doubles(a->src, a->frames, NULL, a->max)
                            : source_gather(a->src, a->frames, NULL, a->max);
    return NULL;
}

void read_ahead_start(read_ahead *a, source *src, size_t max)
{
    a->src = src;
    a->max = max;
    a->has_reader = signals_start_thread(&a->reader, gather, a);
}

void *read_ahead_wait(read_ahead *a, void *frames, ssize_t *got)
{
    if (a->has_reader)
        pthread_join(a->reader, NULL);
    else
        gather(a);
    void *read = a->frames;
    a->frames = frames;
    *got = a->got;
    return read;
}

/* ---- The loop ---- */

void feed_free(feed *f)
{
    free(f->frames);
    free(f->doubles);
    free(f->stamps);
    f->frames = NULL;
    f->doubles = NULL;
    f->stamps = NULL;
    f->room = 0;
}

/* Room for as many samples as the search wants at once. */
static bool make_room(feed *f)
{
    const size_t wanted = read_size(sigrep_push_size(f->search), f->channels);
    if (wanted <= f->room && (f->doubles || !f->is_wide)) return true;
    feed_free(f);
    f->frames = malloc(wanted * f->channels * sizeof *f->frames);
    if (f->is_wide) f->doubles = malloc(wanted * f->channels * sizeof *f->doubles);
    if (f->has_times) f->stamps = malloc(wanted * sizeof *f->stamps);
    if (!f->frames || (f->is_wide && !f->doubles) || (f->has_times && !f->stamps)) return false;
    f->room = f->part = wanted;
    while (f->part > LEAST_PUSH && (double)f->part * f->cells > FIRST_PUSH_CELLS) f->part /= 2;
    return true;
}

bool feed_begin(feed *f)
{
    const source_info info = source_get_info(f->src);
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(f->search, &stats);
    f->channels = info.channels;
    f->is_on_gpu = strcmp(stats.device, "cuda") == 0;
    f->is_wide = info.is_wide && sigrep_wants_doubles(f->search);
    if (!f->is_wide) source_watch_rounding(f->src);
    f->is_fed = !info.live && !f->cuts_at_gaps && (f->is_on_gpu || f->threads > 1);
    f->samples = 0;
    f->held = 0;
    f->has_ended = f->was_ended = f->was_interrupted = false;
    f->failure = NULL;
    return make_room(f);
}

void feed_follow(feed *f, source *src)
{
    f->src = src;
    if (!f->is_wide) source_watch_rounding(src);
    f->has_ended = f->was_interrupted = false;
    f->failure = NULL;
}

/* If the search is fed, two more chunks wait in it: one at work, and one that is gathered. */
uint64_t feed_waiting(const feed *f)
{
    return 2 * f->room + (f->is_fed ? 2 * (uint64_t)sigrep_push_size(f->search) : 0);
}

/* The samples of the next n that the limit leaves. */
static uint64_t within_limit(const feed *f, uint64_t n)
{
    const uint64_t left = f->limit - f->samples;
    return left < n ? left : n;
}

/* The search was given n more samples. */
static bool account(feed *f, const float *frames, uint64_t n, sigrep_status status)
{
    f->samples += n;
    f->was_ended |= !f->calls->searched(f->user, frames, n, status);
    return !f->was_ended;
}

/* The next push should take from a quarter of the most to all of it. Several threads may take
 * longer, since they share it in parts, and long ones repeat less (front_end_parts.h). Doubled as
 * often as the time allows, but three times at most: a short push may make no frame. */
static void adapt(feed *f, int64_t took_ns)
{
    const int64_t most_ns = f->threads > 1 ? 4 * MOST_PUSH_NS : MOST_PUSH_NS;
    if (took_ns > most_ns && f->part > LEAST_PUSH) f->part /= 2;
    for (int i = 0; i < 3 && took_ns < most_ns / 4 && f->part <= f->room / 2; i++) {
        took_ns *= 2;
        f->part *= 2;
    }
}

sigrep_status feed_give(feed *f, size_t at, size_t n)
{
    at *= f->channels;
    if (f->is_wide)
        return (f->is_fed ? sigrep_feed_doubles : sigrep_push_doubles)(f->search, f->doubles + at,
                                                                       n);
    return (f->is_fed ? sigrep_feed : sigrep_push)(f->search, f->frames + at, n);
}

static bool is_missing(const feed *f, size_t at)
{
    const float *frame = f->frames + at * f->channels;
    for (size_t k = 0; k < f->channels; k++)
        if (!isfinite(frame[k])) return true;
    return false;
}

/* The samples of the next push, from sample `at` of a read. */
static size_t next_part(const feed *f, size_t at, size_t end)
{
    const size_t most = end - at < f->part ? end - at : f->part;
    size_t n = 1;
    if (!f->cuts_at_gaps) return most;
    while (n < most && (!is_missing(f, at + n) || is_missing(f, at + n - 1))) n++;
    return n;
}

/* Push the samples [first, end) of a read in parts. The first part goes in any case: it may have
 * been read before a signal. true to go on. */
static bool push(feed *f, size_t first, size_t end)
{
    for (size_t at = first; at < end && (at == first || !signals_caught());) {
        const size_t part = next_part(f, at, end);
        const float *frames = f->frames + at * f->channels;
        const int64_t began_ns = fd_now_ns();
        const sigrep_status status = feed_give(f, at, part);
        if (part == f->part) adapt(f, fd_now_ns() - began_ns);
        if (!account(f, frames, part, status)) return false;
        at += part;
    }
    return true;
}

/* n samples were lost here. true to go on. */
static bool lose(feed *f, uint64_t n)
{
    if (n == 0) return true;
    input_warn_of_gap(f->name, n, f->samples, source_get_info(f->src).rate_hz);
    return feed_gap(f, n);
}

bool feed_gap(feed *f, uint64_t n)
{
    const uint64_t lost = within_limit(f, n);
    if (f->calls->gap) f->calls->gap(f->user, lost);
    return account(f, NULL, lost, sigrep_gap(f->search, lost));
}

/* Let the search's threads read on. false: they cannot. */
static bool fill(feed *f)
{
    size_t got;
    const size_t at_once = f->is_on_gpu ? FILL_VALUES / f->channels : f->part;
    const size_t most = (size_t)within_limit(f, at_once);
    const int64_t began_ns = fd_now_ns();
    if (!f->is_fed || f->is_wide || f->stamps || f->sees_all) return false;
    const sigrep_status status = fill_from_file(f->search, f->src, most, &got);
    if (got == f->part) adapt(f, fd_now_ns() - began_ns);
    if (got || status) account(f, NULL, got, status);
    return got || status;
}

ssize_t feed_read(feed *f, size_t at, size_t n)
{
    exact_time *times = f->stamps ? f->stamps + at : NULL;
    at *= f->channels;
    return f->is_wide ? source_gather_doubles(f->src, f->doubles + at, times, n)
                      : source_gather(f->src, f->frames + at, times, n);
}

/* As feed_read, and say so. */
static ssize_t read_next(feed *f, size_t n)
{
    if (f->calls->waits) f->calls->waits(f->user, true);
    const ssize_t got = feed_read(f, 0, n);
    if (f->calls->waits) f->calls->waits(f->user, false);
    return got;
}

/* n samples were read. */
static void show_read(const feed *f, size_t n)
{
    for (size_t i = 0; f->is_wide && i < n * f->channels; i++) f->frames[i] = (float)f->doubles[i];
    if (f->calls->read) f->calls->read(f->user, f->frames, f->stamps, n);
}

/* Search n samples that were read, the first `settled` of which are sure. If there is a read_ahead,
 * it reads up to `most` meanwhile, *next of them. */
static void search_read(feed *f, size_t n, size_t settled, read_ahead *ahead, size_t most,
                        ssize_t *next)
{
    const uint64_t left = f->limit - f->samples - n;
    show_read(f, n);
    if (f->times) f->failure = column_times_add(f->times, f->stamps, n);
    f->was_ended = f->failure != NULL;
    if (f->was_ended) return;
    if (ahead && left > 0) read_ahead_start(ahead, f->src, left < most ? (size_t)left : most);
    if (settled >= n) {
        push(f, 0, n);
    } else if (push(f, 0, settled)) {
        if (f->calls->unsettled) f->calls->unsettled(f->user);
        push(f, settled, n);
    }
    if (!ahead || left == 0) return;
    if (f->is_wide)
        f->doubles = read_ahead_wait(ahead, f->doubles, next);
    else
        f->frames = read_ahead_wait(ahead, f->frames, next);
}

/* The search has stopped. Read what is still wanted; `next` samples are read already. */
static void read_on(feed *f, ssize_t next)
{
    uint64_t wanted;
    if (!f->calls->wants) return;
    while ((wanted = f->calls->wants(f->user)) > 0 && (next > 0 || !signals_caught())) {
        const size_t most = wanted < f->room ? (size_t)wanted : f->room;
        const bool is_read = next > 0;
        const ssize_t n = is_read ? next : read_next(f, most);
        next = NONE;
        input_warn(f->name, f->src);
        if (!is_read && f->calls->gap) f->calls->gap(f->user, source_gap(f->src));
        if (n <= 0) break;
        show_read(f, (size_t)n);
    }
    f->was_interrupted = wanted > 0 && signals_which();
}

/* Reading has failed, or the input. Matches that are final, of a chunk that a GPU still searches,
 * still come. */
static void fail(feed *f)
{
    const bool was_ended = f->was_ended;
    if (source_read_failed(f->src)) {
        account(f, NULL, 0, sigrep_push(f->search, f->frames, 0));
        if (f->calls->unreadable) f->calls->unreadable(f->user);
    }
    if (!was_ended) f->failure = source_error(f->src);
}

sigrep_status feed_run(feed *f)
{
    ssize_t n = 0, next = f->held > 0 ? (ssize_t)f->held : NONE;
    bool begun = false;
    const size_t cached = CACHED_VALUES / f->channels;
    const size_t most = f->is_fed && f->is_on_gpu && cached < f->room ? cached : f->room;
    const bool reads_ahead = f->is_fed && f->threads > 1 && !f->stamps;
    read_ahead *ahead = reads_ahead ? read_ahead_create(f->room * f->channels, f->is_wide) : NULL;
    /* Once in any case: opening the source may have read samples before a signal. */
    while (!f->was_ended && (!begun || !signals_caught()) && f->samples < f->limit) {
        begun = true;
        if (next == NONE && fill(f)) continue;
        n = next != NONE ? next : read_next(f, (size_t)within_limit(f, most));
        next = NONE;
        f->has_ended = n == 0 && !signals_caught();
        input_warn(f->name, f->src);
        if (!lose(f, source_gap(f->src)) || n <= 0) break;
        const size_t unsure = source_unsettled(f->src), read = (size_t)n;
        search_read(f, (size_t)within_limit(f, read), unsure < read ? read - unsure : 0, ahead,
                    most, &next);
    }
    read_ahead_destroy(ahead);
    f->was_interrupted = signals_which() && !f->was_ended && n >= 0 && f->samples < f->limit;
    if (n > 0 && f->was_ended) read_on(f, next);
    if (n < 0) fail(f);
    source_end_warnings(f->src);
    input_warn(f->name, f->src);
    if (f->calls->ends && !f->calls->ends(f->user)) return SIGREP_OK;
    return sigrep_finish(f->search);
}
