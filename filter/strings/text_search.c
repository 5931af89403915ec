/*
 * text_search.c - searches of texts for strings, behind sigrep_text.h.
 *
 *     letters --> sweep --minima of blocks--> trace (around candidates) --> matches, when final
 *     [history | chunk]     kernels/strings, of each pattern                 |
 *                                               on_match <-- all in order <--+
 */
#include <stdlib.h>
#include <string.h>

#include "filter/status.h"
#include "kernels/strings/scout.h"
#include "kernels/strings/strings.h"
#include "kernels/strings/trace.h"
#include "sigrep_text.h"

enum {
    CHUNK_MOST = 1 << 26, /* letters */
    CHUNK_REACHES = 32    /* so many times m + k: then warm-ups of segments cost little */
};

/* Letters [begin, end) of a text, and those before them, as far as a match can reach. */
typedef struct {
    uint64_t begin, end;
    const unsigned char *letters; /* letters[0] is letter `begin` */
    const unsigned char *before;  /* before[-1] is the letter before it */
} text_chunk;

typedef struct {
    sigrep_text_match *items;
    size_t n, room;
    bool failed; /* out of memory: a match is missing */
} match_list;

/* A pattern backwards, to choose between equally good intervals from the other side. */
typedef struct {
    string_pattern pattern;
    string_trace trace;
} mirror;

/* The search for one pattern. */
typedef struct {
    string_pattern pattern;
    string_sweep *sweep;
    string_trace trace;
    mirror *mirror;  /* NULL: the pattern is not reversed */
    uint64_t origin; /* the first letter that a match may use */
    uint64_t next;   /* the letter that comes next: to the trace, or to be looked at */
    uint64_t known;  /* matches that are found now are final after so many letters, or more */
    string_scout scout;
    uint64_t scouted; /* the letter from which the scout goes */
    bool is_tracing;
    bool is_scouting; /* while it traces: no candidate so far, and no starts */
    bool has_best;
    sigrep_text_match best;
} pattern_search;

struct sigrep_text {
    const string_ops *kernel;
    pattern_search *patterns;
    size_t n_patterns;
    size_t chunk;           /* most letters of one */
    uint32_t *minima;       /* of the blocks of a chunk */
    size_t reach;           /* the most letters of a match */
    unsigned char *history; /* the last `remembered` letters, as far as the text has them */
    size_t remembered;      /* reach; twice that, if a pattern is reversed */
    uint64_t pushed;        /* letters of this text */
    match_list found;       /* in the chunk, not yet called back */
    sigrep_status over;     /* why no more of this text is taken; SIGREP_OK: more is taken */
    sigrep_text_match_fn *on_match;
    void *user;
};

const char *sigrep_text_kernel_name(size_t i, int *usable)
{
    const string_ops *kernel = string_kernel_at(i);
    if (usable) *usable = kernel && kernel->usable();
    return kernel ? kernel->name : NULL;
}

/* ---- create ---- */

/* Is the struct one that this version knows? */
static bool is_known(const sigrep_text_config *config)
{
    const unsigned char *bytes = (const unsigned char *)config;
    for (size_t i = sizeof *config; i < config->size; i++)
        if (bytes[i]) return false;
    return config->size >= sizeof *config;
}

static size_t edits_of(const sigrep_text_config *config, size_t i)
{
    const size_t own = config->patterns[i].edits;
    return own > config->edits ? own : config->edits;
}

/* At letter 0 all patterns are traced, if they may hang over. */
static void begin_text(sigrep_text *s)
{
    for (pattern_search *p = s->patterns; p < s->patterns + s->n_patterns; p++) {
        p->origin = p->next = p->known = 0;
        p->is_tracing = p->trace.overhang != 0;
        p->has_best = p->is_scouting = false;
        if (p->is_tracing) string_trace_begin(&p->trace, 0, true);
    }
}

static sigrep_status check_pattern(const sigrep_text_config *config, size_t i, sigrep_error *error)
{
    const size_t m = config->patterns[i].length, edits = edits_of(config, i);
    const bool is_short = edits >= m;
    if (error) error->template_index = i;
    if (m > SIGREP_TEXT_MAX_LENGTH || is_short)
        return status_fail(error, SIGREP_BAD_TEMPLATE,
                           "a pattern has %zu letters; it must have more than %zu, and %zu at most",
                           m, edits, SIGREP_TEXT_MAX_LENGTH);
    if (config->overhang && string_overhang(config->overhang, m) <= edits)
        return status_fail(error, SIGREP_BAD_TEMPLATE,
                           "a pattern of %zu letters hangs over wholly at no more than %zu edits",
                           m, edits);
    if (error) error->template_index = SIZE_MAX;
    return SIGREP_OK;
}

