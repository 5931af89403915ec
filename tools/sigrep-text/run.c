#include "tools/sigrep-text/run.h"

#include <errno.h>
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
#include "tools/sigrep-text/match_order.h"
#include "tools/sigrep-text/patterns.h"
#include "tools/sigrep-text/search.h"

enum {
    CHUNK_MOST = 1 << 26, /* letters that are searched at once */
    CHUNK_REACHES = 32,   /* so many times m + k: then warm-ups of segments cost little */
    EXIT_MATCH = 0,
    EXIT_NO_MATCH = 1
};

/* The search of a pattern, for text_match_fn. */
typedef struct {
    text_search *search;
    match_order *found;
    size_t pattern;
} pattern_search;

typedef struct {
    const text_options *o;
    pattern_list patterns;
    pattern_search *searches; /* patterns.n */
    match_order found;        /* since the last flush */
    unsigned char *buffer;    /* history, then up to `chunk` letters */
    size_t history, chunk;
    size_t before; /* letters of the text that lie in the history */
    size_t n;      /* letters of the chunk */
    writer out;
    int wake_fd;
    bool with_names;
    bool is_lost; /* standard output */
    bool failed, matched;

    const char *path; /* of the input, from here on */
    bool has_record;
    char record[LETTERS_NAME + 1];
    uint64_t matches;
} text_run;

static bool found_match(void *user, const text_match *match)
{
    pattern_search *p = user;
    return match_order_add(p->found, match, p->pattern);
}

static bool create_searches(text_run *r)
{
    size_t reach = 0;
    for (size_t i = 0; i < r->patterns.n; i++) {
        const size_t needs = text_search_history(&r->patterns.items[i].compiled);
        if (needs > reach) reach = needs;
    }
    r->history = reach;
    r->chunk = CHUNK_REACHES * reach;
    if (r->chunk < r->o->kernel->chunk) r->chunk = r->o->kernel->chunk;
    if (r->chunk > CHUNK_MOST) r->chunk = CHUNK_MOST;
    r->buffer = malloc(r->history + r->chunk);
    r->searches = calloc(r->patterns.n, sizeof *r->searches);
    if (!r->buffer || !r->searches) return report_no_memory(NULL);
    for (size_t i = 0; i < r->patterns.n; i++) {
        pattern_search *p = &r->searches[i];
        *p = (pattern_search){.found = &r->found, .pattern = i};
        p->search = text_search_create(&r->patterns.items[i].compiled, r->o->kernel, r->chunk,
                                       found_match, p);
        if (p->search) continue;
        report("out of memory, or the kernel %s failed", r->o->kernel->name);
        return false;
    }
    return true;
}

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

static void print_match(text_run *r, const ordered_match *m)
{
    char name[2 * LETTERS_NAME + 4096];
    const char *file = input_name(r->path);
    if (r->has_record) {
        snprintf(name, sizeof name, "%s:%s", file, r->record);
        file = name;
    }
    const writer_match match = {.file = file,
                                .label = r->patterns.items[m->pattern].label,
                                .start = m->match.start,
                                .end = m->match.end,
                                .score = m->match.distance,
                                .threshold = (double)r->o->edits,
                                .margin = NAN,
                                .scale = {.rate_hz = 1}};
    if (r->out.out.length >= WRITER_ROOM) flush(r);
    if (!r->is_lost && !writer_add(&r->out, &match)) {
        flush(r);
        if (!writer_add(&r->out, &match)) r->is_lost = r->failed = !report_no_memory(file);
    }
}

/* Print the matches that became final, in their order. */
static void print_found(text_run *r)
{
    match_order_sort(&r->found);
    for (size_t i = 0; i < r->found.n && !is_enough(r); i++) {
        r->matches++;
        r->matched = true;
        if (wants_lines(r->o)) print_match(r, &r->found.items[i]);
    }
    if (r->found.failed) r->is_lost = r->failed = !report_no_memory(input_name(r->path));
    match_order_clear(&r->found);
    flush(r);
}

