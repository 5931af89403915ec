/* portable.c - the vector kernel for any machine: 128 bits, the least that x86-64 and AArch64 have.
 */
#define LANES 4
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/kernel_body.h"

static bool portable_usable(void)
{
    return true;
}

const kernel_ops kernel_portable = SIMD_OPS("portable", portable_usable);
