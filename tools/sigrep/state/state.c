#include "tools/sigrep/state/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/fdio.h"
#include "tools/common/file_replace.h"
#include "tools/common/input/column_times.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep/state/inner.h"
#include "tools/sigrep/state/options_text.h"
#include "tools/sigrep/state/output_place.h"

enum { SAVE_SHARE = 100 }; /* saving takes a hundredth of the time at most */

/* ---- Open ---- */

/* Before anything is printed, so that a run that is killed at once leaves a place to cut at. */
static bool save_first(run_state *s)
{
    const output_place before = run_state_output(&s->before, &s->before.here);
    int failure;
    output_place_return(&before, &failure);
    s->now.here.output = output_place_now().at;
    if (!failure) failure = run_state_write(s, &s->now);
    if (failure) report_of(s->path, "%s", strerror(failure));
    return !failure;
}

/* Lock the file, and read it. false after a failure, which is reported. */
static bool take_file(run_state *s)
{
    if (!file_may_be_replaced(s->path, "state", false)) return false;
    const int failure = file_lock_take(&s->lock, s->path);
    if (failure == EWOULDBLOCK)
        report_of(s->path, "is in use by another run");
    else if (failure)
        report_of(s->path, "%s", strerror(failure));
    return !failure && run_state_load(s);
}

run_state *run_state_open(const options *o, const char *input, bool with_names)
{
    run_state *s = calloc(1, sizeof *s);
    if (!s) {
        report_no_memory(o->state_path);
        return NULL;
    }
    s->o = o;
    s->path = o->state_path;
    s->lock.fd = -1;
    options_text(&s->options_text, o, with_names);
    s->now.options =
        (saved_bytes){(const unsigned char *)s->options_text.data, s->options_text.length};
    s->now.input = (saved_bytes){(const unsigned char *)input, strlen(input)};
    if (s->options_text.failed)
        report_no_memory(s->path);
    else if (take_file(s) && (s->before.has_begun || save_first(s)))
        return s;
    run_state_close(s);
    return NULL;
}

void run_state_close(run_state *s)
{
    if (!s) return;
    if (s->is_written) run_state_write_end(s);
    file_lock_drop(&s->lock);
    stream_end(&s->stream);
    saved_free(&s->before);
    saved_free(&s->now);
    free(s->file.data);
    free(s->options_text.data);
    free(s->bytes.data);
    free(s);
}

bool run_state_has_begun(const run_state *s)
{
    return s->before.has_begun;
}

/* ---- Save ---- */

/* Change the size of a list. `list` is the address of the pointer to its items. false: out of
 * memory. */
static bool renew(void *list, size_t *n, size_t wanted, size_t size)
{
    void *items;
    memcpy(&items, list, sizeof items);
    /* cppcheck-suppress memleakOnRealloc ; the list has them */
    items = realloc(items, (wanted ? wanted : 1) * size);
    if (!items) return false;
    memcpy(list, &items, sizeof items);
    *n = wanted;
    return true;
}

/* The times before the place, as far back as a match may reach. */
static bool take_times(const run_state *s, saved_place *p)
{
    column_times *times = s->out->input.times;
    const bool can_read_again = !source_get_info(s->f->src).live;
    if (!times) return true;
    p->decimals = (uint64_t)column_times_decimals(times);
    p->first = column_times_first(times);
    const uint64_t n = can_read_again ? 0 : s->f->samples;
    if (!renew(&p->times, &p->n_times, (size_t)(n < s->horizon ? n : s->horizon), sizeof *p->times))
        return false;
    for (size_t i = 0; i < p->n_times; i++)
        p->times[i] = column_times_at(times, s->f->samples - p->n_times + i);
    return true;
}

