/*
 * gpu_papers.cu - see gpu_papers.h.
 *
 *     x and y ──> device memory ──> parts of y, a result each ──> least of the results
 *                                   (gpu_match.cuh)               (gpu_minimum.cuh)
 */
#include "papers/bench/gpu_papers.h"

#include <algorithm>
#include <cstring>

#include "papers/bench/gpu_match.cuh"
#include "papers/bench/gpu_minimum.cuh"

namespace
{

constexpr int LAUNCH_THREADS = 256, MOST_ROUNDS = 101, MOST_LOOPS = 10000;

/* One piece of the device's memory, from which arrays are taken. */
struct arena {
    char *begin = nullptr;
    size_t used = 0;

    static size_t room(size_t bytes)
    {
        return (bytes + 255) / 256 * 256;
    }
    template <typename T> T *take(size_t n)
    {
        T *taken = reinterpret_cast<T *>(begin + used);
        used += room(n * sizeof(T));
        return taken;
    }
    ~arena()
    {
        cudaFree(begin);
    }
};

const char *words_of(cudaError_t error)
{
    return error ? cudaGetErrorString(error) : nullptr;
}

/* No more memory than is free. */
const char *reserve(arena &a, int device, size_t bytes)
{
    size_t free = 0, all = 0;
    cudaError_t error;
    if ((error = cudaSetDevice(device)) || (error = cudaMemGetInfo(&free, &all)))
        return words_of(error);
    if (bytes > free) return "too little free memory on the GPU";
    return words_of(cudaMalloc(&a.begin, bytes));
}

struct stopwatch {
    cudaEvent_t begun = nullptr, ended = nullptr;

