/*
 * text_search.c - searches of texts for strings, behind sigrep_text.h.
 *
 *     letters --> sweep --minima of blocks--> pattern_search.h --> matches, when final
 *     [history | chunk]     kernels/strings, of each pattern           |
 *                                         on_match <-- all in order <--+
 *
 * Threads share the patterns; if those are few, also pieces of the chunk:
 *
 *     chunk      |--- piece 0 ---|--- piece 1 ---|--- piece 2 ---|
 *                | goes on from the chunk before
 *     sweep 1                ~~~~|               |   ~ warm-up: m + k letters or more, as in
 *     sweep 2                                ~~~~|     kernels/strings/body.h
 */
#include <stdlib.h>
#include <string.h>

#include "filter/status.h"
#include "filter/strings/pattern_search.h"
#include "kernels/pool.h"
#include "sigrep_text.h"

enum {
    CHUNK_MOST = 1 << 26,  /* letters */
    CHUNK_REACHES = 32,    /* so many times m + k: then warm-ups of segments cost little */
    TASKS_OF_THREAD = 2,   /* or more, so that no thread waits long for the last one */
    PIECE_LEAST = 1 << 14, /* letters: then waking threads costs little */
    MAX_THREADS = 1024,
    PIECE_WARM_UPS = 16 /* a piece has at least so many letters for one of warm-up */
};

struct sigrep_text {
    const string_ops *kernel;
    pattern_search *patterns;
    size_t n_patterns;
    pool *threads;
    size_t pieces;          /* of a large chunk; 1: threads share patterns alone */
    string_sweep **sweeps;  /* `pieces` of each pattern */
    size_t chunk;           /* most letters of one */
    uint32_t *minima;       /* of the blocks of a chunk: of each pattern, or of each thread */
    size_t reach;           /* the most letters of a match */
    unsigned char *history; /* the last `remembered` letters, as far as the text has them */
    size_t remembered;      /* reach; twice that, if a pattern is reversed */
    uint64_t pushed;        /* letters of this text */
    text_matches found;     /* of all patterns, not yet called back */
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

/* The next push begins a text, the text-th of a call. */
static void begin_text(sigrep_text *s, size_t text)
{
    for (size_t p = 0; p < s->n_patterns; p++) {
        pattern_search_begin(&s->patterns[p], text);
        s->patterns[p].found.n = 0;
        s->patterns[p].found.failed = false;
        s->kernel->reset(s->sweeps[p * s->pieces]);
    }
    s->pushed = 0;
    s->over = SIGREP_OK;
}

static sigrep_status check_pattern(const sigrep_text_config *config, size_t i, sigrep_error *error)
{
    const size_t m = config->patterns[i].length, edits = pattern_edits(config, i);
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
    if (config->threads > MAX_THREADS)
        return status_fail(error, SIGREP_BAD_CONFIG, "threads: %zu, not 0 to %d", config->threads,
                           MAX_THREADS);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < config->n_patterns && !status; i++)
        status = check_pattern(config, i, error);
    if (status) return status;
    const string_ops *kernel = string_kernel_find(config->kernel);
    if (kernel && kernel->usable()) return SIGREP_OK;
    return status_fail(error, SIGREP_NO_KERNEL, "%s: %s", config->kernel,
                       kernel ? "this machine cannot run this kernel" : "unknown kernel");
}

/* The most letters of a match; and how many of the text's last ones are needed. */
static void set_reach(sigrep_text *s, const sigrep_text_config *config)
{
    bool any_reversed = false;
    for (size_t i = 0; i < config->n_patterns; i++) {
        const size_t reach = config->patterns[i].length + pattern_edits(config, i);
        if (reach > s->reach) s->reach = reach;
        any_reversed |= config->patterns[i].reversed != 0;
    }
    s->remembered = any_reversed ? 2 * s->reach : s->reach;
}