/* All of a place but the state of the search. false: out of memory. */
static bool take_place(const run_state *s, saved_place *p)
{
    const output *out = s->out;
    const size_t n = out->run->set->n;
    p->samples = s->f->samples;
    p->matches = out->input.matches;
    p->held = out->input.held;
    p->output = output_place_now().at;
    if (!renew(&p->label_matches, &p->n_label_matches, n, sizeof *p->label_matches) ||
        !renew(&p->holds, &p->n_holds, out->last ? n : 0, sizeof *p->holds) || !take_times(s, p))
        return false;
    memcpy(p->label_matches, out->label_matches, n * sizeof *p->label_matches);
    for (size_t i = 0; i < p->n_holds; i++)
        p->holds[i] =
            (saved_hold){out->last[i].end, out->last[i].start_time, out->last[i].end_time};
    return true;
}

/* The search is over or has failed, or a save has. Always false. */
static bool lose(run_state *s, const char *reason)
{
    if (!s->has_failed) report_of(s->path, "not saved: %s", reason);
    s->has_failed = s->out->failed = true;
    return false;
}

/* Samples that were searched unseen are read again: the first and the last ones. */
static bool see_again(run_state *s)
{
    stream *t = &s->stream;
    const uint64_t n = s->f->samples - s->now.base;
    const size_t head = n < t->most_head ? (size_t)n : t->most_head;
    const size_t tail = n < t->most_tail ? (size_t)n : t->most_tail;
    float *frames = malloc((t->most_head + t->most_tail) * t->channels * sizeof *frames);
    if (!frames) return false;
    if (t->mark.head_n < head)
        stream_add(t, 0, frames, source_read_back(s->f->src, n, frames, head));
    stream_add(t, n - tail, frames, source_read_back(s->f->src, tail, frames, tail));
    free(frames);
    return true;
}

/* Take the place of now as `here`. false after a failure, which is reported. */
static bool take_here(run_state *s)
{
    const void *bytes;
    size_t n;
    sigrep_error error = {.text = ""};
    s->has_here = false;
    const sigrep_status status = sigrep_save(s->f->search, &bytes, &n, &error);
    print_flush(s->out);
    if (status == SIGREP_STOPPED) return false; /* by -m, or by a signal */
    if (print_is_over(s->out)) return false;    /* standard output was lost */
    if (status) return lose(s, search_failure(status, NULL));
    if (s->is_unseen && !see_again(s)) return lose(s, strerror(ENOMEM));
    if (!take_place(s, &s->now.here)) return lose(s, strerror(ENOMEM));
    s->now.here.search = (saved_bytes){bytes, n};
    s->now.mark = stream_get_mark(&s->stream);
    s->has_here = true;
    return true;
}

static void save_now(run_state *s)
{
    saved content = s->now;
    if (!s->is_ending) { /* those of the run before may still come */
        content.printed = s->before.printed;
        content.n_printed = s->before.n_printed;
    }
    const int failure = run_state_write(s, &content);
    if (failure) lose(s, strerror(failure));
    s->saved_matches = s->out->input.matches;
}

/* A live input is not read again, so its matches are saved soon. */
static bool is_due(const run_state *s)
{
    const bool is_new = s->out->input.matches != s->saved_matches;
    const bool is_soon = is_new && source_get_info(s->f->src).live;
    const int64_t wait_ns = is_soon ? 0 : STATE_SAVE_S * INT64_C(1000000000);
    const int64_t rest_ns = SAVE_SHARE * s->cost_ns;
    return fd_now_ns() - s->saved_at_ns >= (wait_ns > rest_ns ? wait_ns : rest_ns);
}

void run_state_gap(run_state *s, uint64_t n)
{
    s->is_gap = n > 0;
}

void run_state_searched(run_state *s, const float *frames, uint64_t n)
{
    if (frames) stream_add(&s->stream, s->f->samples - n - s->now.base, frames, (size_t)n);
    s->is_unseen = !frames && n > 0 && !s->is_gap;
    s->is_gap = false;
    if (s->is_ending || !is_due(s)) return;
    const int64_t began_ns = fd_now_ns();
    if (take_here(s)) save_now(s);
    s->saved_at_ns = fd_now_ns();
    s->cost_ns = s->saved_at_ns - began_ns;
}

