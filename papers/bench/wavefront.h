/* wavefront.h - the papers' own kernel for samples, as a contestant. It takes the sweeps of
 * kernels/cuda/launch.h. */
#ifndef PAPERS_BENCH_WAVEFRONT_H
#define PAPERS_BENCH_WAVEFRONT_H

#include "kernels/cuda/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most rows of an item: three anti-diagonals fit in 48 KiB. */
enum { WAVEFRONT_ROWS = 4000 };

/* Threads a segment. */
int wavefront_lanes(int rows);

/* Sweep, or repair, the items of a launch. Their `lanes` are wavefront_lanes(rows), `groups` 1.
 * Each has rows x segments tickets, and is not cut into bands. */
cudaError_t wavefront_sweep(const cuda_launch *launch);

#ifdef __cplusplus
}
#endif
#endif
