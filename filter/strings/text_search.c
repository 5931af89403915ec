/*
 * text_search.c - behind sigrep_text.h: all patterns together.
 *
 *     push --> chunks: [history | chunk] --> a pattern_search.h each --> matches in order -->
 * on_match
 */
#include <stdlib.h>
#include <string.h>

#include "filter/status.h"
#include "filter/strings/pattern_search.h"

enum {
    CHUNK_MOST = 1 << 26, /* letters */
    CHUNK_REACHES = 32    /* so many times m + k: then warm-ups of segments cost little */
};

struct sigrep_text {
    pattern_search **searches;
    size_t n_searches;
    size_t chunk;
    size_t reach;           /* the most letters of a match */
    unsigned char *history; /* the last `reach` letters, as far as the text has them */
    uint64_t pushed;        /* letters of this text */
    text_matches found;     /* in the chunk, not yet called back */
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

/* Is the struct one that this version knows? */
static bool is_known(const sigrep_text_config *config)
{
    const unsigned char *bytes = (const unsigned char *)config;
    for (size_t i = sizeof *config; i < config->size; i++)
        if (bytes[i]) return false;
    return config->size >= sizeof *config;
}

static sigrep_status check_config(const sigrep_text_config *config, sigrep_error *error)
{
    if (!is_known(config))
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "size is %zu; set it to sizeof(sigrep_text_config)", config->size);
    if (config->n_patterns == 0 || !config->on_match)
        return status_fail(error, SIGREP_BAD_CONFIG, "a pattern and on_match are needed");
    for (size_t i = 0; i < config->n_patterns; i++) {
        const size_t m = config->patterns[i].length;
        if (m <= SIGREP_TEXT_MAX_LENGTH && config->edits < m) continue;
        if (error) error->template_index = i;
        return status_fail(error, SIGREP_BAD_TEMPLATE,
                           "a pattern has %zu letters: more than %zu edits, and %zu at most, are "
                           "needed",
                           m, config->edits, SIGREP_TEXT_MAX_LENGTH);
    }
    return SIGREP_OK;
}

/* Choose the kernel. NULL: there is none. */
static const string_ops *choose_kernel(const char *name, sigrep_error *error)
{
    const string_ops *kernel = string_kernel_find(name);
    if (kernel && kernel->usable()) return kernel;
    (void)status_fail(error, SIGREP_NO_KERNEL,
                      kernel ? "this machine cannot run the kernel %s" : "unknown kernel %s", name);
    return NULL;
}

static void choose_sizes(sigrep_text *s, const sigrep_text_config *config, const string_ops *kernel)
{
    for (size_t i = 0; i < config->n_patterns; i++) {
        const size_t reach = config->patterns[i].length + config->edits;
        if (reach > s->reach) s->reach = reach;
    }
    s->chunk = CHUNK_REACHES * s->reach;
    if (s->chunk < kernel->chunk) s->chunk = kernel->chunk;
    if (s->chunk > CHUNK_MOST) s->chunk = CHUNK_MOST;
}

static bool create_searches(sigrep_text *s, const sigrep_text_config *config,
                            const string_ops *kernel)
{
    choose_sizes(s, config, kernel);
    s->history = malloc(s->reach);
    s->searches = calloc(config->n_patterns, sizeof *s->searches);
    if (!s->history || !s->searches) return false;
    for (; s->n_searches < config->n_patterns; s->n_searches++) {
        pattern_search *made = pattern_search_create(config, s->n_searches, kernel, s->chunk);
        if (!made) return false;
        s->searches[s->n_searches] = made;
    }
    return true;
}

sigrep_status sigrep_text_create(sigrep_text **search, const sigrep_text_config *config,
                                 sigrep_error *error)
{
    *search = NULL;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    const sigrep_status status = check_config(config, error);
    if (status) return status;
    const string_ops *kernel = choose_kernel(config->kernel, error);
    if (!kernel) return SIGREP_NO_KERNEL;
    sigrep_text *s = calloc(1, sizeof *s);
    if (s && create_searches(s, config, kernel)) {
        s->on_match = config->on_match;
        s->user = config->user;
        *search = s;
        return SIGREP_OK;
    }
    sigrep_text_destroy(s);
    return status_fail(error, SIGREP_NO_MEMORY, "out of memory, or the kernel %s failed",
                       kernel->name);
}

void sigrep_text_destroy(sigrep_text *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->n_searches; i++) pattern_search_destroy(s->searches[i]);
    free(s->searches);
    free(s->history);
    free(s->found.items);
    free(s);
}

size_t sigrep_text_push_size(const sigrep_text *s)
{
    return s->chunk;
}

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
    return (text_chunk){.begin = s->pushed,
                        .end = s->pushed + n,
                        .letters = letters,
                        .before = s->history + s->reach};
}

static void keep_history(sigrep_text *s, const unsigned char *letters, size_t n)
{
    const size_t kept = n < s->reach ? s->reach - n : 0; /* of the old ones */
    memmove(s->history, s->history + s->reach - kept, kept);
    memcpy(s->history + kept, letters + n - (s->reach - kept), s->reach - kept);
    s->pushed += n;
}

static sigrep_status search_chunk(sigrep_text *s, const unsigned char *letters, size_t n)
{
    const text_chunk chunk = chunk_of(s, letters, n);
    for (size_t i = 0; i < s->n_searches; i++)
        if (!pattern_search_push(s->searches[i], &chunk, &s->found)) return SIGREP_DEVICE_FAILED;
    keep_history(s, letters, n);
    return deliver(s);
}

sigrep_status sigrep_text_push(sigrep_text *s, const void *letters, size_t n)
{
    const unsigned char *next = letters;
    while (n > 0 && !s->over) {
        const size_t taken = n < s->chunk ? n : s->chunk;
        s->over = search_chunk(s, next, taken);
        next += taken;
        n -= taken;
    }
    return s->over;
}

sigrep_status sigrep_text_finish(sigrep_text *s)
{
    const text_chunk end = chunk_of(s, NULL, 0);
    for (size_t i = 0; i < s->n_searches; i++) {
        if (!s->over) pattern_search_end(s->searches[i], &end, &s->found);
        pattern_search_reset(s->searches[i]);
    }
    const sigrep_status status = s->over ? SIGREP_OK : deliver(s);
    s->pushed = s->found.n = 0;
    s->found.failed = false;
    s->over = SIGREP_OK;
    return status;
}
