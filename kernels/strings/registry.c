/* registry.c - the table of kernels for strings. */
#include <string.h>

#include "kernels/strings/strings.h"

static const string_ops *const table[] = {
#ifdef STRINGS_X86
    &string_avx512, &string_avx2,
#endif
    &string_portable, &string_scalar, &string_cuda};

const string_ops *string_kernel_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const string_ops *string_kernel_find(const char *name)
{
    for (size_t i = 0; string_kernel_at(i); i++) {
        const string_ops *ops = string_kernel_at(i);
        if (name ? strcmp(name, ops->name) == 0 : ops->usable()) return ops;
    }
    return NULL;
}
