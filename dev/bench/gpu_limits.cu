/*
 * gpu_limits.cu - see gpu_limits.h. The ceiling computes cells without memory: three instructions
 * a cell, the state in registers, the template among the kernel's arguments.
 */
#include "dev/bench/gpu_limits.h"

#include "kernels/cuda/device/recurrence.cuh"

namespace
{

constexpr int R = 56 /* as uniform registers hold */, W = 8, THREADS = 128, STEPS = 4000;

struct values {
    float x[R];
};

__global__ void __launch_bounds__(THREADS, 2)
    cells(const __grid_constant__ values x, float *out, int steps, float ahead)
{
    float d[R], y[W];
#pragma unroll
    for (int r = 0; r < R; r++) d[r] = INFINITE;
#pragma unroll
    for (int w = 0; w < W; w++) y[w] = (float)(threadIdx.x * W + w);
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
#pragma unroll
        for (int w = 0; w < W; w++) {
            float above = 0, corner = 0;
#pragma unroll
            for (int r = 0; r < R; r++) {
                const float left = d[r];
                d[r] = fabsf(x.x[r] - y[w]) + least3(above, left, corner);
                corner = left;
                above = d[r];
            }
            y[w] += ahead;
        }
    }
    float sum = 0;
#pragma unroll
    for (int r = 0; r < R; r++) sum += d[r];
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Milliseconds of what is launched, the least of five times; the first warms up. 0: never timed. */
template <typename Launch> float least_ms(Launch launch)
{
    float least = 0;
    cudaEvent_t begun, ended;
    cudaEventCreate(&begun);
    cudaEventCreate(&ended);
    for (int i = 0; i < 5; i++) {
        float ms = 0;
        cudaEventRecord(begun);
        launch();
        cudaEventRecord(ended);
        cudaEventSynchronize(ended);
        cudaEventElapsedTime(&ms, begun, ended);
        if (i && (least == 0 || ms < least)) least = ms;
    }
    cudaEventDestroy(begun);
    cudaEventDestroy(ended);
    return least;
}

} // namespace

extern "C" double gpu_ceiling(int device)
{
    int multiprocessors = 0;
    float *out = nullptr;
    values x;
    for (int r = 0; r < R; r++) x.x[r] = (float)(r * 7 % 5);
    if (cudaSetDevice(device)) return 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    const int blocks = 2 * multiprocessors;
    if (cudaMalloc(&out, sizeof(float) * blocks * THREADS)) return 0;
    const float best_ms = least_ms([&] { cells<<<blocks, THREADS>>>(x, out, STEPS, 0.01f); });
    cudaFree(out);
    if (cudaGetLastError() || best_ms == 0) return 0;
    return 1e3 * R * W * (double)STEPS * THREADS * blocks / best_ms;
}

extern "C" double gpu_copy_rate(int device)
{
    const size_t bytes = (size_t)256 << 20;
    void *here = nullptr, *there = nullptr;
    if (cudaSetDevice(device) || cudaMallocHost(&here, bytes)) return 0;
    if (cudaMalloc(&there, bytes)) {
        cudaFreeHost(here);
        return 0;
    }
    const float best_ms =
        least_ms([&] { cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice); });
    cudaFree(there);
    cudaFreeHost(here);
    if (cudaGetLastError() || best_ms == 0) return 0;
    return 1e3 * (double)bytes / best_ms;
}
