#include "tools/sigrep/output/print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/monitor/monitor.h"
#include "tools/sigrep/output/actions.h"
#include "tools/sigrep/output/output_files.h"
#include "tools/sigrep/runner.h"

static bool is_over(const runner *r)
{
    return atomic_load(&r->run->over);
}

/* If this thread holds the lock already, it may be half-way through a line. */
void print_last(runner *r)
{
    run_output *out = &r->out;
    text_buffer *text = &out->writer.out;
    pthread_mutex_lock(&out->lock);
    while (text->length > 0 && text->data[text->length - 1] != '\n') text->length--;
    pthread_mutex_lock(&r->run->writing);
    const bool may_write = out->path ? !out->is_lost : atomic_load(&r->turn.has_come);
    if (may_write) (void)writer_flush(&out->writer);
    pthread_mutex_unlock(&r->run->writing);
}

bool print_begin(runner *r)
{
    const options *o = r->o;
    run_output *out = &r->out;
    pthread_mutexattr_t checks_owner;
    pthread_mutexattr_init(&checks_owner);
    pthread_mutexattr_settype(&checks_owner, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&out->lock, &checks_owner);
    pthread_mutexattr_destroy(&checks_owner);
    const writer_style style = {.times = o->times, .with_file = r->run->with_names};
    const bool good = writer_init(&out->writer, o->output, style, STDOUT_FILENO);
    if (!good) report("out of memory");
    return good;
}

void print_end(runner *r)
{
    writer_free(&r->out.writer);
    pthread_mutex_destroy(&r->out.lock);
}

void print_end_run(runner *r)
{
    turn_wait(&r->turn);
    r->failed = true;
    atomic_store(&r->run->over, true);
}

/* A turn_fn: to standard output. A failure ends the run. */
static void write_lines(void *user, const void *lines, size_t n)
{
    search_run *run = user;
    if (run->is_output_lost) return;
    if (run->is_terminal) report_progress_end();
    pthread_mutex_lock(&run->writing);
    const int failure = fd_write_all(STDOUT_FILENO, lines, n);
    pthread_mutex_unlock(&run->writing);
    if (!failure) return;
    report("standard output: %s", strerror(failure));
    run->is_output_lost = true;
    atomic_store(&run->over, true);
}

/* The lines of r->out to standard output, or hold them. */
static void flush_lines(runner *r)
{
    text_buffer *text = &r->out.writer.out;
    pthread_mutex_lock(&r->out.lock);
    const bool is_held = turn_hold(&r->turn, write_lines, r->run, text->data, text->length);
    if (is_held) text->length = 0;
    pthread_mutex_unlock(&r->out.lock);
    if (is_held) return;
    turn_wait(&r->turn);
    pthread_mutex_lock(&r->out.lock);
    const size_t n = text->length;
    text->length = 0;
    write_lines(r->run, text->data, n);
    pthread_mutex_unlock(&r->out.lock);
}

/* Of the file of this input. */
static void lose_file(runner *r, int failure)
{
    report_of(r->out.path, "%s", strerror(failure));
    r->out.is_lost = true;
    r->failed = r->input.failed = r->input.is_mute = true;
}

static void flush_file(runner *r)
{
    if (r->out.is_lost) return;
    pthread_mutex_lock(&r->out.lock);
    const int failure = writer_flush(&r->out.writer);
    pthread_mutex_unlock(&r->out.lock);
    if (failure) lose_file(r, failure);
}

void print_flush(runner *r)
{
    const text_buffer *text = &r->out.writer.out;
    turn_look(&r->turn);
    if (text->length == 0 && !text->failed) return;
    if (r->out.path) {
        flush_file(r);
    } else if (text->failed) {
        report_no_memory(r->input.name);
        print_end_run(r);
    } else {
        flush_lines(r);
    }
}

/* A turn_fn. */
static void write_message(void *user, const void *line, size_t n)
{
    (void)user;
    report_taken(line, n);
}

/* A report_taker. */
static void hold_message(void *user, const char *line, size_t n)
{
    runner *r = user;
    turn_do(&r->turn, write_message, NULL, line, n);
}

