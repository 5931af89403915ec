/* bench_fail.h - error messages of sigrep-bench and sigrep-papers. */
#ifndef DEV_BENCH_BENCH_FAIL_H
#define DEV_BENCH_BENCH_FAIL_H

#include <stdbool.h>

/* `PROGRAM: ...` on standard error, printf style. Always false. */
bool bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
