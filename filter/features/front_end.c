#include "filter/features/front_end.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/stage.h"
#include "filter/features/timing.h"
#include "filter/state/state.h"
#include "filter/status.h"

/* Stages in a chain; more are a mistake. */
enum { MAX_STAGES = 32 };

/* Samples through a chain of numbers at once: they fit into the processor's cache. */
enum { BLOCK = 512 };

typedef struct {
    const stage_ops *ops;
    void *stage;
    size_t dim;          /* values in a frame that comes out */
    frame_timing timing; /* in frames of the link before */
    void *input;         /* what comes in, as the type that the stage takes; NULL: it takes both */
    void *frames; /* of this link: room for the most that a block can give, of its wider type */
} chain_link;

struct front_end {
    size_t n_stages; /* links and identities */
    size_t n_links;
    chain_link links[MAX_STAGES];
    frame_shape in, shape;
    frame_timing timing;
    size_t block;         /* samples pushed through the links at once */
    float *frames;        /* what leaves the chain: room for the most that a call can give */
    const double *origin; /* NULL: none */
};

/* Values on their way, of one of two types. */
typedef struct {
    const void *values;
    bool are_doubles;
} passing;

const stage_ops stage_raw = {.name = "raw"};

static const stage_ops *const table[] = {
    &stage_raw,    &stage_diff, &stage_znorm,  &stage_envelope, &stage_bandpass, &stage_resample,
    &stage_logmel, &stage_mfcc, &stage_speech, &stage_voices,   &stage_words,    &stage_zmatch,
};

const stage_ops *stage_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

static const stage_ops *find_ops(const char *name)
{
    for (size_t i = 0; stage_at(i); i++)
        if (strcmp(stage_at(i)->name, name) == 0) return stage_at(i);
    return NULL;
}

/* All stages, with a = if an argument must follow: "raw, diff, znorm=, envelope". */
static void list_known(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; stage_at(i) && used < size; i++) {
        const stage_ops *ops = stage_at(i);
        const int n = snprintf(text + used, size - used, "%s%s%s", i ? ", " : "", ops->name,
                               ops->argument_required ? "=" : "");
        if (n > 0) used += (size_t)n;
    }
}

static sigrep_status fail_unknown(const char *name, sigrep_error *error)
{
    char known[192];
    list_known(known, sizeof known);
    return status_fail(error, SIGREP_BAD_FRONT_END, "unknown front end '%.30s' (known: %s)", name,
                       known);
}

/* `word` is "NAME" or "NAME=ARGUMENT"; cuts it at the '='. */
static sigrep_status add_stage(front_end *self, char *word, sigrep_error *error)
{
    char *argument = strchr(word, '=');
    if (argument) *argument++ = '\0';
    const stage_ops *ops = find_ops(word);
    if (!ops) return fail_unknown(word, error);
    if (argument && !ops->argument)
        return status_fail(error, SIGREP_BAD_FRONT_END, "%s=%.40s: %s takes no argument", word,
                           argument, word);
    if (ops->argument && ((argument && !*argument) || (!argument && ops->argument_required)))
        return status_fail(error, SIGREP_BAD_FRONT_END, "%s needs an argument: %s=%s%s%s", word,
                           word, ops->argument, ops->argument_advice ? ", " : "",
                           ops->argument_advice ? ops->argument_advice : "");
    if (self->n_stages++ == MAX_STAGES)
        return status_fail(error, SIGREP_BAD_FRONT_END, "more than %d stages in a front end",
                           MAX_STAGES);
    if (front_end_last(self)->band)
        return status_fail(error, SIGREP_BAD_FRONT_END, "%s after %s, which must be the last stage",
                           word, front_end_last(self)->name);
    if (!ops->create) return SIGREP_OK;
    chain_link *last = &self->links[self->n_links];
    frame_timing timing = {0};
    const sigrep_status status =
        ops->create(&last->stage, argument, self->shape, &self->shape, &timing, error);
    if (status != SIGREP_OK) return status;
    if (ops->restarts) timing.period = timing.hop;
    last->ops = ops;
    last->dim = self->shape.dim;
    last->timing = timing;
    self->n_links++;
    if (!timing_compose(&self->timing, &timing))
        return status_fail(error, SIGREP_BAD_FRONT_END, "%s: the frames are too long", word);
    return SIGREP_OK;
}

