/*
 * host.c - the host's side of the GPU: copies, live chunks, and real failures.
 * dev/gpu/session runs it on a machine that has GPUs.
 *
 *     host file FILE N      write N floats of noise (f32), for the program
 *     host template FILE M  likewise, other noise
 *     host read FILE        read it as the program does, and nothing else
 *     host copy             bytes a second to the device, from pinned and plain memory
 *     host live             push to match in microseconds, for chunks of a stream
 *     host limit M          what bus and kernel need for 2^28 samples, template of M
 *     host push             2^28 samples from memory to matches
 *     host fail             a trap, and a GPU that is full, under "auto" and "cuda"
 */
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dev/bench/gpu_timing.h"
#include "filter/ascending.h"
#include "kernels/cuda/host/cuda.h"
#include "sigrep.h"

int gpu_trap(void);

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *p)
{
    if (!p) abort();
    return p;
}

/* Uniform in [0, 1). */
static float *make_noise(size_t n, uint64_t seed)
{
    float *v = need(malloc(n * sizeof *v));
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's LCG */
        v[i] = (float)(seed >> 40) * 0x1p-24f;
    }
    return v;
}

static int write_noise(const char *path, size_t n, uint64_t seed)
{
    float *v = make_noise(n, seed);
    FILE *out = need(fopen(path, "wb"));
    size_t written = fwrite(v, sizeof *v, n, out);
    free(v);
    return fclose(out) || written != n;
}

static int read_file(const char *path)
{
    enum { PIECE = 1 << 19 };
    char *piece = need(malloc(PIECE));
    double begun = now_s(), all = 0;
    int fd = open(path, O_RDONLY);
    for (ssize_t n; (n = read(fd, piece, PIECE)) > 0;) all += (double)n;
    double took = now_s() - begun;
    printf("read(2) in pieces of 512 KiB: %.1f GB/s, %.3f s\n", all / took * 1e-9, took);
    close(fd);
    free(piece);
    return 0;
}

static void copy_rate(const char *what, void *from, void *to, size_t bytes)
{
    cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    double begun = now_s();
    for (int i = 0; i < 4; i++) cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    printf("%s: %.1f GB/s\n", what, 4 * (double)bytes / (now_s() - begun) * 1e-9);
}

static int copies(void)
{
    const size_t bytes = (size_t)256 << 20;
    void *pinned, *device, *plain = need(malloc(bytes)), *other = need(malloc(bytes));
    if (cudaMallocHost(&pinned, bytes) || cudaMalloc(&device, bytes)) return 1;
    memset(plain, 1, bytes);
    memset(pinned, 1, bytes);
    memset(other, 1, bytes);
    copy_rate("pinned memory to device", pinned, device, bytes);
    copy_rate("plain memory to device", plain, device, bytes);
    double begun = now_s();
    for (int i = 0; i < 4; i++) memcpy(i % 2 ? other : pinned, plain, bytes);
    printf("memcpy: %.1f GB/s\n", 4 * (double)bytes / (now_s() - begun) * 1e-9);
    cudaFreeHost(pinned);
    cudaFree(device);
    free(plain);
    free(other);
    return 0;
}

/* ---- what 2^28 samples take at least ---- */

enum { HELD = 1 << 26 }; /* floats of noise, swept four times */

/* The sweeps, on the device alone, in steps of so many frames. < 0: the kernel fails. */
static double sweeps_s(size_t m, size_t frames, const float *y)
{
    float *x = make_noise(m, 2);
    const kernel_template template = {.frames = x, .length = m, .eps = INFINITY, .history = 2 * m};
    const kernel_plan plan = {
        .templates = &template, .n_templates = 1, .dim = 1, .max_chunk = frames};
    kernel_output out = {.minima_stride = kernel_max_blocks(frames)};
    out.minima = need(calloc(out.minima_stride, sizeof *out.minima));
    void *kernel = NULL;
    double took = 0;
    sigrep_status status = kernel_cuda.create(&kernel, &plan);
    for (size_t at = 0; at < 5 * (size_t)HELD && !status; at += frames) {
        status = kernel_cuda.sweep(kernel, y + at % HELD, frames, &out);
        const double one_s = status ? 0 : gpu_sweeps_s(kernel, frames, 1);
        if (one_s < 0) status = SIGREP_DEVICE_FAILED;
        if (at >= HELD) took += one_s; /* the first warm up */
    }
    if (kernel) kernel_cuda.destroy(kernel);
    free(out.minima);
    free(x);
    return status ? -1 : took;
}

