#include "tools/sigrep-text/search.h"

#include <stdlib.h>

#include "kernels/strings/trace.h"

struct text_search {
    const string_pattern *p;
    const string_ops *kernel;
    string_sweep *sweep;
    string_trace *trace;
    uint32_t *minima; /* of the blocks of a push */
    text_match_fn *found;
    void *user;
    bool wants_more;

    uint64_t pushed; /* letters */
    uint64_t origin; /* the first letter that a match may use */
    uint64_t next;   /* the letter that comes next: to the trace, or to be looked at */
    uint64_t known;  /* matches that are found now are final after so many letters, or more */
    bool is_tracing;
    bool has_best;
    text_match best;
};

/* The letters of a push, and those before it. */
typedef struct {
    const unsigned char *letters; /* letters[0] is the number `begin` of the text */
    uint64_t begin, end;
} text_span;

static void begin_text(text_search *s)
{
    s->pushed = s->origin = s->next = s->known = 0;
    s->is_tracing = s->has_best = false;
    s->wants_more = true;
}

text_search *text_search_create(const string_pattern *p, const string_ops *kernel, size_t chunk,
                                text_match_fn *found, void *user)
{
    text_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->p = p;
    s->kernel = kernel;
    s->found = found;
    s->user = user;
    s->sweep = kernel->create(p, chunk);
    s->trace = string_trace_create(p);
    s->minima = malloc(string_blocks(chunk) * sizeof *s->minima);
    begin_text(s);
    if (s->sweep && s->trace && s->minima) return s;
    text_search_destroy(s);
    return NULL;
}

void text_search_destroy(text_search *s)
{
    if (!s) return;
    s->kernel->destroy(s->sweep);
    string_trace_destroy(s->trace);
    free(s->minima);
    free(s);
}

size_t text_search_history(const string_pattern *p)
{
    return string_reach(p);
}

/* Trace from a letter on. */
static void trace_from(text_search *s, uint64_t letter)
{
    string_trace_begin(s->trace, letter);
    s->next = letter;
    s->is_tracing = true;
}

/* The best match so far is final. Go on behind it. */
static void report_best(text_search *s)
{
    if (s->next > s->known) s->known = s->next;
    s->best.final = s->known;
    s->has_best = false;
    s->wants_more = s->found(s->user, &s->best);
    s->origin = s->best.end;
    trace_from(s, s->origin);
}

/* Trace a letter, and apply the rules for matches. */
static void trace_letter(text_search *s, unsigned char letter)
{
    const uint32_t distance = string_trace_next(s->trace, letter);
    s->next++;
    if (distance <= s->p->edits) {
        const text_match candidate = {
            .start = string_trace_start(s->trace), .end = s->next, .distance = distance};
        if (!s->has_best || (distance < s->best.distance && candidate.start < s->best.end))
            s->best = candidate;
        s->has_best = true;
    }
    if (s->has_best && !string_trace_has_rival(s->trace, s->best.distance, s->best.end))
        report_best(s);
}

/* May the block with letter `next` of this span have a candidate? */
static bool block_has_candidate(const text_search *s, const text_span *span)
{
    return s->minima[(s->next - span->begin) / STRING_BLOCK] <= s->p->edits;
}

/* Go to the first letter of the next block that may have a candidate, and trace as far before it as
 * a match can reach. */
static void skip_blocks(text_search *s, const text_span *span)
{
    while (s->next < span->end && !block_has_candidate(s, span))
        s->next += STRING_BLOCK - (s->next - span->begin) % STRING_BLOCK;
    if (s->next >= span->end) {
        s->next = span->end;
        return;
    }
    const uint64_t reach = string_reach(s->p);
    s->known = s->next;
    trace_from(s, s->next - s->origin > reach ? s->next - reach : s->origin);
}

/* Is nothing pending, and no candidate in the block that begins here? */
static bool may_skip(const text_search *s, const text_span *span)
{
    return !s->has_best && s->next >= s->known && s->next >= span->begin &&
           (s->next - span->begin) % STRING_BLOCK == 0 && !block_has_candidate(s, span);
}

/* Search up to the end of the span, whose minima are those of s. */
static void search_span(text_search *s, const text_span *span)
{
    while (s->next < span->end && s->wants_more) {
        if (s->is_tracing && may_skip(s, span)) s->is_tracing = false;
        if (s->is_tracing)
            trace_letter(s, span->letters[(ptrdiff_t)(s->next - span->begin)]);
        else
            skip_blocks(s, span);
    }
}

bool text_search_push(text_search *s, const unsigned char *letters, size_t n)
{
    const text_span span = {.letters = letters, .begin = s->pushed, .end = s->pushed + n};
    s->pushed += n;
    if (!s->wants_more) return true;
    if (!s->kernel->sweep(s->sweep, letters, n, s->minima)) return false;
    search_span(s, &span);
    return true;
}

void text_search_end(text_search *s, const unsigned char *letters)
{
    const text_span span = {.letters = letters, .begin = s->pushed, .end = s->pushed};
    while (letters && s->has_best && s->wants_more) {
        report_best(s);
        search_span(s, &span);
    }
    s->kernel->reset(s->sweep);
    begin_text(s);
}
