#include "tests/support/failing_memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The linker's names: see --wrap in its manual. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
char *__wrap_strndup(const char *text, size_t n);
char *__wrap_strdup(const char *text);
char *__real_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to);
void __wrap_free(void *block);

/* Several threads may allocate. */
static atomic_size_t calls, fails_from, fails_to, failed; /* calls [fails_from, fails_to) fail */
static atomic_size_t bytes;
static atomic_long blocks;

void memory_fails_at(size_t n, bool and_later)
{
    calls = failed = bytes = 0;
    fails_from = n;
    fails_to = and_later ? SIZE_MAX : n + 1;
}

size_t memory_mend(void)
{
    fails_from = fails_to = 0;
    return failed;
}

size_t memory_bytes(void)
{
    return bytes;
}

long memory_blocks(void)
{
    return blocks;
}

static bool fails(size_t size)
{
    bytes += size;
    const size_t call = ++calls;
    if (call < fails_from || call >= fails_to) return false;
    failed++;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    blocks += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails(size) ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails(n * size) ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails(size)) return NULL;
    return old ? __real_realloc(old, size) : counted(__real_malloc(size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails(size) ? NULL : counted(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails(size)) return ENOMEM;
    const int error = __real_posix_memalign(block, alignment, size);
    if (!error) counted(*block);
    return error;
}

char *__wrap_strndup(const char *text, size_t n)
{
    const size_t length = strnlen(text, n);
    char *copy = __wrap_malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, SIZE_MAX);
}

/* Its block comes from libc's malloc. */
char *__wrap_realpath(const char *path, char *to)
{
    char *found = __real_realpath(path, NULL);
    if (!found) return NULL;
    if (!to) to = __wrap_malloc(strlen(found) + 1);
    if (to) strcpy(to, found);
    __real_free(found);
    return to;
}

void __wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}
