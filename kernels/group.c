/* group.c - see group.h. */
#include "kernels/group.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_PIECE = 1 << 16, /* frames */
    LEAST_SPACING = 1024,  /* or the history, where that is more: no kernel keeps fewer columns */
    WARM = 8               /* lengths of the longest template */
};

/* Frames [from, to) of a step on one device, position counted since reset. */
typedef struct {
    size_t device;
    uint64_t from, to;
    uint64_t begin; /* warm-up included */
    bool cold;      /* begins with a cold start */
    sigrep_status status;
} piece;

typedef struct {
    void *kernel;
    kernel_output out; /* of its own, as much as max_step below asks for */
} member;

typedef struct {
    const kernel_ops *ops;
    size_t n; /* members */
    size_t dim, n_templates, max_step;
    size_t member_step;         /* most frames of a member's step */
    size_t spacing;             /* a multiple of every template's */
    size_t warm, least;         /* frames, multiples of the spacing */
    size_t all_rows;            /* of all templates */
    kernel_template *templates; /* but their frames */
    float *before, *after;      /* all_rows each */
    pool *threads;              /* one a member */
    uint64_t position, repairs;
    sigrep_status unset;  /* why there is no state: the last seek failed */
    pthread_mutex_t cuts; /* the lock of the next three, for offers from another thread */
    piece *pieces;        /* of the last step, in order of time; at least one */
    size_t n_pieces;
    uint64_t cut_to;     /* the end of that step */
    piece *planned;      /* of the step that is offered */
    const float *frames; /* of this step */
    const kernel_output *out;
    uint64_t step_from;
    bool scores;
    member members[];
} group;

static bool group_usable(void)
{
    return false; /* by no name */
}

static size_t group_chunk(const kernel_plan *plan)
{
    return plan->each->chunk(plan) * (size_t)plan->devices;
}

static void group_destroy(void *kernel)
{
    group *self = kernel;
    if (!self) return;
    for (size_t i = self->n; i-- > 0;) { /* the first one, which pinned what was lent, goes last */
        member *one = &self->members[i];
        if (one->kernel) self->ops->destroy(one->kernel);
        free(one->out.minima);
        free(one->out.scores);
    }
    pool_destroy(self->threads);
    free(self->templates);
    free(self->before);
    free(self->after);
    free(self->pieces);
    free(self->planned);
    pthread_mutex_destroy(&self->cuts);
    free(self);
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* A piece has to hold all that may be asked of the device that swept it. */
static void set_sizes(group *self, const kernel_plan *plan)
{
    size_t longest = 0, history = 0, spacing = LEAST_SPACING;
    for (size_t j = 0; j < plan->n_templates; j++) {
        if (plan->templates[j].length > longest) longest = plan->templates[j].length;
        if (plan->templates[j].history > history) history = plan->templates[j].history;
    }
    while (spacing < history) spacing *= 2;
    self->spacing = spacing;
    self->warm = round_up(WARM * longest, spacing);
    self->least = round_up(LEAST_PIECE, spacing);
    if (self->least < 4 * self->warm) self->least = 4 * self->warm;
    if (self->least < history + 2 * spacing) self->least = round_up(history + 2 * spacing, spacing);
    size_t share = plan->max_step / self->n + 2 * spacing + self->warm;
    self->member_step = share > 3 * self->least ? share : 3 * self->least;
    if (self->member_step > plan->max_step) self->member_step = plan->max_step;
}

static sigrep_status create_member(group *self, const kernel_plan *plan, size_t i)
{
    kernel_plan own = *plan;
    member *one = &self->members[i];
    own.device = (int)i;
    own.max_step = self->member_step;
    own.workers = NULL; /* each member has a thread of its own */
    sigrep_status status = self->ops->create(&one->kernel, &own);
    for (size_t j = 0; j < plan->n_templates && !status; j++)
        if (self->spacing % self->ops->spacing(one->kernel, j)) status = SIGREP_NO_KERNEL;
    if (status) return status;
    one->out.minima_stride = kernel_max_blocks(own.max_step);
    one->out.minima = calloc(plan->n_templates, one->out.minima_stride * sizeof(float));
    if (plan->scores) one->out.scores = calloc(plan->n_templates, own.max_step * sizeof(float));
    return one->out.minima && (!plan->scores || one->out.scores) ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static sigrep_status init(group *self, const kernel_plan *plan)
{
    self->templates = calloc(plan->n_templates, sizeof *self->templates);
    self->pieces = calloc(self->n, sizeof *self->pieces);
    self->planned = calloc(self->n, sizeof *self->planned);
    if (!self->templates || !self->pieces || !self->planned) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        self->templates[j].length = plan->templates[j].length;
        self->all_rows += self->templates[j].length;
    }
    self->before = calloc(self->all_rows, sizeof *self->before);
    self->after = calloc(self->all_rows, sizeof *self->after);
    if (!self->before || !self->after) return SIGREP_NO_MEMORY;
    set_sizes(self, plan);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->n && !status; i++) status = create_member(self, plan, i);
    return status ? status : pool_create(&self->threads, self->n);
}

