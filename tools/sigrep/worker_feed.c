/* worker_feed.c - a worker's open input, read and searched to its end. */
#include <stdatomic.h>
#include <string.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep/output/exec.h"
#include "tools/sigrep/output/save.h"
#include "tools/sigrep/retry.h"
#include "tools/sigrep/worker.h"

/* A call of the library returned this status: true to go on with the input. */
static bool judge(worker *w, sigrep_status status)
{
    if (w->out.scores_failure) {
        report_of(w->run->o->scores_path, "%s", strerror(w->out.scores_failure));
        w->out.scores_failure = 0;
        print_end_run(&w->out);
        return false;
    }
    if (status == SIGREP_OK || status == SIGREP_STOPPED) return status == SIGREP_OK;
    w->out.input.is_mute = true;
    return print_fail(&w->out, search_failure(status, w->out.store));
}

/* ---- What the feed calls ---- */

static void take_read(void *user, const float *frames, const exact_time *times, size_t n)
{
    worker *w = user;
    if (w->out.exec) exec_report(w->out.exec);
    w->out.rows = source_came_with(w->feed.src);
    w->out.searched = &w->feed.samples;
    w->out.rows_from = w->feed.samples;
    w->out.n_rows = n;
    if (!w->out.save) return;
    const void *native = source_native(w->feed.src);
    save_add(w->out.save, native ? native : frames, times, source_lines(w->feed.src), n);
}

static void take_gap(void *user, uint64_t n)
{
    worker *w = user;
    monitor_gap(w->out.monitor, n);
    if (w->out.save) save_gap(w->out.save, n);
    if (w->run->state) run_state_gap(w->run->state, n);
    metrics_gap(&w->run->metrics, n);
}

static bool take_searched(void *user, const float *frames, uint64_t n, sigrep_status status)
{
    worker *w = user;
    output *out = &w->out;
    if (frames) monitor_samples(out->monitor, frames, (size_t)n);
    print_flush(out);
    report_remark(w);
    if (!judge(w, status) || print_is_over(out)) return false;
    if (w->run->state) run_state_searched(w->run->state, frames, n);
    if (atomic_load(&out->turn.has_come))
        progress_show(&w->progress, w->feed.samples, w->src ? source_part_read(w->src) : -1,
                      out->input.matches);
    monitor_show(out->monitor, w->feed.samples, out->input.matches);
    service_works(worker_service(w));
    return true;
}

bool worker_takes(worker *w, size_t n, sigrep_status status)
{
    return take_searched(w, NULL, n, status);
}

/* What follows could not be read, so a pending match may be none of the whole input. */
static void take_unreadable(void *user)
{
    worker *w = user;
    if (w->run->o->retry_s == 0) w->out.input.is_mute = true;
}

/* The search has stopped (-m, -q), but --save may want what comes after its matches. */
static uint64_t want(void *user)
{
    const worker *w = user;
    const output *out = &w->out;
    if (out->input.is_mute || out->is_lost || !out->save || !save_waits(out->save)) return 0;
    return w->feed.limit - save_samples(out->save);
}

/* Only a live input keeps us waiting. */
static void take_wait(void *user, bool begins)
{
    const worker *w = user;
    if (source_get_info(w->feed.src).live) service_waits(worker_service(w), begins);
}

static void take_unsettled(void *user)
{
    worker *w = user;
    if (w->run->state) run_state_unsettled(w->run->state);
}

static bool take_end(void *user)
{
    worker *w = user;
    w->is_away = retry_is_due(w);
    if (w->is_away) return false;
    const line_supply *lines = w->out.input.lines;
    w->out.rows = NULL;
    if (lines && !w->feed.was_ended) w->out.turn.row = lines->has_ended ? UINT64_MAX : lines->given;
    return !w->run->state || run_state_ends(w->run->state);
}

static const feed_calls calls = {.read = take_read,
                                 .gap = take_gap,
                                 .searched = take_searched,
                                 .unreadable = take_unreadable,
                                 .wants = want,
                                 .waits = take_wait,
                                 .unsettled = take_unsettled,
                                 .ends = take_end};

bool worker_begin_feed(worker *w, source *src, const source_info *info)
{
    const shared_options *o = &w->run->o->shared;
    feed *f = &w->feed;
    f->calls = &calls;
    f->user = w;
    f->name = w->out.input.name;
    f->src = src;
    f->search = w->out.search;
    f->threads = w->threads;
    f->cells = templates_cells(&w->run->set);
    f->has_times = source_wants_times(&o->source);
    f->times = NULL;
    f->cuts_at_gaps = w->out.input.lines != NULL;
    f->limit = input_limit(o->duration_s, info->rate_hz);
    return feed_begin(f);
}

void worker_feed(worker *w)
{
    /* Of a group, that is reported once for all. */
    const bool is_silent = w->run->o->no_messages || w->out.input.group;
    sigrep_status status = feed_run(&w->feed);
    while (w->is_away && retry_open(w)) status = feed_run(&w->feed);
    if (w->is_away) status = sigrep_finish(w->feed.search);
    const char *failure = w->feed.failure;
    if (!w->feed.was_ended && !w->out.input.is_mute) judge(w, status);
    report_remark(w);
    print_flush(&w->out);
    if (failure) print_fail(&w->out, is_silent && source_read_failed(w->feed.src) ? NULL : failure);
}

uint64_t match_reach(const worker *w, double rate_hz)
{
    const template_set *set = &w->run->set;
    double longest = 0;
    for (size_t i = 0; i < set->n; i++) {
        const loaded_template *t = &set->items[i];
        double kept = (double)template_kept(t);
        if (t->info.rate_known) kept *= rate_hz / t->info.rate_hz;
        if (kept > longest) longest = kept;
    }
    const double samples = 14 * w->run->o->shared.length_max * 2 * longest;
    if (w->run->o->best || !(samples < 0x1p62)) return UINT64_MAX;
    return (uint64_t)samples;
}
