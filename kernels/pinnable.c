#include "kernels/pinnable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Long memory in large pages, if the system has them: a stream fills it quickly, again and again.
 */
float *pinnable_allocate(size_t floats)
{
    const size_t large = (size_t)2 << 20, most = SIZE_MAX / sizeof(float) - large;
    const bool is_long = floats >= 4 * large / sizeof(float);
    const size_t page = is_long ? large : (size_t)sysconf(_SC_PAGESIZE);
    void *frames;
    if (floats > most) return NULL;
    const size_t bytes = (floats * sizeof(float) + page - 1) / page * page;
    if (posix_memalign(&frames, page, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
    if (is_long) madvise(frames, bytes, MADV_HUGEPAGE);
#endif
    return frames;
}
