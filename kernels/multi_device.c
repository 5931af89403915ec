/* group.c - see group.h. */
#include "kernels/multi_device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/multi_device_cut.h"
#include "kernels/pool.h"

typedef struct {
    void *kernel;
    kernel_output out; /* of its own, as much as max_chunk below asks for; minima: unless direct */
} member;

typedef struct {
    const kernel_ops *ops;
    bool direct; /* members heed kernel_output.skip */
    size_t dim, n_templates, max_chunk;
    size_t member_step; /* most frames of a member's step */
    group_rule rule;
    size_t all_rows;            /* of all templates */
    kernel_template *templates; /* but their frames */
    float *columns;             /* of each piece the first and the last, all_rows each */
    pool *threads;              /* one a member */
    uint64_t position, repairs;
    sigrep_status unset;  /* why there is no state: the last seek failed */
    pthread_mutex_t cuts; /* the lock of the next three, for prefetches from another thread */
    group_piece *pieces;  /* of the last step, in order of time; at least one */
    size_t n_pieces;
    uint64_t cut_to;      /* the end of that step */
    group_piece *planned; /* of the step that is prefetched */
    const float *frames;  /* of this step */
    const kernel_output *out;
    uint64_t step_from;
    bool scores;
    member members[];
} group;

static bool group_usable(void)
{
    return false; /* by no name */
}

static size_t group_best_chunk(const kernel_plan *plan)
{
    return plan->each->best_chunk(plan) * (size_t)plan->devices;
}

static void group_destroy(void *kernel)
{
    group *self = kernel;
    if (!self) return;
    for (size_t i = self->rule.members; i-- > 0;) {
        /* The first one, which pinned what was pinned, goes last. */
        member *one = &self->members[i];
        if (one->kernel) self->ops->destroy(one->kernel);
        free(one->out.minima);
        free(one->out.scores);
    }
    pool_destroy(self->threads);
    free(self->templates);
    free(self->columns);
    free(self->pieces);
    free(self->planned);
    pthread_mutex_destroy(&self->cuts);
    free(self);
}

static sigrep_status create_member(group *self, const kernel_plan *plan, size_t i)
{
    kernel_plan own = *plan;
    member *one = &self->members[i];
    own.device = (int)i;
    own.max_chunk = self->member_step;
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

static sigrep_status init(group *self, const kernel_plan *plan)
{
    self->templates = calloc(plan->n_templates, sizeof *self->templates);
    self->pieces = calloc(self->rule.members, sizeof *self->pieces);
    self->planned = calloc(self->rule.members, sizeof *self->planned);
    if (!self->templates || !self->pieces || !self->planned) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        self->templates[j].length = plan->templates[j].length;
        self->all_rows += self->templates[j].length;
    }
    self->columns = calloc(2 * self->rule.members, self->all_rows * sizeof *self->columns);
    if (!self->columns) return SIGREP_NO_MEMORY;
    self->member_step = group_longest(&self->rule, plan->max_chunk);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->rule.members && !status; i++)
        status = create_member(self, plan, i);
    return status ? status : pool_create(&self->threads, self->rule.members);
}

/* The first device has the state. */
static void stand_at(group *self, uint64_t position)
{
    self->position = position;
    self->unset = SIGREP_OK;
    pthread_mutex_lock(&self->cuts);
    self->n_pieces = 1;
    self->pieces[0] = (group_piece){.device = 0, .from = position, .to = position};
    self->cut_to = position;
    pthread_mutex_unlock(&self->cuts);
}

static sigrep_status group_seek(void *kernel, uint64_t position, const float *columns)
{
    group *self = kernel;
    stand_at(self, position);
    self->unset = self->ops->seek(self->members[0].kernel, position, columns);
    return self->unset;
}

/* What fails here the first one's next step tells. The others have no state to lose, but
 * prefetches. */
static void group_reset(void *kernel)
{
    group *self = kernel;
    self->repairs = 0;
    stand_at(self, 0);
    for (size_t i = 0; i < self->rule.members; i++) self->ops->reset(self->members[i].kernel);
}

