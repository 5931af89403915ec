/* The table of kernels, best first, and the choice among them. */
#include <string.h>

#include "kernels/cpu.h"

static const kernel_ops *const table[] = {
#ifdef KERNELS_X86
    &kernel_avx512, &kernel_avx2,
#endif
    &kernel_portable, &kernel_scalar};

const kernel_ops *kernel_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const char *sigrep_kernel_name(size_t i, int *usable)
{
    const kernel_ops *ops = kernel_at(i);
    if (ops && usable) *usable = ops->usable();
    return ops ? ops->name : NULL;
}

const kernel_ops *kernel_choose(const char *device, const char *name, sigrep_error *error)
{
    bool any_device = !device || strcmp(device, "auto") == 0;
    if (!any_device && strcmp(device, "cpu") != 0) {
        status_fail(error, SIGREP_NO_KERNEL, "device '%s' is not built into this library", device);
        return NULL;
    }
    for (size_t i = 0; kernel_at(i); i++) {
        const kernel_ops *ops = kernel_at(i);
        if (name && strcmp(name, ops->name) != 0) continue;
        if (!any_device && strcmp(device, ops->device) != 0) continue;
        if (ops->usable()) return ops;
        if (name) {
            status_fail(error, SIGREP_NO_KERNEL, "kernel '%s' cannot run on this machine", name);
            return NULL;
        }
    }
    status_fail(error, SIGREP_NO_KERNEL, "unknown kernel '%s'", name ? name : "");
    return NULL;
}
