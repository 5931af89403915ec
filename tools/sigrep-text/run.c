/*
 * run.c - search all inputs, and print matches.
 *
 *     letters.h --> buffer --> sigrep_text.h --> writer
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/options/arguments.h"
#include "tools/sigrep-text/letters.h"
#include "tools/sigrep-text/options.h"

enum { EXIT_MATCH = 0, EXIT_NO_MATCH = 1 };

typedef struct {
    const text_options *o;
    pattern_list patterns;
    sigrep_text *search;
    unsigned char *buffer; /* letters that are not searched yet */
    size_t n, room;        /* of them */
    writer out;
    int wake_fd;
    size_t n_read; /* inputs */
    bool with_names;
    bool is_lost; /* standard output */
    bool failed, matched, was_interrupted;

    const char *path; /* of the input, from here on */
    bool has_record;
    char record[LETTERS_NAME + 1];
    uint64_t matches, letters;
} text_run;

static bool wants_lines(const text_options *o)
{
    return !o->count && !o->list && !o->quiet;
}

static void flush(text_run *r)
{
    if (r->is_lost) return;
    const int failure = writer_flush(&r->out);
    if (!failure) return;
    report("standard output: %s", strerror(failure));
    r->is_lost = r->failed = true;
}

/* Must nothing more of this input be read? */
static bool is_enough(const text_run *r)
{
    const text_options *o = r->o;
    return r->is_lost || r->matches >= o->max_count || (r->matches > 0 && (o->quiet || o->list));
}

static void print_match(text_run *r, const sigrep_text_match *m)
{
    char name[2 * LETTERS_NAME + 4096];
    const char *file = input_name(r->path);
    if (r->has_record) {
        snprintf(name, sizeof name, "%s:%s", file, r->record);
        file = name;
    }
    const writer_match match = {.file = file,
                                .label = patterns_label(&r->patterns, m->pattern),
                                .start = m->start,
                                .end = m->end,
                                .score = (double)m->distance,
                                .threshold = (double)r->o->edits,
                                .margin = NAN,
                                .scale = {.rate_hz = 1}};
    if (r->out.out.length >= WRITER_ROOM) flush(r);
    if (!r->is_lost && !writer_add(&r->out, &match)) {
        flush(r);
        if (!writer_add(&r->out, &match)) r->is_lost = r->failed = !report_no_memory(file);
    }
}

/* A sigrep_text_match_fn. */
static int take_match(void *user, const sigrep_text_match *match)
{
    text_run *r = user;
    if (is_enough(r)) return 1;
    r->matches++;
    r->matched = true;
    if (wants_lines(r->o)) print_match(r, match);
    return is_enough(r);
}

/* The end of a push. */
static void end_push(text_run *r, sigrep_status status)
{
    if (status == SIGREP_DEVICE_FAILED) report_of(input_name(r->path), "the device failed");
    if (status == SIGREP_NO_MEMORY) report_no_memory(input_name(r->path));
    if (status && status != SIGREP_STOPPED) r->is_lost = r->failed = true;
    flush(r);
}

static void search_buffer(text_run *r)
{
    end_push(r, is_enough(r) ? SIGREP_OK : sigrep_text_push(r->search, r->buffer, r->n));
    r->n = 0;
}

/* The text ends: what is pending becomes final. */
static void end_text(text_run *r)
{
    search_buffer(r);
    end_push(r, sigrep_text_finish(r->search));
}

/* Read and search until the input ends. Letters that come fast are searched in large chunks, others
 * at once. */
static letters_event read_all(text_run *r, letters *l)
{
    letters_event event = LETTERS_SOME;
    while (!is_enough(r)) {
        size_t n;
        if (r->n == r->room) search_buffer(r);
        event = letters_read(l, r->buffer + r->n, r->room - r->n, &n, r->n == 0);
        r->n += n;
        r->letters += n;
        if (event == LETTERS_END || event == LETTERS_FAILED) break;
        if (event == LETTERS_LATER) search_buffer(r);
        if (event != LETTERS_RECORD) continue;
        end_text(r);
        r->has_record = true;
        memcpy(r->record, l->record, sizeof r->record);
    }
    return event;
}

static void print_name(text_run *r)
{
    if (isatty(STDOUT_FILENO))
        text_add_escaped(&r->out.out, input_name(r->path));
    else
        text_add_string(&r->out.out, input_name(r->path));
    text_add_string(&r->out.out, "\n");
}

