/* cuda_create.c - make and end a CUDA kernel: all its memory, on the device and here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/cuda/host/cuda_kernel.h"

/* What is left free for others, and for the driver. */
static const size_t SPARE_BYTES = (size_t)256 << 20;

/* What segments that run at the same time store at most: floats, and segments. Enough to fill
 * a large GPU. */
static const size_t STATES = (size_t)3 << 20, SEGMENTS = (size_t)1 << 17;

/* Values that are copied by way of the staging memory even if they could be fetched. */
enum { STAGED_VALUES = 1 << 16 };

enum { ALIGNMENT = 256, MOST_COLUMNS = 1 << 30 };

/* Two passes over the same list: the first counts bytes, the second hands out. */
typedef struct {
    char *base;
    size_t used;
} arena;

static void *take(arena *a, size_t count, size_t size)
{
    if (a->used == SIZE_MAX || (count && size > (SIZE_MAX / 4 - a->used) / count)) {
        a->used = SIZE_MAX;
        return NULL;
    }
    void *p = a->base ? a->base + a->used : NULL;
    a->used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return p;
}

static float *take_floats(arena *a, size_t count)
{
    return take(a, count, sizeof(float));
}

/* Floats of x on the device. */
static size_t x_size(const cuda_kernel *self, const cuda_template *own)
{
    size_t n = cuda_plan_bands(own->length, self->dim, CUDA_HANDOVER);
    return cuda_plan_band(own->length, self->dim, CUDA_HANDOVER, n).x_at;
}

static void place_template(arena *a, cuda_kernel *self, cuda_template *own, bool scores)
{
    own->carry[1] = take_floats(a, own->state_rows);
    own->x = take_floats(a, x_size(self, own));
    own->kept = take(a, own->slots, own->state_rows * sizeof(float));
    own->scores = scores ? take_floats(a, self->max_columns) : NULL;
}

/* Whole blocks, and what may be read beyond. */
static size_t turned_columns(const cuda_kernel *self)
{
    return (self->max_columns + CUDA_AHEAD + CUDA_BLOCK - 1) / CUDA_BLOCK * CUDA_BLOCK;
}

static void place_device(arena *a, cuda_kernel *self, bool scores)
{
    const size_t width = self->max_columns;
    for (int i = 0; i < CUDA_PLACES; i++) /* the second one is for prefetches */
        self->places[i].frames =
            take(a, i && self->staged == width ? 0 : width, self->dim * sizeof(float));
    self->turned = self->dim > 1 ? take(a, turned_columns(self), self->dim * sizeof(float)) : NULL;
    for (int i = 0; i < 2; i++) {
        self->between[i] = take_floats(a, self->several ? ALIGNMENT + width + ALIGNMENT : 0);
        if (self->between[i]) self->between[i] += ALIGNMENT; /* column -1 lies before it */
    }
    self->before = take_floats(a, self->states);
    self->after = take_floats(a, self->states);
    self->tickets = take(a, self->states, sizeof *self->tickets);
    self->items = take(a, self->most_items, sizeof *self->items);
    for (int i = 0; i < 2; i++) self->bad[i] = take(a, self->most_segments, sizeof *self->bad[i]);
    self->n_bad = take(a, CUDA_COUNTERS, sizeof *self->n_bad);
    self->arrived = take(a, 1, sizeof *self->arrived);
    self->marks = take(a, self->most_segments, sizeof *self->marks);
    self->device_minima = take(a, self->n_templates, self->minima_stride * sizeof(float));
    const size_t begin = a->used;
    for (size_t j = 0; j < self->n_templates; j++)
        self->templates[j].carry[0] = take_floats(a, self->templates[j].state_rows);
    self->first_states = (a->used - begin) / sizeof(float);
    for (size_t j = 0; j < self->n_templates; j++) {
        cuda_template *own = &self->templates[j];
        own->minima = self->device_minima ? self->device_minima + j * self->minima_stride : NULL;
        place_template(a, self, own, scores);
    }
}

/* Of cudaMallocHost, so that all of it has the same address on the device, which writes to some of
 * it by itself: so it is wherever there is unified addressing, which 64-bit systems have. */
