/* multi_device.c - see multi_device.h. */
#include "kernels/multi_device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pool.h"

/* ---- how a chunk is cut ---- */

enum {
    MIN_SHARE = 1 << 16, /* frames */
    MIN_SPACING = 1024,  /* frames; no kernel has a longer spacing, but for a longer history */
    WARM = 8             /* lengths of the longest template */
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* A share holds all checkpoints that the search may read from the device that swept it. */
share_rule share_rule_of(const kernel_plan *plan)
{
    share_rule rule = {.members = (size_t)plan->devices, .spacing = MIN_SPACING};
    size_t longest = 0, history = 0;
    for (size_t j = 0; j < plan->n_templates; j++) {
        if (plan->templates[j].length > longest) longest = plan->templates[j].length;
        if (plan->templates[j].history > history) history = plan->templates[j].history;
    }
    while (rule.spacing < history) rule.spacing *= 2;
    rule.warm = round_up(WARM * longest, rule.spacing);
    rule.least = round_up(MIN_SHARE, rule.spacing);
    if (rule.least < 4 * rule.warm) rule.least = 4 * rule.warm;
    if (rule.least < history + 2 * rule.spacing)
        rule.least = round_up(history + 2 * rule.spacing, rule.spacing);
    return rule;
}

size_t share_max_frames(const share_rule *rule, size_t max_chunk)
{
    const size_t share = max_chunk / rule->members + 2 * rule->spacing + rule->warm;
    const size_t longest = share > 3 * rule->least ? share : 3 * rule->least;
    return longest < max_chunk ? longest : max_chunk;
}

size_t share_count(const share_rule *rule, size_t n)
{
    const size_t count = n / rule->least;
    if (count > rule->members) return rule->members;
    return count < 1 ? 1 : count;
}

size_t share_cut(const share_rule *rule, device_share *shares, uint64_t from, size_t n,
                 size_t first)
{
    const uint64_t to = from + n;
    const size_t count = share_count(rule, n);
    uint64_t at = from;
    for (size_t i = 0; i < count; i++) {
        uint64_t end = from + n / count * (i + 1);
        end = i + 1 < count ? end / rule->spacing * rule->spacing : to;
        shares[i] = (device_share){.device = (first + i) % rule->members,
                                   .from = at,
                                   .to = end,
                                   .begin = i ? at - rule->warm : at,
                                   .cold = i > 0};
        at = end;
    }
    return count;
}

/* ---- the kernel ---- */

typedef struct {
    void *kernel;
    kernel_output out; /* its own memory; no minima if `direct` */
} member;

typedef struct {
    const kernel_ops *ops;
    bool direct; /* members have `prefetch`, so they write minima to the caller themselves */
    size_t dim, n_templates, max_chunk;
    size_t member_chunk; /* most frames of a member's share */
    share_rule rule;
    size_t all_rows;            /* of all templates */
    kernel_template *templates; /* without their frames */
    float *checkpoints;         /* of each share the first and the last, all_rows each */
    pool *threads;              /* one a member */
    uint64_t position;          /* of the next chunk, or of the one at work */
    uint64_t repairs;
    sigrep_status unset;  /* the last seek's failure: no state is set */
    pthread_mutex_t cuts; /* lock of the next three: prefetches come from another thread */
    device_share *shares; /* of the last chunk, in order of time; at least one */
    size_t n_shares;
    uint64_t cut_to;       /* the end of that chunk */
    device_share *planned; /* of the chunk that is prefetched */
    const float *frames;   /* of this chunk */
    const kernel_output *out;
    member members[];
} multi_device;

static bool multi_usable(void)
{
    return false; /* never chosen by name */
}

static size_t multi_best_chunk(const kernel_plan *plan)
{
    return plan->each->best_chunk(plan) * (size_t)plan->devices;
}

static void multi_destroy(void *kernel)
{
    multi_device *self = kernel;
    if (!self) return;
    for (size_t i = self->rule.members; i-- > 0;) {
        /* The first member pinned the memory, so it goes last. */
        member *one = &self->members[i];
        if (one->kernel) self->ops->destroy(one->kernel);
        free(one->out.minima);
        free(one->out.scores);
    }
    pool_destroy(self->threads);
    free(self->templates);
    free(self->checkpoints);
    free(self->shares);
    free(self->planned);
    pthread_mutex_destroy(&self->cuts);
    free(self);
}

static sigrep_status create_member(multi_device *self, const kernel_plan *plan, size_t i)
{
    kernel_plan own = *plan;
    member *one = &self->members[i];
    own.device = (int)i;
    own.max_chunk = self->member_chunk;
    own.workers = NULL; /* each member has a thread of its own */
    sigrep_status status = self->ops->create(&one->kernel, &own);
    for (size_t j = 0; j < plan->n_templates && !status; j++)
        if (self->rule.spacing % self->ops->spacing(one->kernel, j)) status = SIGREP_NO_KERNEL;
    if (status) return status;
    one->out.minima_stride = kernel_max_blocks(own.max_chunk);
    if (!self->direct)
        one->out.minima = calloc(plan->n_templates, one->out.minima_stride * sizeof(float));
    if (plan->scores) one->out.scores = calloc(plan->n_templates, own.max_chunk * sizeof(float));
    const bool all = (self->direct || one->out.minima) && (!plan->scores || one->out.scores);
    return all ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static sigrep_status init(multi_device *self, const kernel_plan *plan)
{
    self->templates = calloc(plan->n_templates, sizeof *self->templates);
    self->shares = calloc(self->rule.members, sizeof *self->shares);
    self->planned = calloc(self->rule.members, sizeof *self->planned);
    if (!self->templates || !self->shares || !self->planned) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        self->templates[j].length = plan->templates[j].length;
        self->all_rows += self->templates[j].length;
    }
    self->checkpoints = calloc(2 * self->rule.members, self->all_rows * sizeof *self->checkpoints);
    if (!self->checkpoints) return SIGREP_NO_MEMORY;
    self->member_chunk = share_max_frames(&self->rule, plan->max_chunk);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->rule.members && !status; i++)
        status = create_member(self, plan, i);
    return status ? status : pool_create(&self->threads, self->rule.members);
}