static void print_summary(text_run *r, bool failed, bool is_partial)
{
    const text_options *o = r->o;
    text_buffer *out = &r->out.out;
    if (o->quiet) return;
    if (o->list == TEXT_LIST_MATCHED && r->matches > 0) print_name(r);
    if (o->list == TEXT_LIST_UNMATCHED && r->matches == 0 && !failed && !is_partial) print_name(r);
    if (o->count && !o->list && !is_partial) {
        if (r->with_names) text_add_escaped(out, input_name(r->path));
        text_add_format(out, "%s%" PRIu64 "\n", r->with_names ? ":" : "", r->matches);
    }
    flush(r);
}

static void search_input(text_run *r, const char *path)
{
    static letters l; /* large */
    const text_options *o = r->o;
    r->path = path;
    r->has_record = false;
    r->matches = r->letters = 0;
    const bool is_open =
        letters_open(&l, path, r->wake_fd, (letters_options){.fasta = o->fasta, .dna = o->dna});
    if (!is_open && signals_which()) return;
    r->n_read++;
    if (!is_open) {
        if (!o->no_messages) report_of(input_name(path), "%s", l.error);
        r->failed = true;
        return;
    }
    r->out.style.with_file =
        r->with_names || (l.kind >= TEXT_FASTA && o->names != TEXT_NAMES_NEVER);
    const letters_event event = read_all(r, &l);
    end_text(r);
    if (event == LETTERS_FAILED) {
        if (!o->no_messages || !l.in.failure) report_of(input_name(path), "%s", l.error);
        r->failed = true;
    }
    if (l.odd_letter >= 0)
        report_of(input_name(path),
                  "warning: letter %" PRIu64
                  " of a record is byte 0x%02x, which is no IUPAC code of "
                  "DNA: such letters match nothing",
                  l.odd_at, (unsigned)l.odd_letter);
    const bool is_partial = event == LETTERS_END && signals_which() && !is_enough(r);
    if (is_partial)
        report_of(input_name(path), "ended by a signal after %" PRIu64 " letters", r->letters);
    r->was_interrupted |= is_partial;
    print_summary(r, event == LETTERS_FAILED, is_partial);
    letters_close(&l);
}

static bool create_search(text_run *r)
{
    const sigrep_text_config config = {.size = sizeof config,
                                       .patterns = r->patterns.items,
                                       .n_patterns = r->patterns.n,
                                       .edits = r->o->edits,
                                       .same = patterns_same(r->o),
                                       .on_match = take_match,
                                       .user = r,
                                       .kernel = r->o->kernel};
    sigrep_error error;
    if (sigrep_text_create(&r->search, &config, &error)) {
        report("%s", error.text);
        return false;
    }
    r->room = sigrep_text_push_size(r->search);
    r->buffer = malloc(r->room);
    return r->buffer || report_no_memory(NULL);
}

static bool prepare(text_run *r)
{
    const text_options *o = r->o;
    const writer_style style = {.times = TIME_SAMPLES};
    r->with_names =
        o->names == TEXT_NAMES_ALWAYS || (o->names == TEXT_NAMES_BY_COUNT && o->n_inputs > 1);
    if (!patterns_compile(&r->patterns, o) || !create_search(r)) return false;
    if (!writer_init(&r->out, o->output, style, STDOUT_FILENO)) return report_no_memory(NULL);
    r->wake_fd = signals_catch();
    return r->wake_fd >= 0;
}

/* A signal has come: were inputs left? */
static void report_left(text_run *r)
{
    const size_t left = r->o->n_inputs - r->n_read;
    if (!signals_which() || left == 0) return;
    report("ended by a signal: %zu input%s not read", left, left == 1 ? " was" : "s were");
    r->was_interrupted = true;
}

static void search_all(text_run *r)
{
    const text_options *o = r->o;
    if (wants_lines(o)) writer_begin(&r->out);
    bool is_over = false;
    for (size_t i = 0; i < o->n_inputs && !is_over && !signals_caught(); i++) {
        search_input(r, o->inputs[i]);
        is_over = r->is_lost || (o->quiet && r->matched);
    }
    if (!is_over) report_left(r);
    if (wants_lines(o)) writer_end(&r->out);
    flush(r);
}

int run_search(const text_options *o)
{
    text_run r = {.o = o, .wake_fd = -1};
    if (prepare(&r))
        search_all(&r);
    else
        r.failed = true;
    sigrep_text_destroy(r.search);
    free(r.buffer);
    writer_free(&r.out);
    patterns_free(&r.patterns);
    if (o->quiet && r.matched) return EXIT_MATCH;
    if (r.was_interrupted) return SIGNALS_STATUS + signals_which();
    if (r.failed) return EXIT_ERROR;
    return r.matched ? EXIT_MATCH : EXIT_NO_MATCH;
}
