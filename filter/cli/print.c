#include "filter/cli/print.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/actions.h"
#include "filter/cli/common/messages.h"
#include "filter/cli/common/out_of_memory.h"
#include "filter/cli/runner.h"
#include "io/fdio.h"

/* A last_output_fn. If this thread holds the lock already, it may be half-way through a line. */
static void print_last(void *user)
{
    run_output *out = user;
    text_buffer *text = &out->writer.out;
    pthread_mutex_lock(&out->lock);
    while (text->length > 0 && text->data[text->length - 1] != '\n') text->length--;
    if (!out->is_lost) (void)writer_flush(&out->writer);
}

bool print_begin(runner *r)
{
    const options *o = r->o;
    run_output *out = &r->out;
    pthread_mutexattr_t checks_owner;
    out->with_names = o->names == FILE_NAMES_ALWAYS ||
                      (o->names == FILE_NAMES_BY_COUNT && o->shared.n_inputs > 1);
    out->is_terminal = isatty(STDOUT_FILENO);
    pthread_mutexattr_init(&checks_owner);
    pthread_mutexattr_settype(&checks_owner, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&out->lock, &checks_owner);
    pthread_mutexattr_destroy(&checks_owner);
    const writer_style style = {.times = o->times, .with_file = out->with_names};
    const bool good = writer_init(&out->writer, o->output, style, STDOUT_FILENO);
    if (!good) report("out of memory");
    out_of_memory_set_output(print_last, out);
    return good;
}

void print_end(runner *r)
{
    out_of_memory_set_output(NULL, NULL);
    writer_free(&r->out.writer);
    pthread_mutex_destroy(&r->out.lock);
}

void print_flush(runner *r)
{
    run_output *out = &r->out;
    const text_buffer *text = &out->writer.out;
    if (out->is_lost || (text->length == 0 && !text->failed)) return;
    if (out->is_terminal) report_progress_end();
    pthread_mutex_lock(&out->lock);
    const int failure = writer_flush(&out->writer);
    pthread_mutex_unlock(&out->lock);
    if (!failure) return;
    report("standard output: %s", strerror(failure));
    out->is_lost = true;
    r->failed = true;
    r->over = true;
}

/* As a line. A flush makes room if there is no memory for more. */
static void add(runner *r, const writer_match *match)
{
    run_output *out = &r->out;
    bool added = false;
    for (int tries = 0; tries < 2 && !added && !r->over; tries++) {
        pthread_mutex_lock(&out->lock);
        added = writer_add(&out->writer, match);
        pthread_mutex_unlock(&out->lock);
        if (!added || out->writer.out.length >= WRITER_ROOM) print_flush(r);
    }
    if (added || r->over) return;
    report_no_memory(match->file);
    r->failed = r->over = true;
}

/* Add the times of a match. false: they could not be read back. */
static bool add_times(runner *r, writer_match *match)
{
    current_input *input = &r->input;
    if (!input->times) return true;
    match->start_time = column_times_at(input->times, match->start);
    match->end_time = column_times_end(input->times, match->end);
    match->start_time.decimals = match->end_time.decimals;
    const char *wrong = column_times_error(input->times);
    if (!*wrong) return true;
    report_of(input->name, "%s", wrong);
    r->failed = true;
    input->is_mute = true;
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
                          .scale = input->scale,
                          .live = input->is_microphone};
    const bool lines = !o->quiet && !o->list_files && !o->count;
    const size_t label = r->set.items[m->template_index].first_of_label;
    if ((lines || input->actions) && !add_times(r, &match)) return 1;
    if (actions_hold(r, label, &match)) return 0;
    input->matches++;
    r->set.items[label].matches++;
    r->matched = true;
    actions_take(r, label, &match);
    if (o->quiet) {
        r->over = true;
        return 1;
    }
    if (o->list_files) return 1;
    if (lines) add(r, &match);
    return r->over || input->matches >= o->max_count;
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
    run_output *out = &r->out;
    unsigned char bytes[16384];
    size_t left = r->input.is_mute ? 0 : n_frames * r->set.n;
    while (left > 0 && !out->scores_failure) {
        size_t n = left < sizeof bytes / 4 ? left : sizeof bytes / 4;
        out->scores_failure = fd_write_all(out->scores_fd, bytes, put_floats(bytes, scores, n));
        scores += n;
        left -= n;
    }
    return r->input.is_mute || out->scores_failure != 0;
}

/* A line of -l. Programs get the name as it is. */
static void add_file(run_output *out, const char *name)
{
    text_buffer *text = &out->writer.out;
    if (out->is_terminal)
        text_add_escaped(text, name);
    else
        text_add_string(text, name);
    text_add_string(text, "\n");
}

/* A line of -c. label NULL: of all labels. */
static void add_count(run_output *out, const char *file, uint64_t matches, const char *label)
{
    text_buffer *text = &out->writer.out;
    if (out->with_names) {
        text_add_escaped(text, file);
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
    const template_set *set = &r->set;
    const current_input *input = &r->input;
    if (set->n_labels == 1) add_count(&r->out, input->name, input->matches, NULL);
    for (size_t i = 0; i < set->n && set->n_labels > 1; i++) {
        const loaded_template *t = &set->items[i];
        if (t->first_of_label == i) add_count(&r->out, input->name, t->matches, t->label);
    }
}

void print_summary(runner *r)
{
    if (r->o->list_files) {
        if (r->input.matches > 0) add_file(&r->out, r->input.name);
    } else if (r->o->count) {
        add_counts(r);
    }
    print_flush(r);
}
