#include "filter/cli/search_input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/common/open_input.h"
#include "filter/cli/common/read_size.h"
#include "filter/cli/common/signals.h"
#include "filter/cli/fill_from_file.h"
#include "filter/cli/print.h"
#include "filter/cli/read_ahead.h"
#include "filter/cli/searcher.h"

enum {
    CACHED_VALUES = 1 << 17, /* of which the searcher then finds most in the processor's cache */
    FILL_VALUES = 1 << 22,   /* read by all threads between two looks at signals, and prefetches */
    LEAST_SLICE = 256,
    NONE = -2, /* instead of what source_gather gave */
};
static const double SLICE_CELLS = 1e8; /* to begin with */
static const double SLICE_S = 0.25;

/* Cells that a sample costs, more or less. */
static double cells_a_sample(const runner *r)
{
    double longest = 0;
    for (size_t i = 0; i < r->set.n; i++) longest += (double)template_kept(&r->set.items[i]);
    return longest * (double)r->set.channels;
}

/* Room to read as much as the searcher wants at once. */
static bool make_room(runner *r)
{
    const size_t wanted = read_size(sigrep_push_size(r->search), r->set.channels);
    if (wanted <= r->max_frames) return true;
    search_input_free(r);
    r->frames = malloc(wanted * r->set.channels * sizeof *r->frames);
    bool with_times = r->o->shared.source.time_column > 0;
    if (with_times) r->times = malloc(wanted * sizeof *r->times);
    if (!r->frames || (with_times && !r->times)) return false;
    r->max_frames = wanted;
    r->slice = wanted;
    while (r->slice > LEAST_SLICE && (double)r->slice * cells_a_sample(r) > SLICE_CELLS)
        r->slice /= 2;
    return true;
}

void search_input_free(runner *r)
{
    free(r->frames);
    free(r->times);
    r->frames = NULL;
    r->times = NULL;
    r->max_frames = 0;
}

/* The input, not the whole run, has failed. */
static bool fail(runner *r, const char *reason)
{
    report_of(r->name, "%s", reason);
    r->failed = true;
    return false;
}

/* What a call of the library gave: true to go on with the input. */
static bool judge(runner *r, sigrep_status status)
{
    if (r->scores_failure) {
        report_of(r->o->scores_path, "%s", strerror(r->scores_failure));
        r->scores_failure = 0;
        r->failed = true;
        r->over = true;
        return false;
    }
    if (status == SIGREP_OK || status == SIGREP_STOPPED) return status == SIGREP_OK;
    r->mute = true;
    if (status == SIGREP_STORE_FAILED && *spool_error(r->store))
        return fail(r, spool_error(r->store));
    return fail(r, sigrep_status_text(status));
}

/* A slice took so long: the next one should take from a quarter of SLICE_S to all of it. */
static void adapt_slice(runner *r, double took_s)
{
    if (took_s > SLICE_S && r->slice > LEAST_SLICE) r->slice /= 2;
    if (took_s < SLICE_S / 4 && r->slice <= r->max_frames / 2) r->slice *= 2;
}

static sigrep_status push_slice(runner *r, size_t at, size_t n)
{
    double began_s = monotonic_s();
    const float *samples = r->frames + at * r->set.channels;
    sigrep_status status =
        r->feeds ? sigrep_feed(r->search, samples, n) : sigrep_push(r->search, samples, n);
    if (n == r->slice) adapt_slice(r, monotonic_s() - began_s);
    return status;
}

static void say_remark(runner *r)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(r->search, &stats);
    searcher_note(r, stats.remark);
}

/* n more samples were given to the searcher, with this status: true to go on with the input. */
static bool account(runner *r, size_t n, sigrep_status status)
{
    r->samples += n;
    print_flush(r);
    say_remark(r);
    if (!judge(r, status) || r->over) return false;
    progress_tell(&r->bar, r->samples, r->matches);
    return true;
}

/* Push n samples in slices, so that a signal or the clock need not wait long; the first one
 * in any case, since what was gathered may have come before the signal. */
static bool push(runner *r, size_t n)
{
    const char *wrong = r->column ? times_add(r->column, r->times, n) : NULL;
    if (wrong) return fail(r, wrong);
    for (size_t at = 0; at < n && (at == 0 || !signals_caught());) {
        size_t part = n - at < r->slice ? n - at : r->slice;
        if (!account(r, part, push_slice(r, at, part))) return false;
        at += part;
    }
    return true;
}

/* n samples were lost here: true to go on with the input. */
static bool lose(runner *r, uint64_t n)
{
    if (n == 0) return true;
    input_warn_of_gap(r->name, n, r->samples, r->scale.rate_hz);
    const uint64_t left = r->last_sample - r->samples, lost = n < left ? n : left;
    sigrep_status status = sigrep_gap(r->search, lost);
    r->samples += lost;
    print_flush(r);
    return judge(r, status) && !r->over;
}

/* How many of n samples read lie before --duration's end. */
static size_t within_duration(const runner *r, size_t n)
{
    uint64_t left = r->last_sample - r->samples;
    return left < n ? (size_t)left : n;
}

/* Push n samples; by `ahead`, if there is one, the next piece of at most `most` is read meanwhile,
 * *next samples. */
static bool push_and_read_on(runner *r, size_t n, read_ahead *ahead, source *src, size_t most,
                             ssize_t *next)
{
    const uint64_t left = r->last_sample - r->samples - n;
    if (!ahead || left == 0) return push(r, n);
    read_ahead_start(ahead, src, left < most ? (size_t)left : most);
    const bool going = push(r, n);
    *next = read_ahead_wait(ahead, &r->frames);
    return going;
}

