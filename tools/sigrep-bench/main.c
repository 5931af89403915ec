/*
 * sigrep-bench - how fast are the kernels, and how fast could they be? Measures in one run, in
 * turns, every kernel, the instruction ceiling of this machine, the papers' sequential loop and
 * the whole program. See --help, and docs/RESULTS.md for results.
 */
#include <stdarg.h>
#include <stdio.h>

#include "tools/sigrep-bench/parts.h"

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

static bool measure(const bench_options *o)
{
    report out;
    const machine here = machine_look();
    report_begin(&out, o->json, &here);
    bool good = true;
    if (good && o->parts & PART_KERNELS) good = part_kernels(o, &out);
    if (good && o->parts & PART_GROWTH) good = part_growth(o, &out);
    if (good && o->parts & PART_PROGRAM) good = part_program(o, &out);
    if (good && o->parts & PART_MATCHES) good = part_matches(o, &out);
    if (good && o->parts & PART_PRUNING) good = part_pruning(o, &out);
    report_end(&out);
    return good;
}

int main(int argc, char **argv)
{
    enum { FAILED = 2 };
    char error[BENCH_ERROR];
    bench_options o;
    if (!bench_options_parse(&o, argc, argv, error)) {
        bench_fail("%s", error);
        return FAILED;
    }
    if (o.help)
        bench_options_help();
    else if (!measure(&o))
        return FAILED;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        bench_fail("standard output: cannot be written");
        return FAILED;
    }
    return 0;
}
