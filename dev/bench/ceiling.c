#include "dev/bench/ceiling.h"

#include <string.h>

/* An instruction set gives three pieces of assembly for one vector of cells: the first value's
 * cost, each further value's cost, and the cell. %0 and %1 are registers of input. */
#define FOUR(piece) piece piece piece piece
#define MIX(function, target, vector, constraint, clobbers, first, value, cell)                    \
    target static void function(size_t iterations, size_t dim)                                     \
    {                                                                                              \
        const vector x = (vector){0} + 1.5f, y = (vector){0} + 0.25f;                              \
        for (size_t i = 0; i < iterations; i++) {                                                  \
            __asm__ volatile(FOUR(first) : : constraint(x), constraint(y) : clobbers);             \
            for (size_t k = 1; k < dim; k++)                                                       \
                __asm__ volatile(FOUR(value) : : constraint(x), constraint(y) : clobbers);         \
            __asm__ volatile(FOUR(cell) : : constraint(x), constraint(y) : clobbers);              \
        }                                                                                          \
    }

#define BITS(n) __attribute__((vector_size((n) / 8)))
typedef float float128 BITS(128);

#if defined(__x86_64__)

typedef float float256 BITS(256);
typedef float float512 BITS(512);

#define CLOBBERS "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5"

/* Three operands: registers of input are never written. */
#define OP(op, r, to) op " %1, %0, %%" r #to "\n\t"
#define COST(r, and) OP("vsubps", r, 0) OP(and, r, 1)
#define COST_FUSED(r, and) "vmovaps %0, %%" r "0\n\tvfmsub213ps %1, %1, %%" r "0\n\t" OP(and, r, 1)
#define SUM(r) OP("vaddps", r, 2)
#define CELL(r, min) OP(min, r, 3) OP(min, r, 4) OP("vaddps", r, 2)

#define AVX512 __attribute__((target("avx512f")))
#define ZMM "zmm"
MIX(avx512_float, AVX512, float512, "v", CLOBBERS, COST(ZMM, "vpandd"),
    COST(ZMM, "vpandd") SUM(ZMM), CELL(ZMM, "vminps"))
MIX(avx512_integer, AVX512, float512, "v", CLOBBERS, COST(ZMM, "vpandd"),
    COST(ZMM, "vpandd") SUM(ZMM), CELL(ZMM, "vpminsd"))
MIX(avx512_fused, AVX512, float512, "v", CLOBBERS, COST(ZMM, "vpandd"),
    COST_FUSED(ZMM, "vpandd") SUM(ZMM), CELL(ZMM, "vpminsd"))

#define AVX2 __attribute__((target("avx2,fma")))
#define YMM "ymm"
MIX(avx2_float, AVX2, float256, "x", CLOBBERS, COST(YMM, "vandps"), COST(YMM, "vandps") SUM(YMM),
    CELL(YMM, "vminps"))
MIX(avx2_integer, AVX2, float256, "x", CLOBBERS, COST(YMM, "vandps"), COST(YMM, "vandps") SUM(YMM),
    CELL(YMM, "vpminsd"))
MIX(avx2_fused, AVX2, float256, "x", CLOBBERS, COST(YMM, "vandps"),
    COST_FUSED(YMM, "vandps") SUM(YMM), CELL(YMM, "vpminsd"))

/* Two operands overwrite the first, so copies keep cells apart. Copies occupy no unit. */
#define COST2(s) "movaps %0, %%xmm0\n\tsub" s " %1, %%xmm0\n\tandps %1, %%xmm0\n\t"
#define VALUE2(s) COST2(s) "movaps %0, %%xmm1\n\tadd" s " %%xmm0, %%xmm1\n\t"
#define CELL2(s, min)                                                                              \
    "movaps %0, %%xmm2\n\t" min " %1, %%xmm2\n\t" min " %0, %%xmm2\n\tadd" s " %1, %%xmm2\n\t"
#define NO_TARGET
MIX(sse_float, NO_TARGET, float128, "x", CLOBBERS, COST2("ps"), VALUE2("ps"), CELL2("ps", "minps"))
MIX(sse_integer, NO_TARGET, float128, "x", CLOBBERS, COST2("ps"), VALUE2("ps"),
    CELL2("ps", "pminsd"))
MIX(one_float, NO_TARGET, float128, "x", CLOBBERS, COST2("ss"), VALUE2("ss"), CELL2("ss", "minss"))

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_sse41(void)
{
    return __builtin_cpu_supports("sse4.1");
}

static bool always(void)
{
    return true;
}

static const ceiling table[] = {
    {"avx512",
     16,
     has_avx512,
     {{"float", avx512_float}, {"integer", avx512_integer}, {"fused", avx512_fused}}},
    {"avx2",
     8,
     has_avx2,
     {{"float", avx2_float}, {"integer", avx2_integer}, {"fused", avx2_fused}}},
    {"sse", 4, has_sse41, {{"float", sse_float}, {"integer", sse_integer}}},
    {"sse", 4, always, {{"float", sse_float}}},
    {"scalar", 1, always, {{"float", one_float}}},
};

#elif defined(__aarch64__)

#define CLOBBERS "v0", "v1", "v2", "v3", "v4"
#define NEON(op, to) op " " to ".4s, %0.4s, %1.4s\n\t"
#define ONE(op, to) op " s" to ", %s0, %s1\n\t"
#define NO_TARGET
MIX(neon_float, NO_TARGET, float128, "w", CLOBBERS, NEON("fabd", "v0"),
    NEON("fabd", "v0") NEON("fadd", "v1"), NEON("fmin", "v2") NEON("fmin", "v3") NEON("fadd", "v4"))
MIX(neon_integer, NO_TARGET, float128, "w", CLOBBERS, NEON("fabd", "v0"),
    NEON("fabd", "v0") NEON("fadd", "v1"), NEON("smin", "v2") NEON("smin", "v3") NEON("fadd", "v4"))
MIX(one_float, NO_TARGET, float128, "w", CLOBBERS, ONE("fabd", "0"),
    ONE("fabd", "0") ONE("fadd", "1"), ONE("fmin", "2") ONE("fmin", "3") ONE("fadd", "4"))

static bool always(void)
{
    return true;
}

static const ceiling table[] = {
    {"neon", 4, always, {{"float", neon_float}, {"integer", neon_integer}}},
    {"scalar", 1, always, {{"float", one_float}}},
};

#else
static const ceiling table[] = {{.lanes = 0}};
#endif

const ceiling *ceiling_at(size_t i)
{
    return i < sizeof table / sizeof *table && table[i].lanes ? &table[i] : NULL;
}

const ceiling *ceiling_of(const char *kernel)
{
    const ceiling *other = NULL;
    for (size_t i = 0; ceiling_at(i); i++) {
        const ceiling *c = ceiling_at(i);
        if (!c->usable()) continue;
        if (strncmp(kernel, c->name, strlen(c->name)) == 0) return c;
        if (c->lanes == 4 && !other) other = c;
    }
    return other;
}

double ceiling_cells(const ceiling *c)
{
    return (double)(CEILING_VECTORS * c->lanes);
}
