/* registry.c - the table of kernels, best first, and the choice among them. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/host/cuda.h"

static const kernel_ops *const table[] = {&kernel_cuda,
#if defined(__x86_64__)
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

/* For "cuda:all": searches take the GPUs in turn. */
static atomic_uint gpu_turn;

static bool is_all(const char *device)
{
    return device && strcmp(device, "cuda:all") == 0;
}

/* GPUs from `first` on. */
static int devices_of(const char *device, int *first)
{
    const bool all = is_all(device);
    *first = device && !all && strncmp(device, "cuda:", 5) == 0 ? atoi(device + 5) : 0;
    return all && cuda_count() > 1 ? cuda_count() : 1;
}

int kernel_device(const char *device)
{
    int first;
    const unsigned n = (unsigned)devices_of(device, &first);
    return n > 1 ? (int)(atomic_fetch_add(&gpu_turn, 1) % n) : first;
}

/* "cuda", "cuda:all", or "cuda:" and a number of at most three digits. */
static bool is_cuda(const char *device)
{
    if (strcmp(device, "cuda") == 0 || is_all(device)) return true;
    if (strncmp(device, "cuda:", 5) != 0) return false;
    const char *digits = device + 5;
    size_t n = strspn(digits, "0123456789");
    return n >= 1 && n <= 3 && !digits[n];
}

/* Write the reason into *error, cut to fit. */
__attribute__((format(printf, 2, 3))) static void explain(sigrep_error *error, const char *format,
                                                          ...)
{
    if (!error) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

/* Does the device exist? *wanted: its name in the table, NULL for any. */
static bool find_device(const char *device, const char **wanted, sigrep_error *error)
{
    *wanted = NULL;
    if (!device || strcmp(device, "auto") == 0) return true;
    *wanted = is_cuda(device) ? "cuda" : "cpu";
    sigrep_error words = {.text = ""};
    int first;
    const int n = devices_of(device, &first);
    for (int i = 0; i < n && is_cuda(device); i++) {
        if (cuda_usable(first + i, &words)) continue;
        explain(error, "device '%s': %s", device, words.text);
        return false;
    }
    if (is_cuda(device) || strcmp(device, "cpu") == 0) return true;
    explain(error, "unknown device '%s'", device);
    return false;
}

const kernel_ops *kernel_choose(const char *device, const char *name, sigrep_error *error)
{
    const char *wanted;
    if (!find_device(device, &wanted, error)) return NULL;
    bool elsewhere = false;
    for (size_t i = 0; kernel_at(i); i++) {
        const kernel_ops *ops = kernel_at(i);
        if (name && strcmp(name, ops->name) != 0) continue;
        if (wanted && strcmp(wanted, ops->device) != 0) {
            elsewhere = name != NULL;
            continue;
        }
        if (ops->usable()) return ops;
        if (name) {
            explain(error, "kernel '%s' cannot run on this machine", name);
            return NULL;
        }
    }
    if (elsewhere)
        explain(error, "kernel '%s' is not one of device '%s'", name, device);
    else
        explain(error, "unknown kernel '%s'", name ? name : "");
    return NULL;
}
