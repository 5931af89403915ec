/*
 * cuda.h - the CUDA kernels, for registry.c. Where the library is built without CUDA
 * (cuda_none.c), they are there and not usable.
 */
#ifndef KERNELS_CUDA_H
#define KERNELS_CUDA_H

#include "kernels/kernel.h"

extern const kernel_ops kernel_cuda;      /* the best of them for each template and step */
extern const kernel_ops kernel_handover;  /* any length, frames too */
extern const kernel_ops kernel_band;      /* long streams; frames by the hand-over kernel */
extern const kernel_ops kernel_wavefront; /* the papers' own, as a baseline */

/* Can the index-th NVIDIA GPU be used? If not, words in *error (may be NULL). */
bool cuda_usable(int index, sigrep_error *error);

/* NVIDIA GPUs that there are, usable or not. */
int cuda_count(void);

#endif