static sigrep_status add_stages(front_end *self, const char *spec, sigrep_error *error)
{
    char *words = strdup(spec);
    if (!words) return status_fail(error, SIGREP_NO_MEMORY, "front end: out of memory");
    sigrep_status status = SIGREP_OK;
    for (char *word = words, *next; word && status == SIGREP_OK; word = next) {
        next = strchr(word, '+');
        if (next) *next++ = '\0';
        status = *word ? add_stage(self, word, error)
                       : status_fail(error, SIGREP_BAD_FRONT_END,
                                     "empty stage in front end '%.60s'", spec);
    }
    free(words);
    return status;
}

static size_t max_frames(const chain_link *at, size_t n)
{
    return at->ops->max_frames ? at->ops->max_frames(at->stage, n) : n;
}

/* Raise most[i] to the frames that link i may give if link `first` gives `frames`. Returns
 * how many may leave the chain. */
static size_t raise_bounds(const front_end *self, size_t first, size_t frames, size_t *most)
{
    for (size_t i = first;; i++) {
        if (frames > most[i]) most[i] = frames;
        if (i + 1 == self->n_links) return frames;
        frames = max_frames(&self->links[i + 1], frames);
    }
}

static bool takes_doubles(const chain_link *at)
{
    return at->ops->push_doubles != NULL;
}

static bool takes_both(const chain_link *at)
{
    return at->ops->push_doubles && at->ops->push;
}

/* Memory for n frames, or NULL. */
static void *room(size_t n, size_t dim, bool of_doubles)
{
    size_t bytes;
    const bool fits =
        !__builtin_mul_overflow(n, dim, &bytes) &&
        !__builtin_mul_overflow(bytes, of_doubles ? sizeof(double) : sizeof(float), &bytes);
    return fits && bytes <= PTRDIFF_MAX ? malloc(bytes ? bytes : 1) : NULL;
}

/* Memory for link i, which gets at most n_in frames and gives at most n_out, of either type. */
static bool allocate_link(front_end *self, size_t i, size_t n_in, size_t n_out)
{
    chain_link *at = &self->links[i];
    const bool wide = takes_doubles(at);
    const size_t dim = i ? at[-1].dim : self->in.dim;
    const bool converts = !takes_both(at);
    if (converts) at->input = room(n_in, dim, wide);
    at->frames = room(n_out, at->dim, wide);
    return at->frames && (!converts || at->input);
}

static sigrep_status allocate_frames(front_end *self, size_t max_push, sigrep_error *error)
{
    size_t most[MAX_STAGES] = {0}, all[MAX_STAGES] = {0}, flushed = 0, leave = max_push;
    const chain_link *links = self->links;
    bool fits = true;
    self->block = self->n_links && takes_doubles(&links[0]) && max_push > BLOCK ? BLOCK : max_push;
    if (self->n_links) {
        raise_bounds(self, 0, max_frames(&links[0], self->block), most);
        leave = raise_bounds(self, 0, max_frames(&links[0], max_push), all);
    }
    for (size_t i = 0; i < self->n_links; i++) {
        const size_t own = max_frames(&links[i], 0);
        fits &= !__builtin_add_overflow(flushed, raise_bounds(self, i, own, most), &flushed);
    }
    for (size_t i = 0; i < self->n_links && fits; i++)
        fits = allocate_link(self, i, i ? most[i - 1] : self->block, most[i]);
    /* A flush collects what all links flush. */
    if (fits) self->frames = room(flushed > leave ? flushed : leave, self->shape.dim, false);
    if (self->frames) return SIGREP_OK;
    return status_fail(error, SIGREP_NO_MEMORY,
                       "front end: out of memory for %zu samples of %zu values at once", max_push,
                       self->shape.dim);
}