    cudaError_t create()
    {
        const cudaError_t error = cudaEventCreate(&begun);
        return error ? error : cudaEventCreate(&ended);
    }
    ~stopwatch()
    {
        if (begun) cudaEventDestroy(begun);
        if (ended) cudaEventDestroy(ended);
    }
};

/* Milliseconds of one of `loops` runs. */
template <typename Run>
cudaError_t time_runs(const stopwatch &w, const Run &run, int loops, float *ms)
{
    cudaError_t error = cudaEventRecord(w.begun);
    for (int i = 0; i < loops && !error; i++) error = run();
    if (error || (error = cudaEventRecord(w.ended)) || (error = cudaEventSynchronize(w.ended)) ||
        (error = cudaEventElapsedTime(ms, w.begun, w.ended)))
        return error;
    *ms /= (float)loops;
    return error;
}

/* Runs once for the result, which goes to *found, then the rounds. */
template <typename Run>
cudaError_t measure(const Run &run, const int *least, const gpu_papers_laps *laps, int *found,
                    double *median_ms)
{
    const int rounds = (int)std::min<size_t>(laps->rounds, MOST_ROUNDS);
    float once = 0, ms[MOST_ROUNDS] = {0};
    stopwatch w;
    cudaError_t error;
    if ((error = w.create()) || (error = time_runs(w, run, 1, &once)) ||
        (error = cudaMemcpy(found, least, sizeof *least, cudaMemcpyDeviceToHost)))
        return error;
    const double wanted = once > 0 ? 1e3 * laps->lap_s / once + 1 : MOST_LOOPS;
    const int loops = (int)std::min<double>(wanted, MOST_LOOPS);
    for (int i = 0; i < rounds && !error; i++) error = time_runs(w, run, loops, &ms[i]);
    std::sort(ms, ms + rounds);
    *median_ms = ms[rounds / 2];
    return error;
}

/* `marks`: most + 1 words. */
cudaError_t launch_minimum(gpu_papers_minimum by, const int *words, int n, int most, int *marks,
                           int *least)
{
    const size_t bytes = ((size_t)most + 1) * sizeof *marks;
    cudaError_t error = cudaSuccess;
    switch (by) {
    case GPU_MINIMUM_TREE: minimum_tree<<<1, MINIMUM_THREADS>>>(words, n, least); break;
    case GPU_MINIMUM_SHUFFLES: minimum_shuffles<<<1, MINIMUM_THREADS>>>(words, n, least); break;
    case GPU_MINIMUM_MARKS:
        if ((error = cudaMemsetAsync(marks, 0, bytes))) return error;
        mark<<<(n + LAUNCH_THREADS - 1) / LAUNCH_THREADS, LAUNCH_THREADS>>>(words, n, marks);
        first_mark<<<1, 1>>>(marks, least);
        break;
    default: minimum_one<<<1, 1>>>(words, n, least);
    }
    return cudaGetLastError();
}

/* How y is cut, and where all lies. */
struct plan {
    gpu_papers_algorithm algorithm;
    gpu_papers_minimum minimum;
    int m, n;
    const void *x, *y;        // in global memory
    int parts, shift, length; // part b begins at character b * shift
    size_t row;               // words of a row of the slid matrix, of all parts
    void *rows;
    int *results, *marks, *least;
};

plan cut(const gpu_papers_task *task)
{
    const int m = (int)task->m, n = (int)task->n, d = (int)task->blocks;
    plan p = {};
    p.algorithm = task->algorithm;
    p.minimum = task->minimum;
    p.m = m;
    p.n = n;
    p.parts = 1;
    p.length = n;
    if (p.algorithm == GPU_PAPERS_BLOCKS) {
        p.parts = d;
        p.shift = n > 2 * m ? (n - 2 * m + d - 1) / d : 1;
        p.length = p.shift + 2 * m;
    } else if (p.algorithm == GPU_PAPERS_SEGMENTS || p.algorithm == GPU_PAPERS_LAUNCHES) {
        p.parts = std::max(1, (n + m - 1) / m - 2);
        p.length = 3 * m;
    }
    const bool in_shared = p.algorithm == GPU_PAPERS_DIAGONALS || p.algorithm == GPU_PAPERS_BLOCKS;
    p.row = in_shared ? 0 : (size_t)p.parts * (size_t)m;
    return p;
}

const char *place(plan &p, const gpu_papers_task *task, arena &a)
{
    const size_t value = task->signals ? sizeof(float) : 1, word = sizeof(int);
    const size_t m = task->m, parts = (size_t)p.parts, of_x = m * value, of_y = task->n * value;
    const size_t bytes = arena::room(of_x) + arena::room(of_y) + arena::room(3 * p.row * word) +
                         arena::room(parts * word) + arena::room((m + 1) * word) +
                         arena::room(word);
    if (const char *wrong = reserve(a, task->device, bytes)) return wrong;
    char *x = a.take<char>(of_x), *y = a.take<char>(of_y);
    p.rows = a.take<int>(3 * p.row);
    p.results = a.take<int>(parts);
    p.marks = a.take<int>(m + 1);
    p.least = a.take<int>(1);
    p.x = x;
    p.y = y;
    cudaError_t error = cudaMemcpy(x, task->x, of_x, cudaMemcpyHostToDevice);
    if (!error) error = cudaMemcpy(y, task->y, of_y, cudaMemcpyHostToDevice);
    return words_of(error);
}

/* A launch a diagonal: its end is where all threads wait. */
template <typename Kind> cudaError_t launch_diagonals(const plan &p, const text<Kind> &s)
{
    auto *rows = static_cast<typename Kind::cell *>(p.rows);
    const long long threads = (long long)p.parts * p.m;
    const unsigned blocks = (unsigned)((threads + LAUNCH_THREADS - 1) / LAUNCH_THREADS);
    cudaError_t error = cudaSuccess;
    for (int k = 1; k < std::min(p.length, p.n) + p.m && !error; k++) {
        const diagonals<typename Kind::cell> d = {rows + (size_t)((k + 1) % 3) * p.row,
                                                  rows + (size_t)((k + 2) % 3) * p.row,
                                                  rows + (size_t)(k % 3) * p.row};
        launch_kernel<Kind><<<blocks, LAUNCH_THREADS>>>(s, p.parts, p.length, k, d, p.results);
        error = cudaGetLastError();
    }
    return error;
}

template <typename Kind> cudaError_t launch_match(const plan &p)
{
    using value = typename Kind::value;
    const text<Kind> s = {static_cast<const value *>(p.x), static_cast<const value *>(p.y), p.m,
                          p.n};
    auto *rows = static_cast<typename Kind::cell *>(p.rows);
    const int threads = (p.m + WARP - 1) / WARP * WARP;
    const size_t shared = 3 * sizeof(int) * (size_t)(p.m + 1) + 2 * sizeof(value) * (size_t)threads;
    cudaError_t error = cudaSuccess;
    switch (p.algorithm) {
    case GPU_PAPERS_SLID:
    case GPU_PAPERS_SEGMENTS:
        slid_kernel<Kind><<<p.parts, threads>>>(s, p.length, rows, p.results);
        break;
    case GPU_PAPERS_LAUNCHES: error = launch_diagonals(p, s); break;
    default: blocks_kernel<Kind><<<p.parts, threads, shared>>>(s, p.shift, p.length, p.results);
    }
    if (!error) error = cudaGetLastError();
    return error ? error : launch_minimum(p.minimum, p.results, p.parts, p.m, p.marks, p.least);
}

} // namespace

extern "C" const char *gpu_papers_match(const gpu_papers_task *task, const gpu_papers_laps *laps,
                                        gpu_papers_outcome *to)
{
    arena a;
    plan p = cut(task);
    int bits = 0;
    if (const char *wrong = place(p, task, a)) return wrong;
    const auto run = [&] {
        return task->signals ? launch_match<samples>(p) : launch_match<letters>(p);
    };
    const cudaError_t error = measure(run, p.least, laps, &bits, &to->ms);
    float cost;
    std::memcpy(&cost, &bits, sizeof cost);
    to->least = task->signals ? (double)cost : bits;
    return words_of(error);
}

extern "C" const char *gpu_papers_least(const gpu_minimum_task *task, const gpu_papers_laps *laps,
                                        gpu_papers_outcome *to)
{
    const size_t word = sizeof(int), n = task->n, most = (size_t)task->most;
    arena a;
    const size_t bytes = arena::room(n * word) + arena::room((most + 1) * word) + arena::room(word);
    if (const char *wrong = reserve(a, task->device, bytes)) return wrong;
    int *words = a.take<int>(n), *marks = a.take<int>(most + 1), *least = a.take<int>(1);
    if (cudaError_t error = cudaMemcpy(words, task->values, n * word, cudaMemcpyHostToDevice))
        return words_of(error);
    const auto run = [&] {
        return launch_minimum(task->minimum, words, (int)n, task->most, marks, least);
    };
    int found = 0;
    const cudaError_t error = measure(run, least, laps, &found, &to->ms);
    to->least = found;
    return words_of(error);
}