static void place_pinned(arena *a, cuda_kernel *self)
{
    self->staging = take(a, self->staged, self->dim * sizeof(float));
    self->host_items = take(a, self->most_items, sizeof *self->host_items);
    self->host_n_bad = take(a, CUDA_COUNTERS, sizeof *self->host_n_bad);
    self->published = take(a, 1, sizeof *self->published);
    size_t rows = 0;
    for (size_t j = 0; j < self->n_templates; j++) rows += self->templates[j].length;
    self->host_columns = take_floats(a, rows);
    self->host_minima = take(a, self->n_templates, self->minima_stride * sizeof(float));
}

/* What has to be 0 at first, and what kernels read a few columns ahead of, for nothing. */
static cudaError_t clear(const cuda_kernel *self)
{
    const size_t width = self->max_columns * sizeof(float);
    cudaError_t error =
        cudaMemsetAsync(self->tickets, 0, self->states * sizeof *self->tickets, self->stream);
    if (!error) error = cudaMemsetAsync(self->arrived, 0, sizeof *self->arrived, self->stream);
    if (!error)
        error = cudaMemsetAsync(self->marks, 0, self->most_segments * sizeof *self->marks,
                                self->stream);
    for (int i = 0; i < CUDA_PLACES && !error; i++)
        if (!i || self->staged < self->max_columns)
            error = cudaMemsetAsync(self->places[i].frames, 0, width * self->dim, self->stream);
    if (!error && self->turned)
        error = cudaMemsetAsync(self->turned, 0, turned_columns(self) * sizeof(float) * self->dim,
                                self->stream);
    for (int i = 0; i < 2 && !error && self->several; i++)
        error = cudaMemsetAsync(self->between[i], 0, width, self->stream);
    return error;
}

static sigrep_status allocate(cuda_kernel *self, bool scores)
{
    arena device = {0}, pinned = {0};
    place_device(&device, self, scores);
    place_pinned(&pinned, self);
    if (device.used == SIZE_MAX || pinned.used == SIZE_MAX) return SIGREP_NO_MEMORY;
    size_t free_bytes = 0, all_bytes = 0;
    cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);
    if (error) return cuda_status(error);
    if (device.used > all_bytes || device.used + SPARE_BYTES > free_bytes)
        return SIGREP_DEVICE_MEMORY;
    error = cudaMalloc(&self->memory, device.used);
    if (!error) error = cudaMallocHost(&self->pinned, pinned.used);
    if (error) return cuda_status(error);
    device = (arena){.base = self->memory};
    pinned = (arena){.base = self->pinned};
    place_device(&device, self, scores);
    place_pinned(&pinned, self);
    memset(self->pinned, 0, pinned.used);
    return cuda_status(clear(self));
}

/* A power of two near half the history, so that to go on from a kept column costs little more
 * than the history itself, while stores of columns cost little beside the sweep. */
static int spacing_shift(size_t history)
{
    enum { LEAST = 9, MOST = 16 };
    int shift = LEAST;
    while (shift < MOST && ((size_t)2 << shift) <= history / 3 * 2) shift++;
    return shift;
}

/* The template as the kernels want it: samples as they are, frames as cuda_frames_place says. Rows
 * that are not there cost +inf. */
static void arrange(const cuda_template *own, const kernel_template *x, size_t dim, float *to,
                    size_t size)
{
    size_t n_bands = cuda_plan_bands(own->length, dim, CUDA_HANDOVER);
    for (size_t i = 0; i < size; i++) to[i] = INFINITY;
    for (size_t b = 0; b < n_bands; b++) {
        cuda_band_rows band = cuda_plan_band(own->length, dim, CUDA_HANDOVER, b);
        const int rows = (int)band.rows, held = dim > 1 ? cuda_plan_frames_held(rows) : 0;
        size_t stride = dim > 1 ? (size_t)cuda_frames_stride(held) : 0;
        for (size_t i = 0; i < band.rows; i++) {
            size_t place = dim > 1 ? (size_t)cuda_frames_place(rows, held, (int)dim, (int)i) : i;
            for (size_t k = 0; k < dim; k++)
                to[band.x_at + k * stride + place] = x->frames[(band.row + i) * dim + k];
        }
    }
}