static sigrep_status check_config(const sigrep_text_config *config, sigrep_error *error)
{
    if (!is_known(config))
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "size is %zu; set it to sizeof(sigrep_text_config)", config->size);
    if (config->n_patterns == 0 || !config->patterns || !config->on_match)
        return status_fail(error, SIGREP_BAD_CONFIG, "patterns and on_match are needed");
    if (config->overhang > 100)
        return status_fail(error, SIGREP_BAD_CONFIG, "overhang is %u; it is 100 at most",
                           config->overhang);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < config->n_patterns && !status; i++)
        status = check_pattern(config, i, error);
    if (status) return status;
    const string_ops *kernel = string_kernel_find(config->kernel);
    if (kernel && kernel->usable()) return SIGREP_OK;
    return status_fail(error, SIGREP_NO_KERNEL, "%s: %s", config->kernel,
                       kernel ? "this machine cannot run this kernel" : "unknown kernel");
}

static bool create_trace(string_trace *trace, const string_pattern *pattern,
                         const sigrep_text_config *config)
{
    if (!string_trace_init(trace, pattern)) return false;
    trace->replaces_only = config->substitutions_only;
    trace->overhang = config->overhang;
    return true;
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
        create_trace(&r->trace, &r->pattern, config);
    free(backwards);
    if (good) return r;
    if (r) string_pattern_free(&r->pattern);
    free(r);
    return NULL;
}

static bool create_pattern(sigrep_text *s, const sigrep_text_config *config)
{
    pattern_search *p = &s->patterns[s->n_patterns];
    const sigrep_text_pattern *given = &config->patterns[s->n_patterns];
    const size_t edits = edits_of(config, s->n_patterns);
    p->best.pattern = s->n_patterns++;
    return string_pattern_init(&p->pattern, given->letters, given->length, edits, config->same) &&
           create_trace(&p->trace, &p->pattern, config) &&
           (!given->reversed || (p->mirror = create_mirror(given, edits, config))) &&
           (p->sweep = s->kernel->create(&p->pattern, s->chunk));
}

/* The most letters of a match; and how many of the text's last ones are needed. */
static void set_reach(sigrep_text *s, const sigrep_text_config *config)
{
    bool any_reversed = false;
    for (size_t i = 0; i < config->n_patterns; i++) {
        const size_t reach = config->patterns[i].length + edits_of(config, i);
        if (reach > s->reach) s->reach = reach;
        any_reversed |= config->patterns[i].reversed != 0;
    }
    s->remembered = any_reversed ? 2 * s->reach : s->reach;
}

static bool create_all(sigrep_text *s, const sigrep_text_config *config)
{
    s->kernel = string_kernel_find(config->kernel);
    set_reach(s, config);
    s->chunk = CHUNK_REACHES * s->reach;
    if (s->chunk < s->kernel->chunk) s->chunk = s->kernel->chunk;
    if (s->chunk > CHUNK_MOST) s->chunk = CHUNK_MOST;
    s->history = malloc(s->remembered);
    s->minima = malloc(string_blocks(s->chunk) * sizeof *s->minima);
    s->patterns = calloc(config->n_patterns, sizeof *s->patterns);
    bool good = s->history && s->minima && s->patterns;
    while (good && s->n_patterns < config->n_patterns) good = create_pattern(s, config);
    if (good) begin_text(s);
    return good;
}

sigrep_status sigrep_text_create(sigrep_text **search, const sigrep_text_config *config,
                                 sigrep_error *error)
{
    *search = NULL;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    const sigrep_status status = check_config(config, error);
    if (status) return status;
    sigrep_text *s = calloc(1, sizeof *s);
    if (!s || !create_all(s, config)) {
        sigrep_text_destroy(s);
        return status_fail(error, SIGREP_NO_MEMORY, "out of memory, or the kernel %s failed",
                           string_kernel_find(config->kernel)->name);
    }
    s->on_match = config->on_match;
    s->user = config->user;
    *search = s;
    return SIGREP_OK;
}

