/* trap.cu - for dev/gpu/host: fails as a faulty kernel does, for good. */
#include <cuda_runtime_api.h>

static __global__ void trap()
{
    asm volatile("trap;");
}

extern "C" int gpu_trap(void);

/* The device of the calling thread is lost to this process after it; the error it gave. */
int gpu_trap(void)
{
    trap<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
