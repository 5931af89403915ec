#include "tools/sigrep/output/print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "io/fdio.h"
#include "io/time/file_time.h"
#include "io/time/time_zone.h"
#include "tools/common/input/column_times.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/shards/shard.h"
#include "tools/common/templates/search_setup.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep/monitor/monitor.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/output/actions.h"
#include "tools/sigrep/output/output_files.h"

bool print_is_over(const output *out)
{
    return atomic_load(&out->run->over);
}

bool print_fail(output *out, const char *reason)
{
    if (reason) report_of(out->input.name, "%s", reason);
    out->failed = out->input.failed = true;
    return false;
}

/* If this thread holds the lock already, it may be half-way through a line. */
void print_last(output *out)
{
    text_buffer *text = &out->writer.out;
    pthread_mutex_lock(&out->lock);
    while (text->length > 0 && text->data[text->length - 1] != '\n') text->length--;
    pthread_mutex_lock(&out->run->writing);
    const bool may_write = out->path ? !out->is_lost : atomic_load(&out->turn.has_come);
    if (may_write) (void)writer_flush(&out->writer);
    pthread_mutex_unlock(&out->run->writing);
}

writer_style print_style(const run_outputs *run)
{
    return (writer_style){.times = run->o->times,
                          .with_file = run->with_names,
                          .with_group = source_wants_groups(&run->o->shared.source)};
}

bool print_begin(output *out, run_outputs *run)
{
    pthread_mutexattr_t checks_owner;
    pthread_mutexattr_init(&checks_owner);
    pthread_mutexattr_settype(&checks_owner, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&out->lock, &checks_owner);
    pthread_mutexattr_destroy(&checks_owner);
    out->run = run;
    out->grace_ms = SIGNALS_GRACE_MS;
    turn_begin(&out->turn, &run->turns, 0);
    return writer_init(&out->writer, run->o->output, print_style(run), STDOUT_FILENO) ||
           report_no_memory(NULL);
}

void print_end(output *out)
{
    writer_free(&out->writer);
    free(out->line.data);
    pthread_mutex_destroy(&out->lock);
}

void print_end_run(output *out)
{
    turn_wait(&out->turn);
    out->failed = true;
    atomic_store(&out->run->over, true);
}

/* A turn_fn: to standard output. A failure ends the run. */
static void write_lines(void *user, const void *lines, size_t n)
{
    run_outputs *run = user;
    if (run->is_lost) return;
    if (run->is_terminal) report_progress_end();
    if (run->o->shard) run->sum = (uint32_t)crc32_z(run->sum, lines, n);
    pthread_mutex_lock(&run->writing);
    /* A part of a line in a log would be joined with the first one of the next run. */
    const int failure = (run->o->log_path ? fd_append : fd_write_all)(STDOUT_FILENO, lines, n);
    pthread_mutex_unlock(&run->writing);
    if (!failure) return;
    report_of(run->o->log_path ? run->o->log_path : "standard output", "%s", strerror(failure));
    run->is_lost = true;
    atomic_store(&run->over, true);
}

/* The lines to standard output, or hold them. */
static void flush_lines(output *out)
{
    text_buffer *text = &out->writer.out;
    pthread_mutex_lock(&out->lock);
    const bool is_held = turn_hold(&out->turn, write_lines, out->run, text->data, text->length);
    if (is_held) text->length = 0;
    pthread_mutex_unlock(&out->lock);
    if (is_held) return;
    turn_wait(&out->turn);
    pthread_mutex_lock(&out->lock);
    const size_t n = text->length;
    text->length = 0;
    write_lines(out->run, text->data, n);
    pthread_mutex_unlock(&out->lock);
}

/* Of the file of this input. */
static void lose_file(output *out, int failure)
{
    report_of(out->path, "%s", strerror(failure));
    out->is_lost = true;
    out->input.is_mute = true;
    print_fail(out, NULL);
}

