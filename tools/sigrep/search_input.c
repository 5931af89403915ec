#include "tools/sigrep/search_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/fill_from_file.h"
#include "tools/sigrep/make_search.h"
#include "tools/sigrep/monitor/alive.h"
#include "tools/sigrep/monitor/monitor.h"
#include "tools/sigrep/output/actions.h"
#include "tools/sigrep/output/print.h"
#include "tools/sigrep/read_ahead.h"
#include "tools/sigrep/read_size.h"
#include "tools/sigrep/runner.h"

enum {
    CACHED_VALUES = 1 << 17, /* a read that the search then finds in the processor's cache */
    FILL_VALUES = 1 << 22,   /* read by all threads between two looks at signals, and prefetches */
    LEAST_PUSH = 256,        /* samples */
    NONE = -2,               /* no result of source_gather yet */
};
static const double FIRST_PUSH_CELLS = 1e8;
static const double MOST_PUSH_S = 0.08;

/* About the cells that a sample costs. */
static double cells_a_sample(const runner *r)
{
    double rows = 0;
    for (size_t i = 0; i < r->set->n; i++) rows += (double)template_kept(&r->set->items[i]);
    return rows * (double)r->set->channels;
}

/* Room for as many samples as the search wants at once. */
static bool make_room(runner *r)
{
    read_buffer *b = &r->buffer;
    const size_t wanted = read_size(sigrep_push_size(r->search), r->set->channels);
    if (wanted <= b->room) return true;
    search_input_free(r);
    const bool with_times = source_wants_times(&r->o->shared.source);
    b->frames = malloc(wanted * r->set->channels * sizeof *b->frames);
    if (with_times) b->times = malloc(wanted * sizeof *b->times);
    if (!b->frames || (with_times && !b->times)) return false;
    b->room = wanted;
    b->push = wanted;
    while (b->push > LEAST_PUSH && (double)b->push * cells_a_sample(r) > FIRST_PUSH_CELLS)
        b->push /= 2;
    return true;
}

void search_input_free(runner *r)
{
    free(r->buffer.frames);
    free(r->buffer.times);
    r->buffer = (read_buffer){0};
}

/* The input, not the whole run, has failed. */
static bool fail(runner *r, const char *reason)
{
    report_of(r->input.name, "%s", reason);
    r->failed = r->input.failed = true;
    return false;
}

static bool is_over(const runner *r)
{
    return atomic_load(&r->run->over);
}

/* A call of the library returned this status: true to go on with the input. */
static bool judge(runner *r, sigrep_status status)
{
    if (r->scores_failure) {
        report_of(r->o->scores_path, "%s", strerror(r->scores_failure));
        r->scores_failure = 0;
        print_end_run(r);
        return false;
    }
    if (status == SIGREP_OK || status == SIGREP_STOPPED) return status == SIGREP_OK;
    r->input.is_mute = true;
    if (status == SIGREP_STORE_FAILED && *spool_error(r->store))
        return fail(r, spool_error(r->store));
    return fail(r, sigrep_status_text(status));
}

/* The next push should take from a quarter of MOST_PUSH_S to all of it. */
static void adapt_push(read_buffer *b, double took_s)
{
    if (took_s > MOST_PUSH_S && b->push > LEAST_PUSH) b->push /= 2;
    if (took_s < MOST_PUSH_S / 4 && b->push <= b->room / 2) b->push *= 2;
}

/* Push n samples of the buffer, from `at` on. */
static sigrep_status push_once(runner *r, size_t at, size_t n)
{
    const double began_s = monotonic_s();
    const float *samples = r->buffer.frames + at * r->set->channels;
    monitor_samples(r, samples, n);
    const sigrep_status status =
        r->input.is_fed ? sigrep_feed(r->search, samples, n) : sigrep_push(r->search, samples, n);
    if (n == r->buffer.push) adapt_push(&r->buffer, monotonic_s() - began_s);
    return status;
}

