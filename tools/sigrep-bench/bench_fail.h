/* bench_fail.h - what sigrep-bench says where it cannot go on. */
#ifndef BENCH_FAIL_H
#define BENCH_FAIL_H

#include <stdbool.h>

/* `sigrep-bench: ...` on standard error, printf style. Always false. */
bool bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