static void flush_file(output *out)
{
    if (out->is_lost) return;
    pthread_mutex_lock(&out->lock);
    const int failure = writer_flush(&out->writer);
    pthread_mutex_unlock(&out->lock);
    if (failure) lose_file(out, failure);
}

void print_flush(output *out)
{
    const text_buffer *text = &out->writer.out;
    turn_look(&out->turn);
    if (text->length == 0 && !text->failed) return;
    if (out->path) {
        flush_file(out);
    } else if (text->failed) {
        report_no_memory(out->input.name);
        print_end_run(out);
    } else {
        flush_lines(out);
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
    output *out = user;
    turn_do(&out->turn, write_message, NULL, line, n);
}

void print_hold_messages(output *out, bool held)
{
    report_to(held ? hold_message : NULL, out);
}

bool print_ends_at_match(const options *o)
{
    return o->quiet && !o->save_folder;
}

/* Do matches become lines? */
static bool prints_matches(const options *o)
{
    return !o->count && !o->list_files && !o->quiet;
}

bool print_has_header(const options *o)
{
    return prints_matches(o) && !o->output_dir && !o->shard && o->shard_size_s == 0;
}

void print_around(output *out, void (*add)(writer *w))
{
    if (print_has_header(out->run->o)) add(&out->writer);
    print_flush(out);
}

/* Sample 0 is at the time in the input's name. NULL, or why not. */
static const char *begin_at_file_time(input_tally *input, const options *o)
{
    const bool has_zone = o->time_zone != NULL;
    exact_time time;
    if (!file_time_parse(input->name, &time))
        return "has no time in its name, such as 20260101_120000, which --file-time needs";
    time.is_local = time.is_local && !o->file_time_is_utc;
    const unsigned shown =
        time.is_local && has_zone ? time_zone_to_utc(time.seconds, &time.seconds) : 1;
    if (shown == 0)
        return "its name has an hour that clocks skip in this --time-zone; if the recorder keeps "
               "winter time, give a zone such as Etc/GMT-1";
    if (shown > 1)
        report_of(input->name, "warning: its name has an hour that clocks show twice; the first "
                               "one is taken");
    input->scale.epoch_s = time.seconds;
    input->scale.epoch_ns = time.ns;
    input->scale.is_local = time.is_local && !has_zone;
    return NULL;
}

const char *print_begin_times(output *out, const source_info *info, struct timespec opened)
{
    const options *o = out->run->o;
    input_tally *input = &out->input;
    const bool from_column = source_wants_times(&o->shared.source);
    input->is_microphone = info->microphone;
    input->has_dates = info->times == SOURCE_ISO || info->times == SOURCE_EPOCH;
    input->scale = (time_scale){.rate_hz = info->rate_hz,
                                .from_column = from_column,
                                .says_utc = o->has_times,
                                .in_zone = o->time_zone != NULL};
    if (!from_column) {
        input->scale.epoch_s = opened.tv_sec;
        input->scale.epoch_ns = (int32_t)opened.tv_nsec;
    }
    const bool shows_clock = info->times == SOURCE_ISO || o->has_file_time ||
                             (info->microphone && !o->output->has_clock);
    out->writer.style.times = shows_clock && !o->has_times ? TIME_CLOCK : o->times;
    if (o->has_file_time) return begin_at_file_time(input, o);
    if (!o->has_times) return NULL;
    /* A live input without times is read now. */
    const bool has_clock = info->times == SOURCE_NO_TIMES ? info->live : input->has_dates;
    if (o->times == TIME_CLOCK && !has_clock)
        return from_column ? "has no dates, which --time clock needs"
                           : "has no dates, which --time clock needs; --file-time takes the date "
                             "in a file's name";
    if (o->times == TIME_HMS && input->has_dates)
        return "has dates, which --time hms does not print; --time clock does";
    return NULL;
}

bool print_open_file(output *out, const listed_input *input)
{
    if (!out->run->o->output_dir) return true;
    out->writer.fd = output_file_open(out->run->o, input, &out->path);
    out->is_lost = out->writer.fd < 0;
    if (!out->is_lost) writer_begin(&out->writer);
    return !out->is_lost;
}

void print_close_file(output *out)
{
    if (!out->path) return;
    if (!out->is_lost) writer_end(&out->writer);
    print_flush(out);
    /* Some file systems report a failed write to close(2). */
    if (out->writer.fd >= 0 && close(out->writer.fd) != 0 && !out->is_lost) lose_file(out, errno);
    const input_tally *input = &out->input;
    const bool is_whole = !out->is_lost && !input->failed && !input->is_partial;
    if (out->run->o->new_only && is_whole && !output_file_finish(out->run->o, out->path))
        print_fail(out, NULL);
    free(out->path);
    out->path = NULL;
    out->writer.out.length = 0;
}

/* A match of a shard's result. false: out of memory; then nothing is added. */
static bool add_to_result(output *out, const writer_match *match, const sigrep_match *m)
{
    const writer *w = &out->writer;
    text_buffer *text = &out->writer.out, *line = &out->line;
    const size_t before = text->length;
    line->length = 0;
    line->failed = false;
    w->ops->match(line, &w->style, match);
    const shard_match record = {.final = m->final,
                                .label = out->run->set->items[m->template_index].first_of_label,
                                .start = m->start,
                                .end = m->end,
                                .bytes = line->length};
    if (!line->failed) shard_match_add(text, &record, line->data);
    if (!line->failed && !text->failed) return true;
    text->length = before;
    text->failed = false;
    return false;
}

/* As a line. A flush makes room if there is no memory for more. */
static void add(output *out, const writer_match *match, const sigrep_match *m)
{
    bool added = false;
    for (int tries = 0; tries < 2 && !added && !print_is_over(out); tries++) {
        pthread_mutex_lock(&out->lock);
        added = out->run->o->shard ? add_to_result(out, match, m) : writer_add(&out->writer, match);
        pthread_mutex_unlock(&out->lock);
        if (!added || out->writer.out.length >= WRITER_ROOM) print_flush(out);
    }
    if (added || print_is_over(out)) return;
    report_no_memory(match->file);
    print_end_run(out);
}

/* Add the times of a match. false: they could not be read back. */
static bool add_times(output *out, writer_match *match)
{
    input_tally *input = &out->input;
    if (!input->times) return true;
    match->start_time = column_times_at(input->times, match->start);
    match->end_time = column_times_end(input->times, match->end);
    match->start_time.decimals = match->end_time.decimals;
    if (input->has_dates) match->origin = column_times_first(input->times);
    const char *wrong = column_times_error(input->times);
    if (!*wrong) return true;
    input->is_mute = true;
    return print_fail(out, wrong);
}

/* Add the warping path of a match, if that is wanted. false: there is none. */
static bool add_path(output *out, writer_match *match)
{
    input_tally *input = &out->input;
    if (!out->run->o->path) return true;
    const sigrep_status status = sigrep_get_path(out->search, &match->path, &match->n_pairs);
    if (!status) return true;
    input->is_mute = true;
    if (status == SIGREP_STOPPED) return false; /* interrupted, which is reported later */
    return print_fail(out, search_failure(status, out->store));
}

/* What is printed from now on belongs to the row of a group that made the match final: its last
 * one, or a gap. */
static void note_row(output *out, const sigrep_match *m)
{
    if (!out->rows || m->final == 0) return;
    const uint64_t last = m->final - 1 > *out->searched ? m->final - 1 : *out->searched;
    const uint64_t at = last - out->rows_from;
    out->turn.row = out->rows[at < out->n_rows ? at : out->n_rows - 1];
}

int print_match(void *user, const sigrep_match *m)
{
    output *out = user;
    input_tally *input = &out->input;
    const options *o = out->run->o;
    if (input->is_mute) return 1;
    if (m->final > input->last_final || m->end > input->last_end) return 0;
    note_row(out, m);
    writer_match match = {.file = input->file,
                          .group = input->group,
                          .label = m->label,
                          .start = m->start,
                          .end = m->end,
                          .score = m->score,
                          .threshold = m->threshold,
                          .margin = m->margin,
                          .scale = input->scale,
                          .live = input->is_microphone,
                          .channel = o->shared.source.channel,
                          .low_hz = out->run->set->items[m->template_index].low_hz,
                          .high_hz = out->run->set->items[m->template_index].high_hz};
    const bool lines = prints_matches(o);
    const bool acts = out->last || out->save || out->exec || out->monitor;
    const size_t label = out->run->set->items[m->template_index].first_of_label;
    if ((lines || acts) && !add_times(out, &match)) return 1;
    if (out->last && !o->shard && hold_takes(o->hold_s, &out->last[label], &match)) {
        input->held++;
        return 0;
    }
    match.number = ++input->matches;
    out->label_matches[label]++;
    out->matched = true;
    if (out->is_printed && out->is_printed(out->is_printed_user, m))
        return input->matches >= o->max_count;
    actions_take(out, label, &match);
    monitor_match(out->monitor, m->template_index, out->writer.style.times, &match);
    if (print_ends_at_match(o)) {
        atomic_store(&out->run->over, true);
        if (out->run->is_shared) signals_end_stream(); /* another may wait for samples */
        return 1;
    }
    if (o->list_files && !o->save_folder) return 1;
    if (lines && !add_path(out, &match)) return 1;
    if (lines) add(out, &match, m);
    if (lines && input->group) print_flush(out); /* with its row */
    return print_is_over(out) || input->matches >= o->max_count;
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
    output *out = user;
    unsigned char bytes[16384];
    const bool is_written = out->run->scores_fd >= 0 && !out->input.is_mute;
    monitor_scores(out->monitor, scores, n_frames);
    size_t left = !is_written ? 0 : n_frames * out->run->set->n;
    while (left > 0 && !out->scores_failure) {
        size_t n = left < sizeof bytes / 4 ? left : sizeof bytes / 4;
        out->scores_failure =
            fd_write_all(out->run->scores_fd, bytes, put_floats(bytes, scores, n));
        scores += n;
        left -= n;
    }
    return out->input.is_mute || out->scores_failure != 0;
}

/* The group comes last. */
static void end_line(output *out)
{
    text_buffer *text = &out->writer.out;
    if (out->input.group) {
        text_add_string(text, "\t");
        text_add_escaped(text, out->input.group);
    }
    text_add_string(text, "\n");
}

/* A line of -l or -L. Programs get the name as it is. */
static void add_file(output *out)
{
    text_buffer *text = &out->writer.out;
    if (out->run->is_terminal)
        text_add_escaped(text, out->input.file);
    else
        text_add_string(text, out->input.file);
    end_line(out);
}

/* A line of -c. label NULL: of all labels. */
static void add_count(output *out, uint64_t matches, const char *label)
{
    text_buffer *text = &out->writer.out;
    if (out->run->with_names) {
        text_add_escaped(text, out->input.file);
        text_add_string(text, ":");
    }
    text_add_format(text, "%" PRIu64, matches);
    if (label) {
        text_add_string(text, "\t");
        text_add_escaped(text, label);
    }
    end_line(out);
}

static void add_counts(output *out)
{
    const template_set *set = out->run->set;
    if (set->n_labels == 1) add_count(out, out->input.matches, NULL);
    for (size_t i = 0; i < set->n && set->n_labels > 1; i++) {
        const loaded_template *t = &set->items[i];
        if (t->first_of_label == i) add_count(out, out->label_matches[i], t->label);
    }
}

void print_summary(output *out)
{
    const listing list = out->run->o->list_files;
    const bool has_match = out->input.matches > 0;
    if (list == LIST_MATCHED && has_match) add_file(out);
    /* What was not read may have a match. */
    const bool is_whole = !out->input.is_partial;
    if (list == LIST_UNMATCHED && !has_match && !out->input.failed && is_whole) add_file(out);
    if (!list && out->run->o->count && is_whole) add_counts(out);
    print_flush(out);
}
