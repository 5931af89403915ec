#include "tools/sigrep/part.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/input/column_times.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/shards/shard.h"
#include "tools/sigrep/shard_check.h"
#include "tools/sigrep/worker.h"

enum { FIRST_STEP = 256 /* samples from one look for the join to the next; it grows */ };

/* ---- The part ---- */

/* The sample at this time. */
static uint64_t sample_at(double seconds, double rate_hz)
{
    const double sample = round(seconds * rate_hz);
    return sample < 0x1p62 ? (uint64_t)sample : UINT64_MAX;
}

/* false: that lies outside of an input of so many samples; reported. */
static bool lies_within(worker *w, uint64_t samples)
{
    const part *p = &w->part;
    const double rate_hz = source_get_info(w->feed.src).rate_hz;
    char words[96];
    const bool is_beyond = p->begin >= samples;
    if (!is_beyond && (p->end == UINT64_MAX || p->end <= samples)) return true;
    snprintf(words, sizeof words, "--range %s beyond the input, which ends at %.9g s",
             is_beyond ? "begins" : "ends", (double)samples / rate_hz);
    return print_fail(&w->out, words);
}

/* Read up to n samples, with their times. 0 at the end, at a signal, and after a failure: see
 * f->failure. */
static size_t read_some(feed *f, uint64_t n)
{
    const ssize_t got = signals_caught() ? 0 : feed_read(f, 0, n < f->room ? (size_t)n : f->room);
    f->has_ended = got == 0 && !signals_caught();
    input_warn(f->name, f->src);
    if (got < 0) f->failure = source_error(f->src);
    if (got > 0 && f->times) f->failure = column_times_add(f->times, f->stamps, (size_t)got);
    return got > 0 && !f->failure ? (size_t)got : 0;
}

/* Consume the first n samples. */
static void skip(feed *f, uint64_t n)
{
    f->samples = source_jump(f->src, n);
    for (size_t got = 1; got > 0 && f->samples < n; f->samples += got)
        got = read_some(f, n - f->samples);
}

/* Skipping ended before the place: report why, unless -q has its match in another input. Always
 * false. */
static bool fail_to_skip(worker *w)
{
    const feed *f = &w->feed;
    if (f->failure) return print_fail(&w->out, f->failure);
    if (f->has_ended) return lies_within(w, f->samples);
    w->tally.was_interrupted = signals_which();
    if (signals_which()) report_of(f->name, "ended by a signal before the part");
    return false;
}

/* Go to the first sample that the search needs. */
static bool go_there(worker *w)
{
    part *p = &w->part;
    sigrep_error error;
    if (sigrep_begin_at(w->out.search, p->begin, &p->from, &error)) {
        char words[256];
        snprintf(words, sizeof words, "--range: front end %s", error.text);
        return print_fail(&w->out, words);
    }
    skip(&w->feed, p->from);
    if (w->feed.failure || w->feed.samples != p->from) return fail_to_skip(w);
    return true;
}

/* The first lines of a shard's result. */
static void begin_result(worker *w, const listed_input *listed)
{
    const options *o = w->run->o;
    const double rate_hz = source_get_info(w->feed.src).rate_hz;
    shard_head head = {.begin = w->part.begin,
                       .end = w->part.end,
                       .hold = o->hold_s * rate_hz,
                       .path = listed->path};
    text_buffer *out = &w->out.writer.out, header = {0};
    shard_name_parse(&head.name, o->shard);
    shard_head_add(out, &head);
    if (o->output->header) o->output->header(&header, &w->out.writer.style);
    shard_header_add(out, header.data ? header.data : "", header.length);
    free(header.data);
}

bool part_begin(worker *w, const listed_input *listed)
{
    const options *o = w->run->o;
    const source_info info = source_get_info(w->feed.src);
    struct stat st;
    part *p = &w->part;
    *p = (part){.begin = sample_at(o->start_s, info.rate_hz),
                .end = isfinite(o->end_s) ? sample_at(o->end_s, info.rate_hz) : UINT64_MAX};
    if (!input_is_file(listed->path, &st))
        return print_fail(&w->out, "is no file, and --range begins in the middle of one");
    if (p->begin >= p->end) return print_fail(&w->out, "--range has no sample in it");
    if (info.frames && !lies_within(w, info.frames)) return false;
    if (o->shard && !shard_check(o, &w->run->set, listed->path)) return print_fail(&w->out, NULL);
    if (!go_there(w)) {
        free_search(w); /* it has begun: the next input makes its own */
        return false;
    }
    if (o->shard) begin_result(w, listed);
    return true;
}