/* Search the letters of the chunk, and keep the last ones as the history of the next. */
static void search_chunk(text_run *r)
{
    unsigned char *begin = r->buffer + r->history;
    for (size_t i = 0; i < r->patterns.n && r->n > 0 && !is_enough(r); i++) {
        if (text_search_push(r->searches[i].search, begin, r->n)) continue;
        report_of(input_name(r->path), "the device failed");
        r->is_lost = r->failed = true;
    }
    const size_t all = r->before + r->n;
    const size_t kept = all < r->history ? all : r->history;
    memmove(begin - kept, begin + r->n - kept, kept);
    r->before = kept;
    r->n = 0;
    print_found(r);
}

/* The text ends: what is pending becomes final. */
static void end_text(text_run *r)
{
    search_chunk(r);
    for (size_t i = 0; i < r->patterns.n; i++)
        text_search_end(r->searches[i].search, is_enough(r) ? NULL : r->buffer + r->history);
    r->before = 0;
    print_found(r);
}

/* Read and search until the input ends. Letters that come fast are searched in large chunks, others
 * at once. */
static letters_event read_all(text_run *r, letters *l)
{
    letters_event event = LETTERS_SOME;
    while (!is_enough(r)) {
        size_t n;
        if (r->n == r->chunk) search_chunk(r);
        event = letters_read(l, r->buffer + r->history + r->n, r->chunk - r->n, &n, r->n == 0);
        r->n += n;
        if (event == LETTERS_END || event == LETTERS_FAILED) break;
        if (event == LETTERS_LATER) search_chunk(r);
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

static void print_summary(text_run *r, bool failed)
{
    const text_options *o = r->o;
    text_buffer *out = &r->out.out;
    if (o->quiet) return;
    if (o->list == TEXT_LIST_MATCHED && r->matches > 0) print_name(r);
    if (o->list == TEXT_LIST_UNMATCHED && r->matches == 0 && !failed) print_name(r);
    if (o->count && !o->list) {
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
    r->matches = 0;
    if (!letters_open(&l, path, r->wake_fd, o->fasta, o->dna)) {
        if (!o->no_messages) report_of(input_name(path), "%s", l.error);
        r->failed = true;
        return;
    }
    r->out.style.with_file = r->with_names || (l.is_fasta && o->names != TEXT_NAMES_NEVER);
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
    print_summary(r, event == LETTERS_FAILED);
    letters_close(&l);
}

static bool prepare(text_run *r)
{
    const text_options *o = r->o;
    const writer_style style = {.times = TIME_SAMPLES};
    r->with_names =
        o->names == TEXT_NAMES_ALWAYS || (o->names == TEXT_NAMES_BY_COUNT && o->n_inputs > 1);
    if (!patterns_compile(&r->patterns, o) || !create_searches(r)) return false;
    if (!writer_init(&r->out, o->output, style, STDOUT_FILENO)) return report_no_memory(NULL);
    r->wake_fd = signals_catch();
    return r->wake_fd >= 0;
}

static void search_all(text_run *r)
{
    static char *standard_input[] = {"-"};
    char *const *inputs = r->o->inputs ? r->o->inputs : standard_input;
    const size_t n = r->o->inputs ? r->o->n_inputs : 1;
    if (wants_lines(r->o)) writer_begin(&r->out);
    for (size_t i = 0; i < n && !r->is_lost && !signals_caught(); i++) {
        search_input(r, inputs[i]);
        if (r->o->quiet && r->matched) break;
    }
    if (wants_lines(r->o)) writer_end(&r->out);
    flush(r);
}

int run_search(const text_options *o)
{
    text_run r = {.o = o, .wake_fd = -1};
    if (prepare(&r))
        search_all(&r);
    else
        r.failed = true;
    for (size_t i = 0; i < r.patterns.n && r.searches; i++)
        text_search_destroy(r.searches[i].search);
    free(r.searches);
    free(r.buffer);
    match_order_clear(&r.found);
    free(r.found.items);
    writer_free(&r.out);
    patterns_free(&r.patterns);
    if (o->quiet && r.matched) return EXIT_MATCH;
    if (r.failed) return EXIT_ERROR;
    return r.matched ? EXIT_MATCH : EXIT_NO_MATCH;
}