/* The first device has the state at `position`. */
static void start_at(multi_device *self, uint64_t position)
{
    self->position = position;
    self->unset = SIGREP_OK;
    pthread_mutex_lock(&self->cuts);
    self->n_shares = 1;
    self->shares[0] = (device_share){.device = 0, .from = position, .to = position};
    self->cut_to = position;
    pthread_mutex_unlock(&self->cuts);
}

static sigrep_status multi_seek(void *kernel, uint64_t position, const float *checkpoints)
{
    multi_device *self = kernel;
    start_at(self, position);
    self->unset = self->ops->seek(self->members[0].kernel, position, checkpoints);
    return self->unset;
}

/* If the first member fails, its next sweep reports it. The others lose only prefetches. */
static void multi_reset(void *kernel)
{
    multi_device *self = kernel;
    self->repairs = 0;
    start_at(self, 0);
    for (size_t i = 0; i < self->rule.members; i++) self->ops->reset(self->members[i].kernel);
}

static sigrep_status multi_create(void **kernel, const kernel_plan *plan)
{
    if (plan->devices < 1 || plan->max_chunk > SIZE_MAX / 64) return SIGREP_NO_MEMORY;
    multi_device *self = calloc(1, sizeof *self + (size_t)plan->devices * sizeof *self->members);
    if (!self) return SIGREP_NO_MEMORY;
    pthread_mutex_init(&self->cuts, NULL);
    self->ops = plan->each;
    self->direct = plan->each->prefetch != NULL;
    self->rule = share_rule_of(plan);
    self->dim = plan->dim;
    self->n_templates = plan->n_templates;
    self->max_chunk = plan->max_chunk;
    sigrep_status status = init(self, plan);
    if (status) {
        multi_destroy(self);
        return status;
    }
    multi_reset(self);
    *kernel = self;
    return SIGREP_OK;
}

