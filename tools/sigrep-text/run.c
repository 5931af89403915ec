/*
 * run.c - search all inputs.
 *
 *     letters.h --> batches.h --> sigrep_text.h --> output.h
 *                   [memory | letters]     memory: those before, as far as a match can begin
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/options/arguments.h"
#include "tools/sigrep-text/batches.h"
#include "tools/sigrep-text/output.h"

enum { EXIT_MATCH = 0, EXIT_NO_MATCH = 1 };

typedef struct {
    const text_options *o;
    pattern_list patterns;
    sigrep_text *search;
    batch_reader batches;
    match_output out;
    int wake_fd;
    size_t n_read; /* inputs */
    bool failed, matched, was_interrupted;

    const char *path; /* of the input, from here on */
    bool has_record;
    char record[LETTERS_NAME + 1];
    uint64_t matches, letters;
    const unsigned char *next; /* the letter of the text that comes next */
    uint64_t searched;         /* letters of the text before it */
    const batch *wholes;       /* texts that are whole are searched; NULL: one after the other */
    size_t whole;              /* the one of the last match */
    bool text_matched;
} text_run;

static bool wants_lines(const text_options *o)
{
    return !o->count && !o->list && !o->quiet;
}

/* Must nothing more of this input be read? */
static bool is_enough(const text_run *r)
{
    const text_options *o = r->o;
    return r->out.is_lost || r->matches >= o->max_count ||
           (r->matches > 0 && (o->quiet || o->list));
}

/* SAM names the lengths of records with matches, so such a record is read to its end. */
static bool needs_length(const text_run *r)
{
    return r->o->output->has_alignment && r->text_matched && !r->out.is_lost;
}

/* Is more of this input to be read? */
static bool wants_more(const text_run *r)
{
    return !is_enough(r) || needs_length(r);
}

static match_text text_of(const text_run *r)
{
    const batch *b = r->wholes;
    if (b)
        return (match_text){.file = input_name(r->path),
                            .record = batch_name(b, r->whole),
                            .letters = b->letters + b->bounds[r->whole]};
    return (match_text){.file = input_name(r->path),
                        .record = r->has_record ? r->record : NULL,
                        .letters = r->next,
                        .first = r->searched};
}

/* A text has ended after so many letters. */
static void end_matches(text_run *r, uint64_t length)
{
    const match_text text = text_of(r);
    if (r->text_matched && wants_lines(r->o)) output_end_text(&r->out, &text, length);
    r->text_matched = false;
}

/* The whole text of the last match, if there was one. */
static void end_whole(text_run *r)
{
    end_matches(r, r->wholes->bounds[r->whole + 1] - r->wholes->bounds[r->whole]);
}

/* A sigrep_text_match_fn. */
static int take_match(void *user, const sigrep_text_match *match)
{
    text_run *r = user;
    if (is_enough(r)) return 1;
    if (r->wholes && r->whole != match->text) {
        end_whole(r);
        r->whole = match->text;
    }
    const match_text text = text_of(r);
    r->matches++;
    r->matched = r->text_matched = true;
    if (wants_lines(r->o)) output_match(&r->out, &text, match);
    return is_enough(r);
}

/* The end of a call that searches. */
static void end_call(text_run *r, sigrep_status status)
{
    if (status == SIGREP_DEVICE_FAILED) report_of(input_name(r->path), "the device failed");
    if (status == SIGREP_NO_MEMORY) report_no_memory(input_name(r->path));
    if (status && status != SIGREP_STOPPED) r->out.is_lost = true;
    if (wants_lines(r->o)) output_flush(&r->out);
}

static void search_letters(text_run *r, const unsigned char *from, size_t n)
{
    r->next = from;
    end_call(r, is_enough(r) ? SIGREP_OK : sigrep_text_push(r->search, from, n));
    r->next += n;
    r->searched += n;
}

/* The text ends: what is pending becomes final. */
static void end_text(text_run *r)
{
    end_call(r, sigrep_text_finish(r->search));
    end_matches(r, r->searched);
    r->searched = 0;
}