static void init_template(cuda_kernel *self, size_t j, const kernel_template *x)
{
    cuda_template *own = &self->templates[j];
    own->length = x->length;
    own->state_rows = (x->length + CUDA_UNIT - 1) / CUDA_UNIT * CUDA_UNIT;
    own->spacing_shift = spacing_shift(x->history);
    size_t least = ((self->max_chunk + x->history) >> own->spacing_shift) + 3;
    own->slots = 4;
    while (own->slots < least) own->slots *= 2;
    own->warm = CUDA_WARM;
    own->calm = CUDA_CALM;
    own->least = CUDA_BLOCK;
    size_t bands = cuda_plan_bands(x->length, self->dim, CUDA_BAND);
    self->several = self->several || bands > 1;
    if (bands > self->most_items) self->most_items = bands;
    if (own->state_rows > self->states) self->states = own->state_rows;
}

/* What all that run together store: the longest template's state for each of them, at least. */
static void share_states(cuda_kernel *self)
{
    size_t n = self->n_templates, share = STATES / n / CUDA_UNIT * CUDA_UNIT;
    if (share < self->states) share = self->states;
    self->states = share > SIZE_MAX / n ? SIZE_MAX : share * n;
    self->most_segments = SEGMENTS / n < 1 ? n : SEGMENTS / n * n;
}

static sigrep_status upload(cuda_kernel *self, const kernel_plan *plan)
{
    cudaError_t error = cudaSuccess;
    for (size_t j = 0; j < self->n_templates && !error; j++) {
        cuda_template *own = &self->templates[j];
        size_t size = x_size(self, own);
        own->x_here = calloc(size, sizeof *own->x_here);
        if (!own->x_here) return SIGREP_NO_MEMORY;
        arrange(own, &plan->templates[j], self->dim, own->x_here, size);
        error = cudaMemcpyAsync(own->x, own->x_here, size * sizeof *own->x_here,
                                cudaMemcpyHostToDevice, self->stream);
        if (!error) error = cudaStreamSynchronize(self->stream);
    }
    return cuda_status(error);
}

static sigrep_status init(cuda_kernel *self, const kernel_plan *plan)
{
    if (self->max_chunk > MOST_COLUMNS - 2 * KERNEL_BLOCK) return SIGREP_NO_MEMORY;
    self->max_columns = (self->max_chunk / KERNEL_BLOCK + 4) * KERNEL_BLOCK;
    self->staged = self->max_columns;
    size_t few = STAGED_VALUES / self->dim / KERNEL_BLOCK * KERNEL_BLOCK + 4 * KERNEL_BLOCK;
    if (plan->pins && few < self->staged) self->staged = few;
    self->minima_stride = kernel_max_blocks(self->max_columns);
    self->most_items = self->n_templates;
    for (size_t j = 0; j < self->n_templates; j++) init_template(self, j, &plan->templates[j]);
    share_states(self);
    cudaError_t error = cudaSetDevice(self->device);
    if (!error)
        error = cudaDeviceGetAttribute(&self->multiprocessors, cudaDevAttrMultiProcessorCount,
                                       self->device);
    if (!error) error = cudaStreamCreateWithFlags(&self->stream, cudaStreamNonBlocking);
    if (!error) error = cudaStreamCreateWithFlags(&self->copies, cudaStreamNonBlocking);
    for (int i = 0; i < CUDA_PLACES && !error; i++)
        error = cudaEventCreateWithFlags(&self->places[i].ahead, cudaEventDisableTiming);
    if (!error) error = cudaEventCreate(&self->begun);
    if (!error) error = cudaEventCreate(&self->ended);
    if (error) return cuda_status(error);
    sigrep_status status = allocate(self, plan->scores);
    return status ? status : upload(self, plan);
}

sigrep_status cuda_kernel_create(void **kernel, const kernel_plan *plan, cuda_family family)
{
    cuda_kernel *self = calloc(1, sizeof *self + plan->n_templates * sizeof *self->templates);
    if (!self) return SIGREP_NO_MEMORY;
    pthread_mutex_init(&self->prefetches, NULL);
    self->family = family;
    self->device = plan->device;
    self->dirty = true;
    self->dim = plan->dim;
    self->max_chunk = plan->max_chunk;
    self->n_templates = plan->n_templates;
    sigrep_status status = init(self, plan);
    if (!status) status = cuda_kernel_seek(self, 0, NULL);
    if (status) {
        cuda_kernel_destroy(self);
        return status;
    }
    *kernel = self;
    return SIGREP_OK;
}