static void destroy_mirror(mirror *r)
{
    if (!r) return;
    free(r->trace.rows);
    string_pattern_free(&r->pattern);
    free(r);
}

void sigrep_text_destroy(sigrep_text *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->n_patterns; i++) {
        s->kernel->destroy(s->patterns[i].sweep);
        free(s->patterns[i].trace.rows);
        destroy_mirror(s->patterns[i].mirror);
        string_pattern_free(&s->patterns[i].pattern);
    }
    free(s->patterns);
    free(s->minima);
    free(s->history);
    free(s->found.items);
    free(s);
}

size_t sigrep_text_push_size(const sigrep_text *s)
{
    return s->chunk;
}

/* ---- one pattern: the rules of docs/SEMANTICS.md ("Strings") ---- */

static void add_match(match_list *list, const sigrep_text_match *match)
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

/* Trace from a letter on; a scout goes ahead. */
static void trace_from(pattern_search *p, uint64_t letter)
{
    const bool hangs = letter == 0 && p->trace.overhang;
    p->is_scouting = string_scout_can(&p->pattern) && !hangs;
    if (p->is_scouting)
        string_scout_begin(&p->scout, &p->pattern);
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
    string_trace_begin(&p->trace, t, false);
    for (; t < p->next; t++) string_trace_next(&p->trace, letter_at(chunk, t));
}

/* An equally good interval may end so many letters behind the best one. */
static uint64_t beyond(const pattern_search *p)
{
    return p->mirror ? 2 * p->best.distance : 0;
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
    string_trace *trace = &p->mirror->trace;
    sigrep_text_match *best = &p->best;
    const uint64_t reach = string_reach(&p->pattern), most = best->end + beyond(p);
    const uint64_t to = p->next < most ? p->next : most;
    const uint64_t from = best->end - p->origin > reach ? best->end - reach : p->origin;
    string_trace_begin(trace, 0, false);
    for (uint64_t t = to; t > from; t--) {
        const uint32_t distance = string_trace_next(trace, letter_at(chunk, t - 1));
        if (distance != best->distance || t > best->end) continue;
        best->start = t - 1;
        best->end = to - trace->rows[p->pattern.m].start;
        best->before = best->after = 0;
        return;
    }
}

/* The best match so far is final. Go on behind it. */
static void report_best(pattern_search *p, const text_chunk *chunk, match_list *found)
{
    if (p->next > p->known) p->known = p->next;
    p->best.final = p->known;
    p->has_best = false;
    if (p->mirror) settle(p, chunk);
    add_match(found, &p->best);
    p->origin = p->best.end;
    trace_from(p, p->origin);
}

/* A candidate ends with the letter before `next`: is it the best so far? */
static void take_candidate(pattern_search *p, trace_cell cell, size_t after)
{
    sigrep_text_match *best = &p->best;
    if (cell.distance > p->pattern.edits) return;
    if (p->has_best && (cell.distance >= best->distance || cell.start >= best->end)) return;
    best->start = cell.start;
    best->end = p->next;
    best->distance = cell.distance;
    best->before = cell.before;
    best->after = after;
    p->has_best = true;
}

/* Trace or scout a letter, and apply the rules for matches. */
static void trace_letter(pattern_search *p, const text_chunk *chunk, match_list *found)
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
    if (p->has_best && p->next >= p->best.end + beyond(p) &&
        !string_trace_has_rival(&p->trace, (uint32_t)p->best.distance, p->best.end))
        report_best(p, chunk, found);
}

/* May the block with letter `next` of this chunk have a candidate? */
static bool block_has_candidate(const pattern_search *p, const text_chunk *chunk,
                                const uint32_t *minima)
{
    return minima[(p->next - chunk->begin) / STRING_BLOCK] <= p->pattern.edits;
}

/* Go to the first letter of the next block that may have a candidate, and trace as far before it as
 * a match can reach. */