/* All texts that begin in the batch, but the last, end in it. */
static void search_wholes(text_run *r, const batch *b)
{
    r->wholes = b;
    r->whole = 0;
    end_call(r, sigrep_text_search(r->search, b->letters, b->bounds, b->n_texts - 1));
    end_whole(r);
    r->wholes = NULL;
}

/* Records begin in the batch: the text before them ends, and the last goes on. */
static void search_records(text_run *r, const batch *b)
{
    const size_t last = b->n_texts - 1, at = b->bounds[last];
    end_text(r);
    r->has_record = true;
    if (last > 0 && !is_enough(r)) search_wholes(r, b);
    if (is_enough(r)) return;
    snprintf(r->record, sizeof r->record, "%s", batch_name(b, last));
    search_letters(r, b->letters + at, b->n - at);
}

/* Returns the event at the end, if the batch is wanted that far. So what is reported does not
 * depend on the size of batches. */
static letters_event search_batch(text_run *r, const batch *b)
{
    r->letters += b->n;
    search_letters(r, b->letters, b->n_texts > 0 ? b->bounds[0] : b->n);
    if (b->n_texts > 0) search_records(r, b);
    return wants_more(r) ? b->event : LETTERS_SOME;
}

/* Read and search until the input ends, or nothing more is wanted. */
static letters_event read_all(text_run *r, letters *l)
{
    struct stat st;
    letters_event event = LETTERS_SOME;
    batches_begin(&r->batches, l, r->o->threads > 1 && input_is_file(r->path, &st));
    while (event != LETTERS_END && event != LETTERS_FAILED && wants_more(r))
        event = search_batch(r, batches_next(&r->batches));
    batches_end(&r->batches);
    return event;
}

static void print_name(text_run *r)
{
    if (isatty(STDOUT_FILENO))
        text_add_escaped(&r->out.out.out, input_name(r->path));
    else
        text_add_string(&r->out.out.out, input_name(r->path));
    text_add_string(&r->out.out.out, "\n");
}

static void print_summary(text_run *r, bool failed, bool is_partial)
{
    const text_options *o = r->o;
    text_buffer *out = &r->out.out.out;
    const bool with_file = r->out.out.style.with_file;
    if (wants_lines(o)) output_end_input(&r->out);
    if (o->list == TEXT_LIST_MATCHED && r->matches > 0) print_name(r);
    if (o->list == TEXT_LIST_UNMATCHED && r->matches == 0 && !failed && !is_partial) print_name(r);
    if (o->count && !is_partial) {
        if (with_file) text_add_escaped(out, input_name(r->path));
        text_add_format(out, "%s%" PRIu64 "\n", with_file ? ":" : "", r->matches);
    }
    output_flush(&r->out);
}

/* A letter that matches nothing. If enough was found, it does not matter, and a thread may have
 * read it ahead. */
static void report_odd(const text_run *r, const letters *l)
{
    if (l->odd_letter < 0 || is_enough(r)) return;
    if (r->o->alphabet == ALPHABET_UTF8)
        report_of(input_name(r->path),
                  "warning: letter %" PRIu64 " is no UTF-8: such bytes match nothing", l->odd_at);
    else
        report_of(input_name(r->path),
                  "warning: %s%.100s%sletter %" PRIu64
                  " is byte 0x%02x, which is no IUPAC code of DNA: such letters match nothing",
                  *l->odd_record ? "record " : "", l->odd_record, *l->odd_record ? ": " : "",
                  l->odd_at, (unsigned)l->odd_letter);
}

/* How the letters of inputs are read. */
static letters_options how_to_read(const text_run *r)
{
    const text_options *o = r->o;
    return (letters_options){.fasta = o->fasta,
                             .dna = o->alphabet == ALPHABET_DNA,
                             .utf8 = o->alphabet == ALPHABET_UTF8 ? &r->patterns.characters : NULL};
}

/* Would it read what it prints, for ever? */
static bool is_output(const text_run *r, const char *path)
{
    struct stat out;
    return !r->o->quiet && fstat(STDOUT_FILENO, &out) == 0 && input_is_same_file(path, &out);
}