static sigrep_status group_create(void **kernel, const kernel_plan *plan)
{
    if (plan->devices < 1 || plan->max_chunk > SIZE_MAX / 64) return SIGREP_NO_MEMORY;
    group *self = calloc(1, sizeof *self + (size_t)plan->devices * sizeof *self->members);
    if (!self) return SIGREP_NO_MEMORY;
    pthread_mutex_init(&self->cuts, NULL);
    self->ops = plan->each;
    self->direct = plan->each->prefetch != NULL;
    self->rule = group_rule_of(plan);
    self->dim = plan->dim;
    self->n_templates = plan->n_templates;
    self->max_chunk = plan->max_chunk;
    sigrep_status status = init(self, plan);
    if (status) {
        group_destroy(self);
        return status;
    }
    group_reset(self);
    *kernel = self;
    return SIGREP_OK;
}

static void cut_step(group *self, size_t n)
{
    pthread_mutex_lock(&self->cuts);
    const size_t first = self->pieces[self->n_pieces - 1].device;
    self->n_pieces = group_cut(&self->rule, self->pieces, self->position, n, first);
    self->cut_to = self->position + n;
    pthread_mutex_unlock(&self->cuts);
}

/* Which device will have the state at `position`: of what was cut last, or of a step from there
 * that has yet to begin. */
static size_t device_with_state(group *self, uint64_t position)
{
    pthread_mutex_lock(&self->cuts);
    size_t device = self->pieces[self->n_pieces - 1].device;
    if (position > self->cut_to)
        device += group_count(&self->rule, (size_t)(position - self->cut_to)) - 1;
    pthread_mutex_unlock(&self->cuts);
    return device % self->rule.members;
}

/* To each device its piece, warm-up included, if the step will be as long as can be. If it is not,
 * it is cut elsewhere: frames that were prefetched for other positions are nobody's. */
