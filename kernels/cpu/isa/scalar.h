/* scalar.h - the cell's cost in one float, for the two references: scalar.c and trace/scalar.c. */
#ifndef KERNELS_CPU_ISA_SCALAR_H
#define KERNELS_CPU_ISA_SCALAR_H

#include <math.h>

static inline float cell_cost(float x, float y)
{
    return fabsf(x - y);
}

#endif
