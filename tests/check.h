/*
 * check.h - the whole test harness. A test file is
 *
 *     static void empty_input_is_no_match(void) { CHECK(f() == 0); }
 *     int main(void) { RUN(empty_input_is_no_match); return check_done(); }
 *
 * CHECK reports file and line and goes on. Random tests take their seed from check_seed(), which
 * prints it; CHECK_SEED=N in the environment repeats a run. If sanitizers or emulators make tests
 * slow, CHECK_SHARE=N runs one in N of their random cases: check_cases(), check_is_due() and
 * check_is_due_of() choose them. A case that a test must meet is made by construction, for any
 * seed, share and kernel.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Is this ThreadSanitizer? Then tests that start no thread find nothing, and take long. */
#ifdef __SANITIZE_THREAD__
enum { CHECK_THREADS_ALONE = 1 };
#else
enum { CHECK_THREADS_ALONE = 0 };
#endif

static int check_failures, check_tests, check_failed_tests;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, __func__, #condition);          \
        }                                                                                          \
    } while (0)

/* As CHECK, with printf-style words about the case. */
#define CHECK_MSG(condition, ...)                                                                  \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: %s: %s: ", __FILE__, __LINE__, __func__, #condition);          \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
        }                                                                                          \
    } while (0)

#define RUN(test)                                                                                  \
    do {                                                                                           \
        int before_ = check_failures;                                                              \
        check_tests++;                                                                             \
        test();                                                                                    \
        if (check_failures > before_) check_failed_tests++;                                        \
        printf("%s %s\n", check_failures > before_ ? "FAIL" : "ok  ", #test);                      \
        fflush(stdout);                                                                            \
    } while (0)

static inline int check_done(void)
{
    printf("%d passed, %d failed\n", check_tests - check_failed_tests, check_failed_tests);
    return check_failures ? 1 : 0;
}

/* For main() of a suite that this machine or build cannot run. */
static inline int check_skipped(const char *suite, const char *reason)
{
    printf("SKIP %s: %s\n", suite, reason);
    return check_done();
}

/* A seed, printed; from CHECK_SEED if that is set. */
static inline uint64_t check_seed(const char *what)
{
    const char *given = getenv("CHECK_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u;
    printf("seed of %s: CHECK_SEED=%llu\n", what, (unsigned long long)seed);
    return seed;
}

/* splitmix64 (Steele, Lea, Flood 2014): the next random number. */
static inline uint64_t check_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A random number in [0, n). */
static inline size_t check_below(uint64_t *state, size_t n)
{
    return (size_t)(check_random(state) % n);
}

/* The N of CHECK_SHARE=N; 1 without it. */
static inline size_t check_share(void)
{
    const char *given = getenv("CHECK_SHARE");
    size_t share = given ? (size_t)strtoull(given, NULL, 10) : 1;
    return share ? share : 1;
}

/* How many of n random cases are to be run: a share of them, one at least. */
static inline size_t check_cases(size_t n)
{
    return (n + check_share() - 1) / check_share();
}

/* Is the case with this seed in the share that is to be run? The choice does not depend on the
 * numbers that the case draws from its seed. */
static inline bool check_is_due(uint64_t seed)
{
    uint64_t random = ~seed;
    return check_below(&random, check_share()) == 0;
}

/* Is case i of n in the share that is to be run? The seed chooses them, one at least. */
static inline bool check_is_due_of(uint64_t seed, size_t i, size_t n)
{
    const size_t stride = check_share() < n ? check_share() : n;
    return (seed % n + i) % stride == 0;
}

#endif
