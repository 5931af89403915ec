/*
 * each_allocation.h - run a piece of work once for each of its allocations, which then fails.
 */
#ifndef TESTS_ALLOCATIONS_EACH_ALLOCATION_H
#define TESTS_ALLOCATIONS_EACH_ALLOCATION_H

#include <unistd.h>

#include "tests/check.h"
#include "tests/support/failing_memory.h"

/* Does the work, checks its result and destroys all that it made. Returns false if too little
 * memory was reported, by a status or a message. Any other failure is a CHECK of its own. */
typedef bool work_fn(const void *user);

/* The lowest descriptor that is free: another one after the work means that a file stayed open. */
static inline int free_descriptor(void)
{
    const int fd = dup(STDERR_FILENO);
    close(fd);
    return fd;
}

/* First allocation N alone fails, for N = 1, 2, 3, ...; then N and all later ones. The work ends
 * without memory or with the right result, frees every block and closes every file. Under
 * sanitizers N grows in steps of check_share(). */
static inline void each_allocation_fails(const char *name, work_fn *work, const void *user)
{
    for (int and_later = 0; and_later < 2; and_later++) {
        size_t n = 1, failed, reported = 0;
        do {
            const long blocks = memory_blocks();
            const int descriptor = free_descriptor();
            memory_fails_at(n, and_later);
            const bool good = work(user);
            failed = memory_mend();
            reported += !good;
            CHECK_MSG(good || failed, "%s: wrong with enough memory", name);
            CHECK_MSG(memory_blocks() == blocks, "%s: allocation %zu%s fails: %ld blocks leak",
                      name, n, and_later ? " and all later" : "", memory_blocks() - blocks);
            CHECK_MSG(free_descriptor() == descriptor,
                      "%s: allocation %zu fails: a file stays open", name, n);
            n += check_share();
        } while (failed);
        CHECK_MSG(reported > 0, "%s: no failed allocation was reported", name);
    }
}

#endif