sigrep_status front_end_create(front_end **chain, const char *spec, frame_shape in, size_t max_push,
                               sigrep_error *error)
{
    *chain = NULL;
    if (in.dim == 0 || !isfinite(in.rate_hz) || !(in.rate_hz > 0))
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "a front end needs at least one channel and a rate above 0, "
                           "not %zu and %g Hz",
                           in.dim, in.rate_hz);
    front_end *self = calloc(1, sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "front end: out of memory");
    self->in = self->shape = in;
    self->timing = (frame_timing){.hop = 1, .per = 1, .memory = 1, .period = 1};
    sigrep_status status = add_stages(self, spec ? spec : "", error);
    if (status == SIGREP_OK) status = allocate_frames(self, max_push, error);
    if (status != SIGREP_OK) {
        front_end_destroy(self);
        return status;
    }
    *chain = self;
    return SIGREP_OK;
}

void front_end_destroy(front_end *chain)
{
    if (!chain) return;
    for (size_t i = 0; i < chain->n_links; i++) {
        chain->links[i].ops->destroy(chain->links[i].stage);
        free(chain->links[i].input);
        free(chain->links[i].frames);
    }
    free(chain->frames);
    free(chain);
}

frame_shape front_end_shape(const front_end *chain)
{
    return chain->shape;
}

frame_timing front_end_timing(const front_end *chain)
{
    return chain->timing;
}

const stage_ops *front_end_last(const front_end *chain)
{
    return chain->n_links ? chain->links[chain->n_links - 1].ops : &stage_raw;
}

int front_end_normalises(const front_end *chain, double *band)
{
    const stage_ops *last = front_end_last(chain);
    if (!last->band) return 0;
    *band = last->band(chain->links[chain->n_links - 1].stage);
    return 1;
}

sigrep_status front_end_find_last(const stage_ops **last, const char *spec, frame_shape in,
                                  sigrep_error *error)
{
    front_end *chain;
    const sigrep_status status = front_end_create(&chain, spec, in, 1, error);
    if (status) return status;
    *last = front_end_last(chain);
    front_end_destroy(chain);
    return SIGREP_OK;
}

void front_end_as_template(const stage_ops *last, float *frames, size_t n, size_t dim)
{
    const size_t every = last->stream_value_every;
    for (size_t i = every; every && i <= n * dim; i += every) frames[i - 1] = 0;
}

int front_end_is_silence(const front_end *chain, const float *frame)
{
    if (!chain->n_links) return 0;
    const chain_link *last = &chain->links[chain->n_links - 1];
    return last->ops->is_silence && last->ops->is_silence(last->stage, frame);
}

int front_end_leaves_out_zeros(const front_end *chain)
{
    return chain->n_links && chain->links[chain->n_links - 1].ops->leaves_out_zeros;
}

uint64_t front_end_samples_needed(const front_end *chain, uint64_t frames)
{
    for (size_t i = chain->n_links; i-- > 0;)
        frames = timing_samples_needed(&chain->links[i].timing, frames);
    return frames;
}

static void widen(double *to, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = (double)from[i];
}

static void round_all(float *to, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = (float)from[i];
}

/* n values as the type that the link takes. */
static passing as_taken(const chain_link *at, passing in, size_t n)
{
    const bool wide = takes_doubles(at);
    if (in.are_doubles == wide || takes_both(at)) return in;
    if (wide)
        widen(at->input, in.values, n);
    else
        round_all(at->input, in.values, n);
    return (passing){at->input, wide};
}