static void skip_blocks(pattern_search *p, const text_chunk *chunk, const uint32_t *minima)
{
    while (p->next < chunk->end && !block_has_candidate(p, chunk, minima))
        p->next += STRING_BLOCK - (p->next - chunk->begin) % STRING_BLOCK;
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
static bool may_skip(const pattern_search *p, const text_chunk *chunk, const uint32_t *minima)
{
    return !p->has_best && p->next >= p->known && p->next >= chunk->begin && !may_hang_over(p) &&
           (p->next - chunk->begin) % STRING_BLOCK == 0 && !block_has_candidate(p, chunk, minima);
}

/* Search up to the end of the chunk, by the minima of its blocks. */
static void search_chunk(pattern_search *p, const text_chunk *chunk, const uint32_t *minima,
                         match_list *found)
{
    while (p->next < chunk->end && !found->failed) {
        if (p->is_tracing && may_skip(p, chunk, minima)) p->is_tracing = false;
        if (p->is_tracing)
            trace_letter(p, chunk, found);
        else
            skip_blocks(p, chunk, minima);
    }
}

/* The text has ended: may the pattern hang over? */
static void take_overhang(pattern_search *p, const text_chunk *end)
{
    size_t after = 0;
    if (!p->trace.overhang) return;
    if (p->is_scouting) end_scouting(p, end);
    const trace_cell cell = string_trace_end(&p->trace, &after);
    take_candidate(p, cell, after);
}

/* The text ends: what is pending becomes final. `end` is empty. */
static void end_text(pattern_search *p, const text_chunk *end, match_list *found)
{
    const uint64_t reach = string_reach(&p->pattern);
    if (p->trace.overhang && !p->is_tracing)
        trace_from(p, end->begin - p->origin > reach ? end->begin - reach : p->origin);
    search_chunk(p, end, NULL, found);
    take_overhang(p, end);
    while (p->has_best && !found->failed) {
        report_best(p, end, found);
        search_chunk(p, end, NULL, found);
        take_overhang(p, end);
    }
}

/* ---- all patterns ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_order(const void *first, const void *second)
{
    const sigrep_text_match *a = first, *b = second;
    if (a->final != b->final) return compare(a->final, b->final);
    if (a->end != b->end) return compare(a->end, b->end);
    return compare(a->pattern, b->pattern);
}

/* Call back the matches that became final, in their order. */
static sigrep_status deliver(sigrep_text *s)
{
    sigrep_status status = s->found.failed ? SIGREP_NO_MEMORY : SIGREP_OK;
    if (s->found.n > 1) qsort(s->found.items, s->found.n, sizeof *s->found.items, by_order);
    for (size_t i = 0; i < s->found.n && !status; i++)
        if (s->on_match(s->user, &s->found.items[i])) status = SIGREP_STOPPED;
    s->found.n = 0;
    return status;
}

/* The next n letters, none at the end of the text. */
static text_chunk chunk_of(const sigrep_text *s, const unsigned char *letters, size_t n)
{
    return (text_chunk){s->pushed, s->pushed + n, letters, s->history + s->remembered};
}

static void keep_history(sigrep_text *s, const unsigned char *letters, size_t n)
{
    const size_t kept = n < s->remembered ? s->remembered - n : 0; /* of the old ones */
    memmove(s->history, s->history + s->remembered - kept, kept);
    memcpy(s->history + kept, letters + n - (s->remembered - kept), s->remembered - kept);
    s->pushed += n;
}

static sigrep_status push_chunk(sigrep_text *s, const unsigned char *letters, size_t n)
{
    const text_chunk chunk = chunk_of(s, letters, n);
    for (pattern_search *p = s->patterns; p < s->patterns + s->n_patterns; p++) {
        if (!s->kernel->sweep(p->sweep, letters, n, s->minima)) return SIGREP_DEVICE_FAILED;
        search_chunk(p, &chunk, s->minima, &s->found);
    }
    keep_history(s, letters, n);
    return deliver(s);
}

sigrep_status sigrep_text_push(sigrep_text *s, const void *letters, size_t n)
{
    const unsigned char *next = letters;
    while (n > 0 && !s->over) {
        const size_t taken = n < s->chunk ? n : s->chunk;
        s->over = push_chunk(s, next, taken);
        next += taken;
        n -= taken;
    }
    return s->over;
}

sigrep_status sigrep_text_finish(sigrep_text *s)
{
    const text_chunk end = chunk_of(s, NULL, 0);
    for (pattern_search *p = s->patterns; p < s->patterns + s->n_patterns; p++) {
        if (!s->over) end_text(p, &end, &s->found);
        s->kernel->reset(p->sweep);
    }
    begin_text(s);
    const sigrep_status status = s->over ? SIGREP_OK : deliver(s);
    s->pushed = s->found.n = 0;
    s->found.failed = false;
    s->over = SIGREP_OK;
    return status;
}