static void cut_chunk(multi_device *self, size_t n)
{
    pthread_mutex_lock(&self->cuts);
    const size_t first = self->shares[self->n_shares - 1].device;
    self->n_shares = share_cut(&self->rule, self->shares, self->position, n, first);
    self->cut_to = self->position + n;
    pthread_mutex_unlock(&self->cuts);
}

/* The device that will have the state at `position`: after the last chunk, or after the chunk from
 * there on that has yet to begin. */
static size_t device_with_state(multi_device *self, uint64_t position)
{
    pthread_mutex_lock(&self->cuts);
    size_t device = self->shares[self->n_shares - 1].device;
    if (position > self->cut_to)
        device += share_count(&self->rule, (size_t)(position - self->cut_to)) - 1;
    pthread_mutex_unlock(&self->cuts);
    return device % self->rule.members;
}

/* Each device fetches its share, warm-up included, of a chunk of max_chunk frames. A shorter chunk
 * is cut elsewhere, and nobody uses these frames. */
static void multi_prefetch(void *kernel, uint64_t position, const float *frames, size_t n)
{
    multi_device *self = kernel;
    if (!self->ops->prefetch) return;
    const size_t first = device_with_state(self, position);
    const size_t count = share_cut(&self->rule, self->planned, position, self->max_chunk, first);
    for (size_t i = 0; i < count; i++) {
        const device_share *p = &self->planned[i];
        const uint64_t end = p->to < position + n ? p->to : position + n;
        if (end <= p->begin) break;
        self->ops->prefetch->copy(self->members[p->device].kernel, p->begin,
                                  frames + (size_t)(p->begin - position) * self->dim,
                                  (size_t)(end - p->begin));
    }
}

static size_t blocks_between(uint64_t from, uint64_t to)
{
    return (size_t)(to / KERNEL_BLOCK - from / KERNEL_BLOCK);
}

/* The memory for the results of a share: the caller's for minima, if the member can leave out those
 * of the warm-up; else the member's own. */
static kernel_output output_for(const multi_device *self, const device_share *p)
{
    kernel_output out = self->members[p->device].out;
    if (!self->out->scores) out.scores = NULL;
    if (!self->direct) return out;
    out.minima = self->out->minima + blocks_between(self->position, p->from);
    out.minima_stride = self->out->minima_stride;
    out.skip = blocks_between(p->begin, p->from);
    return out;
}

/* Sweep a share, from `checkpoints` if they are given. */
static sigrep_status sweep(multi_device *self, const device_share *p, const float *checkpoints)
{
    const member *one = &self->members[p->device];
    const kernel_output out = output_for(self, p);
    sigrep_status status = SIGREP_OK;
    if (p->cold) status = self->ops->seek(one->kernel, p->begin, checkpoints);
    if (status) return status;
    const float *frames = self->frames + (p->begin - self->position) * self->dim;
    return self->ops->sweep(one->kernel, frames, (size_t)(p->to - p->begin), &out);
}

static float *first_of(const multi_device *self, size_t i)
{
    return self->checkpoints + 2 * i * self->all_rows;
}

static float *last_of(const multi_device *self, size_t i)
{
    return first_of(self, i) + self->all_rows;
}

static sigrep_status read_checkpoints(const multi_device *self, size_t device, uint64_t position,
                                      float *to)
{
    return kernel_checkpoints(self->ops, self->members[device].kernel, self->templates,
                              self->n_templates, position, to);
}

/* Sweep the i-th share, and read the checkpoints at its seams. */
static void sweep_share(void *user, size_t i, size_t thread)
{
    multi_device *self = user;
    device_share *p = &self->shares[i];
    (void)thread;
    p->status = sweep(self, p, NULL);
    if (!p->status && i) p->status = read_checkpoints(self, p->device, p->from, first_of(self, i));
    if (!p->status && i + 1 < self->n_shares)
        p->status = read_checkpoints(self, p->device, p->to, last_of(self, i));
}