bool run_state_move_output(run_state *s, void (*move)(void *user), void *user)
{
    if (!s->f || s->is_ending) return false; /* before its place is found, or at its end */
    if (take_here(s)) save_now(s);
    move(user);
    if (!s->has_here) return true; /* the search is over, or that failed */
    s->now.here.output = output_place_now().at;
    save_now(s);
    return true;
}

/* ---- Begin ---- */

/* Add it to those of the end. */
static void note(run_state *s, const saved_match *m)
{
    saved *now = &s->now;
    if (!renew(&now->printed, &now->n_printed, now->n_printed + 1, sizeof *now->printed)) {
        lose(s, strerror(ENOMEM));
        return;
    }
    now->printed[now->n_printed - 1] = *m;
}

/* See output. */
static bool is_printed(void *user, const sigrep_match *match)
{
    run_state *s = user;
    saved_match m = {match->template_index, match->start, match->end, 0};
    memcpy(&m.score, &match->score, sizeof m.score);
    if (s->is_ending) note(s, &m);
    for (size_t i = 0; m.end <= s->printed_end && i < s->before.n_printed; i++)
        if (memcmp(&s->before.printed[i], &m, sizeof m) == 0) return true;
    return false;
}

bool run_state_begin(run_state *s, feed *f, output *out, uint64_t horizon)
{
    s->f = f;
    s->out = out;
    out->is_printed = is_printed;
    out->is_printed_user = s;
    s->horizon = horizon;
    s->now.has_begun = true;
    s->now.epoch_s = out->input.scale.epoch_s;
    s->now.epoch_ns = out->input.scale.epoch_ns;
    s->now.base_first = exact_time_unknown();
    s->saved_at_ns = fd_now_ns();
    for (size_t i = 0; i < s->before.n_printed; i++)
        if (s->before.printed[i].end > s->printed_end) s->printed_end = s->before.printed[i].end;
    if (!stream_begin(&s->stream, f->channels)) return print_fail(out, "out of memory");
    return !s->before.has_begun || run_state_resume(s);
}

/* ---- The end ---- */

void run_state_unsettled(run_state *s)
{
    if (!s->is_ending) s->is_ending = take_here(s);
}

/* A signal or a failure is the end of a microphone only. */
bool run_state_ends(run_state *s)
{
    const feed *f = s->f;
    if (f->was_ended && !f->failure) return true; /* by -m, or it failed */
    if (!s->is_ending && !take_here(s)) return false;
    if ((f->failure || f->was_interrupted) && !s->out->input.is_microphone) return false;
    s->is_ending = true;
    return true;
}

/* Has -m been reached for good? A match that only the end of the input decided may become another,
 * if the input grows; that of a microphone does not. */
static bool has_max_count(const run_state *s)
{
    const bool may_grow = s->is_ending && !s->out->input.is_microphone;
    return (may_grow ? s->now.here.matches : s->out->input.matches) >= s->o->max_count;
}

/* Was all searched and printed? Then another stream may follow. */
static bool has_ended(const run_state *s)
{
    const output *out = s->out;
    if (out->input.is_given_up || print_is_over(out)) return false;
    return s->is_ending && (s->f->has_ended || out->input.is_microphone);
}

void run_state_end(run_state *s)
{
    saved *now = &s->now;
    now->is_over = has_max_count(s);
    now->has_ended = has_ended(s);
    if ((now->has_ended || now->is_over) && !take_place(s, &now->end)) {
        lose(s, strerror(ENOMEM));
        return;
    }
    if (now->is_over) now->here.search = (saved_bytes){0};
    if (now->is_over && s->o->count) now->end.output = now->here.output; /* printed each time */
    if (s->has_here || now->is_over) save_now(s); /* else the last save stays */
}