static void report_new_remark(runner *r)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(r->search, &stats);
    report_remark(r, stats.remark);
}

/* n more samples were searched, with this status: true to go on with the input. */
static bool account(runner *r, size_t n, sigrep_status status)
{
    current_input *input = &r->input;
    input->samples += n;
    print_flush(r);
    report_new_remark(r);
    if (!judge(r, status) || is_over(r)) return false;
    if (atomic_load(&r->turn.has_come))
        progress_show(&input->progress, input->samples, input->matches);
    monitor_show(r);
    return true;
}

/* Push n samples in parts, so that a signal or the clock need not wait long. The first part goes in
 * any case: it may have been read before the signal. True to go on with the input. */
static bool push(runner *r, size_t n)
{
    column_times *times = r->input.times;
    const char *wrong = times ? column_times_add(times, r->buffer.times, n) : NULL;
    if (wrong) return fail(r, wrong);
    for (size_t at = 0; at < n && (at == 0 || !signals_caught());) {
        const size_t part = n - at < r->buffer.push ? n - at : r->buffer.push;
        if (!account(r, part, push_once(r, at, part))) return false;
        at += part;
    }
    return true;
}

/* The samples of the next n that --duration leaves. */
static uint64_t within_limit(const current_input *input, uint64_t n)
{
    const uint64_t left = input->limit - input->samples;
    return left < n ? left : n;
}

/* n samples were lost here: true to go on with the input. */
static bool lose(runner *r, uint64_t n)
{
    current_input *input = &r->input;
    if (n == 0) return true;
    input_warn_of_gap(input->name, n, input->samples, input->scale.rate_hz);
    const uint64_t lost = within_limit(input, n);
    actions_gap(r, lost);
    const sigrep_status status = sigrep_gap(r->search, lost);
    input->samples += lost;
    print_flush(r);
    return judge(r, status) && !is_over(r);
}

/* Push n samples. If there is a read_ahead, it reads up to `most` samples meanwhile, *next of them.
 * True to go on with the input. */
static bool push_and_read_on(runner *r, size_t n, read_ahead *ahead, source *src, size_t most,
                             ssize_t *next)
{
    const uint64_t left = r->input.limit - r->input.samples - n;
    if (!ahead || left == 0) return push(r, n);
    read_ahead_start(ahead, src, left < most ? (size_t)left : most);
    const bool going = push(r, n);
    *next = read_ahead_wait(ahead, &r->buffer.frames);
    return going;
}

/* Let the search's threads read on. false: they cannot. Else *going is what `account` returns. */
static bool fill(runner *r, source *src, bool *going)
{
    size_t got;
    read_buffer *b = &r->buffer;
    const size_t at_once = r->input.is_on_gpu ? FILL_VALUES / r->set->channels : b->push;
    const size_t most = (size_t)within_limit(&r->input, at_once);
    const double began_s = monotonic_s();
    if (!r->input.is_fed || b->times || actions_need_samples(r) || r->input.monitor) return false;
    const sigrep_status status = fill_from_file(r->search, src, most, &got);
    if (got == b->push) adapt_push(b, monotonic_s() - began_s);
    if (got || status) *going = account(r, got, status);
    return got || status;
}

/* What follows could not be read, so a pending match may be none of the whole input. Those that are
 * final, of a chunk that a GPU still searches, are printed. */
static void drop_pending(runner *r)
{
    judge(r, sigrep_push(r->search, r->buffer.frames, 0));
    print_flush(r);
    r->input.is_mute = true;
}

/* A best-of search finds nothing only if no path has an allowed length. */
static void report_empty_gate(const runner *r)
{
    const current_input *input = &r->input;
    if (!r->o->best || r->o->quiet || input->matches || input->is_mute || !input->samples) return;
    report_of(input->name, "no match has a length that the gate allows (--length)");
}

