/*
 * resume.c - find the place in the input where the run before was, and go on there.
 *
 * - The first frames are as before: it is the same stream. Pass over what was searched, and check
 *   the last frames of that.
 * - They are others: it is another stream, after a gap: a rotated file, or a pipe that goes on.
 * - They are too few to tell: a pipe may be either, and the option decides.
 *
 * Standard output is cut only when all that is sure.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tools/common/input/column_times.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep/state/inner.h"
#include "tools/sigrep/state/output_place.h"

#define ANEW "; remove the file of --state to begin anew"

/* Report why the input does not fit the state. Always false. */
static bool refuse(const run_state *s, const char *why)
{
    return print_fail(s->out, why);
}

/* The stream began as before, but is another. Always false. */
static bool refuse_stream(const run_state *s, const char *why)
{
    const char *name = s->out->input.name;
    if (source_get_info(s->f->src).live)
        report_of(name,
                  "%s since --state was saved; if it follows the one before, give "
                  "--state %s,continue",
                  why, s->path);
    else
        report_of(name, "%s since --state was saved" ANEW, why);
    return refuse(s, NULL);
}

/* Reading gave nothing. Always false. */
static bool refuse_end(const run_state *s, ssize_t n)
{
    const feed *f = s->f;
    if (n < 0) return refuse(s, source_error(f->src));
    if (signals_caught()) return false;
    return refuse_stream(s, "has become shorter");
}

/* ---- Reading what was searched before ---- */

/* n samples lie in the buffers, from sample `at` there: let times know them. */
static bool take_times(const run_state *s, size_t at, size_t n)
{
    feed *f = s->f;
    const char *wrong = f->times ? column_times_add(f->times, f->stamps + at, n) : NULL;
    return !wrong || refuse(s, wrong);
}

static ssize_t read_frames(const run_state *s, size_t at, size_t n)
{
    feed *f = s->f;
    const ssize_t got = feed_read(f, at, n);
    const size_t end = got > 0 ? (at + (size_t)got) * f->channels : 0;
    for (size_t i = at * f->channels; f->is_wide && i < end; i++)
        f->frames[i] = (float)f->doubles[i];
    return got;
}

/* The run before has reported what it read. */
static void drop_warnings(const run_state *s)
{
    while (source_warning(s->f->src)) continue;
}

/* Read the first frames into the buffers, *n of them, until it is clear whether the stream is the
 * same. false after a failure or a signal. */
static bool read_head(run_state *s, size_t *n, stream_verdict *verdict)
{
    const stream_mark *before = &s->before.mark;
    ssize_t got = 1;
    *verdict = stream_compare(&s->stream, before);
    while (*verdict == STREAM_OPEN) {
        got = read_frames(s, *n, (size_t)before->head_n - *n);
        if (got <= 0) return refuse_end(s, got);
        stream_add(&s->stream, *n, s->f->frames + *n * s->f->channels, (size_t)got);
        *n += (size_t)got;
        *verdict = stream_compare(&s->stream, before);
    }
    return true;
}

/* Read what is in the buffers up to frame `at` of the stream, [at - n, at): the search needs it
 * again from frame `from`. */
static bool pass(run_state *s, uint64_t at, size_t n, uint64_t from)
{
    const uint64_t begin = at - n, first = from > begin ? from : begin;
    if (!take_times(s, 0, n)) return false;
    if (first >= at) return true;
    const sigrep_status status = feed_give(s->f, (size_t)(first - begin), (size_t)(at - first));
    return !status || refuse(s, search_failure(status, NULL));
}

/* Pass over frames [at, end) of the stream, of which the first are in the buffers already. */
static bool pass_to(run_state *s, size_t held, uint64_t end, uint64_t from)
{
    feed *f = s->f;
    uint64_t at = held;
    const uint64_t tail = end - s->before.mark.tail_n, unseen = tail < from ? tail : from;
    if (!pass(s, at, held, from)) return false;
    while (at < end) {
        const uint64_t jump = at < unseen && !f->stamps ? source_jump(f->src, unseen - at) : 0;
        at += jump;
        if (jump) continue;
        const uint64_t left = end - at;
        const ssize_t n = read_frames(s, 0, left < f->room ? (size_t)left : f->room);
        if (n <= 0) return refuse_end(s, n);
        stream_add(&s->stream, at, f->frames, (size_t)n);
        at += (uint64_t)n;
        if (!pass(s, at, (size_t)n, from)) return false;
    }
    drop_warnings(s);
    return stream_ends_as(&s->stream, &s->before.mark) || refuse_stream(s, "was changed");
}