/* Verify the seam before the i-th share, and repair the share; the one before it is exact. */
static sigrep_status verify(multi_device *self, size_t i)
{
    device_share *p = &self->shares[i];
    const float *true_first = last_of(self, i - 1);
    if (!memcmp(first_of(self, i), true_first, self->all_rows * sizeof *true_first))
        return SIGREP_OK;
    self->repairs++;
    p->begin = p->from;
    const sigrep_status status = sweep(self, p, true_first);
    if (status || i + 1 == self->n_shares) return status;
    return read_checkpoints(self, p->device, p->to, last_of(self, i));
}

/* Copy the results of a share that the member did not write to the caller itself. */
static void copy_results(void *user, size_t i, size_t thread)
{
    const multi_device *self = user;
    const kernel_output *out = self->out;
    const device_share *p = &self->shares[i];
    (void)thread;
    const kernel_output *own = &self->members[p->device].out;
    const size_t skipped = (size_t)(p->from - p->begin), n = (size_t)(p->to - p->from);
    const size_t first = blocks_between(self->position, p->from);
    const size_t blocks = blocks_between(p->from, p->to - 1) + 1;
    for (size_t j = 0; j < self->n_templates; j++) {
        if (!self->direct)
            memcpy(out->minima + j * out->minima_stride + first,
                   own->minima + j * own->minima_stride + skipped / KERNEL_BLOCK,
                   blocks * sizeof *out->minima);
        if (out->scores)
            memcpy(out->scores + j * self->max_chunk + (p->from - self->position),
                   own->scores + j * self->member_chunk + skipped, n * sizeof *out->scores);
    }
}

static sigrep_status multi_sweep(void *kernel, const float *frames, size_t n,
                                 const kernel_output *out)
{
    multi_device *self = kernel;
    if (self->unset) return self->unset;
    self->frames = frames;
    self->out = out;
    cut_chunk(self, n);
    pool_run(self->threads, self->n_shares, sweep_share, self);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->n_shares && !status; i++) status = self->shares[i].status;
    for (size_t i = 1; i < self->n_shares && !status; i++) status = verify(self, i);
    if (!status && (!self->direct || out->scores))
        pool_run(self->threads, self->n_shares, copy_results, self);
    self->position += n;
    return status;
}

static sigrep_status multi_pin(void *kernel, float *memory, size_t floats)
{
    multi_device *self = kernel;
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->rule.members && self->ops->prefetch && !status; i++)
        status = self->ops->prefetch->pin(self->members[i].kernel, memory, floats);
    return status;
}

static size_t multi_spacing(const void *kernel, size_t index)
{
    const multi_device *self = kernel;
    return self->ops->spacing(self->members[0].kernel, index);
}

/* The device that swept the frame before `position`; for older ones the first. */
static size_t device_of(const multi_device *self, uint64_t position)
{
    size_t i = 0;
    while (i + 1 < self->n_shares && position > self->shares[i].to) i++;
    return self->shares[i].device;
}

static sigrep_status multi_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    multi_device *self = kernel;
    const member *one = &self->members[device_of(self, position)];
    return self->ops->checkpoint(one->kernel, index, position, d);
}

static sigrep_status multi_checkpoints(void *kernel, uint64_t position, float *d)
{
    multi_device *self = kernel;
    return read_checkpoints(self, device_of(self, position), position, d);
}

uint64_t multi_device_repairs(const void *kernel)
{
    return ((const multi_device *)kernel)->repairs;
}

static const kernel_prefetch_ops prefetch = {.pin = multi_pin, .copy = multi_prefetch};

const kernel_ops kernel_multi_device = {
    .name = "multi-device",
    .device = "cuda",
    .usable = multi_usable,
    .best_chunk = multi_best_chunk,
    .create = multi_create,
    .destroy = multi_destroy,
    .sweep = multi_sweep,
    .reset = multi_reset,
    .seek = multi_seek,
    .spacing = multi_spacing,
    .checkpoint = multi_checkpoint,
    .prefetch = &prefetch,
    .checkpoints = multi_checkpoints,
};
