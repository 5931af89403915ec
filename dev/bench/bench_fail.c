#include "dev/bench/bench_fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "tools/common/messages/messages.h"

bool bench_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", report_program());
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}
