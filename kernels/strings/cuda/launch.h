/*
 * launch.h - the border between host.c and strings.cu. All pointers are the device's.
 *
 *     letters     |- before -|------------ n letters ------------|
 *     segment 0   ~~~~~~~~~~~|--- own ---|
 *     segment 1               ~~~~~~~~~~~|--- own ---|              ~ warm-up, `warm` letters
 *
 * No state is carried from sweep to sweep: each segment warms up on the letters before it.
 */
#ifndef KERNELS_STRINGS_CUDA_LAUNCH_H
#define KERNELS_STRINGS_CUDA_LAUNCH_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    STRINGS_STEP = 16,    /* letters that a thread does at a time */
    STRINGS_LANES = 32,   /* threads a segment, at most; each has a word of 32 rows */
    STRINGS_THREADS = 256 /* a block */
};

typedef struct {
    const uint32_t *bits; /* [band][256 letters][lanes]: the words of a band */
    const uint32_t *cold; /* [band][lanes]: rows whose distance is one more than the row's before */
    int bands, lanes;     /* lanes: a power of two */
    int rows;             /* m */
    int edits;            /* k */

    /* letters[0] is the first of segment 0; `warm` letters are before it, and at least own *
     * segments + STRINGS_AHEAD after it. 16-byte aligned. */
    const unsigned char *letters;
    int own, warm; /* letters, multiples of 64 */
    int segments;
    uint32_t *between; /* bands above 1: [group][(warm + own) / STRINGS_STEP], from band to band */
    uint32_t *minima;  /* [segment][own / 64]: the least of min(D(m,t), k + 1) */
} strings_sweep;

enum { STRINGS_AHEAD = (STRINGS_LANES + 1) * STRINGS_STEP };

/* Groups of lanes that are launched: one a segment, and more to fill the last block of threads. */
int strings_groups(const strings_sweep *sweep);

cudaError_t strings_launch(const strings_sweep *sweep, cudaStream_t stream);

/* Registers the kernel with the CUDA runtime (kernels/cuda/host/cuda.c says why). */
void cuda_register_strings(void);

#ifdef __cplusplus
}
#endif

#endif