/* How threads share the work. A device has one queue, so one thread waits for it. */
static bool create_threads(sigrep_text *s, const sigrep_text_config *config)
{
    const size_t threads = s->kernel == &string_cuda ? 1 : config->threads;
    if (pool_create(&s->threads, threads)) return false;
    const size_t n = pool_threads(s->threads), patterns = config->n_patterns;
    s->pieces = n > 1 ? (TASKS_OF_THREAD * n + patterns - 1) / patterns : 1;
    return true;
}

static void set_chunk(sigrep_text *s)
{
    s->chunk = CHUNK_REACHES * s->reach;
    if (s->chunk < s->kernel->chunk) s->chunk = s->kernel->chunk;
    if (s->pieces > 1) s->chunk *= pool_threads(s->threads);
    if (s->chunk > CHUNK_MOST) s->chunk = CHUNK_MOST;
}

static bool create_pattern(sigrep_text *s, const sigrep_text_config *config)
{
    const size_t number = s->n_patterns++;
    pattern_search *p = &s->patterns[number];
    string_sweep **sweeps = &s->sweeps[number * s->pieces];
    bool good = pattern_search_init(p, config, number);
    for (size_t i = 0; i < s->pieces && good; i++)
        good = (sweeps[i] = s->kernel->create(&p->pattern, s->chunk)) != NULL;
    return good;
}

static bool create_all(sigrep_text *s, const sigrep_text_config *config)
{
    const size_t n = config->n_patterns;
    s->kernel = string_kernel_find(config->kernel);
    set_reach(s, config);
    if (!create_threads(s, config)) return false;
    set_chunk(s);
    const size_t lists = s->pieces > 1 ? n : pool_threads(s->threads);
    s->history = malloc(s->remembered);
    s->minima = malloc(lists * string_blocks(s->chunk) * sizeof *s->minima);
    s->patterns = calloc(n, sizeof *s->patterns);
    s->sweeps = calloc(n * s->pieces, sizeof(string_sweep *));
    bool good = s->history && s->minima && s->patterns && s->sweeps;
    while (good && s->n_patterns < n) good = create_pattern(s, config);
    if (good) begin_text(s, 0);
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
        return status_fail(error, SIGREP_NO_MEMORY,
                           "out of memory, or the kernel %s failed, or too few threads are allowed",
                           string_kernel_find(config->kernel)->name);
    }
    s->on_match = config->on_match;
    s->user = config->user;
    *search = s;
    return SIGREP_OK;
}

void sigrep_text_destroy(sigrep_text *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->n_patterns; i++) {
        for (size_t j = 0; j < s->pieces; j++) s->kernel->destroy(s->sweeps[i * s->pieces + j]);
        pattern_search_free(&s->patterns[i]);
    }
    pool_destroy(s->threads);
    free(s->sweeps);
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

/* ---- matches ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_order(const void *first, const void *second)
{
    const found_match *x = first, *y = second;
    const sigrep_text_match *a = &x->match, *b = &y->match;
    if (a->text != b->text) return compare(a->text, b->text);
    if (x->is_by_end != y->is_by_end) return compare(x->is_by_end, y->is_by_end);
    if (a->final != b->final) return compare(a->final, b->final);
    if (a->end != b->end) return compare(a->end, b->end);
    return compare(a->pattern, b->pattern);
}

/* Gather the matches of all patterns. false: out of memory, here or before. */
static bool gather(sigrep_text *s)
{
    bool good = true;
    for (pattern_search *p = s->patterns; p < s->patterns + s->n_patterns; p++) {
        good &= !p->found.failed && text_matches_add(&s->found, p->found.items, p->found.n);
        p->found.n = 0;
        p->found.failed = false;
    }
    return good;
}

/* Call back the matches that became final, in their order. */
static sigrep_status deliver(sigrep_text *s)
{
    sigrep_status status = gather(s) ? SIGREP_OK : SIGREP_NO_MEMORY;
    if (s->found.n > 1) qsort(s->found.items, s->found.n, sizeof *s->found.items, by_order);
    for (size_t i = 0; i < s->found.n && !status; i++)
        if (s->on_match(s->user, &s->found.items[i].match)) status = SIGREP_STOPPED;
    s->found.n = 0;
    return status;
}

