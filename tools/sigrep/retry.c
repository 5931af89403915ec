#include "tools/sigrep/retry.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "io/fdio.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/worker.h"

bool retry_can(worker *w, const listed_input *listed)
{
    struct stat st;
    if (!input_is_file(listed->path, &st)) return true;
    return print_fail(&w->out, "is a file, which does not come back; --retry is for a microphone "
                               "or a named pipe");
}

bool retry_is_due(const worker *w)
{
    const feed *f = &w->feed;
    const bool may_return =
        f->has_ended || source_read_failed(f->src) || source_get_info(f->src).microphone;
    return w->run->o->retry_s > 0 && may_return && !f->was_ended && f->samples < f->limit &&
           !signals_caught() && !print_is_over(&w->out);
}

/* The samples of a gap that lasts until now. */
static uint64_t gap_until_now(const worker *w)
{
    const time_scale *scale = &w->out.input.scale;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const double elapsed_s =
        (double)(now.tv_sec - scale->epoch_s) + (double)(now.tv_nsec - scale->epoch_ns) / 1e9;
    const double samples = floor(elapsed_s * scale->rate_hz) - (double)w->feed.samples;
    return samples > 0 && samples < 0x1p62 ? (uint64_t)samples : 0;
}

static bool goes_by_clock(const worker *w)
{
    return w->out.input.is_microphone || w->out.writer.style.times == TIME_CLOCK;
}

static void report_loss(const worker *w)
{
    const char *name = w->out.input.name, *why = w->feed.failure;
    if (w->out.input.is_microphone)
        report_of(name, "%s; opening it again every %.9g s", why, w->run->o->retry_s);
    else
        report_of(name, "%s; waiting for another", why ? why : "its writer has gone");
}

static void report_return(const worker *w, uint64_t gap, uint64_t at)
{
    char time[TIME_TEXT_SIZE];
    time_format(time, TIME_SECONDS, &(time_scale){.rate_hz = w->out.input.scale.rate_hz},
                (time_point){.sample = at});
    report_of(w->out.input.name, "is there again, after a gap of %" PRIu64 " sample%s at %s s", gap,
              gap == 1 ? "" : "s", time);
}

/* Wait for so long. false: a signal has come. */
static bool rest(const worker *w)
{
    struct pollfd wake = {.fd = w->run->wake_fd, .events = POLLIN};
    const int64_t end_ns = fd_now_ns() + (int64_t)(w->run->o->retry_s * 1e9);
    service_waits(w->run->service, true);
    for (int64_t left_ns; (left_ns = end_ns - fd_now_ns()) > 0 && !signals_caught();)
        poll(&wake, 1, (int)fmin((double)left_ns / 1e6 + 1, 1e6));
    service_waits(w->run->service, false);
    return !signals_caught();
}

/* A device may be asked for anything only once its last stream is closed. A pipe stays open
 * meanwhile, so that no writer finds it without a reader. */
static source *open_again(worker *w, const source_info *before)
{
    char reason[512];
    source_failure failure = SOURCE_BAD;
    source_options how = worker_source_options(w);
    how.failure = &failure;
    if (before->microphone) {
        how.rate_hz = before->rate_hz;
        how.channels = before->native_channels;
    }
    service_waits(w->run->service, true);
    source *src = source_open(w->out.input.file, &how, reason, sizeof reason);
    service_waits(w->run->service, false);
    const bool is_usual = before->microphone || failure == SOURCE_UNREADABLE ||
                          failure == SOURCE_NO_SIGNAL || signals_caught();
    if (!src && !is_usual) report_of(w->out.input.name, "%s", reason);
    return src;
}

/* Is it as before? */
static bool fits(worker *w, const source_info *before, const source_info *now)
{
    const bool is_same =
        before->rate_hz == now->rate_hz && before->channels == now->channels &&
        before->native_channels == now->native_channels && before->is_wide == now->is_wide &&
        before->integer_bits == now->integer_bits && before->names[0] == now->names[0] &&
        strcmp(before->format, now->format) == 0;
    if (!now->live) return print_fail(&w->out, "came back as a file, which does not come back");
    return is_same || print_fail(&w->out, "came back with another format, rate or channels");
}

/* The gap so far, of one sample at least: no match spans it. *gap grows. false: nothing more is to
 * be searched. */
static bool grow_gap(worker *w, uint64_t *gap)
{
    uint64_t n = goes_by_clock(w) ? gap_until_now(w) : 0;
    if (*gap == 0 && n == 0) n = 1; /* also if a pipe was faster than the clock */
    *gap += n;
    return (n == 0 || feed_gap(&w->feed, n)) && w->feed.samples < w->feed.limit;
}

/* Wait until it is there. NULL: a signal came, or nothing more is to be searched. */
static source *await_return(worker *w, const source_info *before, uint64_t *gap)
{
    source *src = NULL;
    bool goes_on = grow_gap(w, gap) && (!before->microphone || rest(w));
    while (goes_on && !src) {
        src = open_again(w, before);
        goes_on = grow_gap(w, gap) && (src || rest(w));
    }
    if (goes_on || !src) return src;
    source_close(src);
    return NULL;
}

bool retry_open(worker *w)
{
    const source_info before = source_get_info(w->feed.src);
    const uint64_t at = w->feed.samples;
    uint64_t gap = 0;
    report_loss(w);
    w->feed.failure = NULL; /* the source has the words */
    if (before.microphone) worker_close_source(w);
    source *src = await_return(w, &before, &gap);
    w->feed.was_interrupted = !src && signals_which();
    if (!src) return false;
    worker_close_source(w);
    w->src = src;
    feed_follow(&w->feed, src);
    while (source_warning(src)) continue; /* they were reported at the first opening */
    const source_info now = source_get_info(src);
    if (!fits(w, &before, &now)) return false;
    report_return(w, gap, at);
    return true;
}
