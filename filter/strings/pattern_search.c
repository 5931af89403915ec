#include "filter/strings/pattern_search.h"

#include <stdlib.h>
#include <string.h>

static bool create_trace(string_trace *trace, const string_pattern *pattern,
                         const sigrep_text_config *config)
{
    if (!string_trace_init(trace, pattern)) return false;
    trace->replaces_only = config->substitutions_only;
    trace->overhang = config->overhang;
    return true;
}

/* Short patterns need no trace, if letters may be inserted and deleted, and none hangs over. */
static bool create_scout(string_scout *scout, const string_pattern *pattern,
                         const sigrep_text_config *config)
{
    if (!string_scout_can(pattern) || config->substitutions_only || config->overhang) return true;
    return string_scout_init(scout, pattern);
}

static void destroy_mirror(mirror *r)
{
    if (!r) return;
    free(r->trace.rows);
    free(r->scout.columns);
    string_pattern_free(&r->pattern);
    free(r);
}

/* The pattern backwards. NULL: out of memory. */
static mirror *create_mirror(const sigrep_text_pattern *given, size_t edits,
                             const sigrep_text_config *config)
{
    const unsigned char *letters = given->letters;
    mirror *r = calloc(1, sizeof *r);
    unsigned char *backwards = malloc(given->length);
    for (size_t i = 0; i < given->length && backwards; i++)
        backwards[i] = letters[given->length - 1 - i];
    const bool good =
        r && backwards &&
        string_pattern_init(&r->pattern, backwards, given->length, edits, config->same) &&
        create_trace(&r->trace, &r->pattern, config) &&
        create_scout(&r->scout, &r->pattern, config);
    free(backwards);
    if (good) return r;
    destroy_mirror(r);
    return NULL;
}

size_t pattern_edits(const sigrep_text_config *config, size_t i)
{
    const size_t own = config->patterns[i].edits;
    return own > config->edits ? own : config->edits;
}

bool pattern_search_init(pattern_search *p, const sigrep_text_config *config, size_t i)
{
    const sigrep_text_pattern *given = &config->patterns[i];
    const size_t edits = pattern_edits(config, i);
    *p = (pattern_search){.best.pattern = i};
    return string_pattern_init(&p->pattern, given->letters, given->length, edits, config->same) &&
           create_trace(&p->trace, &p->pattern, config) &&
           create_scout(&p->scout, &p->pattern, config) &&
           (!given->reversed || (p->mirror = create_mirror(given, edits, config)));
}

void pattern_search_free(pattern_search *p)
{
    free(p->trace.rows);
    free(p->scout.columns);
    destroy_mirror(p->mirror);
    string_pattern_free(&p->pattern);
    free(p->found.items);
}

bool text_matches_add(text_matches *list, const found_match *matches, size_t n)
{
    if (list->room - list->n < n) {
        const size_t room = 2 * list->room > list->n + n ? 2 * list->room : list->n + n + 63;
        found_match *items = realloc(list->items, room * sizeof *items);
        if (!items) return false;
        list->items = items;
        list->room = room;
    }
    if (n > 0) memcpy(list->items + list->n, matches, n * sizeof *matches);
    list->n += n;
    return true;
}

/* ---- the rules of docs/SEMANTICS.md, "Strings" ---- */

static void add_best(pattern_search *p)
{
    const found_match match = {.match = p->best, .is_by_end = p->has_ended};
    p->found.failed |= !text_matches_add(&p->found, &match, 1);
}

/* Trace from a letter on; a scout goes ahead. */
static void trace_from(pattern_search *p, uint64_t letter)
{
    p->is_scouting = string_scout_can(&p->pattern);
    if (p->is_scouting)
        string_scout_begin(&p->scout, &p->pattern, letter == 0 ? p->trace.overhang : 0);
    else
        string_trace_begin(&p->trace, letter, letter == 0);
    p->scouted = p->next = letter;
    p->is_tracing = true;
}

static unsigned char letter_at(const text_chunk *chunk, uint64_t t)
{
    return t < chunk->begin ? *(chunk->before - (chunk->begin - t))
                            : chunk->letters[t - chunk->begin];
}

