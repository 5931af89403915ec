/* portable.c - the trace in 128 bits, which x86-64 and AArch64 always have. */
#define LANES 4
#include "kernels/cpu/trace/body.h"

const trace_kernel trace_portable = TRACE_OPS("portable", usable_anywhere);
