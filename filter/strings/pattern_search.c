#include "filter/strings/pattern_search.h"

#include <stdlib.h>

#include "kernels/strings/trace.h"

struct pattern_search {
    string_pattern pattern;
    const string_ops *kernel;
    string_sweep *sweep;
    string_trace *trace;
    uint32_t *minima; /* of the blocks of a chunk */

    uint64_t origin; /* the first letter that a match may use */
    uint64_t next;   /* the letter that comes next: to the trace, or to be looked at */
    uint64_t known;  /* matches that are found now are final after so many letters, or more */
    bool is_tracing;
    bool has_best;
    sigrep_text_match best;
};

pattern_search *pattern_search_create(const sigrep_text_config *config, size_t i,
                                      const string_ops *kernel, size_t chunk)
{
    const sigrep_text_pattern *given = &config->patterns[i];
    pattern_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->kernel = kernel;
    s->best.pattern = i;
    s->minima = malloc(string_blocks(chunk) * sizeof *s->minima);
    if (string_pattern_init(&s->pattern, given->letters, given->length, config->edits,
                            config->same) &&
        s->minima) {
        s->sweep = kernel->create(&s->pattern, chunk);
        s->trace = string_trace_create(&s->pattern);
    }
    if (s->sweep && s->trace) return s;
    pattern_search_destroy(s);
    return NULL;
}

void pattern_search_destroy(pattern_search *s)
{
    if (!s) return;
    s->kernel->destroy(s->sweep);
    string_trace_destroy(s->trace);
    string_pattern_free(&s->pattern);
    free(s->minima);
    free(s);
}

void pattern_search_reset(pattern_search *s)
{
    s->kernel->reset(s->sweep);
    s->origin = s->next = s->known = 0;
    s->is_tracing = s->has_best = false;
}

static void add_match(text_matches *list, const sigrep_text_match *match)
{
    if (list->n == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        sigrep_text_match *items = realloc(list->items, room * sizeof *items);
        list->failed |= !items;
        if (!items) return;
        list->items = items;
        list->room = room;
    }
    list->items[list->n++] = *match;
}

/* Trace from a letter on. */
static void trace_from(pattern_search *s, uint64_t letter)
{
    string_trace_begin(s->trace, letter);
    s->next = letter;
    s->is_tracing = true;
}

/* The best match so far is final. Go on behind it. */
static void report_best(pattern_search *s, text_matches *found)
{
    if (s->next > s->known) s->known = s->next;
    s->best.final = s->known;
    s->has_best = false;
    add_match(found, &s->best);
    s->origin = s->best.end;
    trace_from(s, s->origin);
}

/* Trace a letter, and apply the rules for matches. */
static void trace_letter(pattern_search *s, unsigned char letter, text_matches *found)
{
    const uint32_t distance = string_trace_next(s->trace, letter);
    s->next++;
    if (distance <= s->pattern.edits) {
        const uint64_t start = string_trace_start(s->trace);
        if (!s->has_best || (distance < s->best.distance && start < s->best.end)) {
            s->best.start = start;
            s->best.end = s->next;
            s->best.distance = distance;
        }
        s->has_best = true;
    }
    if (s->has_best && !string_trace_has_rival(s->trace, (uint32_t)s->best.distance, s->best.end))
        report_best(s, found);
}

/* May the block with letter `next` of this chunk have a candidate? */
static bool block_has_candidate(const pattern_search *s, const text_chunk *chunk)
{
    return s->minima[(s->next - chunk->begin) / STRING_BLOCK] <= s->pattern.edits;
}

/* Go to the first letter of the next block that may have a candidate, and trace as far before it as
 * a match can reach. */
static void skip_blocks(pattern_search *s, const text_chunk *chunk)
{
    while (s->next < chunk->end && !block_has_candidate(s, chunk))
        s->next += STRING_BLOCK - (s->next - chunk->begin) % STRING_BLOCK;
    if (s->next >= chunk->end) {
        s->next = chunk->end;
        return;
    }
    const uint64_t reach = string_reach(&s->pattern);
    s->known = s->next;
    trace_from(s, s->next - s->origin > reach ? s->next - reach : s->origin);
}

/* Is nothing pending, and no candidate in the block that begins here? */
static bool may_skip(const pattern_search *s, const text_chunk *chunk)
{
    return !s->has_best && s->next >= s->known && s->next >= chunk->begin &&
           (s->next - chunk->begin) % STRING_BLOCK == 0 && !block_has_candidate(s, chunk);
}

static unsigned char letter_at(const text_chunk *chunk, uint64_t t)
{
    return t < chunk->begin ? *(chunk->before - (chunk->begin - t))
                            : chunk->letters[t - chunk->begin];
}

/* Search up to the end of the chunk, whose minima are those of s. */
static void search_chunk(pattern_search *s, const text_chunk *chunk, text_matches *found)
{
    while (s->next < chunk->end && !found->failed) {
        if (s->is_tracing && may_skip(s, chunk)) s->is_tracing = false;
        if (s->is_tracing)
            trace_letter(s, letter_at(chunk, s->next), found);
        else
            skip_blocks(s, chunk);
    }
}

bool pattern_search_push(pattern_search *s, const text_chunk *chunk, text_matches *found)
{
    if (!s->kernel->sweep(s->sweep, chunk->letters, chunk->end - chunk->begin, s->minima))
        return false;
    search_chunk(s, chunk, found);
    return true;
}

void pattern_search_end(pattern_search *s, const text_chunk *end, text_matches *found)
{
    while (s->has_best && !found->failed) {
        report_best(s, found);
        search_chunk(s, end, found);
    }
}
