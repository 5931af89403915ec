/*
 * strings.h - THE interface of the kernels for strings: edit distances of a pattern over a text.
 *
 *     text       |--------- chunk 1 ---------|---- chunk 2 ----| ...
 *     blocks     |--64--|--64--|--64--|--64--|--64--|--64--|-10-|
 *     minima         9      2      9      9      9      0     9      k = 8: 9 stands for "above k"
 *
 * D(i,t) is the least number of edits between the first i letters of the pattern and any substring
 * of the text that ends at letter t (docs/SEMANTICS.md, "Strings"). A kernel carries the column
 * D(.,t) from chunk to chunk. All kernels give the same minima, however the text is cut.
 */
#ifndef KERNELS_STRINGS_STRINGS_H
#define KERNELS_STRINGS_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/strings/pattern.h"
#include "kernels/strings/tiles.h"

enum {
    STRING_BLOCK = 64, /* letters */
    /* Letters. More than the second-level cache holds would double the cost of reading. */
    STRING_CPU_CHUNK = 1 << 16
};

typedef struct string_sweep string_sweep; /* of a kernel's own */

typedef struct {
    const char *name;
    size_t chunk;         /* letters of a call that it likes */
    bool (*usable)(void); /* on this machine */

    /* A sweep at the beginning of a text. The pattern is borrowed. `chunk`: the most letters of a
     * call. NULL: out of memory, or the device failed. */
    string_sweep *(*create)(const string_pattern *p, size_t chunk);
    void (*destroy)(string_sweep *s); /* NULL is allowed */

    /* Begin a new text. */
    void (*reset)(string_sweep *s);

    /* The next n letters. minima[b] becomes the least of min(D(m,t), k + 1) over letters [64 b,
     * 64 b + 64) of the chunk, for ceil(n / 64) blocks. false: the device failed. */
    bool (*sweep)(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima);

    /* Two strings as wholes: string_stripe of tiles.h, over `lanes` times 64 letters. NULL: this
     * kernel only searches. */
    size_t lanes;
    void (*stripes)(const string_pattern *p, size_t first, size_t end, const unsigned char *letters,
                    string_edge *left, string_tile *tiles);
} string_ops;

static inline size_t string_blocks(size_t n)
{
    return (n + STRING_BLOCK - 1) / STRING_BLOCK; /* of n letters */
}

/* The kernels, for registry.c. */
#if defined(__x86_64__)
#define STRINGS_X86
extern const string_ops string_avx512;
extern const string_ops string_avx2;
#endif
extern const string_ops string_portable; /* 128-bit vectors on any machine */
extern const string_ops string_scalar;   /* the reference, of trace.c */
extern const string_ops string_cuda; /* a GPU's; a pattern needs a byte that matches no letter */

/* Seconds on the device of the last sweep of string_cuda: of the kernel alone, without copies. */
double string_cuda_device_s(const string_sweep *s);

/* All kernels, best first, but a GPU's comes last: to wake one takes half a second, so it must be
 * asked for. NULL behind the last. */
const string_ops *string_kernel_at(size_t i);

/* The best usable one of the CPU; or the one of this name, NULL if there is none. */
const string_ops *string_kernel_find(const char *name);

#endif