/* The scout has found a candidate: trace the letters before it that it depends on. */
static void end_scouting(pattern_search *p, const text_chunk *chunk)
{
    const uint64_t reach = string_reach(&p->pattern) - 1;
    uint64_t t = p->next - p->scouted > reach ? p->next - reach : p->scouted;
    p->is_scouting = false;
    string_trace_begin(&p->trace, t, t == 0);
    for (; t < p->next; t++) string_trace_next(&p->trace, letter_at(chunk, t));
}

/* An equally good interval may end so many letters behind the best one. */
static uint64_t beyond(const pattern_search *p)
{
    return p->mirror ? 2 * p->best.distance : 0;
}

/* Go on by a letter, to the left. Returns the distance, or something above k. */
static uint64_t mirror_next(mirror *r, unsigned char letter)
{
    if (!r->scout.columns) return string_trace_next(&r->trace, letter);
    string_scout_next(&r->scout, letter);
    return r->scout.distance;
}

static uint64_t mirror_start(const mirror *r)
{
    if (!r->scout.columns) return (uint64_t)r->trace.rows[r->pattern.m].start;
    return r->scout.n - string_scout_length(&r->scout);
}

/* The best match of a reversed pattern is known. Of the equally good intervals around it that do
 * not hang over, take the first one from the other side: the last start, and the end that ties
 * give.
 *
 *     origin        best                     2 distances
 *     |.............[===================)....|
 *               [======================)   <-- a trace of the mirrored pattern comes from here
 */
static void settle(pattern_search *p, const text_chunk *chunk)
{
    mirror *r = p->mirror;
    sigrep_text_match *best = &p->best;
    const uint64_t reach = string_reach(&p->pattern), most = best->end + beyond(p);
    const uint64_t to = p->next < most ? p->next : most;
    const uint64_t from = best->end - p->origin > reach ? best->end - reach : p->origin;
    if (r->scout.columns)
        string_scout_begin(&r->scout, &r->pattern, 0);
    else
        string_trace_begin(&r->trace, 0, false);
    for (uint64_t t = to; t > from; t--) {
        if (mirror_next(r, letter_at(chunk, t - 1)) != best->distance || t > best->end) continue;
        best->start = t - 1;
        best->end = to - mirror_start(r);
        best->before = best->after = 0;
        return;
    }
}

/* The best match so far is final. Go on behind it. */
static void report_best(pattern_search *p, const text_chunk *chunk)
{
    if (p->next > p->known) p->known = p->next;
    p->best.final = p->known;
    p->has_best = false;
    if (p->mirror) settle(p, chunk);
    add_best(p);
    p->origin = p->best.end;
    trace_from(p, p->origin);
}

/* A candidate ends with the letter before `next`: is it the best so far? */
static void take_candidate(pattern_search *p, trace_cell cell, size_t after)
{
    sigrep_text_match *best = &p->best;
    if (cell.distance > p->pattern.edits) return;
    if (p->has_best && (cell.distance >= best->distance || cell.start >= (int64_t)best->end))
        return;
    best->start = cell.start > 0 ? (uint64_t)cell.start : 0;
    best->end = p->next;
    best->distance = cell.distance;
    best->before = cell.start < 0 ? (size_t)-cell.start : 0;
    best->after = after;
    p->has_best = true;
    if (p->scout.columns) string_scout_mark(&p->scout);
}

/* Is the best so far final, unless it has a rival? */
static bool is_over(const pattern_search *p)
{
    return p->has_best && p->next >= p->best.end + beyond(p);
}

/* Scout a letter, without a trace. */
static void scout_letter(pattern_search *p, const text_chunk *chunk)
{
    const string_scout *s = &p->scout;
    const bool is_near = string_scout_next(&p->scout, letter_at(chunk, p->next));
    p->next++;
    if (is_near && (!p->has_best || s->distance < p->best.distance))
        take_candidate(p,
                       (trace_cell){.start = (int64_t)(p->next - string_scout_length(s)),
                                    .distance = (uint32_t)s->distance},
                       0);
    if (is_over(p) && !string_scout_has_rival(s, p->best.distance)) report_best(p, chunk);
}