/* ---- Going on ---- */

/* Let the search go on from a place; *from: the sample that it needs next. */
static bool resume_search(const run_state *s, uint64_t *from)
{
    const saved_bytes *b = &s->before.here.search;
    sigrep_error error = {.text = ""};
    const sigrep_status status = sigrep_resume(s->f->search, b->bytes, b->n, from, &error);
    if (!status) return true;
    report_of(s->path, "%s" STATE_ANEW, error.text[0] ? error.text : search_failure(status, NULL));
    s->out->failed = s->out->input.failed = true;
    return false;
}

/* Counts and holds, and the output, as they were at the place. */
static bool restore(run_state *s, const saved_place *p)
{
    output *out = s->out;
    saved *b = &s->before;
    const size_t n = out->run->set->n;
    const output_place place = run_state_output(b, p);
    const bool is_longer = place.at < output_place_now().at;
    int failure;
    if (p->n_label_matches != n || (out->last && p->n_holds != n))
        return refuse(s, "the state has other templates");
    if (output_place_return(&place, &failure)) {
        b->n_printed = 0;                              /* all is printed again */
        if (p == &b->here) b->has_ended &= !is_longer; /* the end is no longer printed */
    }
    if (!failure) failure = run_state_write_start(s);
    if (failure) {
        report_of(s->path, "%s", strerror(failure));
        return refuse(s, NULL);
    }
    s->now.here.output = output_place_now().at;
    out->input.matches = s->saved_matches = p->matches;
    out->input.held = p->held;
    out->matched = p->matches > 0;
    memcpy(out->label_matches, p->label_matches, n * sizeof *p->label_matches);
    for (size_t i = 0; out->last && i < n; i++) {
        out->last[i].end = p->holds[i].end;
        out->last[i].start_time = p->holds[i].start_time;
        out->last[i].end_time = p->holds[i].end_time;
    }
    return true;
}

bool run_state_is_over(run_state *s, output *out)
{
    if (!s->before.is_over) return false;
    s->out = out;
    (void)restore(s, &s->before.end);
    return true;
}

/* The clock of sample 0 stays, so that times go on. */
static void keep_clock(run_state *s)
{
    time_scale *scale = &s->out->input.scale;
    s->now.epoch_s = s->before.epoch_s;
    s->now.epoch_ns = s->before.epoch_ns;
    if (scale->from_column) return;
    scale->epoch_s = s->before.epoch_s;
    scale->epoch_ns = (int32_t)s->before.epoch_ns;
}

/* The same stream: `held` first frames of it lie in the buffers. */
static bool go_on(run_state *s, size_t held)
{
    const saved *b = &s->before;
    feed *f = s->f;
    uint64_t from;
    keep_clock(s);
    if (!resume_search(s, &from)) return false;
    s->now.base = b->base;
    s->now.base_decimals = b->base_decimals;
    s->now.base_first = b->base_first;
    if (f->times && b->base > 0)
        column_times_begin_at(f->times, b->base, (int16_t)b->base_decimals, b->base_first);
    if (!pass_to(s, held, b->here.samples - b->base, from - b->base)) return false;
    f->samples = b->here.samples;
    if (!restore(s, &b->here)) return false;
    if (s->o->shared.verbose)
        report_of(s->out->input.name, "goes on at sample %" PRIu64, f->samples);
    return true;
}

/* How many samples are missing between the place and a stream that follows: by the clock if
 * positions stand for it; else one. `scale` counts from now. */
static uint64_t gap_after(const run_state *s, const saved_place *p)
{
    const input_tally *input = &s->out->input;
    const bool by_clock = input->is_microphone || s->out->writer.style.times == TIME_CLOCK;
    const double elapsed_s = (double)(input->scale.epoch_s - s->before.epoch_s) +
                             (double)(input->scale.epoch_ns - s->before.epoch_ns) / 1e9;
    const double samples = floor(elapsed_s * input->scale.rate_hz) - (double)p->samples;
    return by_clock && !input->scale.from_column && samples > 1 && samples < 0x1p62
               ? (uint64_t)samples
               : 1;
}

/* Times of the samples that went before, and of those that are missing. */
static bool follow_times(const run_state *s, const saved_place *p, uint64_t gap)
{
    column_times *times = s->f->times;
    exact_time unknown = exact_time_unknown();
    const char *wrong = NULL;
    if (!times) return true;
    column_times_begin_at(times, p->samples - p->n_times, (int16_t)p->decimals, p->first);
    if (p->n_times) wrong = column_times_add(times, p->times, p->n_times);
    for (uint64_t i = 0; i < gap && !wrong; i++) wrong = column_times_add(times, &unknown, 1);
    return !wrong || refuse(s, wrong);
}

