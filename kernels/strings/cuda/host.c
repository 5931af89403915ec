/*
 * host.c - the kernel for strings on a GPU, the part in C.
 *
 *     letters --> recent (host): the last `warm` ones --+
 *        |                                              v
 *        +------------------------------> device: [before | chunk] --> strings.cu --> minima
 */
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(hidden)
#include "kernels/cuda/host/cuda_kernel.h"
#include "kernels/strings/cuda/launch.h"
#include "kernels/strings/strings.h"
#pragma GCC visibility pop

enum {
    CHUNK = 1 << 24,
    WORD = 32,       /* rows of a lane */
    GROUPS = 8 * 32, /* lanes a multiprocessor: more hide more latency, and warm up more */
    LEAST_OWN = 256  /* letters of a segment */
};

struct string_sweep {
    const string_pattern *p;
    size_t chunk, warm; /* letters; warm is a multiple of 64 */
    int multiprocessors;
    unsigned char nothing; /* a byte that matches no letter of the pattern */
    unsigned char *recent; /* the last `warm` letters, `nothing` before the text */
    strings_sweep device;  /* what does not change from sweep to sweep */
    unsigned char *letters;
    uint32_t *minima;
    uint32_t *tables; /* bits and cold rows */
    uint32_t *between;
    size_t between_room; /* of them */
    cudaEvent_t begin, end;
    float device_ms;
};

static bool usable(void)
{
    int n = 0;
    return cuda_start() && cudaGetDeviceCount(&n) == cudaSuccess && n > 0;
}

static void reset(string_sweep *s)
{
    memset(s->recent, s->nothing, s->warm);
}

static void destroy(string_sweep *s)
{
    if (!s) return;
    cudaFree(s->letters);
    cudaFree(s->minima);
    cudaFree(s->tables);
    cudaFree(s->between);
    if (s->begin) cudaEventDestroy(s->begin);
    if (s->end) cudaEventDestroy(s->end);
    free(s->recent);
    free(s);
}

/* The first GPU, whichever this thread used last. What is freed knows its own. */
static bool set_device(void)
{
    return !cudaSetDevice(0);
}

/* Find a byte that matches no letter. false: there is none. */
static bool find_nothing(string_sweep *s)
{
    const string_pattern *p = s->p;
    for (unsigned y = 0; y < 256; y++) {
        bool matches = false;
        for (size_t i = 1; i <= p->m && !matches; i++)
            matches = string_matches(p, i, (unsigned char)y);
        s->nothing = (unsigned char)y;
        if (!matches) return true;
    }
    return false;
}

static void choose_lanes(string_sweep *s)
{
    const size_t words = (s->p->m + WORD - 1) / WORD;
    s->device.bands = (int)((words + STRINGS_LANES - 1) / STRINGS_LANES);
    s->device.lanes = 1;
    while ((size_t)s->device.lanes < words && s->device.lanes < STRINGS_LANES) s->device.lanes *= 2;
}

/* Set a bit of all rows, counted as pattern.h says, in tables of [band][letters][lanes]. */
static void set_bit(const string_sweep *s, uint32_t *tables, size_t letters, size_t y, size_t bit)
{
    const size_t lanes = (size_t)s->device.lanes, word = bit / WORD;
    tables[(word / lanes * letters + y) * lanes + word % lanes] |= (uint32_t)1 << (bit % WORD);
}

/* Lay out the pattern as launch.h wants it, on the device. */
static bool make_tables(string_sweep *s)
{
    const size_t words = (size_t)s->device.bands * (size_t)s->device.lanes;
    const size_t size = 257 * words * sizeof(uint32_t), padding = words * WORD - s->p->m;
    uint32_t *tables = calloc(257 * words, sizeof *tables);
    if (!tables) return false;
    uint32_t *cold = tables + 256 * words;
    for (size_t bit = 0; bit < words * WORD; bit++) {
        const bool is_row = bit >= padding; /* what is before row 1 matches all letters */
        if (is_row) set_bit(s, cold, 1, 0, bit);
        for (size_t y = 0; y < 256; y++)
            if (!is_row || string_matches(s->p, bit - padding + 1, (unsigned char)y))
                set_bit(s, tables, 256, y, bit);
    }
    const bool good = !cudaMalloc((void **)&s->tables, size) &&
                      !cudaMemcpy(s->tables, tables, size, cudaMemcpyHostToDevice);
    s->device.bits = s->tables;
    s->device.cold = s->tables + 256 * words;
    free(tables);
    return good;
}