/* ---- a chunk ---- */

/* Letters that are swept at once, and what is searched by their minima. */
typedef struct {
    sigrep_text *s;
    const unsigned char *letters;
    size_t n;
    size_t pieces, own;   /* of these letters, and letters of each but the last */
    const size_t *bounds; /* of whole texts among them; NULL: they are a chunk of one text */
    size_t n_texts, text; /* of them, and the number of the first */
    bool failed;          /* the device; then there is one thread */
} sweep_job;

static uint32_t *minima_of(const sigrep_text *s, size_t list)
{
    return s->minima + list * string_blocks(s->chunk);
}

/* Sweep a piece for a pattern. */
static void sweep_piece(sweep_job *job, size_t pattern, size_t piece, uint32_t *minima)
{
    const sigrep_text *s = job->s;
    const size_t begin = piece * job->own,
                 end = piece + 1 < job->pieces ? begin + job->own : job->n;
    const size_t warm = string_blocks(string_reach(&s->patterns[pattern].pattern)) * STRING_BLOCK;
    string_sweep *sweep = s->sweeps[pattern * s->pieces + piece];
    uint32_t *own = minima + begin / STRING_BLOCK;
    if (piece > 0) {
        s->kernel->reset(sweep);
        s->kernel->sweep(sweep, job->letters + begin - warm, warm, own);
    }
    if (!s->kernel->sweep(sweep, job->letters + begin, end - begin, own)) job->failed = true;
}

/* The last piece's sweep goes on with the next chunk. */
static void carry_sweep(const sweep_job *job, size_t pattern)
{
    string_sweep **sweeps = &job->s->sweeps[pattern * job->s->pieces];
    string_sweep *last = sweeps[job->pieces - 1];
    sweeps[job->pieces - 1] = sweeps[0];
    sweeps[0] = last;
}

/* The next n letters of a text, none at its end. */
static text_chunk chunk_of(const sigrep_text *s, const unsigned char *letters, size_t n)
{
    return (text_chunk){.begin = s->pushed,
                        .end = s->pushed + n,
                        .letters = letters,
                        .before = s->history + s->remembered};
}

/* Search whole texts by minima of all of them in a row. Those are never too high: the letters
 * before a text can only lower them. */
static void search_texts(const sweep_job *job, pattern_search *p, const uint32_t *minima)
{
    for (size_t i = 0; i < job->n_texts; i++) {
        const size_t at = job->bounds[i] - job->bounds[0], n = job->bounds[i + 1] - job->bounds[i];
        const text_chunk text = {.end = n,
                                 .letters = job->letters + at,
                                 .minima = minima + at / STRING_BLOCK,
                                 .lead = at % STRING_BLOCK};
        pattern_search_begin(p, job->text + i);
        pattern_search_chunk(p, &text);
        pattern_search_end(p, &(text_chunk){.begin = n, .end = n, .before = text.letters + n});
    }
}

static void search_pattern(const sweep_job *job, size_t pattern, const uint32_t *minima)
{
    pattern_search *p = &job->s->patterns[pattern];
    text_chunk chunk = chunk_of(job->s, job->letters, job->n);
    chunk.minima = minima;
    carry_sweep(job, pattern);
    if (job->bounds)
        search_texts(job, p, minima);
    else
        pattern_search_chunk(p, &chunk);
}

/* Tasks of threads (pool_task): patterns, or pieces for patterns, then patterns. */
static void do_pattern(void *user, size_t task, size_t worker)
{
    sweep_job *job = user;
    uint32_t *minima = minima_of(job->s, worker);
    sweep_piece(job, task, 0, minima);
    if (!job->failed) search_pattern(job, task, minima);
}

static void do_piece(void *user, size_t task, size_t worker)
{
    sweep_job *job = user;
    const size_t pattern = task / job->pieces;
    (void)worker;
    sweep_piece(job, pattern, task % job->pieces, minima_of(job->s, pattern));
}

