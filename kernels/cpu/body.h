/*
 * body.h - the shared body of the vector kernels: all parts, each over the ones before it.
 *
 *     state/             the types
 *        |
 *     dense/   tile --> segments ---------------------+
 *              diagonal --> plain --------------------+--> seams
 *        |                                            |
 *     sparse/  row --> layer --> panel --> credit     |
 *        |                                            |
 *     chunk.h            one chunk: dense or sparse <-+
 *     create.h           the kernel's memory
 *
 * A part includes types and vectors alone. This list gives it the parts before it, and its first
 * lines name those that it needs.
 *
 * The .c file sets LANES, includes this file and defines its kernel_ops by SIMD_OPS. Its compiler
 * flags choose the instructions.
 */
/* clang-format off */
#include "kernels/cpu/state/simd_kernel.h"
#include "kernels/cpu/dense/tile.h"
#include "kernels/cpu/dense/segments.h"
#include "kernels/cpu/dense/diagonal.h"
#include "kernels/cpu/dense/plain.h"
#include "kernels/cpu/dense/seams.h"
#include "kernels/cpu/sparse/row.h"
#include "kernels/cpu/sparse/layer.h"
#include "kernels/cpu/sparse/panel.h"
#include "kernels/cpu/sparse/credit.h"
#include "kernels/cpu/chunk.h"
#include "kernels/cpu/create.h"
/* clang-format on */

/* NOLINTBEGIN(bugprone-macro-parentheses): an initialiser takes none. */
#define SIMD_OPS(NAME, USABLE)                                                                     \
    {                                                                                              \
        .name = NAME, .device = "cpu", .usable = USABLE, .best_chunk = simd_chunk_size,            \
        .create = simd_create, .destroy = simd_destroy, .sweep = simd_sweep, .reset = simd_reset,  \
        .seek = simd_seek, .spacing = simd_spacing, .checkpoint = simd_checkpoint,                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