static double copies_s(const float *y)
{
    void *pinned, *device;
    const size_t bytes = HELD * sizeof *y;
    if (cudaMallocHost(&pinned, bytes) || cudaMalloc(&device, bytes)) return -1;
    memcpy(pinned, y, bytes);
    cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice);
    const double begun = now_s();
    for (int i = 0; i < 4; i++) cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice);
    const double took = now_s() - begun;
    cudaFreeHost(pinned);
    cudaFree(device);
    return took;
}

/* The first number is the limit. */
static int limit(size_t m)
{
    float *y = make_noise(HELD, 1);
    const kernel_template template = {.length = m, .history = 2 * m};
    const size_t chunk =
        kernel_cuda.best_chunk(&(kernel_plan){.templates = &template, .n_templates = 1, .dim = 1});
    const double copied = copies_s(y), swept = sweeps_s(m, HELD, y), cut = sweeps_s(m, chunk, y);
    printf("%.4f s: copies %.4f s, sweeps of 2^26 frames %.4f s (of %zu: %.4f s)\n",
           fmax(copied, swept), copied, swept, chunk, cut);
    free(y);
    return copied < 0 || swept < 0 || cut < 0;
}

/* ---- searchers ---- */

static int count_match(void *user, const sigrep_match *match)
{
    uint64_t *sum = user;
    *sum = *sum * 31 + match->start + match->end * 7;
    return 0;
}

static sigrep *new_search(const char *device, size_t m, double threshold, uint64_t *sum)
{
    float *x = make_noise(m, 2);
    sigrep_template t = {
        .size = sizeof(sigrep_template), .samples = x, .length = m, .threshold = threshold};
    sigrep_config config;
    sigrep_error error;
    sigrep *search = NULL;
    sigrep_config_init(&config, sizeof config);
    config.templates = &t;
    config.n_templates = 1;
    config.device = device;
    config.on_match = count_match;
    config.user = sum;
    sigrep_status status = sigrep_create(&search, &config, &error);
    if (status || error.text[0]) printf("create: %d, \"%s\"\n", (int)status, error.text);
    free(x);
    return search;
}

static int live(void)
{
    enum { TURNS = 400 };
    double took[TURNS];
    float *y = make_noise((size_t)TURNS << 16, 3);
    uint64_t sum = 0;
    sigrep *search = new_search("cuda", 1024, 0.01, &sum);
    if (!search) return 1;
    printf("| chunk | p50, us | p99, us | most, us |\n|---|---|---|---|\n");
    for (size_t n = 256; n <= 65536; n *= 4) {
        for (size_t i = 0; i < TURNS; i++) {
            double begun = now_s();
            if (sigrep_push(search, y + i * n, n)) return 1;
            took[i] = now_s() - begun;
        }
        qsort(took, TURNS, sizeof *took, ascending);
        printf("| %zu | %.0f | %.0f | %.0f |\n", n, took[TURNS / 2] * 1e6,
               took[TURNS * 99 / 100] * 1e6, took[TURNS - 1] * 1e6);
    }
    sigrep_destroy(search);
    free(y);
    return 0;
}

