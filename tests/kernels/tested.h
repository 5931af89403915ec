/* tested.h - the kernels that a test compares: all usable ones, or the one that CHECK_KERNEL names.
 * So test programs of several kernels can run at the same time. */
#ifndef TESTS_KERNELS_TESTED_H
#define TESTS_KERNELS_TESTED_H

#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"

static inline bool tested(const kernel_ops *ops)
{
    const char *name = getenv("CHECK_KERNEL");
    return (!name || strcmp(name, ops->name) == 0) && ops->usable();
}

#endif
