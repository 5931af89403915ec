/* portable.c - windows, 4 at once. */
#define LANES 4
#include "kernels/zmatch/body.h"

const zmatch_ops zmatch_portable = ZMATCH_OPS("portable", usable_anywhere);
