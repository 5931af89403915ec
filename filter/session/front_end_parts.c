#include "filter/session/front_end_parts.h"

#include <stdbool.h>
#include <stdlib.h>

#include "filter/status.h"

enum {
    LEAST_PART = 1 << 14,   /* samples: waking a thread takes a tenth of the time at most */
    PARTS_A_THREAD = 8,     /* so all threads end at about the same time, whatever else they do */
    LEAST_MEMORIES = 8,     /* a part is as many times as long as what its chain reads before it */
    MOST_SAMPLES = 1 << 20, /* of a push */
    MOST_VALUES = 1 << 22   /* of samples or frames of a push, all channels */
};

typedef struct {
    front_end *chain;
    size_t begin, end; /* samples of the push */
    const float *frames;
    size_t n_frames;
} part;

struct front_end_parts {
    pool *workers;
    size_t channels;
    size_t hop, memory; /* samples */
    size_t most, least; /* samples of a push, of a part */
    size_t n_chains;    /* one of them is the caller's */
    front_end **others; /* n_chains - 1 */
    part *parts;        /* n_chains */
    /* The push. */
    const tasks_beside *beside;
    const float *samples;
    uint64_t before; /* samples of the span before it */
};

void front_end_parts_destroy(front_end_parts *self)
{
    if (!self) return;
    for (size_t i = 0; self->others && i + 1 < self->n_chains; i++)
        front_end_destroy(self->others[i]);
    free(self->others);
    free(self->parts);
    free(self);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Set the sizes. false: two parts are too much for one push. */
static bool set_sizes(front_end_parts *self, const front_end *chain)
{
    const frame_timing timing = front_end_timing(chain);
    if (timing.hop > MOST_SAMPLES || timing.memory > MOST_SAMPLES) return false;
    self->hop = (size_t)timing.hop;
    self->memory = (size_t)timing.memory;
    self->most = smaller(MOST_SAMPLES, MOST_VALUES / self->channels);
    self->most = smaller(self->most, MOST_VALUES * self->hop / front_end_shape(chain).dim);
    self->least = LEAST_MEMORIES * self->memory + self->hop;
    if (self->least < LEAST_PART) self->least = LEAST_PART;
    self->n_chains =
        smaller(PARTS_A_THREAD * pool_threads(self->workers), self->most / self->least);
    return self->n_chains > 1;
}

/* Make the chains; one takes the place of the caller's. */
static sigrep_status create_chains(front_end_parts *self, front_end **chain, const char *spec,
                                   frame_shape in, sigrep_error *error)
{
    /* If there are fewer parts, they are shorter than 4 least (count_parts). */
    const size_t longest = self->most / self->n_chains + 4 * self->least;
    front_end *first = NULL;
    self->others = calloc(self->n_chains - 1, sizeof *self->others);
    self->parts = calloc(self->n_chains, sizeof *self->parts);
    if (!self->others || !self->parts)
        return status_fail(error, SIGREP_NO_MEMORY, "front end: out of memory");
    sigrep_status status = front_end_create(&first, spec, in, longest, error);
    for (size_t i = 0; i + 1 < self->n_chains && !status; i++)
        status = front_end_create(&self->others[i], spec, in, longest, error);
    if (status) {
        front_end_destroy(first);
        return status;
    }
    const double *origin = front_end_get_origin(*chain);
    front_end_set_origin(first, origin);
    for (size_t i = 0; i + 1 < self->n_chains; i++) front_end_set_origin(self->others[i], origin);
    front_end_destroy(*chain);
    *chain = first;
    return SIGREP_OK;
}

sigrep_status front_end_parts_create(front_end_parts **out, front_end **chain, const char *spec,
                                     frame_shape in, pool *workers, sigrep_error *error)
{
    *out = NULL;
    if (pool_threads(workers) == 1 || !front_end_restarts(*chain)) return SIGREP_OK;
    front_end_parts *self = calloc(1, sizeof *self);
    if (!self) return status_fail(error, SIGREP_NO_MEMORY, "front end: out of memory");
    *self = (front_end_parts){.workers = workers, .channels = in.dim};
    const bool pays = set_sizes(self, *chain);
    const sigrep_status status = pays ? create_chains(self, chain, spec, in, error) : SIGREP_OK;
    if (pays && !status)
        *out = self;
    else
        front_end_parts_destroy(self);
    return status;
}

size_t front_end_parts_most(const front_end_parts *self)
{
    return self ? self->most : 0;
}

/* Push the samples [begin, end) into the chain of a part. Its frames are the last ones to come. */
static void push(const front_end_parts *self, part *at, size_t begin, size_t end)
{
    const float *samples = self->samples + begin * self->channels;
    at->n_frames = front_end_push(at->chain, samples, end - begin, &at->frames);
}

static void compute_part(const front_end_parts *self, part *at)
{
    if (at->begin > 0) {
        const size_t from = at->begin - self->memory;
        front_end_flush(at->chain, &at->frames);
        push(self, at, from - (size_t)((self->before + from) % self->hop), at->begin);
    }
    push(self, at, at->begin, at->end);
}

static void do_task(void *user, size_t i, size_t thread)
{
    const front_end_parts *self = user;
    const tasks_beside *beside = self->beside;
    if (i < beside->n)
        beside->task(beside->user, i, thread);
    else
        compute_part(self, &self->parts[i - beside->n]);
}

/* Of n samples: as many for each thread, so that none waits for the last ones. Parts twice as long
 * as the least repeat half as much, so they are preferred if there is one for each thread. */
static size_t count_parts(const front_end_parts *self, size_t n)
{
    const size_t threads = pool_threads(self->workers);
    const size_t most = smaller(self->n_chains, n / self->least);
    const size_t long_ones = smaller(self->n_chains, n / (2 * self->least));
    if (most <= threads) return most;
    return long_ones > threads ? long_ones - long_ones % threads : threads;
}

size_t front_end_parts_push(front_end_parts *self, front_end **chain, uint64_t before,
                            const float *samples, size_t n, const tasks_beside *beside)
{
    const size_t n_parts = self ? count_parts(self, n) : 0;
    if (n_parts < 2) return 0;
    self->beside = beside;
    self->samples = samples;
    self->before = before;
    for (size_t i = 0; i < n_parts; i++)
        self->parts[i] = (part){.chain = i ? self->others[i - 1] : *chain,
                                .begin = i * n / n_parts,
                                .end = (i + 1) * n / n_parts};
    pool_run(self->workers, beside->n + n_parts, do_task, self);
    self->others[n_parts - 2] = *chain;
    *chain = self->parts[n_parts - 1].chain;
    return n_parts;
}

size_t front_end_parts_frames(const front_end_parts *self, size_t i, const float **frames)
{
    *frames = self->parts[i].frames;
    return self->parts[i].n_frames;
}