static bool allocate(string_sweep *s)
{
    /* A sweep has at most twice its letters in segments, and LEAST_OWN more for each. */
    const size_t most = s->warm + 2 * s->chunk + STRINGS_AHEAD + LEAST_OWN;
    s->recent = malloc(s->warm);
    return s->recent &&
           !cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount, 0) &&
           !cudaMalloc((void **)&s->letters, most) && !cudaMemset(s->letters, 0, most) &&
           !cudaMalloc((void **)&s->minima, string_blocks(most) * sizeof *s->minima) &&
           !cudaEventCreate(&s->begin) && !cudaEventCreate(&s->end);
}

static string_sweep *create(const string_pattern *p, size_t chunk)
{
    string_sweep *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->p = p;
    s->chunk = chunk;
    s->warm = string_blocks(string_reach(p)) * STRING_BLOCK;
    s->device.rows = (int)p->m;
    s->device.edits = (int)p->edits;
    s->device.warm = (int)s->warm;
    choose_lanes(s);
    if (usable() && set_device() && find_nothing(s) && make_tables(s) && allocate(s)) {
        reset(s);
        return s;
    }
    destroy(s);
    return NULL;
}

/* Cut n letters into segments. */
static void cut(string_sweep *s, size_t n)
{
    const size_t groups = (size_t)s->multiprocessors * GROUPS / (size_t)s->device.lanes;
    size_t own = string_blocks((n + groups - 1) / groups) * STRING_BLOCK;
    if (own < LEAST_OWN) own = LEAST_OWN;
    s->device.own = (int)own;
    s->device.segments = (int)((n + own - 1) / own);
}

static bool make_between(string_sweep *s)
{
    const size_t steps = (size_t)(s->device.warm + s->device.own) / STRINGS_STEP;
    const size_t room = (size_t)strings_groups(&s->device) * steps;
    if (s->device.bands == 1 || room <= s->between_room) return true;
    cudaFree(s->between);
    s->between = NULL;
    s->between_room = 0;
    if (cudaMalloc((void **)&s->between, room * sizeof *s->between)) return false;
    s->between_room = room;
    s->device.between = s->between;
    return true;
}

static void keep_recent(string_sweep *s, const unsigned char *letters, size_t n)
{
    const size_t kept = n < s->warm ? s->warm - n : 0; /* of the old ones */
    memmove(s->recent, s->recent + s->warm - kept, kept);
    memcpy(s->recent + kept, letters + n - (s->warm - kept), s->warm - kept);
}

static bool sweep(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima)
{
    if (n == 0) return true;
    cut(s, n);
    s->device.letters = s->letters + s->warm;
    s->device.minima = s->minima;
    const bool good =
        set_device() && make_between(s) &&
        !cudaMemcpyAsync(s->letters, s->recent, s->warm, cudaMemcpyHostToDevice, 0) &&
        !cudaMemcpyAsync(s->letters + s->warm, letters, n, cudaMemcpyHostToDevice, 0) &&
        /* The last block's letters behind the text match nothing. */
        !cudaMemsetAsync(s->letters + s->warm + n, s->nothing, STRING_BLOCK, 0) &&
        !cudaEventRecord(s->begin, 0) && !strings_launch(&s->device, 0) &&
        !cudaEventRecord(s->end, 0) &&
        !cudaMemcpy(minima, s->minima, string_blocks(n) * sizeof *minima, cudaMemcpyDeviceToHost) &&
        !cudaEventElapsedTime(&s->device_ms, s->begin, s->end);
    keep_recent(s, letters, n);
    return good;
}

double string_cuda_device_s(const string_sweep *s)
{
    return 1e-3 * (double)s->device_ms;
}

const string_ops string_cuda = {.name = "cuda",
                                .chunk = CHUNK,
                                .usable = usable,
                                .create = create,
                                .destroy = destroy,
                                .reset = reset,
                                .sweep = sweep};
