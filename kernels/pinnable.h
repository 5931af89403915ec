/* pinnable.h - memory that can be pinned to a kernel (`pin` of kernel.h), since a device may pin
 * it.
 */
#ifndef KERNELS_PINNABLE_H
#define KERNELS_PINNABLE_H

#include <stddef.h>

/* Memory for so many floats, of pages that nothing else shares. The caller frees it; NULL: there is
 * none. */
float *pinnable_allocate(size_t floats);

#endif