static void do_search(void *user, size_t task, size_t worker)
{
    const sweep_job *job = user;
    (void)worker;
    search_pattern(job, task, minima_of(job->s, task));
}

/* Cut the letters. */
static void cut(sweep_job *job)
{
    const size_t warm = string_blocks(job->s->reach) * STRING_BLOCK;
    const size_t least = PIECE_WARM_UPS * warm > PIECE_LEAST ? PIECE_WARM_UPS * warm : PIECE_LEAST;
    const size_t most = job->n / least;
    job->pieces = most < job->s->pieces ? most : job->s->pieces;
    if (job->pieces == 0) job->pieces = 1;
    job->own = job->n / job->pieces / STRING_BLOCK * STRING_BLOCK;
}

static sigrep_status run_job(sweep_job *job)
{
    sigrep_text *s = job->s;
    pool *threads = job->n < PIECE_LEAST ? NULL : s->threads;
    cut(job);
    if (s->pieces == 1) {
        pool_run(threads, s->n_patterns, do_pattern, job);
    } else {
        pool_run(threads, s->n_patterns * job->pieces, do_piece, job);
        pool_run(threads, s->n_patterns, do_search, job);
    }
    return job->failed ? SIGREP_DEVICE_FAILED : deliver(s);
}

/* ---- a text ---- */

static void keep_history(sigrep_text *s, const unsigned char *letters, size_t n)
{
    const size_t kept = n < s->remembered ? s->remembered - n : 0; /* of the old ones */
    memmove(s->history, s->history + s->remembered - kept, kept);
    memcpy(s->history + kept, letters + n - (s->remembered - kept), s->remembered - kept);
    s->pushed += n;
}

sigrep_status sigrep_text_push(sigrep_text *s, const void *letters, size_t n)
{
    const unsigned char *next = letters;
    while (n > 0 && !s->over) {
        const size_t taken = n < s->chunk ? n : s->chunk;
        s->over = run_job(&(sweep_job){.s = s, .letters = next, .n = taken});
        keep_history(s, next, taken);
        next += taken;
        n -= taken;
    }
    return s->over;
}

sigrep_status sigrep_text_finish(sigrep_text *s)
{
    const text_chunk end = chunk_of(s, NULL, 0);
    for (pattern_search *p = s->patterns; p < s->patterns + s->n_patterns && !s->over; p++)
        pattern_search_end(p, &end);
    const sigrep_status status = s->over ? SIGREP_OK : deliver(s);
    begin_text(s, 0);
    return status;
}

/* ---- many texts ---- */

/* How many of the texts are a chunk together? */
static size_t count_fitting(const sigrep_text *s, const size_t *bounds, size_t n)
{
    size_t i = 0;
    while (i < n && bounds[i + 1] - bounds[0] <= s->chunk) i++;
    return i;
}

/* Search a text of more than a chunk. */
static sigrep_status search_long(sigrep_text *s, const unsigned char *letters, size_t n)
{
    const sigrep_status pushed = sigrep_text_push(s, letters, n), finished = sigrep_text_finish(s);
    return pushed ? pushed : finished;
}

sigrep_status sigrep_text_search(sigrep_text *s, const void *letters, const size_t *bounds,
                                 size_t n)
{
    const unsigned char *all = letters;
    sigrep_status status = s->pushed > 0 || s->over ? sigrep_text_finish(s) : SIGREP_OK;
    for (size_t i = 0, taken; i < n && !status; i += taken) {
        sweep_job job = {.s = s, .letters = all + bounds[i], .bounds = bounds + i, .text = i};
        job.n_texts = taken = count_fitting(s, bounds + i, n - i);
        job.n = bounds[i + taken] - bounds[i];
        begin_text(s, i);
        if (taken > 0)
            status = run_job(&job);
        else
            status = search_long(s, job.letters, bounds[i + ++taken] - bounds[i]);
    }
    begin_text(s, 0);
    return status;
}
