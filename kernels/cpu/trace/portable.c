/* trace_portable.c - the trace for any machine: vectors of 128 bits. */
#define LANES 4
#include "kernels/cpu/trace/body.h"

static bool portable_usable(void)
{
    return true;
}

const trace_kernel trace_portable = TRACE_OPS("portable", portable_usable);
