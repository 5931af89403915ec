/*
 * float_env.h - a floating-point mode in which denormals count.
 *
 *     previous = float_env_enter();  ... arithmetic ...  float_env_leave(previous);
 *
 * A library that was built with -Ofast sets flush-to-zero for the whole process, which would change
 * results. So every entry into this library and every worker thread enters this mode first.
 */
#ifndef KERNELS_FLOAT_ENV_H
#define KERNELS_FLOAT_ENV_H

#include <stdint.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

typedef struct {
    uint64_t control;
} float_env;

/* Round to nearest, denormals kept, exceptions masked. Returns the previous mode. */
static inline float_env float_env_enter(void)
{
    float_env before = {0};
#if defined(__SSE__)
    before.control = _mm_getcsr();
    _mm_setcsr(0x1f80); /* the state at process start, by the x86-64 psABI */
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(before.control));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
#endif
    return before;
}

static inline void float_env_leave(float_env before)
{
#if defined(__SSE__)
    _mm_setcsr((unsigned)before.control);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(before.control));
#else
    (void)before;
#endif
}

#endif