/* ---- The search ---- */

/* Matches that end in the part are final so many samples later at the latest. */
static void search_range(worker *w)
{
    const part *p = &w->part;
    const uint64_t beyond = match_reach(w, source_get_info(w->feed.src).rate_hz);
    w->out.input.last_end = p->end;
    w->feed.limit = p->end < UINT64_MAX - beyond ? p->end + beyond : UINT64_MAX;
    worker_feed(w);
}

/* Search the next samples of the file, and let `next` search them. false at the end and after a
 * failure, which is reported. */
static bool step(worker *w, sigrep *next, size_t most)
{
    feed *f = &w->feed;
    const size_t got = read_some(f, most);
    if (f->failure) print_fail(&w->out, f->failure);
    if (got == 0) return false;
    sigrep_status status = feed_give(f, 0, got);
    f->samples += got;
    if (!status && next)
        status = f->is_wide ? sigrep_push_doubles(next, f->doubles, got)
                            : sigrep_push(next, f->frames, got);
    return worker_takes(w, got, status);
}

/* Go on beside the next shard until both have joined, and one step further: then all matches that
 * are final at the join have come. */
static void search_to_join(worker *w, sigrep *next)
{
    input_tally *input = &w->out.input;
    int joined = 0;
    size_t most = FIRST_STEP;
    w->feed.is_fed = false;
    while (!joined && step(w, next, most)) {
        const sigrep_status status = sigrep_has_joined(w->out.search, next, &joined);
        if (!worker_takes(w, 0, status)) return;
        most += most / 2;
    }
    w->feed.was_interrupted = signals_which();
    if (joined) {
        input->last_final = w->feed.samples;
        step(w, NULL, 1);
    }
    if (!input->is_mute) worker_takes(w, 0, sigrep_finish(w->out.search));
}

/* A feed_calls.ends. */
static bool go_on(void *user)
{
    (void)user;
    return false;
}

static void search_and_join(worker *w)
{
    feed *f = &w->feed;
    const feed_calls *const whole = f->calls;
    feed_calls calls = *whole; /* that leave the search open at the limit */
    uint64_t limit;
    sigrep_error error;
    sigrep *next = make_next_search(w);
    if (!next) return;
    calls.ends = go_on;
    if (!sigrep_begin_at(next, w->part.end, &limit, &error)) {
        f->limit = limit;
        f->calls = &calls;
        worker_feed(w);
        f->calls = whole;
        if (f->samples == limit && !f->was_ended) search_to_join(w, next);
    }
    sigrep_destroy(next);
}

/* The last line of a shard's result, if it is whole, and if nothing changed meanwhile. */
static void end_result(worker *w, const listed_input *listed)
{
    output *out = &w->out;
    const input_tally *input = &out->input;
    print_flush(out);
    const bool is_whole =
        !input->failed && !input->is_mute && !signals_caught() && !print_is_over(out);
    if (!is_whole || !shard_check(w->run->o, &w->run->set, listed->path)) {
        out->failed = true;
        return;
    }
    const shard_end end = {
        .join = input->last_final, .matches = input->matches, .checksum = out->run->sum};
    shard_end_add(&out->writer.out, &end);
    print_flush(out);
}

void part_search(worker *w, const listed_input *listed)
{
    const bool is_shard = w->run->o->shard;
    if (!is_shard)
        search_range(w);
    else if (w->part.end == UINT64_MAX)
        worker_feed(w);
    else
        search_and_join(w);
    /* An input that does not say how long it is may have ended before the part. */
    if (w->feed.has_ended && !w->out.input.failed) lies_within(w, w->feed.samples);
    if (is_shard) end_result(w, listed);
}
