/* fast_clock.c - preloaded: the monotonic clock runs 50 times as fast, so that --state saves every
 * 40 ms. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { FACTOR = 50 };

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    void *address = real ? NULL : dlsym(RTLD_NEXT, "clock_gettime");
    if (!real) memcpy(&real, &address, sizeof real);
    const int result = real(clock, now);
    if (clock != CLOCK_MONOTONIC || result != 0) return result;
    const int64_t ns = (now->tv_sec * INT64_C(1000000000) + now->tv_nsec) * FACTOR;
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return 0;
}
