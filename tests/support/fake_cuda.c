/* fake_cuda.c - see fake_cuda.h. */
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/launch.h"

fake_cuda_machine fake_cuda;
static _Thread_local int current;
static _Thread_local cudaError_t last;

typedef struct {
    int device;
} fake_stream;

void fake_cuda_begin(void)
{
    const int allocated = fake_cuda.allocated;
    memset(&fake_cuda, 0, sizeof fake_cuda);
    fake_cuda.allocated = allocated;
    fake_cuda.devices = 1;
    fake_cuda.free_bytes = (size_t)1 << 30;
    fake_cuda.times = 1;
    last = cudaSuccess;
}

/* For a program of which no test is part: FAKE_CUDA is the number of GPUs, then perhaps what
 * fails, after how many of them: "2 launch 30". */
__attribute__((constructor)) static void begin_by_environment(void)
{
    static char name[64];
    const char *words = getenv("FAKE_CUDA");
    fake_cuda_begin();
    if (!words || sscanf(words, "%d %63s %d", &fake_cuda.devices, name, &fake_cuda.after) < 3)
        return;
    fake_cuda.fails = name;
    fake_cuda.error =
        strcmp(name, "cudaMalloc") ? cudaErrorLaunchFailure : cudaErrorMemoryAllocation;
    fake_cuda.lost = true;
}

/* Does this call fail? */
static cudaError_t enter(const char *name)
{
    const fake_cuda_machine *f = &fake_cuda;
    fake_cuda.calls++;
    cudaError_t error = cudaSuccess;
    if (f->lost && f->failed) error = (cudaError_t)f->error;
    if (f->error && (!f->fails || !strcmp(f->fails, name))) {
        const int at = fake_cuda.named++;
        if (at >= f->after && at - f->after < f->times) error = (cudaError_t)f->error;
    }
    if (!error) return error;
    fake_cuda.failed++;
    return last = error;
}

static cudaError_t enter_stream(const char *name, cudaStream_t stream)
{
    const fake_stream *s = (const void *)stream;
    if (s && s->device != current) fake_cuda.misplaced++;
    return enter(name);
}

/* ---- the runtime ---- */

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "a fake error";
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = fake_cuda.devices;
    if (fake_cuda.no_driver) return last = cudaErrorInsufficientDriver;
    if (!fake_cuda.devices) return last = cudaErrorNoDevice;
    return enter("cudaGetDeviceCount");
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= fake_cuda.devices) return last = cudaErrorInvalidDevice;
    current = device;
    return enter("cudaSetDevice");
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    *value = attribute == cudaDevAttrMultiProcessorCount ? 4 : 9;
    return device < fake_cuda.devices ? enter("cudaDeviceGetAttribute") : cudaErrorInvalidDevice;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    *free_bytes = fake_cuda.free_bytes;
    *all = (size_t)1 << 40;
    return enter("cudaMemGetInfo");
}

/* What nobody wrote is no number. */
static cudaError_t allocate(void **to, size_t bytes, const char *name)
{
    const cudaError_t error = enter(name);
    if (error) return error;
    *to = malloc(bytes ? bytes : 1);
    if (!*to) return last = cudaErrorMemoryAllocation;
    memset(*to, 0xff, bytes);
    fake_cuda.allocated++;
    return cudaSuccess;
}

static cudaError_t release(void *p)
{
    if (p) fake_cuda.allocated--;
    free(p);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **to, size_t bytes)
{
    if (bytes > fake_cuda.largest) fake_cuda.largest = bytes;
    if (bytes > fake_cuda.free_bytes) return last = cudaErrorMemoryAllocation;
    return allocate(to, bytes, "cudaMalloc");
}

cudaError_t cudaMallocHost(void **to, size_t bytes)
{
    return allocate(to, bytes, "cudaMallocHost");
}

cudaError_t cudaFree(void *p)
{
    return release(p);
}

cudaError_t cudaFreeHost(void *p)
{
    return release(p);
}

/* Once at a time, as the real one. */
static void *_Atomic registered;

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    (void)bytes, (void)flags;
    const cudaError_t error = enter("cudaHostRegister");
    if (error) return error;
    void *none = NULL;
    if (!atomic_compare_exchange_strong(&registered, &none, memory))
        return last = cudaErrorHostMemoryAlreadyRegistered;
    fake_cuda.allocated++;
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    if (registered != memory) return last = cudaErrorHostMemoryNotRegistered;
    registered = NULL;
    fake_cuda.allocated--;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    const cudaError_t error = allocate((void **)stream, sizeof(fake_stream), "cudaStreamCreate");
    if (!error) ((fake_stream *)(void *)*stream)->device = current;
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return release(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return enter_stream("cudaStreamSynchronize", stream);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return allocate((void **)event, 1, "cudaEventCreate");
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return release(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)event;
    return enter_stream("cudaEventRecord", stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return enter("cudaEventSynchronize");
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    (void)from, (void)to;
    *ms = 1;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)kind;
    const cudaError_t error = enter_stream("cudaMemcpyAsync", stream);
    if (!error && bytes) memmove(to, from, bytes);
    return error;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)kind;
    const cudaError_t error = enter_stream("cudaMemcpyAsync", stream);
    for (size_t i = 0; i < height && !error; i++)
        memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
    return error;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    const cudaError_t error = enter_stream("cudaMemsetAsync", stream);
    if (!error) memset(to, value, bytes);
    return error;
}

/* ---- the kernels, as launch.h says ---- */