/* An input has failed, for this reason. */
static void fail_input(text_run *r, const char *path, const char *reason)
{
    if (!r->o->no_messages) report_of(input_name(path), "%s", reason);
    r->failed = true;
}

static void search_input(text_run *r, const char *path)
{
    static letters l; /* large */
    const text_options *o = r->o;
    r->path = path;
    r->has_record = false;
    r->matches = r->letters = 0;
    if (is_output(r, path)) {
        r->n_read++;
        fail_input(r, path, "input file is also the output"); /* grep's words */
        return;
    }
    const bool is_open = letters_open(&l, path, r->wake_fd, how_to_read(r));
    if (!is_open && signals_which()) return;
    r->n_read++;
    if (!is_open) {
        fail_input(r, path, l.error);
        return;
    }
    const letters_event event = read_all(r, &l);
    const bool lacks_length = needs_length(r);
    end_text(r);
    if (event == LETTERS_FAILED) {
        if (!o->no_messages || !l.in.failure) report_of(input_name(path), "%s", l.error);
        r->failed = true;
    }
    report_odd(r, &l);
    const bool is_partial =
        event == LETTERS_END && signals_which() && (!is_enough(r) || lacks_length);
    if (is_partial)
        report_of(input_name(path), "ended by a signal after %" PRIu64 " letters", r->letters);
    r->was_interrupted |= is_partial;
    print_summary(r, event == LETTERS_FAILED, is_partial);
    letters_close(&l);
}

/* Room for letters, and for those of matches before them: a match is final less than m + k letters
 * behind its end. */
static bool create_batches(text_run *r)
{
    size_t reach = 0;
    for (size_t i = 0; i < r->patterns.n; i++) {
        const size_t own = r->patterns.items[i].length + r->patterns.items[i].edits;
        if (own > reach) reach = own;
    }
    const size_t remembered = r->o->output->has_alignment ? 2 * reach : 0;
    return batches_init(&r->batches, sigrep_text_push_size(r->search), remembered) ||
           report_no_memory(NULL);
}

static bool create_search(text_run *r)
{
    const sigrep_text_config config = {.size = sizeof config,
                                       .patterns = r->patterns.items,
                                       .n_patterns = r->patterns.n,
                                       .same = patterns_same(r->o),
                                       .substitutions_only = r->o->substitutions,
                                       .overhang = (unsigned)r->o->overhang,
                                       .on_match = take_match,
                                       .user = r,
                                       .kernel = r->o->kernel,
                                       .threads = (size_t)r->o->threads};
    sigrep_error error;
    if (!sigrep_text_create(&r->search, &config, &error)) return create_batches(r);
    report("%s", error.text);
    return false;
}

static bool prepare(text_run *r)
{
    const bool has_patterns = patterns_compile(&r->patterns, r->o);
    if (!output_init(&r->out, r->o, &r->patterns) || !has_patterns || !create_search(r))
        return false;
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
    if (wants_lines(o)) output_begin(&r->out);
    bool is_over = false;
    for (size_t i = 0; i < o->n_inputs && !is_over && !signals_caught(); i++) {
        search_input(r, o->inputs[i]);
        is_over = r->out.is_lost || (o->quiet && r->matched);
    }
    if (!is_over) report_left(r);
    if (wants_lines(o)) output_end(&r->out);
}

int run_search(const text_options *o)
{
    text_run r = {.o = o, .wake_fd = -1};
    if (prepare(&r))
        search_all(&r);
    else
        r.failed = true;
    sigrep_text_destroy(r.search);
    batches_free(&r.batches);
    r.failed |= r.out.is_lost;
    output_free(&r.out);
    patterns_free(&r.patterns);
    if (o->quiet && r.matched) return EXIT_MATCH;
    if (r.was_interrupted) return SIGNALS_STATUS + signals_which();
    if (r.failed) return EXIT_ERROR;
    return r.matched ? EXIT_MATCH : EXIT_NO_MATCH;
}
