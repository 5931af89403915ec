/* portable.c - the vector kernel for strings in 128 bits, which x86-64 and AArch64 always have. */
#define LANES 2
#include "kernels/strings/body.h"
#include "kernels/strings/strings.h"

const string_ops string_portable = STRING_OPS("portable", usable_anywhere);
