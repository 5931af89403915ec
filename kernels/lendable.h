/* lendable.h - memory that can be lent to a kernel (`lend` of kernel.h), since a device may pin it.
 */
#ifndef KERNELS_LENDABLE_H
#define KERNELS_LENDABLE_H

#include <stddef.h>

/* Memory for so many floats, of pages that nothing else shares. The caller frees it; NULL: there is
 * none. */
float *lendable_allocate(size_t floats);

#endif