/* Pinned for all devices, perhaps by another member of a group. Where that cannot be, the device
 * still fetches the frames, though it may be slower. Where it has no address for it, which CUDA
 * promises for cudaMallocHost alone, minima go by way of memory of our own. */
sigrep_status cuda_kernel_pin(void *kernel, float *memory, size_t floats)
{
    cuda_kernel *self = kernel;
    cudaError_t error = cudaSetDevice(self->device);
    if (error) return cuda_status(error);
    int i = 0;
    while (i < CUDA_MOST_LENT && self->areas[i].memory) i++;
    if (i == CUDA_MOST_LENT) return SIGREP_OK;
    error = cudaHostRegister(memory, floats * sizeof *memory,
                             cudaHostRegisterPortable | cudaHostRegisterMapped);
    cuda_status(error); /* forgotten: should the device be lost, the next step tells */
    if (error && error != cudaErrorHostMemoryAlreadyRegistered) return SIGREP_OK;
    self->areas[i] = (cuda_pinned){.memory = memory, .floats = floats, .own = !error};
    void *there = NULL;
    error = cudaHostGetDevicePointer(&there, memory, 0);
    if (!error) self->areas[i].there = there;
    cuda_status(error);
    return SIGREP_OK;
}

const cuda_pinned *cuda_lent_with(const cuda_kernel *self, const float *floats)
{
    for (int i = 0; i < CUDA_MOST_LENT; i++) {
        const cuda_pinned *l = &self->areas[i];
        if (l->memory && floats >= l->memory && floats < l->memory + l->floats) return l;
    }
    return NULL;
}

void cuda_kernel_destroy(void *kernel)
{
    cuda_kernel *self = kernel;
    if (!self) return;
    cudaSetDevice(self->device);
    if (self->copies) cudaStreamSynchronize(self->copies); /* an prefetch that no step took */
    if (self->stream) cudaStreamSynchronize(self->stream); /* a step that failed half-way */
    for (int i = 0; i < CUDA_MOST_LENT; i++)
        if (self->areas[i].own) cudaHostUnregister(self->areas[i].memory);
    cudaFree(self->memory);
    cudaFreeHost(self->pinned);
    for (int i = 0; i < CUDA_PLACES; i++)
        if (self->places[i].ahead) cudaEventDestroy(self->places[i].ahead);
    if (self->begun) cudaEventDestroy(self->begun);
    if (self->ended) cudaEventDestroy(self->ended);
    if (self->copies) cudaStreamDestroy(self->copies);
    if (self->stream) cudaStreamDestroy(self->stream);
    pthread_mutex_destroy(&self->prefetches);
    cudaGetLastError(); /* what failed here is not to be taken for what a later launch gave */
    for (size_t j = 0; j < self->n_templates; j++) free(self->templates[j].x_here);
    free(self);
}

size_t cuda_kernel_spacing(const void *kernel, size_t index)
{
    return (size_t)1 << ((const cuda_kernel *)kernel)->templates[index].spacing_shift;
}

/* Long enough that warm-ups cost little, and what is done between two steps, which shows where a
 * column is soon done; bounded by what the kept columns would take. */
size_t cuda_kernel_best_chunk(const kernel_plan *plan)
{
    enum { LEAST = 1 << 16, MOST = 1 << 23 };
    const size_t frames_a_row = plan->dim > 1 ? 4096 : 8192;
    const size_t most_bytes = (size_t)1 << 30;
    size_t longest = 0, bytes_a_frame = 3 * plan->dim * sizeof(float);
    for (size_t j = 0; j < plan->n_templates; j++) {
        const kernel_template *x = &plan->templates[j];
        if (x->length > longest) longest = x->length;
        bytes_a_frame += 1 + (x->length * sizeof(float) >> spacing_shift(x->history));
    }
    size_t chunk = LEAST;
    while (chunk < MOST && chunk / frames_a_row < longest) chunk *= 2;
    while (chunk > LEAST && chunk * bytes_a_frame > most_bytes) chunk /= 2;
    return chunk;
}
