/* fake_kernels.c - the kernels of fake_cuda.h, by the description in kernels/cuda/launch.h. */
#ifdef TESTS_CUDA

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/bench/gpu_limits.h"
#include "tests/support/fake_cuda_inside.h"

void fake_kernels_are_linked(void)
{
}

atomic_int fake_cuda_registered;

void cuda_register_strings(void)
{
    fake_cuda_registered++;
}

void cuda_register_frames(void)
{
    fake_cuda_registered++;
}

void cuda_register_publish(void)
{
    fake_cuda_registered++;
}

void cuda_register_samples(void)
{
    fake_cuda_registered++;
}

/* Store the state before column c as carry and as a checkpoint, if it is one. */
static void store_state(const cuda_sweep *it, int c, const float *d)
{
    const size_t bytes = (size_t)it->rows * sizeof *d;
    if (c == it->carry_column && c > 0) memcpy(it->carry_out, d, bytes);
    const uint64_t columns = (uint64_t)it->checkpoint_phase + (uint64_t)c;
    if (c > it->end || columns % ((uint64_t)1 << it->checkpoint_shift)) return;
    const uint64_t spacing = it->checkpoint_first + (columns >> it->checkpoint_shift);
    memcpy(it->checkpoints +
               spacing % (uint64_t)it->checkpoint_slots * (uint64_t)it->checkpoint_rows,
           d, bytes);
}

static float cost(const cuda_launch *launch, const cuda_sweep *it, int i, int c)
{
    if (it->dim == 1) return fabsf(it->x[i] - launch->y[c]);
    float sum = 0;
    for (int k = 0; k < it->dim; k++)
        sum += fabsf(it->x[i * it->dim + k] - launch->y[(int64_t)c * it->dim + k]);
    return sum;
}

static void one_column(const cuda_launch *launch, const cuda_sweep *it, int c, float *d)
{
    float diag = it->top ? it->top[c - 1] : 0, up = it->top ? it->top[c] : 0;
    for (int i = 0; i < it->rows; i++) {
        const float left = d[i];
        d[i] = up = fminf(fminf(diag, left), up) + cost(launch, it, i, c);
        diag = left;
    }
}

static void give(const cuda_sweep *it, int c, float score)
{
    float *least = it->minima ? &it->minima[c / CUDA_BLOCK] : NULL;
    if (it->bottom) it->bottom[c] = score;
    if (it->scores) it->scores[c] = score;
    if (least && c >= it->first && c < it->end) *least = fminf(*least, score);
}

/* Does the end of segment k, in it->after, equal the next one's state after its warm-up? If not,
 * replace that state and list the seam. */
static void verify_seam(const cuda_launch *launch, int item, int k)
{
    const cuda_sweep *it = &launch->host[item];
    const size_t rows = (size_t)it->rows;
    const float *after = it->after + (size_t)k * rows;
    float *before = it->before + ((size_t)k + 1) * rows;
    if (k + 1 == it->segments || !memcmp(before, after, rows * sizeof *after)) return;
    memcpy(before, after, rows * sizeof *after);
    if (it->marks[k + 1] == launch->number) return;
    it->marks[k + 1] = launch->number;
    launch->bad[(*launch->n_bad)++] = (cuda_seam){item, k + 1};
}

static void segment(const cuda_launch *launch, const cuda_sweep *it, int k)
{
    const size_t bytes = (size_t)it->rows * sizeof(float);
    const int start = k * it->length;
    const int end = start + it->length < it->n ? start + it->length : it->n;
    float *d = malloc(bytes), *before = it->before + (size_t)k * (size_t)it->rows;
    if (!d) abort();
    int c = launch->seams ? start : start - it->warm;
    if (launch->seams && k) {
        memcpy(d, before, bytes);
    } else if (c <= 0 || !k) {
        c = 0;
        memcpy(d, it->carry, bytes);
        if (!k && it->bottom) it->bottom[-1] = d[it->rows - 1];
    } else {
        for (int i = 0; i < it->rows; i++) d[i] = INFINITY;
    }
    for (; c < end; c++) {
        if (c == start && k && !launch->seams) memcpy(before, d, bytes);
        one_column(launch, it, c, d);
        if (c < start) continue;
        give(it, c, d[it->rows - 1]);
        store_state(it, c + 1, d);
    }
    if (k + 1 < it->segments) memcpy(it->after + (size_t)k * (size_t)it->rows, d, bytes);
    free(d);
}

/* The arguments of a launch, with its single item. */
typedef struct {
    cuda_launch launch;
    cuda_sweep only;
} launched;

