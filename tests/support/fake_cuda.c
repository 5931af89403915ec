/* fake_cuda.c - see fake_cuda.h. */
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/fake_cuda_inside.h"

fake_cuda_machine fake_cuda;
unsigned fake_cuda_usually_late;
static _Thread_local int current;
static _Thread_local cudaError_t last;

void fake_cuda_begin(void)
{
    fake_kernels_are_linked();
    const int allocated = fake_cuda.allocated;
    memset(&fake_cuda, 0, sizeof fake_cuda);
    fake_cuda.allocated = allocated;
    fake_cuda.devices = 1;
    fake_cuda.free_bytes = (size_t)1 << 30;
    fake_cuda.times = 1;
    fake_cuda.late = fake_cuda_usually_late;
    last = cudaSuccess;
}

void fake_cuda_begin_as(unsigned late, int devices)
{
    fake_cuda_begin();
    fake_cuda.late = late;
    fake_cuda.devices = devices;
}

/* For a whole program. FAKE_CUDA is the number of GPUs. A function may follow that fails, and the
 * number of its calls before: "2 launch 30". Or how the GPUs are: "1 instant", "1 late". */
__attribute__((constructor)) static void begin_by_environment(void)
{
    static char name[64];
    const char *words = getenv("FAKE_CUDA");
    fake_cuda_begin();
    if (!words) return;
    const int n = sscanf(words, "%d %63s %d", &fake_cuda.devices, name, &fake_cuda.after);
    fake_cuda.instant = n == 2 && !strcmp(name, "instant");
    fake_cuda.late = n == 2 && !strcmp(name, "late");
    if (n < 3) return;
    fake_cuda.fails = name;
    fake_cuda.error =
        strcmp(name, "cudaMalloc") ? cudaErrorLaunchFailure : cudaErrorMemoryAllocation;
    fake_cuda.lost = true;
}

/* Does this call fail? */
cudaError_t fake_cuda_call(const char *name)
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
    if (stream && fake_stream_device(stream) != current) fake_cuda.misplaced++;
    return fake_cuda_call(name);
}

cudaError_t fake_cuda_launch(cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("launch", stream), before = cudaGetLastError();
    return error ? error : before;
}

cudaError_t fake_cuda_not_ready(void)
{
    return last = cudaErrorNotReady;
}

int fake_cuda_device(void)
{
    return current;
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
    return fake_cuda_call("cudaGetDeviceCount");
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= fake_cuda.devices) return last = cudaErrorInvalidDevice;
    current = device;
    return fake_cuda_call("cudaSetDevice");
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    *value = attribute == cudaDevAttrMultiProcessorCount ? 4 : 9;
    return device < fake_cuda.devices ? fake_cuda_call("cudaDeviceGetAttribute")
                                      : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *to, int device)
{
    *to = (struct cudaDeviceProp){.name = "a GPU that is made up",
                                  .multiProcessorCount = 4,
                                  .major = 9,
                                  .totalGlobalMem = (size_t)1 << 40};
    return device < fake_cuda.devices ? fake_cuda_call("cudaGetDeviceProperties")
                                      : cudaErrorInvalidDevice;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13020;
    return fake_cuda_call("cudaDriverGetVersion");
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return fake_cuda_call("cudaRuntimeGetVersion");
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
    *free_bytes = fake_cuda.free_bytes;
    *all = (size_t)1 << 40;
    return fake_cuda_call("cudaMemGetInfo");
}

cudaError_t fake_cuda_allocate(void **to, size_t bytes, const char *name)
{
    const cudaError_t error = fake_cuda_call(name);
    if (error) return error;
    *to = malloc(bytes ? bytes : 1);
    if (!*to) return last = cudaErrorMemoryAllocation;
    memset(*to, 0xff, bytes);
    fake_cuda.allocated++;
    return cudaSuccess;
}

cudaError_t fake_cuda_release(void *p)
{
    if (p) fake_cuda.allocated--;
    free(p);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **to, size_t bytes)
{
    if (bytes > fake_cuda.largest) fake_cuda.largest = bytes;
    if (bytes > fake_cuda.free_bytes) return last = cudaErrorMemoryAllocation;
    return fake_cuda_allocate(to, bytes, "cudaMalloc");
}

cudaError_t cudaMallocHost(void **to, size_t bytes)
{
    const cudaError_t error = fake_cuda_allocate(to, bytes, "cudaMallocHost");
    if (!error) fake_memory_pin(*to, bytes);
    return error;
}

cudaError_t cudaFree(void *p)
{
    fake_streams_finish();
    return fake_cuda_release(p);
}

cudaError_t cudaFreeHost(void *p)
{
    fake_streams_finish();
    if (p) fake_memory_unpin(p);
    return fake_cuda_release(p);
}

/* As in the real runtime, pinned memory cannot be pinned again. */
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    const cudaError_t error = fake_cuda_call("cudaHostRegister");
    if (error) return error;
    if (!fake_memory_pin(memory, bytes)) return last = cudaErrorHostMemoryAlreadyRegistered;
    fake_cuda.allocated++;
    return cudaSuccess;
}

/* Host and device have the same address. */
cudaError_t cudaHostGetDevicePointer(void **there, void *memory, unsigned flags)
{
    (void)flags;
    const cudaError_t error = fake_cuda_call("cudaHostGetDevicePointer");
    if (error) return error;
    *there = memory;
    return fake_memory_is_pinned(memory) ? cudaSuccess : (last = cudaErrorInvalidValue);
}

cudaError_t cudaHostUnregister(void *memory)
{
    if (!fake_memory_unpin(memory)) return last = cudaErrorHostMemoryNotRegistered;
    fake_cuda.allocated--;
    return cudaSuccess;
}

#else

fake_cuda_machine fake_cuda;
unsigned fake_cuda_usually_late;

void fake_cuda_begin(void)
{
}

#endif