/* Of the state before column c. */
static void keep(const cuda_sweep *it, int c, const float *d)
{
    const size_t bytes = (size_t)it->rows * sizeof *d;
    if (c == it->carry_column && c > 0) memcpy(it->carry_out, d, bytes);
    const uint64_t columns = (uint64_t)it->kept_phase + (uint64_t)c;
    if (c > it->end || columns % ((uint64_t)1 << it->kept_shift)) return;
    const uint64_t spacing = it->kept_first + (columns >> it->kept_shift);
    memcpy(it->kept + spacing % (uint64_t)it->kept_slots * (uint64_t)it->kept_rows, d, bytes);
}

static float cost(const cuda_launch *launch, const cuda_sweep *it, const float *x, int i, int c)
{
    if (it->dim == 1) return fabsf(x[i] - launch->y[c]);
    float sum = 0;
    for (int k = 0; k < it->dim; k++)
        sum += fabsf(x[k * cuda_frames_rows(it->rows) + i] -
                     launch->y[(size_t)k * (size_t)launch->y_stride + (size_t)c]);
    return sum;
}

static void one_column(const cuda_launch *launch, const cuda_sweep *it, const float *x, int c,
                       float *d)
{
    float diag = it->top ? it->top[c - 1] : 0, up = it->top ? it->top[c] : 0;
    for (int i = 0; i < it->rows; i++) {
        const float left = d[i];
        d[i] = up = fminf(fminf(diag, left), up) + cost(launch, it, x, i, c);
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

static void segment(const cuda_launch *launch, const cuda_sweep *it, const float *x, int k)
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
        one_column(launch, it, x, c, d);
        if (c < start) continue;
        give(it, c, d[it->rows - 1]);
        keep(it, c + 1, d);
    }
    if (k + 1 < it->segments) memcpy(it->after + (size_t)k * (size_t)it->rows, d, bytes);
    free(d);
}

static cudaError_t sweep(const cuda_launch *launch, bool x_is_here)
{
    const cudaError_t error = enter_stream("launch", launch->stream);
    for (int i = 0; i < launch->n_items && !error && !launch->seams; i++)
        for (int k = 0; k < launch->items[i].segments; k++)
            segment(launch, &launch->items[i], x_is_here ? launch->x : launch->items[i].x, k);
    for (int s = 0; s < launch->n_seams && !error && launch->seams; s++) {
        const cuda_sweep *it = &launch->items[launch->seams[s].item];
        segment(launch, it, x_is_here ? launch->x : it->x, launch->seams[s].segment);
        fake_cuda.mended++;
    }
    return error;
}

int cuda_handover_held(int i)
{
    static const int held[] = {32, 16, 8, 4, 0};
    return held[i];
}

int cuda_handover_lanes(int rows, int held)
{
    const int lanes = (rows + held - 1) / held;
    return lanes <= 256 && rows / lanes >= held - 3 ? lanes : 0;
}

cudaError_t cuda_handover(const cuda_launch *launch, int held)
{
    return held > 0 ? sweep(launch, false) : cudaErrorInvalidValue;
}

cudaError_t cuda_band(const cuda_launch *launch)
{
    return launch->host[0].rows <= CUDA_BAND_ROWS ? sweep(launch, true) : cudaErrorInvalidValue;
}

int cuda_frames_lanes(int rows)
{
    return rows <= 256 * 8 ? (rows + 7) / 8 : 0;
}

int cuda_frames_rows(int rows)
{
    return (rows + 7) / 8 * 8;
}

int cuda_frames_place(int rows, int i)
{
    (void)rows;
    return i;
}

cudaError_t cuda_frames(const cuda_launch *launch)
{
    return sweep(launch, false);
}

cudaError_t cuda_transpose(float *to, int stride, const float *from, int n, int dim,
                           cudaStream_t stream)
{
    for (int t = 0; t < n; t++)
        for (int k = 0; k < dim; k++)
            to[(size_t)k * (size_t)stride + (size_t)t] = from[(size_t)t * (size_t)dim + (size_t)k];
    return enter_stream("launch", stream);
}

cudaError_t cuda_fill_infinite(float *to, size_t n, cudaStream_t stream)
{
    const cudaError_t error = enter_stream("launch", stream);
    for (size_t i = 0; i < n && !error; i++) to[i] = INFINITY;
    return error;
}

cudaError_t cuda_seams_check(const cuda_launch *launch, cuda_seam *bad, int *n_bad, int *marks)
{
    const cudaError_t error = enter_stream("launch", launch->stream);
    for (int i = 0; i < launch->n_items && !error; i++) {
        const cuda_sweep *it = &launch->items[i];
        const size_t rows = (size_t)it->rows;
        for (int k = 1; k < it->segments; k++) {
            if (!memcmp(it->before + (size_t)k * rows, it->after + (size_t)(k - 1) * rows,
                        rows * sizeof(float)))
                continue;
            if (marks[k]++) continue;
            bad[(*n_bad)++] = (cuda_seam){i, k};
        }
        marks += it->segments;
    }
    return error;
}

cudaError_t cuda_seams_mend(const cuda_launch *launch)
{
    const cudaError_t error = enter_stream("launch", launch->stream);
    for (int s = 0; s < launch->n_seams && !error; s++) {
        const cuda_sweep *it = &launch->items[launch->seams[s].item];
        const size_t rows = (size_t)it->rows, k = (size_t)launch->seams[s].segment;
        memcpy(it->before + k * rows, it->after + (k - 1) * rows, rows * sizeof(float));
    }
    return error;
}

#else

fake_cuda_machine fake_cuda;

void fake_cuda_begin(void)
{
}

#endif
