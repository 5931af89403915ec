/*
 * failing_memory.h - allocation number N fails, for N = 1, 2, 3, ...
 *
 *     our objects --malloc--> __wrap_malloc --> malloc, or NULL: the N-th call fails
 *     libraries ---malloc----------------------> malloc
 *
 * The Makefile links the programs of tests/allocations with the linker's --wrap. It sends the
 * allocations of our objects through failing_memory.c, and only theirs.
 */
#ifndef TESTS_SUPPORT_FAILING_MEMORY_H
#define TESTS_SUPPORT_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Let allocation n from now on fail, counted from 1; all later ones too if `and_later`. */
void memory_fails_at(size_t n, bool and_later);

/* From now on no allocation fails. Returns how many did since memory_fails_at. */
size_t memory_mend(void);

/* Bytes asked for since memory_fails_at; a block that grows counts again. */
size_t memory_bytes(void);

/* Blocks allocated and not freed. */
long memory_blocks(void);

#endif