/* The first device has the state. */
static void stand_at(group *self, uint64_t position)
{
    self->position = position;
    self->unset = SIGREP_OK;
    pthread_mutex_lock(&self->cuts);
    self->n_pieces = 1;
    self->pieces[0] = (piece){.device = 0, .from = position, .to = position};
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

/* What fails here the first one's next step tells. The others have no state to lose, but offers. */
static void group_reset(void *kernel)
{
    group *self = kernel;
    self->repairs = 0;
    stand_at(self, 0);
    for (size_t i = 0; i < self->n; i++) self->ops->reset(self->members[i].kernel);
}

static sigrep_status group_create(void **kernel, const kernel_plan *plan)
{
    if (plan->devices < 1 || plan->max_step > SIZE_MAX / 64) return SIGREP_NO_MEMORY;
    group *self = calloc(1, sizeof *self + (size_t)plan->devices * sizeof *self->members);
    if (!self) return SIGREP_NO_MEMORY;
    pthread_mutex_init(&self->cuts, NULL);
    self->ops = plan->each;
    self->n = (size_t)plan->devices;
    self->dim = plan->dim;
    self->n_templates = plan->n_templates;
    self->max_step = plan->max_step;
    sigrep_status status = init(self, plan);
    if (status) {
        group_destroy(self);
        return status;
    }
    group_reset(self);
    *kernel = self;
    return SIGREP_OK;
}

/* How many pieces a step of n frames has. */
static size_t count_of(const group *self, size_t n)
{
    size_t count = n / self->least;
    if (count > self->n) count = self->n;
    return count < 1 ? 1 : count;
}

/* The step [from, from + n) into pieces of about the same length, borders at multiples of the
 * spacing; the first for the device `first`. Returns how many. */
static size_t cut(const group *self, piece *pieces, uint64_t from, size_t n, size_t first)
{
    const uint64_t to = from + n;
    const size_t count = count_of(self, n);
    uint64_t at = from;
    for (size_t i = 0; i < count; i++) {
        uint64_t end = from + n / count * (i + 1);
        end = i + 1 < count ? end / self->spacing * self->spacing : to;
        pieces[i] = (piece){.device = (first + i) % self->n,
                            .from = at,
                            .to = end,
                            .begin = i ? at - self->warm : at,
                            .cold = i > 0};
        at = end;
    }
    return count;
}

static void cut_step(group *self, size_t n)
{
    pthread_mutex_lock(&self->cuts);
    const size_t first = self->pieces[self->n_pieces - 1].device;
    self->n_pieces = cut(self, self->pieces, self->position, n, first);
    self->cut_to = self->position + n;
    pthread_mutex_unlock(&self->cuts);
}

/* Which device will have the state at `position`: of what was cut last, or of a step from there
 * that has yet to begin. */
static size_t device_with_state(group *self, uint64_t position)
{
    pthread_mutex_lock(&self->cuts);
    size_t device = self->pieces[self->n_pieces - 1].device;
    if (position > self->cut_to) device += count_of(self, (size_t)(position - self->cut_to)) - 1;
    pthread_mutex_unlock(&self->cuts);
    return device % self->n;
}

/* To each device its piece, warm-up included, if the step will be as long as can be. If it is not,
 * it is cut elsewhere: frames that were offered for other positions are nobody's. */
static void group_offer(void *kernel, uint64_t position, const float *frames, size_t n)
{
    group *self = kernel;
    if (!self->ops->offer) return;
    const size_t first = device_with_state(self, position);
    const size_t count = cut(self, self->planned, position, self->max_step, first);
    for (size_t i = 0; i < count; i++) {
        const piece *p = &self->planned[i];
        const uint64_t end = p->to < position + n ? p->to : position + n;
        if (end <= p->begin) break;
        self->ops->offer(self->members[p->device].kernel, p->begin,
                         frames + (size_t)(p->begin - position) * self->dim,
                         (size_t)(end - p->begin));
    }
}

/* Sweep a piece, from `columns` where they are given. */
static sigrep_status sweep(group *self, const piece *p, const float *columns)
{
    member *one = &self->members[p->device];
    kernel_output out = one->out;
    if (!self->scores) out.scores = NULL;
    sigrep_status status = SIGREP_OK;
    if (p->cold) status = self->ops->seek(one->kernel, p->begin, columns);
    if (status) return status;
    const float *frames = self->frames + (p->begin - self->step_from) * self->dim;
    return self->ops->step(one->kernel, frames, (size_t)(p->to - p->begin), &out);
}

static void sweep_piece(void *user, size_t i, size_t thread)
{
    group *self = user;
    (void)thread;
    self->pieces[i].status = sweep(self, &self->pieces[i], NULL);
}

static sigrep_status read_columns(const group *self, size_t device, uint64_t position, float *to)
{
    return kernel_columns(self->ops, self->members[device].kernel, self->templates,
                          self->n_templates, position, to);
}

/* Make the i-th piece exact; the one before it is. */
static sigrep_status certify(group *self, size_t i)
{
    piece *p = &self->pieces[i];
    sigrep_status status = read_columns(self, p->device, p->from, self->before);
    if (!status) status = read_columns(self, self->pieces[i - 1].device, p->from, self->after);
    if (status || !memcmp(self->before, self->after, self->all_rows * sizeof *self->after))
        return status;
    self->repairs++;
    p->begin = p->from;
    return sweep(self, p, self->after);
}

/* A piece's results to where the caller wants them. */
static void hand_on(void *user, size_t i, size_t thread)
{
    const group *self = user;
    const kernel_output *out = self->out;
    const piece *p = &self->pieces[i];
    (void)thread;
    const kernel_output *own = &self->members[p->device].out;
    const size_t skipped = (size_t)(p->from - p->begin), n = (size_t)(p->to - p->from);
    const size_t first = (size_t)(p->from / KERNEL_BLOCK - self->step_from / KERNEL_BLOCK);
    const size_t blocks = (size_t)((p->to - 1) / KERNEL_BLOCK - p->from / KERNEL_BLOCK) + 1;
    for (size_t j = 0; j < self->n_templates; j++) {
        memcpy(out->minima + j * out->minima_stride + first,
               own->minima + j * own->minima_stride + skipped / KERNEL_BLOCK,
               blocks * sizeof *out->minima);
        if (out->scores)
            memcpy(out->scores + j * self->max_step + (p->from - self->step_from),
                   own->scores + j * self->member_step + skipped, n * sizeof *out->scores);
    }
}

static sigrep_status group_step(void *kernel, const float *frames, size_t n,
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
    if (!status) pool_run(self->threads, self->n_pieces, hand_on, self);
    self->position += n;
    return status;
}

static sigrep_status group_lend(void *kernel, float *memory, size_t floats)
{
    group *self = kernel;
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < self->n && self->ops->lend && !status; i++)
        status = self->ops->lend(self->members[i].kernel, memory, floats);
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

static sigrep_status group_column(void *kernel, size_t index, uint64_t position, float *d)
{
    group *self = kernel;
    const member *one = &self->members[device_of(self, position)];
    return self->ops->column(one->kernel, index, position, d);
}

static sigrep_status group_columns(void *kernel, uint64_t position, float *d)
{
    group *self = kernel;
    return read_columns(self, device_of(self, position), position, d);
}

uint64_t group_repairs(const void *kernel)
{
    return ((const group *)kernel)->repairs;
}

const kernel_ops kernel_group = {
    .name = "group",
    .device = "cuda",
    .usable = group_usable,
    .chunk = group_chunk,
    .create = group_create,
    .destroy = group_destroy,
    .lend = group_lend,
    .offer = group_offer,
    .step = group_step,
    .reset = group_reset,
    .seek = group_seek,
    .spacing = group_spacing,
    .columns = group_columns,
    .column = group_column,
};
