/*
 * library_memory.c - memory for libraries that do not expect a failure.
 *
 *     our code --malloc--+                           +--> NULL: our code reports it
 *                        +--> here --> next malloc --+
 *     library ---malloc--+                           +--> NULL: out_of_memory_exit
 *
 * FFTW aborts if an allocation fails; libsndfile, libsoxr and ALSA crash at some. None can be told
 * to do otherwise. So the programs define these functions for the whole process, as an allocator
 * does, and pass each call on to the next definition: libc's, or a preloaded one's. Memory is freed
 * there, too. libsigrep does not do that to its host.
 *
 * CUDA's runtime crashes, too. It is linked into the program, so the Makefile sends its allocations
 * to library_malloc and its neighbours.
 */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"

typedef struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
} allocator;

/* Is the code at this address part of the program? Its own code checks what it gets. */
static bool is_own(const void *code)
{
    Dl_info here, there;
    return dladdr(__func__, &here) && dladdr(code, &there) && here.dli_fbase == there.dli_fbase;
}

#define CALLER __builtin_return_address(0)

/* `caller`: the address of its code; NULL: a library's. */
static void *checked(void *block, const void *caller)
{
    if (!block && (!caller || !is_own(caller))) out_of_memory_exit();
    return block;
}

/* ISO C has no cast from an object's address to a function's. */
static void find(void *function, const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address) abort();
    memcpy(function, &address, sizeof address);
}

/* The first call comes from the constructor of some library, before there are threads. */
static const allocator *next(void)
{
    static allocator found;
    static bool is_found;
    if (is_found) return &found;
    find(&found.malloc, "malloc");
    find(&found.calloc, "calloc");
    find(&found.realloc, "realloc");
    find(&found.memalign, "memalign");
    find(&found.aligned_alloc, "aligned_alloc");
    find(&found.posix_memalign, "posix_memalign");
    is_found = true;
    return &found;
}

/* For libraries, too. */
#pragma GCC visibility push(default)

void *malloc(size_t size)
{
    return checked(next()->malloc(size), CALLER);
}

void *calloc(size_t n, size_t size)
{
    return checked(next()->calloc(n, size), CALLER);
}

/* Size 0 frees the block, and may give NULL. */
void *realloc(void *old, size_t size)
{
    void *block = next()->realloc(old, size);
    return size ? checked(block, CALLER) : block;
}

void *memalign(size_t alignment, size_t size)
{
    return checked(next()->memalign(alignment, size), CALLER);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return checked(next()->aligned_alloc(alignment, size), CALLER);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    const int failure = next()->posix_memalign(block, alignment, size);
    if (failure == ENOMEM) checked(NULL, CALLER);
    return failure;
}

#pragma GCC visibility pop

/* No header declares these: only CUDA's runtime calls them. */
void *library_malloc(size_t size);
void *library_calloc(size_t n, size_t size);
void *library_realloc(void *old, size_t size);

void *library_malloc(size_t size)
{
    return checked(next()->malloc(size), NULL);
}

void *library_calloc(size_t n, size_t size)
{
    return checked(next()->calloc(n, size), NULL);
}

void *library_realloc(void *old, size_t size)
{
    void *block = next()->realloc(old, size);
    return size ? checked(block, NULL) : block;
}