/* Trace a letter, behind a scout, and apply the rules for matches. */
static void trace_letter(pattern_search *p, const text_chunk *chunk)
{
    const unsigned char letter = letter_at(chunk, p->next);
    if (p->is_scouting && !string_scout_next(&p->scout, letter)) {
        p->next++;
        return;
    }
    if (p->is_scouting) end_scouting(p, chunk);
    const uint32_t distance = string_trace_next(&p->trace, letter);
    p->next++;
    if (distance <= p->pattern.edits) take_candidate(p, p->trace.rows[p->pattern.m], 0);
    if (is_over(p) && !string_trace_has_rival(&p->trace, (uint32_t)p->best.distance, p->best.end))
        report_best(p, chunk);
}

/* Letters from the beginning of the chunk's first block to `next`, which is in the chunk. */
static uint64_t place_of(const pattern_search *p, const text_chunk *chunk)
{
    return chunk->lead + (p->next - chunk->begin);
}

/* May the block with letter `next` of this chunk have a candidate? */
static bool block_has_candidate(const pattern_search *p, const text_chunk *chunk)
{
    return chunk->minima[place_of(p, chunk) / STRING_BLOCK] <= p->pattern.edits;
}

/* Go to the first letter of the next block that may have a candidate, and trace as far before it as
 * a match can reach. */
static void skip_blocks(pattern_search *p, const text_chunk *chunk)
{
    while (p->next < chunk->end && !block_has_candidate(p, chunk))
        p->next += STRING_BLOCK - place_of(p, chunk) % STRING_BLOCK;
    if (p->next >= chunk->end) {
        p->next = chunk->end;
        return;
    }
    const uint64_t reach = string_reach(&p->pattern);
    p->known = p->next;
    trace_from(p, p->next - p->origin > reach ? p->next - reach : p->origin);
}

/* Must the search trace here, since a pattern may hang over the start of the text? */
static bool may_hang_over(const pattern_search *p)
{
    return p->trace.overhang && p->next < string_reach(&p->pattern);
}

/* Is nothing pending, and no candidate in the block that begins here? */
static bool may_skip(const pattern_search *p, const text_chunk *chunk)
{
    return !p->has_best && p->next >= p->known && p->next >= chunk->begin && !may_hang_over(p) &&
           place_of(p, chunk) % STRING_BLOCK == 0 && !block_has_candidate(p, chunk);
}

void pattern_search_begin(pattern_search *p, size_t text)
{
    p->origin = p->next = p->known = 0;
    p->has_best = p->has_ended = false;
    p->best.text = text;
    p->is_tracing = p->is_scouting = false;
    if (p->trace.overhang) trace_from(p, 0);
}

void pattern_search_chunk(pattern_search *p, const text_chunk *chunk)
{
    while (p->next < chunk->end && !p->found.failed) {
        if (p->is_tracing && may_skip(p, chunk)) p->is_tracing = false;
        if (!p->is_tracing)
            skip_blocks(p, chunk);
        else if (p->scout.columns)
            scout_letter(p, chunk);
        else
            trace_letter(p, chunk);
    }
}

/* The text has ended: may the pattern hang over? */
static void take_overhang(pattern_search *p, const text_chunk *end)
{
    const unsigned overhang = p->trace.overhang;
    size_t after = 0;
    if (!overhang) return;
    if (p->is_scouting && string_scout_end(&p->scout, overhang) > p->pattern.edits) return;
    if (p->is_scouting) end_scouting(p, end);
    const trace_cell cell = string_trace_end(&p->trace, &after);
    take_candidate(p, cell, after);
}

void pattern_search_end(pattern_search *p, const text_chunk *end)
{
    const uint64_t reach = string_reach(&p->pattern);
    p->has_ended = true;
    if (p->trace.overhang && !p->is_tracing)
        trace_from(p, end->begin - p->origin > reach ? end->begin - reach : p->origin);
    pattern_search_chunk(p, end);
    take_overhang(p, end);
    while (p->has_best && !p->found.failed) {
        report_best(p, end);
        pattern_search_chunk(p, end);
        take_overhang(p, end);
    }
}
