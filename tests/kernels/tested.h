/* tested.h - which kernels a test compares: those that can be used here, or, of these, the one that
 * CHECK_KERNEL names. So several can be tested at the same time. */
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