static void report_gap(const run_state *s, uint64_t gap, uint64_t at)
{
    char time[TIME_TEXT_SIZE];
    time_format(time, TIME_SECONDS, &(time_scale){.rate_hz = s->out->input.scale.rate_hz},
                (time_point){.sample = at});
    report_of(s->out->input.name, "%s: goes on after a gap of %" PRIu64 " sample%s at %s s",
              s->out->input.is_microphone ? "listens again" : "another stream than before", gap,
              gap == 1 ? "" : "s", time);
}

/* The stream before has ended, and its last matches are printed: let the search begin anew. If it
 * needs samples again that are gone, that fails, and is no harm. */
static void end_before(const run_state *s)
{
    input_tally *input = &s->out->input;
    input->last_end = 0;
    (void)sigrep_finish(s->f->search);
    input->last_end = UINT64_MAX;
}

/* Another stream, `held` first frames of which lie in the buffers. */
static bool follow(run_state *s, size_t held)
{
    const saved *b = &s->before;
    feed *f = s->f;
    const saved_place *p = b->has_ended ? &b->end : &b->here;
    uint64_t from;
    const uint64_t gap = gap_after(s, p);
    keep_clock(s);
    if (!resume_search(s, &from)) return false; /* it may be another search */
    if (b->has_ended)
        end_before(s);
    else if (from != p->samples)
        return refuse(s, "follows a stream whose samples are needed again, since they are "
                         "resampled" ANEW);
    if (!follow_times(s, p, gap) || !restore(s, p)) return false;
    report_gap(s, gap, p->samples);
    const sigrep_status status = sigrep_gap(f->search, b->has_ended ? p->samples + gap : gap);
    if (status && status != SIGREP_STOPPED) return refuse(s, search_failure(status, NULL));
    print_flush(s->out);
    f->samples = s->now.base = p->samples + gap;
    if (f->times) {
        s->now.base_decimals = (uint64_t)column_times_decimals(f->times);
        s->now.base_first = column_times_first(f->times);
    }
    const bool is_over = status || p->matches >= s->o->max_count; /* -m */
    if (is_over) f->limit = f->samples;
    f->held = held;
    stream_restart(&s->stream);
    return true;
}

/* ---- Which stream is it? ---- */

static bool has_same_name(const run_state *s)
{
    const saved_bytes *a = &s->before.input, *b = &s->now.input;
    return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

/* Nobody can tell whether a pipe is read again, or another one. */
static bool refuse_to_guess(const run_state *s)
{
    const char *path = s->path;
    report_of(s->out->input.name,
              "its first samples do not show whether it is the stream of before: give --state "
              "%s,replay if it is, or --state %s,continue if it goes on after that",
              path, path);
    return refuse(s, NULL);
}

/* May this stream, which begins otherwise, go on after the one before? If not, reports why. */
static bool may_follow(const run_state *s, bool is_live)
{
    const saved *b = &s->before;
    const uint64_t agree = stream_agrees(&s->stream, &b->mark);
    if (stream_is_clear(&b->mark, agree)) return refuse_stream(s, "was changed");
    if (s->o->state_stream == STATE_REPLAY || (!is_live && !has_same_name(s)))
        return refuse(s, "is not the input of --state" ANEW);
    if (!is_live && !b->has_ended)
        return refuse(s, "is not the input of --state, which was not read to its end" ANEW);
    return true;
}

bool run_state_resume(run_state *s)
{
    const source_info info = source_get_info(s->f->src);
    const stream_mark *before = &s->before.mark;
    const state_stream word = s->o->state_stream;
    stream_verdict verdict;
    size_t held = 0;
    if (info.microphone || word == STATE_CONTINUE) return follow(s, 0);
    if (before->head_n > s->stream.most_head) /* more than the buffers have room for */
        return refuse(s, "has more channels than the input of --state" ANEW);
    if (!read_head(s, &held, &verdict)) return false;
    if (verdict == STREAM_SAME) {
        const bool is_clear = stream_is_clear(before, before->head_n);
        if (info.live && !is_clear && word != STATE_REPLAY) return refuse_to_guess(s);
        return go_on(s, held);
    }
    if (!may_follow(s, info.live)) return false;
    input_warn(s->out->input.name, s->f->src);
    return follow(s, held);
}