void print_hold_messages(runner *r, bool held)
{
    report_to(held ? hold_message : NULL, r);
}

/* Do matches become lines? */
static bool prints_matches(const options *o)
{
    return !o->count && !o->list_files && !o->quiet;
}

void print_header(runner *r)
{
    if (prints_matches(r->o) && !r->o->output_dir) writer_begin(&r->out.writer);
    print_flush(r);
}

void print_footer(runner *r)
{
    if (prints_matches(r->o) && !r->o->output_dir) writer_end(&r->out.writer);
    print_flush(r);
}

const char *print_begin_times(runner *r, const source_info *info, struct timespec opened)
{
    const options *o = r->o;
    current_input *input = &r->input;
    const bool from_column = r->buffer.times != NULL;
    input->has_dates = info->times == SOURCE_ISO || info->times == SOURCE_EPOCH;
    input->scale = (time_scale){.rate_hz = info->rate_hz, .from_column = from_column};
    if (!from_column) {
        input->scale.epoch_s = opened.tv_sec;
        input->scale.epoch_ns = (int32_t)opened.tv_nsec;
    }
    /* JSON has a member of its own for the clock. */
    const bool shows_clock =
        info->times == SOURCE_ISO || (info->microphone && o->output != &writer_json);
    r->out.writer.style.times = shows_clock && !o->has_times ? TIME_CLOCK : o->times;
    if (!o->has_times) return NULL;
    /* A live input without times is read now. */
    const bool has_clock = info->times == SOURCE_NO_TIMES ? info->live : input->has_dates;
    if (o->times == TIME_CLOCK && !has_clock) return "has no dates, which --time clock needs";
    if (o->times == TIME_HMS && input->has_dates)
        return "has dates, which --time hms does not print; --time clock does";
    return NULL;
}

bool print_open_file(runner *r, const listed_input *input)
{
    run_output *out = &r->out;
    if (!r->o->output_dir) return true;
    out->writer.fd = output_file_open(r->o, input, &out->path);
    out->is_lost = out->writer.fd < 0;
    if (!out->is_lost) writer_begin(&out->writer);
    return !out->is_lost;
}

void print_close_file(runner *r)
{
    run_output *out = &r->out;
    if (!out->path) return;
    if (!out->is_lost) writer_end(&out->writer);
    print_flush(r);
    /* Some file systems report a failed write to close(2). */
    if (out->writer.fd >= 0 && close(out->writer.fd) != 0 && !out->is_lost) lose_file(r, errno);
    free(out->path);
    out->path = NULL;
    out->writer.out.length = 0;
}

/* As a line. A flush makes room if there is no memory for more. */
static void add(runner *r, const writer_match *match)
{
    run_output *out = &r->out;
    bool added = false;
    for (int tries = 0; tries < 2 && !added && !is_over(r); tries++) {
        pthread_mutex_lock(&out->lock);
        added = writer_add(&out->writer, match);
        pthread_mutex_unlock(&out->lock);
        if (!added || out->writer.out.length >= WRITER_ROOM) print_flush(r);
    }
    if (added || is_over(r)) return;
    report_no_memory(match->file);
    print_end_run(r);
}

/* Add the times of a match. false: they could not be read back. */
static bool add_times(runner *r, writer_match *match)
{
    current_input *input = &r->input;
    if (!input->times) return true;
    match->start_time = column_times_at(input->times, match->start);
    match->end_time = column_times_end(input->times, match->end);
    match->start_time.decimals = match->end_time.decimals;
    if (input->has_dates) match->origin = column_times_first(input->times);
    const char *wrong = column_times_error(input->times);
    if (!*wrong) return true;
    report_of(input->name, "%s", wrong);
    r->failed = input->failed = input->is_mute = true;
    return false;
}

