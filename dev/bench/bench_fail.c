#include "dev/bench/bench_fail.h"

#include <stdarg.h>
#include <stdio.h>

bool bench_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("sigrep-bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}