/* Does the counter hold seams that another launch listed? */
static bool is_stale(const cuda_launch *launch)
{
    if (launch->seams || !*launch->n_bad) return false;
    const cuda_seam first = launch->bad[0];
    return first.item >= launch->n_items ||
           launch->host[first.item].marks[first.segment] != launch->number;
}

static void sweep_now(void *what)
{
    launched *l = what;
    cuda_launch *launch = &l->launch;
    launch->host = launch->n_items > 1 ? launch->items : &l->only;
    fake_cuda.stale += is_stale(launch);
    for (int i = 0; i < launch->n_items && !launch->seams; i++) {
        const cuda_sweep *it = &launch->host[i];
        for (int k = 0; k < it->segments; k++) segment(launch, it, k);
        for (int k = 0; k < it->segments; k++) verify_seam(launch, i, k);
    }
    for (int s = 0; launch->seams && s < *launch->n_seams; s++) {
        const cuda_seam seam = launch->seams[s];
        const cuda_sweep *it = &launch->host[seam.item];
        segment(launch, it, seam.segment);
        verify_seam(launch, seam.item, seam.segment);
        fake_cuda.repaired++;
    }
}

static cudaError_t sweep(const cuda_launch *launch, int held)
{
    const cudaError_t error = fake_cuda_launch(launch->stream);
    launched l = {.launch = *launch, .only = launch->host[0]};
    if (held <= 0) return cudaErrorInvalidValue;
    if (error || fake_cuda.instant) return error;
    fake_stream_do(launch->stream, sweep_now, &l, sizeof l);
    return error;
}

cudaError_t cuda_samples(const cuda_launch *launch, int held)
{
    return sweep(launch, held);
}

cudaError_t cuda_frames(const cuda_launch *launch, int held)
{
    return sweep(launch, held);
}

int cuda_frames_rows(int rows, int held)
{
    (void)held;
    return (rows + 7) / 8 * 8;
}

void cuda_frames_arrange(float *to, const float *x, int rows, int held, int dim)
{
    (void)held;
    memcpy(to, x, (size_t)rows * (size_t)dim * sizeof *to);
}

typedef struct {
    float *to;
    const float *from;
    size_t bytes;
} turning;

static void turn(void *what)
{
    const turning *a = what;
    memcpy(a->to, a->from, a->bytes);
}

cudaError_t cuda_transpose(float *to, const float *from, int n, int dim, cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_launch(stream);
    const turning a = {to, from, (size_t)n * (size_t)dim * sizeof *to};
    if (!error) fake_stream_do(stream, turn, &a, sizeof a);
    return error;
}

typedef struct {
    float *to;
    size_t n;
    int *counters, n_counters;
} preparing;

static void prepare(void *what)
{
    const preparing *a = what;
    for (size_t i = 0; i < a->n; i++) a->to[i] = INFINITY;
    for (int i = 0; i < a->n_counters; i++) a->counters[i] = 0;
}

cudaError_t cuda_prepare(float *to, size_t n, int *counters, int n_counters, cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_launch(stream);
    const preparing a = {to, n, counters, n_counters};
    if (!error) fake_stream_do(stream, prepare, &a, sizeof a);
    return error;
}

static void publish(void *what)
{
    const cuda_publication *p = what;
    bool hold = true;
    for (int i = 0; i < p->n_counters; i++) {
        p->host_counters[i] = p->counters[i];
        hold = hold && !p->counters[i];
    }
    for (size_t j = 0; j < p->n_templates && p->minima && hold; j++) {
        float *minima = p->minima + j * p->stride;
        if (p->to) memcpy(p->to + j * p->to_stride, minima, p->n * sizeof *minima);
        for (size_t i = 0; i < p->n; i++) minima[i] = INFINITY;
    }
    atomic_store_explicit((atomic_ullong *)(void *)p->host_number, p->number, memory_order_release);
}

/* A real kernel would fault on memory that is not pinned, and a later call would report it. */
cudaError_t cuda_publish(const cuda_publication *p)
{
    const cudaError_t error = fake_cuda_launch(p->stream);
    if (error) return error;
    if (!fake_memory_is_pinned(p->host_counters) || !fake_memory_is_pinned(p->host_number) ||
        (p->to && !fake_memory_is_pinned(p->to)))
        return cudaErrorIllegalAddress;
    fake_cuda.published++;
    if (!fake_cuda.mute) fake_stream_do(p->stream, publish, p, sizeof *p);
    return cudaSuccess;
}

double gpu_ceiling(int device)
{
    return device < fake_cuda.devices ? 1e12 : 0;
}

double gpu_copy_rate(int device)
{
    return device < fake_cuda.devices ? 1e10 : 0;
}

#else

typedef int nothing_else; /* a file must not be empty */

#endif
