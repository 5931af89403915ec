/*
 * gpu_minimum.cuh - the least of n words. A block's threads first read their shares, n / p words:
 *
 *     tree       thread i < half takes the word of thread i + half:   5 3 7 2 ─> 5 2 ─> 2
 *     shuffles   the same within a warp, in registers; a word of each warp goes through memory
 *     one        one thread reads all
 *     marks      words up to `most` each mark one of most + 1; one thread finds the first mark
 */
#ifndef PAPERS_BENCH_GPU_MINIMUM_CUH
#define PAPERS_BENCH_GPU_MINIMUM_CUH

namespace
{

constexpr int MINIMUM_THREADS = 1024, WARP = 32;

__global__ void minimum_one(const int *words, int n, int *least)
{
    int low = words[0];
    for (int i = 1; i < n; i++) low = min(low, words[i]);
    *least = low;
}

// Words t, t + p, t + 2p, ... of thread t: contiguous access, Lemma 3.1.
__device__ __forceinline__ int read_share(const int *words, int n)
{
    int low = words[min((int)threadIdx.x, n - 1)];
    for (int i = (int)threadIdx.x; i < n; i += MINIMUM_THREADS) low = min(low, words[i]);
    return low;
}

__global__ void minimum_tree(const int *words, int n, int *least)
{
    __shared__ int lows[MINIMUM_THREADS];
    const int t = (int)threadIdx.x;
    lows[t] = read_share(words, n);
    for (int half = MINIMUM_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) lows[t] = min(lows[t], lows[t + half]);
    }
    if (t == 0) *least = lows[0];
}

__device__ __forceinline__ int shuffle(int low)
{
    for (int half = WARP / 2; half > 0; half /= 2) low = min(low, __shfl_down_sync(~0u, low, half));
    return low;
}

// 32 warps leave one number each: a warp's worth.
__global__ void minimum_shuffles(const int *words, int n, int *least)
{
    __shared__ int lows[WARP];
    const int t = (int)threadIdx.x, low = shuffle(read_share(words, n));
    if (t % WARP == 0) lows[t / WARP] = low;
    __syncthreads();
    if (t >= WARP) return;
    const int last = shuffle(lows[t]);
    if (t == 0) *least = last;
}

static_assert(MINIMUM_THREADS == WARP * WARP, "two rounds of shuffles");

__global__ void mark(const int *words, int n, int *marks)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) marks[words[i]] = 1;
}

__global__ void first_mark(const int *marks, int *least)
{
    int low = 0;
    while (!marks[low]) low++;
    *least = low;
}

} // namespace

#endif