/* Let the searcher's threads read the next samples by themselves. false: they cannot; else *going
 * as push tells it. */
static bool fill(runner *r, source *src, bool *going)
{
    size_t got, most = within_duration(r, FILL_VALUES / r->set.channels);
    if (!r->feeds || r->times) return false;
    const sigrep_status status = fill_from_file(r->search, src, most, &got);
    if (got || status) *going = account(r, got, status);
    return got || status;
}

/* Read to the end; what failed on the way is said after what was found before. */
static void pump(runner *r, source *src)
{
    ssize_t n = 0, next = NONE;
    bool going = true;
    const size_t cached = CACHED_VALUES / r->set.channels;
    const size_t most = r->feeds && cached < r->max_frames ? cached : r->max_frames;
    const bool reads_ahead = r->feeds && r->o->shared.threads > 1 && !r->times;
    read_ahead *ahead = reads_ahead ? read_ahead_create(r->max_frames * r->set.channels) : NULL;
    if (r->times) r->times[0] = -INFINITY; /* stays where the format has no columns */
    while (going && !signals_caught() && r->samples < r->last_sample) {
        if (next == NONE && fill(r, src, &going)) continue;
        n = next != NONE ? next : source_gather(src, r->frames, r->times, within_duration(r, most));
        next = NONE;
        input_warn(r->name, src);
        going = lose(r, source_gap(src));
        if (n <= 0 || !going) break;
        if (r->times && isinf(r->times[0])) {
            going = fail(r, "--time-column needs an input of text");
            break;
        }
        going = push_and_read_on(r, within_duration(r, (size_t)n), ahead, src, most, &next);
    }
    read_ahead_destroy(ahead);
    sigrep_status status = sigrep_finish(r->search);
    if (going) judge(r, status);
    say_remark(r);
    print_flush(r);
    if (going && n < 0) fail(r, source_error(src));
}

/* How far back a match may begin: 14 of the longest, a push, and what front ends hold; where the
 * searcher is fed, what waits in it too: a chunk at work, and one that is gathered. */
static uint64_t times_horizon(const runner *r, double rate_hz)
{
    double longest = 0;
    for (size_t i = 0; i < r->set.n; i++) {
        const loaded_template *t = &r->set.items[i];
        double kept = (double)template_kept(t);
        if (t->info.rate_known) kept *= rate_hz / t->info.rate_hz;
        if (kept > longest) longest = kept;
    }
    double samples = 14 * r->o->shared.length_max * 2 * longest;
    if (r->o->best || !(samples < 0x1p62)) return UINT64_MAX;
    uint64_t waiting = r->feeds ? 2 * (uint64_t)sigrep_push_size(r->search) : 0;
    return (uint64_t)samples + 2 * r->max_frames + waiting;
}

static bool begin(runner *r, const source_info *info, struct timespec opened)
{
    r->rate_known = info->rate_known;
    if (searcher_ensure(r, info->rate_hz) != SIGREP_OK) {
        r->failed = true;
        return false;
    }
    if (!make_room(r)) return fail(r, "out of memory");
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(r->search, &stats);
    r->feeds = !info->live && strcmp(stats.device, "cuda") == 0;
    r->scale = (time_scale){.rate_hz = info->rate_hz, .from_column = r->times != NULL};
    if (!info->clock_times) {
        r->scale.epoch_s = opened.tv_sec;
        r->scale.epoch_ns = (int32_t)opened.tv_nsec;
    }
    r->last_sample = input_limit(r->o->shared.duration_s, info->rate_hz);
    r->microphone = info->microphone;
    r->out.style.times = r->o->times;
    /* JSON has a member of its own for the clock. */
    if (info->microphone && !r->o->has_times && r->o->output != &writer_json)
        r->out.style.times = TIME_CLOCK;
    if (r->times && !(r->column = times_create(times_horizon(r, info->rate_hz))))
        return fail(r, "out of memory");
    bool shown = r->o->progress || (isatty(STDERR_FILENO) && !info->live && !r->o->quiet);
    progress_begin(&r->bar, shown, info->frames, info->rate_known ? info->rate_hz : 0);
    if (r->o->shared.verbose)
        report_of(r->name, "%s, %.9g Hz, %zu channel%s", info->format, info->rate_hz,
                  info->channels, info->channels == 1 ? "" : "s");
    return true;
}

void search_input(runner *r, const char *path)
{
    source_options how = r->o->shared.source;
    source_info info;
    const input_needs needs = {.whose = "the templates",
                               .channels = r->set.channels,
                               .rate_hz = r->set.rate_known ? r->set.rate_hz : 0,
                               .may_choose = how.n_columns == 0};
    how.wake_fd = r->wake_fd;
    struct timespec opened;
    clock_gettime(CLOCK_REALTIME, &opened);
    r->name = input_name(path);
    r->samples = r->matches = 0;
    r->mute = false;
    source *src = open_input(path, how, &needs, &info);
    if (!src) {
        r->failed |= !signals_caught();
        return;
    }
    /* Looking for the device took a while; now it runs. */
    if (info.microphone) clock_gettime(CLOCK_REALTIME, &opened);
    if (begin(r, &info, opened)) {
        pump(r, src);
        report_progress_end();
        if (!r->o->quiet && !r->over) print_summary(r);
        r->totals.samples += r->samples;
        r->totals.seconds += (double)r->samples / info.rate_hz;
        r->totals.matches += r->matches;
    }
    times_destroy(r->column);
    r->column = NULL;
    source_close(src);
}