static void group_prefetch(void *kernel, uint64_t position, const float *frames, size_t n)
{
    group *self = kernel;
    if (!self->ops->prefetch) return;
    const size_t first = device_with_state(self, position);
    const size_t count = group_cut(&self->rule, self->planned, position, self->max_chunk, first);
    for (size_t i = 0; i < count; i++) {
        const group_piece *p = &self->planned[i];
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

/* Where a member writes what it has for a piece: minima to their place, if it can leave out those
 * of the warm-up. */
static kernel_output output_for(const group *self, const group_piece *p)
{
    kernel_output out = self->members[p->device].out;
    if (!self->scores) out.scores = NULL;
    if (!self->direct) return out;
    out.minima = self->out->minima + blocks_between(self->step_from, p->from);
    out.minima_stride = self->out->minima_stride;
    out.skip = blocks_between(p->begin, p->from);
    return out;
}

/* Sweep a piece, from `columns` where they are given. */
static sigrep_status sweep(group *self, const group_piece *p, const float *columns)
{
    const member *one = &self->members[p->device];
    const kernel_output out = output_for(self, p);
    sigrep_status status = SIGREP_OK;
    if (p->cold) status = self->ops->seek(one->kernel, p->begin, columns);
    if (status) return status;
    const float *frames = self->frames + (p->begin - self->step_from) * self->dim;
    return self->ops->sweep(one->kernel, frames, (size_t)(p->to - p->begin), &out);
}

static float *first_of(const group *self, size_t i)
{
    return self->columns + 2 * i * self->all_rows;
}

static float *last_of(const group *self, size_t i)
{
    return first_of(self, i) + self->all_rows;
}

static sigrep_status read_columns(const group *self, size_t device, uint64_t position, float *to)
{
    return kernel_checkpoints(self->ops, self->members[device].kernel, self->templates,
                              self->n_templates, position, to);
}

/* With it the columns that its neighbours are compared with. */
static void sweep_piece(void *user, size_t i, size_t thread)
{
    group *self = user;
    group_piece *p = &self->pieces[i];
    (void)thread;
    p->status = sweep(self, p, NULL);
    if (!p->status && i) p->status = read_columns(self, p->device, p->from, first_of(self, i));
    if (!p->status && i + 1 < self->n_pieces)
        p->status = read_columns(self, p->device, p->to, last_of(self, i));
}

/* Make the i-th piece exact; the one before it is. */
static sigrep_status certify(group *self, size_t i)
{
    group_piece *p = &self->pieces[i];
    const float *true_first = last_of(self, i - 1);
    if (!memcmp(first_of(self, i), true_first, self->all_rows * sizeof *true_first))
        return SIGREP_OK;
    self->repairs++;
    p->begin = p->from;
    const sigrep_status status = sweep(self, p, true_first);
    if (status || i + 1 == self->n_pieces) return status;
    return read_columns(self, p->device, p->to, last_of(self, i));
}

/* What of a piece's results is not yet where the caller wants it. */
static void hand_on(void *user, size_t i, size_t thread)
{
    const group *self = user;
    const kernel_output *out = self->out;
    const group_piece *p = &self->pieces[i];
    (void)thread;
    const kernel_output *own = &self->members[p->device].out;
    const size_t skipped = (size_t)(p->from - p->begin), n = (size_t)(p->to - p->from);
    const size_t first = blocks_between(self->step_from, p->from);
    const size_t blocks = blocks_between(p->from, p->to - 1) + 1;
    for (size_t j = 0; j < self->n_templates; j++) {
        if (!self->direct)
            memcpy(out->minima + j * out->minima_stride + first,
                   own->minima + j * own->minima_stride + skipped / KERNEL_BLOCK,
                   blocks * sizeof *out->minima);
        if (out->scores)
            memcpy(out->scores + j * self->max_chunk + (p->from - self->step_from),
                   own->scores + j * self->member_step + skipped, n * sizeof *out->scores);
    }
}

static sigrep_status group_sweep(void *kernel, const float *frames, size_t n,
                                 const kernel_output *out)
{
    group *self = kernel;
    if (self->unset) return self->unset;
    self->frames = frames;
    self->out = out;
    self->step_from = self->position;
    self->scores = out->scores != NULL;
    cut_step(self, n);
    pool_run(self->threads, self->n_pieces, sweep_piece, self);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->n_pieces && !status; i++) status = self->pieces[i].status;
    for (size_t i = 1; i < self->n_pieces && !status; i++) status = certify(self, i);
    if (!status && (!self->direct || self->scores))
        pool_run(self->threads, self->n_pieces, hand_on, self);
    self->position += n;
    return status;
}

static sigrep_status group_pin(void *kernel, float *memory, size_t floats)
{
    group *self = kernel;
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->rule.members && self->ops->prefetch && !status; i++)
        status = self->ops->prefetch->pin(self->members[i].kernel, memory, floats);
    return status;
}

static size_t group_spacing(const void *kernel, size_t index)
{
    const group *self = kernel;
    return self->ops->spacing(self->members[0].kernel, index);
}

/* Whoever swept the frame before it has it; what is older lies with the first. */
static size_t device_of(const group *self, uint64_t position)
{
    size_t i = 0;
    while (i + 1 < self->n_pieces && position > self->pieces[i].to) i++;
    return self->pieces[i].device;
}

static sigrep_status group_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    group *self = kernel;
    const member *one = &self->members[device_of(self, position)];
    return self->ops->checkpoint(one->kernel, index, position, d);
}

static sigrep_status group_checkpoints(void *kernel, uint64_t position, float *d)
{
    group *self = kernel;
    return read_columns(self, device_of(self, position), position, d);
}

uint64_t multi_device_repairs(const void *kernel)
{
    return ((const group *)kernel)->repairs;
}

static const kernel_prefetch_ops prefetch = {.pin = group_pin, .copy = group_prefetch};

const kernel_ops kernel_multi_device = {
    .name = "group",
    .device = "cuda",
    .usable = group_usable,
    .best_chunk = group_best_chunk,
    .create = group_create,
    .destroy = group_destroy,
    .sweep = group_sweep,
    .reset = group_reset,
    .seek = group_seek,
    .spacing = group_spacing,
    .checkpoint = group_checkpoint,
    .prefetch = &prefetch,
    .checkpoints = group_checkpoints,
};
