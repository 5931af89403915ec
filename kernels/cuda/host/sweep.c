/* sweep.c - one chunk through a CUDA kernel: copy the frames that were not prefetched, evaluate
 * (evaluate.c), copy the results back. */
#include <string.h>

#include "kernels/cuda/host/cuda_kernel.h"

cuda_extent cuda_extent_of(const cuda_kernel *self, size_t n)
{
    int first = (int)(self->position - self->carried), end = first + (int)n;
    return (cuda_extent){.first = first,
                         .end = end,
                         .n = (end + CUDA_STEP - 1) / CUDA_STEP * CUDA_STEP,
                         .carry_column = end / CUDA_BLOCK * CUDA_BLOCK};
}

static cudaError_t to_device(cuda_kernel *self, size_t at, const float *from, size_t n)
{
    if (!n) return cudaSuccess;
    return cudaMemcpyAsync(self->frames + at, from, n * sizeof *from, cudaMemcpyHostToDevice,
                           self->stream);
}

/* Copy by way of staging. It begins with the frames since `carried`, which the last chunk left
 * there. The device copies one block of values while this thread copies the next. Values after the
 * last frame count nowhere, but must not be a NaN. */
static cudaError_t copy_staged(cuda_kernel *self, const float *frames, cuda_extent e)
{
    enum { COPIED = 1 << 18 }; /* values at a time */
    size_t dim = self->dim, at = 0, old = (size_t)e.first * dim, all = (size_t)e.n * dim;
    const size_t end = (size_t)e.end * dim;
    memset(self->staging + end, 0, (all - end) * sizeof(float));
    while (at < all) {
        size_t to = all - at < COPIED ? all : at + COPIED;
        size_t from = at < old ? old : at;
        if (from < to && from < end)
            memcpy(self->staging + from, frames + (from - old),
                   ((to < end ? to : end) - from) * sizeof(float));
        cudaError_t error = to_device(self, at, self->staging + at, to - at);
        if (error) return error;
        at = to;
    }
    return cudaSuccess;
}

/* The device fetches the new frames from pinned memory, but for those that were prefetched.
 * self->next points at the few that the next chunk sweeps again. The chunk is longer than a block,
 * so all of these are new frames. */
static cudaError_t copy_fetched(cuda_kernel *self, const float *frames, cuda_extent e)
{
    const size_t dim = self->dim, old = (size_t)e.first * dim, end = (size_t)e.end * dim;
    const size_t had = self->prefetched * dim;
    const size_t again = (size_t)(e.end - e.carry_column) * dim, zeros = (size_t)e.n * dim - end;
    float *zero = self->staging + (size_t)CUDA_BLOCK * dim;
    memset(zero, 0, zeros * sizeof *zero);
    cudaError_t error = to_device(self, 0, self->staging, old);
    if (!error) error = to_device(self, old + had, frames + had, end - old - had);
    if (!error) error = to_device(self, end, zero, zeros);
    self->next = frames + (end - old) - again;
    return error;
}

static cudaError_t copy_frames(cuda_kernel *self, const float *frames, cuda_extent e)
{
    self->next = NULL;
    const size_t n = (size_t)(e.end - e.first);
    const bool staged = (size_t)e.n <= self->staged;
    cudaError_t error = cuda_prefetch_take(self, &self->prefetched);
    if (self->prefetched > n) self->prefetched = n;
    if (staged) self->prefetched = 0;
    if (error) return error;
    error = staged ? copy_staged(self, frames, e) : copy_fetched(self, frames, e);
    if (error || self->dim == 1) return error;
    return cuda_transpose(self->turned, self->frames, e.n, (int)self->dim, self->stream);
}

/* Minima go straight to pinned memory: the caller's, or our own. */
static cuda_answer answer_of(const cuda_kernel *self, cuda_extent e, const kernel_output *out)
{
    const size_t blocks = (size_t)(e.end - 1) / CUDA_BLOCK + 1;
    const cuda_pinned *pinned = cuda_pinned_with(self, out->minima);
    if (pinned && !pinned->there) pinned = NULL;
    return (cuda_answer){.to = pinned ? out->minima : self->host_minima,
                         .there = pinned ? pinned->there + (out->minima - pinned->memory)
                                         : self->host_minima,
                         .stride = pinned ? out->minima_stride : self->minima_stride,
                         .n = blocks};
}

/* If the last publication did not bring them. */
static cudaError_t copy_minima(const cuda_kernel *self)
{
    const cuda_answer *a = &self->answer;
    return cudaMemcpy2DAsync(a->to, a->stride * sizeof(float), self->device_minima,
                             self->minima_stride * sizeof(float), a->n * sizeof(float),
                             self->n_templates, cudaMemcpyDeviceToHost, self->stream);
}

/* Copy minima that have not arrived, and scores if wanted, to the caller's memory. */
static cudaError_t give_back(cuda_kernel *self, cuda_extent e, size_t n, const kernel_output *out)
{
    const cuda_answer *a = &self->answer;
    const bool wait = !a->copied || out->scores;
    cudaError_t error = a->copied ? cudaSuccess : copy_minima(self);
    for (size_t j = 0; j < self->n_templates && out->scores && !error; j++)
        error =
            cudaMemcpyAsync(out->scores + j * self->max_chunk, self->templates[j].scores + e.first,
                            n * sizeof(float), cudaMemcpyDeviceToHost, self->stream);
    if (!error && wait) error = cudaStreamSynchronize(self->stream);
    for (size_t j = 0; j < self->n_templates && a->to == self->host_minima && !error; j++)
        memcpy(out->minima + j * out->minima_stride, a->to + j * a->stride, a->n * sizeof(float));
    return error;
}

/* Move the state to the end of the last whole block. The frames after that stay in staging. */
static void advance(cuda_kernel *self, cuda_extent e, size_t n)
{
    size_t dim = self->dim, done = (size_t)e.carry_column;
    self->position += n;
    if (!done) return;
    memmove(self->staging, self->next ? self->next : self->staging + done * dim,
            ((size_t)e.end - done) * dim * sizeof(float));
    self->carried += done;
    self->turn = !self->turn;
}

sigrep_status cuda_kernel_sweep(void *kernel, const float *frames, size_t n,
                                const kernel_output *out)
{
    cuda_kernel *self = kernel;
    bool scores = out->scores;
    if (self->unset) return self->unset;
    if (scores && !self->templates[0].scores) return SIGREP_BAD_CONFIG;
    const cuda_extent e = cuda_extent_of(self, n);
    self->bad_seams = 0;
    self->answer = answer_of(self, e, out);
    cudaError_t error = cudaSetDevice(self->device);
    if (!error) error = copy_frames(self, frames, e);
    if (!error) error = cuda_evaluate(self, e, scores);
    if (!error) error = give_back(self, e, n, out);
    if (error) cudaStreamSynchronize(self->stream); /* so that no result arrives later */
    cuda_prefetch_done(self);
    if (!error) advance(self, e, n);
    return cuda_status(error);
}
