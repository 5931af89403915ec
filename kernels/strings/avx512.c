/* avx512.c - the vector kernel for strings in 512 bits, for x86-64 with VBMI2 (Zen 4, Ice Lake). */
#include "kernels/strings/strings.h"

#ifdef STRINGS_X86

#define LANES 8
#include "kernels/strings/body.h"

static bool usable_avx512_vbmi2(void)
{
    return usable_avx512() && __builtin_cpu_supports("avx512vbmi2");
}

const string_ops string_avx512 = STRING_OPS("avx512", usable_avx512_vbmi2);

#endif