/* The search has stopped (-m, -q). Read what --save wants after the matches; `next` samples are
 * read already. */
static void read_on(runner *r, source *src, ssize_t next)
{
    uint64_t wanted;
    if (next > 0) actions_read(r, src, (size_t)next);
    while ((wanted = actions_want(r)) > 0 && !signals_caught() && !r->out.is_lost) {
        const size_t most = wanted < r->buffer.room ? (size_t)wanted : r->buffer.room;
        const ssize_t n = source_gather(src, r->buffer.frames, r->buffer.times, most);
        input_warn(r->input.name, src);
        actions_gap(r, source_gap(src));
        if (n <= 0) break;
        actions_read(r, src, (size_t)n);
    }
}

/* Read to the end. A failure to read is reported after the matches before it. */
static void read_and_push(runner *r, source *src)
{
    current_input *input = &r->input;
    read_buffer *b = &r->buffer;
    ssize_t n = 0, next = NONE;
    bool going = true, begun = false;
    const size_t cached = CACHED_VALUES / r->set->channels;
    const size_t most = input->is_fed && input->is_on_gpu && cached < b->room ? cached : b->room;
    const bool reads_ahead = input->is_fed && r->threads > 1 && !b->times;
    read_ahead *ahead = reads_ahead ? read_ahead_create(b->room * r->set->channels) : NULL;
    /* Once in any case: opening the source may have read samples before a signal. */
    while (going && (!begun || !signals_caught()) && input->samples < input->limit) {
        begun = true;
        if (next == NONE && fill(r, src, &going)) continue;
        n = next != NONE
                ? next
                : source_gather(src, b->frames, b->times, (size_t)within_limit(input, most));
        next = NONE;
        input_warn(input->name, src);
        going = lose(r, source_gap(src));
        if (n <= 0 || !going) break;
        actions_read(r, src, (size_t)within_limit(input, (uint64_t)n));
        going =
            push_and_read_on(r, (size_t)within_limit(input, (uint64_t)n), ahead, src, most, &next);
    }
    read_ahead_destroy(ahead);
    if (n > 0 && !going && !input->is_mute) read_on(r, src, next);
    if (n < 0 && source_read_failed(src)) drop_pending(r);
    const sigrep_status status = sigrep_finish(r->search);
    if (going && !input->is_mute) judge(r, status);
    report_new_remark(r);
    print_flush(r);
    if (!going || n >= 0) return;
    if (r->o->no_messages && source_read_failed(src))
        r->failed = input->failed = true;
    else
        fail(r, source_error(src));
}

/* How many samples a match may reach back: 14 times the longest, a push, and what front ends hold.
 * If the search is fed, two more chunks wait in it: one at work, and one that is gathered. */
static uint64_t match_horizon(const runner *r, double rate_hz)
{
    double longest = 0;
    for (size_t i = 0; i < r->set->n; i++) {
        const loaded_template *t = &r->set->items[i];
        double kept = (double)template_kept(t);
        if (t->info.rate_known) kept *= rate_hz / t->info.rate_hz;
        if (kept > longest) longest = kept;
    }
    const double samples = 14 * r->o->shared.length_max * 2 * longest;
    if (r->o->best || !(samples < 0x1p62)) return UINT64_MAX;
    const uint64_t waiting = r->input.is_fed ? 2 * (uint64_t)sigrep_push_size(r->search) : 0;
    return (uint64_t)samples + 2 * r->buffer.room + waiting;
}

