#include "tools/sigrep/state/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/file_replace.h"
#include "tools/common/input/column_times.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep/state/inner.h"
#include "tools/sigrep/state/options_text.h"
#include "tools/sigrep/state/output_place.h"

/* Saving takes a hundredth of the time at most. */
enum { SAVE_SHARE = 100, READ_BYTES = 1 << 16 };

#define ANEW "; remove it to begin anew"

/* ---- Open ---- */

/* NULL, or what is wrong. A file that is not there is empty. */
static const char *read_file(run_state *s)
{
    const int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 1;
    if (fd < 0) return errno == ENOENT ? NULL : strerror(errno);
    while (n > 0 && text_reserve(&s->file, READ_BYTES)) {
        n = fd_read(fd, -1, s->file.data + s->file.length, READ_BYTES);
        if (n > 0) s->file.length += (size_t)n;
    }
    const int failure = errno;
    close(fd);
    return s->file.failed ? "out of memory" : n < 0 ? strerror(failure) : NULL;
}

output_place run_state_output(const saved *s, const saved_place *p)
{
    return (output_place){s->output_is_file, s->output_device, s->output_inode,
                          p->output,         s->output_end,    s->output_end_is_known};
}

/* Does the state fit this run? If not, reports so. */
static bool check(const run_state *s)
{
    const saved *b = &s->before;
    char option[64];
    const output_place place = run_state_output(b, &b->here);
    const char *wrong = output_place_refuses(&place);
    if (options_text_differ((const char *)b->options.bytes, b->options.n, &s->options_text, option,
                            sizeof option)) {
        report_of(s->path, "is the state of a run with another %s: give the same options" ANEW,
                  option);
        return false;
    }
    if (wrong) report_of(s->path, "%s" ANEW, wrong);
    return !wrong;
}

static bool load(run_state *s)
{
    const char *wrong = read_file(s);
    if (wrong) {
        report_of(s->path, "%s", wrong);
        return false;
    }
    if (s->file.length == 0) return true;
    wrong = saved_read(&s->before, (const unsigned char *)s->file.data, s->file.length);
    if (wrong) report_of(s->path, "%s" ANEW, wrong);
    return !wrong && check(s);
}

/* Standard output first: what the state knows must be there. Returns 0 or an errno. */
static int write_file(run_state *s, saved *content)
{
    const int64_t began_ns = fd_now_ns();
    const output_place place = output_place_now();
    content->output_is_file = place.is_file;
    content->output_device = place.device;
    content->output_inode = place.inode;
    content->output_end = place.at;
    int failure = saved_write(content, &s->bytes) ? output_place_store(&place) : ENOMEM;
    if (!failure) failure = file_replace_again(s->path, s->bytes.data, s->bytes.length);
    s->saved_at_ns = fd_now_ns();
    s->cost_ns = s->saved_at_ns - began_ns;
    return failure;
}

int run_state_save_start(run_state *s)
{
    saved *b = &s->before;
    b->output_end_is_known = false;
    b->here.output = b->end.output = output_place_now().at;
    return write_file(s, b);
}

/* Before anything is printed, so that a run that is killed at once leaves a place to cut at. */
static bool save_first(run_state *s)
{
    const output_place now = output_place_now(),
                       before = run_state_output(&s->before, &s->before.here);
    int failure;
    if (!file_may_be_replaced(s->path, "state", false)) return false;
    if (!output_place_return(&before, &failure)) s->now.here.output = now.at;
    if (before.is_file && !failure) s->now.here.output = output_place_now().at;
    if (!failure) failure = write_file(s, &s->now);
    if (failure) report_of(s->path, "%s", strerror(failure));
    return !failure;
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
    options_text(&s->options_text, o, with_names);
    s->now.options =
        (saved_bytes){(const unsigned char *)s->options_text.data, s->options_text.length};
    s->now.input = (saved_bytes){(const unsigned char *)input, strlen(input)};
    const int failure = s->options_text.failed ? ENOMEM : file_lock_take(&s->lock, s->path);
    if (failure == EWOULDBLOCK)
        report_of(s->path, "is in use by another run");
    else if (failure)
        report_of(s->path, "%s", strerror(failure));
    if (!failure && load(s) && (s->before.has_begun || save_first(s))) return s;
    run_state_close(s);
    return NULL;
}

void run_state_close(run_state *s)
{
    if (!s) return;
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

bool run_state_is_over(const run_state *s, bool *matched)
{
    int failure;
    const saved *b = &s->before;
    const output_place place = run_state_output(b, &b->end);
    if (!b->is_over) return false;
    output_place_return(&place, &failure);
    *matched = b->end.matches > 0;
    return true;
}

bool run_state_begin(run_state *s, feed *f, output *out, uint64_t horizon)
{
    s->f = f;
    s->out = out;
    s->horizon = horizon;
    s->now.has_begun = true;
    s->now.epoch_s = out->input.scale.epoch_s;
    s->now.epoch_ns = out->input.scale.epoch_ns;
    s->now.base_first = exact_time_unknown();
    s->saved_at_ns = fd_now_ns();
    if (!stream_begin(&s->stream, f->channels)) return print_fail(out, "out of memory");
    return !s->before.has_begun || run_state_resume(s);
}

/* ---- Save ---- */

/* Change the size of a list. false: out of memory. */
static bool renew(void *list, size_t *n, size_t wanted, size_t size)
{
    void **items = list, *larger = realloc(*items, (wanted ? wanted : 1) * size);
    if (!larger) return false;
    *items = larger;
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
    const size_t most = n < t->most ? (size_t)n : t->most;
    float *frames = malloc((most + 1) * t->channels * sizeof *frames);
    if (!frames) return false;
    if (t->mark.head_n < most)
        stream_add(t, 0, frames, source_read_back(s->f->src, n, frames, most));
    stream_add(t, n - most, frames, source_read_back(s->f->src, most, frames, most));
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
    const int failure = write_file(s, &content);
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
    if (take_here(s)) save_now(s);
}

/* ---- The end ---- */

void run_state_unsettled(run_state *s)
{
    if (!s->is_ending) s->is_ending = take_here(s);
}

/* A signal is the end of a microphone only. */
bool run_state_ends(run_state *s)
{
    const feed *f = s->f;
    if (f->was_ended && !f->failure) return true; /* by -m, or it failed */
    if (!s->is_ending && !take_here(s)) return false;
    if (f->failure || (f->was_interrupted && !s->out->input.is_microphone)) return false;
    s->is_ending = true;
    return true;
}

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

bool run_state_knows(run_state *s, const sigrep_match *match)
{
    saved_match m = {match->template_index, match->start, match->end, 0};
    memcpy(&m.score, &match->score, sizeof m.score);
    if (s->is_ending) note(s, &m);
    for (size_t i = 0; i < s->before.n_printed; i++)
        if (memcmp(&s->before.printed[i], &m, sizeof m) == 0) return true;
    return false;
}

void run_state_end(run_state *s)
{
    const feed *f = s->f;
    saved *now = &s->now;
    const bool is_over = s->out->input.matches >= s->o->max_count;
    const bool is_lost = s->out->input.failed || s->out->input.is_given_up || print_is_over(s->out);
    now->is_over = is_over;
    now->has_ended = !is_lost && s->is_ending && (f->has_ended || s->out->input.is_microphone);
    if ((now->has_ended || is_over) && !take_place(s, &now->end)) {
        lose(s, strerror(ENOMEM));
        return;
    }
    now->output_end_is_known = true;
    if (is_over) now->here.search = (saved_bytes){0};
    if (s->has_here || is_over) save_now(s); /* else the search has failed: the last save stays */
}