static int push_all(void)
{
    const size_t n = (size_t)1 << 28, piece = 1 << 17;
    float *y = make_noise(n, 1);
    for (size_t m = 1024; m <= 8192; m *= 8) {
        uint64_t sum = 0;
        double begun = now_s();
        sigrep *search = new_search("cuda", m, 0.01, &sum);
        double made = now_s();
        for (size_t at = 0; at < n && search; at += piece) sigrep_feed(search, y + at, piece);
        if (search) sigrep_finish(search);
        double done = now_s();
        sigrep_destroy(search);
        printf("m = %zu: create %.3f s, 2^28 samples %.3f s, destroy %.3f s\n", m, made - begun,
               done - made, now_s() - done);
        fflush(stdout);
    }
    free(y);
    return 0;
}

/* ---- failures ---- */

/* Half of the stream, a trap, and the rest. */
static void with_trap(const char *device, const float *y, size_t n, uint64_t expected)
{
    uint64_t sum = 0;
    sigrep *search = new_search(device, 100, 0.2, &sum);
    sigrep_status first = sigrep_feed(search, y, n / 2);
    int trap = gpu_trap();
    sigrep_status second = sigrep_feed(search, y + n / 2, n - n / 2);
    sigrep_status end = sigrep_finish(search);
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(search, &stats);
    printf("%s, trap (error %d): \"%s\", \"%s\", \"%s\"; kernel %s, remark \"%s\", matches %s\n",
           device, trap, sigrep_status_text(first), sigrep_status_text(second),
           sigrep_status_text(end), stats.kernel, stats.remark ? stats.remark : "",
           sum == expected ? "the same" : "others");
    sigrep_destroy(search);
}

/* All but some memory is taken. */
static void with_little_memory(const char *device, size_t left, const float *y, size_t n,
                               uint64_t expected)
{
    size_t free_bytes, all;
    void *taken = NULL;
    uint64_t sum = 0;
    if (cudaMemGetInfo(&free_bytes, &all) || free_bytes < left) return;
    cudaError_t error = cudaMalloc(&taken, free_bytes - left);
    sigrep *search = new_search(device, 100, 0.2, &sum);
    if (search) {
        sigrep_feed(search, y, n);
        sigrep_finish(search);
        sigrep_stats stats = {.size = sizeof stats};
        sigrep_get_stats(search, &stats);
        printf("%s, %zu MiB left (%d): kernel %s, push size %zu, remark \"%s\", matches %s\n",
               device, left >> 20, (int)error, stats.kernel, sigrep_push_size(search),
               stats.remark ? stats.remark : "", sum == expected ? "the same" : "others");
    }
    sigrep_destroy(search);
    cudaFree(taken);
}

static int failures(const char *how)
{
    const size_t n = 3000000;
    float *y = make_noise(n, 1), *x = make_noise(100, 2);
    uint64_t sum = 0;
    for (size_t at = 1000; at + 100 < n; at += 5000) memcpy(y + at, x, 100 * sizeof *x);
    sigrep *search = new_search("cpu", 100, 0.2, &sum);
    sigrep_push(search, y, n);
    sigrep_finish(search);
    sigrep_destroy(search);
    if (strcmp(how, "memory") == 0) {
        with_little_memory("cuda", (size_t)4 << 30, y, n, sum);
        with_little_memory("cuda", (size_t)340 << 20, y, n, sum);
        with_little_memory("auto", (size_t)200 << 20, y, n, sum);
        with_little_memory("cuda", (size_t)200 << 20, y, n, sum);
    } else {
        with_trap(how, y, n, sum);
    }
    free(y);
    free(x);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : "";
    const size_t n = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    if (strcmp(what, "file") == 0) return write_noise(path, n, 1);
    if (strcmp(what, "template") == 0) return write_noise(path, n, 2);
    if (strcmp(what, "read") == 0) return read_file(path);
    if (!cuda_usable(0, NULL)) {
        printf("SKIP host: no GPU\n");
        return 0;
    }
    if (strcmp(what, "copy") == 0) return copies();
    if (strcmp(what, "limit") == 0) return limit(strtoul(path, NULL, 10));
    if (strcmp(what, "live") == 0) return live();
    if (strcmp(what, "push") == 0) return push_all();
    if (strcmp(what, "fail") == 0) return failures(path);
    return 2;
}