/* Prepare the search, the buffer and the output for an open input. */
static bool begin(runner *r, const source_info *info, const listed_input *listed,
                  struct timespec opened)
{
    const options *o = r->o;
    current_input *input = &r->input;
    input->rate_known = info->rate_known;
    input->is_microphone = info->microphone;
    input->limit = input_limit(o->shared.duration_s, info->rate_hz);
    if (o->shared.verbose)
        report_of(input->name, "%s, %.9g Hz, %zu channel%s", info->format, info->rate_hz,
                  info->channels, info->channels == 1 ? "" : "s");
    if (!make_search(r, info->rate_hz)) {
        input->failed = true;
        r->failed |= !input->is_given_up;
        return false;
    }
    if (!make_room(r)) return fail(r, "out of memory");
    const char *wrong = print_begin_times(r, info, opened);
    if (wrong) return fail(r, wrong);
    input->is_on_gpu = search_is_on(r, "cuda");
    input->is_fed = !info->live && (input->is_on_gpu || r->threads > 1);
    if (input->scale.from_column &&
        !(input->times = column_times_create(match_horizon(r, info->rate_hz))))
        return fail(r, "out of memory");
    if (!print_open_file(r, listed)) {
        r->failed = input->failed = true;
        return false;
    }
    if (!monitor_begin(r, info)) return fail(r, "out of memory");
    const bool by_itself = isatty(STDERR_FILENO) && !info->live && !o->quiet && !o->monitor;
    const bool shown = o->progress || by_itself;
    progress_begin(&input->progress, shown, info->frames, info->rate_known ? info->rate_hz : 0);
    alive_listens(r, info);
    return true;
}

/* Open the input. NULL if it cannot be searched. */
static source *open_listed(runner *r, const listed_input *listed)
{
    source_failure failure = SOURCE_BAD;
    source_options how = r->o->shared.source;
    const input_needs needs = {.whose = "the templates",
                               .channels = r->set->channels,
                               .rate_hz = r->set->rate_known ? r->set->rate_hz : 0,
                               .is_verbose = r->o->shared.verbose,
                               .no_messages = r->o->no_messages};
    if (listed->is_directory) {
        if (!r->o->no_messages)
            report_of(listed->path, "is a directory; --recursive searches the files below it");
        r->failed = true;
        return NULL;
    }
    how.keep_lines = r->o->save_folder != NULL;
    how.wake_fd = r->run->wake_fd;
    how.is_found = listed->is_found;
    how.failure = &failure;
    source *src = open_input(listed->path, how, &needs);
    const bool is_passed_over = !src && listed->is_found && input_is_passed_over(failure);
    r->n_searched += !is_passed_over;
    r->n_without_column += is_passed_over && failure == SOURCE_NO_COLUMN;
    if (!src && !is_passed_over) r->failed |= !signals_caught();
    return src;
}

static void search_open(runner *r, const listed_input *listed, source *src, struct timespec opened)
{
    const source_info info = source_get_info(src);
    /* Looking for the device took a while; now it runs. */
    if (info.microphone) clock_gettime(CLOCK_REALTIME, &opened);
    if (begin(r, &info, listed, opened) && actions_begin(r, src, match_horizon(r, info.rate_hz))) {
        read_and_push(r, src);
        if (atomic_load(&r->turn.has_come)) report_progress_end();
        report_empty_gate(r);
        if (!r->o->quiet && !is_over(r)) print_summary(r);
        r->totals.samples += r->input.samples;
        r->totals.seconds += (double)r->input.samples / info.rate_hz;
        r->totals.matches += r->input.matches;
    }
    if (r->input.is_given_up)
        report_of(r->input.name, "warning: interrupted: matches before the signal may be missing");
    monitor_end(r);
    actions_end(r);
    print_close_file(r);
    column_times_destroy(r->input.times);
    r->input.times = NULL;
}

void search_input(runner *r, const listed_input *listed)
{
    struct timespec opened;
    clock_gettime(CLOCK_REALTIME, &opened);
    r->input = (current_input){.name = input_name(listed->path)};
    memset(r->label_matches, 0, r->set->n * sizeof *r->label_matches);
    alive_wait(r, listed->path);
    source *src = open_listed(r, listed);
    if (src) search_open(r, listed, src, opened);
    source_close(src);
}