/* n frames leave the chain, `before` of this call have left it. */
static void leave(front_end *chain, passing in, size_t n, size_t before)
{
    const size_t dim = chain->shape.dim;
    const float *floats = in.values;
    const double *doubles = in.values, *origin = chain->origin;
    float *to = chain->frames + before * dim;
    for (size_t i = 0; origin && i < n * dim; i++)
        to[i] = clip_double((in.are_doubles ? doubles[i] : (double)floats[i]) - origin[i % dim]);
    if (!origin && in.are_doubles) round_all(to, doubles, n * dim);
    if (!origin && !in.are_doubles) memcpy(to, floats, n * dim * sizeof *to);
}

/* Push n frames through the links from `first` on. Returns how many leave the chain. */
static size_t push_through(front_end *chain, size_t first, passing in, size_t n, size_t before)
{
    for (size_t i = first; i < chain->n_links; i++) {
        const chain_link *at = &chain->links[i];
        in = as_taken(at, in, n * (i ? at[-1].dim : chain->in.dim));
        n = in.are_doubles ? at->ops->push_doubles(at->stage, in.values, n, at->frames)
                           : at->ops->push(at->stage, in.values, n, at->frames);
        in.values = at->frames;
    }
    leave(chain, in, n, before);
    return n;
}

int front_end_failed(const front_end *chain)
{
    for (size_t i = 0; i < chain->n_links; i++) {
        const chain_link *at = &chain->links[i];
        if (at->ops->failed && at->ops->failed(at->stage)) return 1;
    }
    return 0;
}

int front_end_restarts(const front_end *chain)
{
    for (size_t i = 0; i < chain->n_links; i++)
        if (!chain->links[i].ops->restarts) return 0;
    return chain->n_links > 0 && chain->timing.memory < UINT64_MAX;
}

int front_end_has_state(const front_end *chain)
{
    for (size_t i = 0; i < chain->n_links; i++)
        if (!chain->links[i].ops->pass_state) return 0;
    return 1;
}

void front_end_pass_state(front_end *chain, state_bytes *st)
{
    for (size_t i = 0; i < chain->n_links; i++)
        chain->links[i].ops->pass_state(chain->links[i].stage, st);
}

int front_end_is_identity(const front_end *chain)
{
    return chain->n_links == 0;
}

int front_end_wants_doubles(const front_end *chain)
{
    return chain->n_links > 0 && takes_doubles(&chain->links[0]);
}

void front_end_set_origin(front_end *chain, const double *origin)
{
    chain->origin = origin;
}

const double *front_end_get_origin(const front_end *chain)
{
    return chain->origin;
}

/* Push samples through the chain, block after block. */
static size_t push_blocks(front_end *chain, passing in, size_t n, const float **frames)
{
    const size_t value = in.are_doubles ? sizeof(double) : sizeof(float);
    size_t total = 0;
    *frames = chain->frames;
    for (size_t now; n > 0; n -= now) {
        now = n < chain->block ? n : chain->block;
        total += push_through(chain, 0, in, now, total);
        in.values = (const char *)in.values + now * chain->in.dim * value;
    }
    return total;
}

size_t front_end_push(front_end *chain, const float *samples, size_t n, const float **frames)
{
    *frames = samples;
    if (front_end_is_identity(chain) && !chain->origin) return n;
    return push_blocks(chain, (passing){samples, false}, n, frames);
}

size_t front_end_push_doubles(front_end *chain, const double *samples, size_t n,
                              const float **frames)
{
    return push_blocks(chain, (passing){samples, true}, n, frames);
}

size_t front_end_flush(front_end *chain, const float **frames)
{
    size_t total = 0;
    *frames = chain->frames;
    for (size_t i = 0; i < chain->n_links; i++) {
        const chain_link *at = &chain->links[i];
        const bool wide = takes_doubles(at);
        const size_t n = wide ? at->ops->flush_doubles(at->stage, at->frames)
                              : at->ops->flush(at->stage, at->frames);
        total += push_through(chain, i + 1, (passing){at->frames, wide}, n, total);
    }
    return total;
}
