/* fake_cuda.c - see fake_cuda.h. */
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/fake_cuda_inside.h"

fake_cuda_machine fake_cuda;
static _Thread_local int current;
static _Thread_local cudaError_t last;

typedef struct {
    int device;
} fake_stream;

void fake_cuda_begin(void)
{
    fake_kernels_are_linked();
    const int allocated = fake_cuda.allocated;
    memset(&fake_cuda, 0, sizeof fake_cuda);
    fake_cuda.allocated = allocated;
    fake_cuda.devices = 1;
    fake_cuda.free_bytes = (size_t)1 << 30;
    fake_cuda.times = 1;
    last = cudaSuccess;
}

/* For a program of which no test is part: FAKE_CUDA is the number of GPUs, then perhaps what
 * fails, after how many of them: "2 launch 30"; or that they are instant: "1 instant". */
__attribute__((constructor)) static void begin_by_environment(void)
{
    static char name[64];
    const char *words = getenv("FAKE_CUDA");
    fake_cuda_begin();
    if (!words) return;
    const int n = sscanf(words, "%d %63s %d", &fake_cuda.devices, name, &fake_cuda.after);
    fake_cuda.instant = n == 2 && !strcmp(name, "instant");
    if (n < 3) return;
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

cudaError_t fake_cuda_enter(const char *name, cudaStream_t stream)
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

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *to, int device)
{
    *to = (struct cudaDeviceProp){.name = "a GPU that is made up",
                                  .multiProcessorCount = 4,
                                  .major = 9,
                                  .totalGlobalMem = (size_t)1 << 40};
    return device < fake_cuda.devices ? enter("cudaGetDeviceProperties") : cudaErrorInvalidDevice;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13020;
    return enter("cudaDriverGetVersion");
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return enter("cudaRuntimeGetVersion");
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
    return fake_cuda_enter("cudaStreamSynchronize", stream);
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
    return fake_cuda_enter("cudaEventRecord", stream);
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
    const cudaError_t error = fake_cuda_enter("cudaMemcpyAsync", stream);
    if (fake_cuda.instant && kind == cudaMemcpyHostToDevice) return error;
    if (!error && bytes) memmove(to, from, bytes);
    return error;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)kind;
    const cudaError_t error = fake_cuda_enter("cudaMemcpyAsync", stream);
    for (size_t i = 0; i < height && !error; i++)
        memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
    return error;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("cudaMemsetAsync", stream);
    if (!error) memset(to, value, bytes);
    return error;
}

#else

fake_cuda_machine fake_cuda;

void fake_cuda_begin(void)
{
}

#endif