/* Add the warping path of a match, if that is wanted. false: there is none. */
static bool add_path(runner *r, writer_match *match)
{
    current_input *input = &r->input;
    if (!r->o->path) return true;
    const sigrep_status status = sigrep_get_path(r->search, &match->path, &match->n_pairs);
    if (!status) return true;
    input->is_mute = true;
    if (status == SIGREP_STOPPED) return false; /* interrupted, which is reported later */
    const bool by_store = status == SIGREP_STORE_FAILED && *spool_error(r->store);
    report_of(input->name, "%s", by_store ? spool_error(r->store) : sigrep_status_text(status));
    r->failed = input->failed = true;
    return false;
}

int print_match(void *user, const sigrep_match *m)
{
    runner *r = user;
    current_input *input = &r->input;
    const options *o = r->o;
    if (input->is_mute) return 1;
    writer_match match = {.file = input->name,
                          .label = m->label,
                          .start = m->start,
                          .end = m->end,
                          .score = m->score,
                          .threshold = m->threshold,
                          .margin = m->margin,
                          .scale = input->scale,
                          .live = input->is_microphone};
    const bool lines = prints_matches(o);
    const size_t label = r->set->items[m->template_index].first_of_label;
    if ((lines || input->actions || input->monitor) && !add_times(r, &match)) return 1;
    if (actions_hold(r, label, &match)) return 0;
    input->matches++;
    r->label_matches[label]++;
    r->matched = true;
    actions_take(r, label, &match);
    monitor_match(r, &match);
    if (o->quiet) {
        atomic_store(&r->run->over, true);
        if (r->run->is_shared) signals_end_stream(); /* another may wait for samples */
        return 1;
    }
    if (o->list_files) return 1;
    if (lines && !add_path(r, &match)) return 1;
    if (lines) add(r, &match);
    return is_over(r) || input->matches >= o->max_count;
}

/* As float32, least byte first on every machine; returns the number of bytes. */
static size_t put_floats(unsigned char *bytes, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int k = 0; k < 4; k++) *bytes++ = (unsigned char)(bits >> 8 * k);
    }
    return 4 * n;
}

int print_scores(void *user, const float *scores, size_t n_frames)
{
    runner *r = user;
    unsigned char bytes[16384];
    const bool is_written = r->run->scores_fd >= 0 && !r->input.is_mute;
    monitor_scores(r, scores, n_frames);
    size_t left = !is_written ? 0 : n_frames * r->set->n;
    while (left > 0 && !r->scores_failure) {
        size_t n = left < sizeof bytes / 4 ? left : sizeof bytes / 4;
        r->scores_failure = fd_write_all(r->run->scores_fd, bytes, put_floats(bytes, scores, n));
        scores += n;
        left -= n;
    }
    return r->input.is_mute || r->scores_failure != 0;
}

/* A line of -l or -L. Programs get the name as it is. */
static void add_file(runner *r)
{
    text_buffer *text = &r->out.writer.out;
    if (r->run->is_terminal)
        text_add_escaped(text, r->input.name);
    else
        text_add_string(text, r->input.name);
    text_add_string(text, "\n");
}

/* A line of -c. label NULL: of all labels. */
static void add_count(runner *r, uint64_t matches, const char *label)
{
    text_buffer *text = &r->out.writer.out;
    if (r->run->with_names) {
        text_add_escaped(text, r->input.name);
        text_add_string(text, ":");
    }
    text_add_format(text, "%" PRIu64, matches);
    if (label) {
        text_add_string(text, "\t");
        text_add_escaped(text, label);
    }
    text_add_string(text, "\n");
}

static void add_counts(runner *r)
{
    const template_set *set = r->set;
    if (set->n_labels == 1) add_count(r, r->input.matches, NULL);
    for (size_t i = 0; i < set->n && set->n_labels > 1; i++) {
        const loaded_template *t = &set->items[i];
        if (t->first_of_label == i) add_count(r, r->label_matches[i], t->label);
    }
}

void print_summary(runner *r)
{
    const listing list = r->o->list_files;
    const bool has_match = r->input.matches > 0;
    if (list == LIST_MATCHED && has_match) add_file(r);
    /* What was not read may have a match. */
    if (list == LIST_UNMATCHED && !has_match && !r->input.failed && !r->input.is_given_up)
        add_file(r);
    if (!list && r->o->count) add_counts(r);
    print_flush(r);
}
